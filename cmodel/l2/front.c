/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/front.h"

#include <assert.h>
#include <string.h>

#include "config/derived.h"
#include "l2/bank_arbiter.h"
#include "l2/bypass.h"

#define HEADER_BITS 64

bool l2_front_sorts(const struct config *config) {
    return config_has_l2_sorting(config);
}

bool l2_front_init(struct l2_front *f, const struct config *config, unsigned number,
                   const struct build *build) {
    *f = (struct l2_front){.config = config,
                           .sorts = l2_front_sorts(config),
                           .early = config_bypasses_at_port(config),
                           .alarm = build->alarm};
    memset(f->free, (1u << FRONT_PLACES) - 1, sizeof f->free);
    char where[16];
    snprintf(where, sizeof where, "p%u", number);
    if (!l2_policy_init(&f->policy, config)) {
        return build_refused(build, "out of memory");
    }
    const struct bank_arbiter_params arbiter = {
        .PORTS = config->l2.ports, .BANKS = config->l2.banks, .DATA_BITS = HEADER_BITS};
    if (l2_front_arbitrates(config) &&
        !block_make(build, &bank_arbiter_block, &arbiter, where, &f->cycle, &f->arbiter)) {
        return false;
    }
    const struct bypass_params bypass = {.PORTS = config->l2.ports,
                                         .DATA_BITS = HEADER_BITS,
                                         .STORES = config->medic.stores == MEDIC_STORES_DIRECT};
    return !f->sorts || block_make(build, &bypass_block, &bypass, where, &f->cycle, &f->bypass);
}

void l2_front_destroy(struct l2_front *f) {
    block_unmake(&f->bypass);
    block_unmake(&f->arbiter);
    l2_policy_destroy(&f->policy);
}

static void step_front_block(struct l2_front *f, struct block_instance *block, const void *in,
                             const void *out) {
    if (!block->step(block->self, in, out)) {
        alarm_ring(f->alarm, ALARM_BLOCK_DIFFERS);
    }
    f->active = true;
}

void l2_front_accessed(struct l2_front *f, unsigned bank, const struct request *r, bool hit) {
    if (l2_front_counts(f, r)) {
        warp_table_update(f->table, f->first_update + bank, l2_policy_entry(f->config, r),
                          r->generation, hit);
    }
}

void l2_front_show(struct l2_front *f, unsigned port, const struct request *r, uint64_t cycle) {
    f->in.req_valid |= (uint8_t)(1u << port);
    f->in.req_kind[port] = r->kind;
    f->in.req_keep |= (uint8_t)(l2_policy_keeps(&f->policy, r, cycle) << port);
    assert(f->free[port]); /* the block has fewer places */
    f->shown[port] = (uint8_t)__builtin_ctz(f->free[port]);
    f->in.req_data[port] = l2_front_header(r, f->shown[port]);
}

/* The table's answer for the request that entered a port in the last cycle. */
static struct l2_verdict type_from_table(const struct l2_front *f, unsigned port) {
    if (!f->table) {
        return (struct l2_verdict){L2_CLASS_BALANCED, false};
    }
    unsigned at = f->first_lookup + port;
    return (struct l2_verdict){(enum l2_class)f->table->out.look_class[at],
                               f->table->out.look_known >> at & 1};
}

static void show_verdicts(struct l2_front *f) {
    for (unsigned left = f->entered; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctz(left);
        struct l2_verdict type = type_from_table(f, port);
        struct l2_verdict verdict = l2_policy_verdict(
            &f->policy, &f->held[port][f->newest[port]].request, type, f->entered_in);
        if (f->table) {
            *(type.known ? &f->stats.looked[type.l2_class] : &f->stats.unknown) += 1;
        }
        f->in.look_class[port] = (uint8_t)verdict.l2_class;
        f->in.look_known |= (uint8_t)(verdict.known << port);
    }
}

const struct request *l2_front_look(struct l2_front *f, uint64_t cycle) {
    f->cycle = cycle;
    f->active = f->entered && f->entered_in + 1 == cycle;
    if (f->active) {
        show_verdicts(f);
    }
    f->entered = 0;
    f->bypass.comb(f->bypass.self, &f->in, &f->out);
    return f->out.byp_valid ? &f->held[f->out.byp_port][l2_front_place(f->out.byp_data)].request
                            : NULL;
}

void l2_front_arbitrate(struct l2_front *f, struct bank_arbiter_in *in,
                        struct bank_arbiter_out *out, uint64_t cycle) {
    f->cycle = cycle;
    f->arbiter.comb(f->arbiter.self, in, out);
    if (!f->arbiter.quiet(f->arbiter.self, in)) {
        step_front_block(f, &f->arbiter, in, out);
    }
}

unsigned l2_front_edge(struct l2_front *f, unsigned arb_ready, bool byp_ready) {
    unsigned enters = f->in.req_valid & f->out.req_ready;
    f->in.arb_ready = (uint8_t)arb_ready;
    f->in.byp_ready = byp_ready;
    if (!f->bypass.quiet(f->bypass.self, &f->in)) {
        step_front_block(f, &f->bypass, &f->in, &f->out);
    }
    memset(&f->in, 0, sizeof f->in);
    return enters;
}

void l2_front_enter(struct l2_front *f, unsigned port, const struct request *r,
                    uint64_t at_port_end) {
    unsigned place = f->shown[port];
    f->free[port] &= (uint8_t) ~(1u << place);
    f->held[port][place] = (struct l2_held){*r, at_port_end};
    f->newest[port] = (uint8_t)place;
    f->entered |= (uint8_t)(1u << port);
    f->entered_in = f->cycle;
    f->count++;
    f->active = true;
    if (f->table) {
        warp_table_look(f->table, f->first_lookup + port, l2_policy_entry(f->config, r),
                        r->generation);
    }
}
