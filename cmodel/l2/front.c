/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/front.h"

#include <assert.h>
#include <string.h>

#include "config/derived.h"
#include "l2/bank_arbiter.h"
#include "l2/bypass.h"

#define HEADER_BITS 64

bool l2_front_init(struct l2_front *f, struct l2_policies *policies, const struct build *build) {
    const struct config *config = policies->view.config;
    const uint64_t *cycle = &policies->view.cycle;
    bool sorts = l2_policies_sort(policies);
    *f = (struct l2_front){.config = config,
                           .policies = policies,
                           .sorts = sorts,
                           .early = sorts && config->l2.bypass_at == L2_BYPASS_AT_PORT,
                           .types = {.config = config, .of = policies->types},
                           .alarm = build->alarm};
    memset(f->free, (1u << FRONT_PLACES) - 1, sizeof f->free);
    char where[16];
    snprintf(where, sizeof where, "p%u", policies->view.partition);
    const struct bank_arbiter_params arbiter = {
        .PORTS = config->l2.ports, .BANKS = config->l2.banks, .DATA_BITS = HEADER_BITS};
    if (l2_front_arbitrates(f) &&
        !block_make(build, &bank_arbiter_block, &arbiter, where, cycle, &f->arbiter)) {
        return false;
    }
    const struct bypass_params bypass = {.PORTS = config->l2.ports,
                                         .DATA_BITS = HEADER_BITS,
                                         .STORES = config_stores_bypass(config)};
    return !f->sorts || block_make(build, &bypass_block, &bypass, where, cycle, &f->bypass);
}

void l2_front_destroy(struct l2_front *f) {
    block_unmake(&f->bypass);
    block_unmake(&f->arbiter);
}

static void step_front_block(struct l2_front *f, struct block_instance *block, const void *in,
                             const void *out) {
    if (!block->step(block->self, in, out)) {
        alarm_ring(f->alarm, ALARM_BLOCK_DIFFERS);
    }
    f->active = true;
}

void l2_front_show(struct l2_front *f, unsigned port, const struct request *r) {
    assert(f->free[port]); /* the block has fewer places */
    unsigned place = (unsigned)__builtin_ctz(f->free[port]);
    enum l2_bypass bypass = l2_policies_bypass(f->policies, r);
    f->shown[port] = (uint8_t)place;
    f->held[port][place].bypass = bypass;
    f->in.req_valid |= (uint8_t)(1u << port);
    f->in.req_kind[port] = r->kind & 3; /* a prefetch is a read */
    f->in.req_keep |= (uint8_t)((bypass == L2_BYPASS_NEVER) << port);
    f->in.req_data[port] = l2_front_header(r, place);
}

/* The block gets the types of the requests that entered in the last cycle. A request that bypasses
 * for any type has the lowest one there. */
static void show_types_to_block(struct l2_front *f) {
    for (unsigned left = f->entered; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctz(left);
        struct l2_type type = l2_types_find(&f->types, port);
        if (f->held[port][f->newest[port]].bypass == L2_BYPASS_ALWAYS) {
            type = (struct l2_type){L2_CLASS_MISS, true};
        }
        f->in.look_class[port] = (uint8_t)type.l2_class;
        f->in.look_known |= (uint8_t)(type.known << port);
    }
}

const struct request *l2_front_look(struct l2_front *f) {
    f->active = f->entered && f->entered_in + 1 == f->policies->view.cycle;
    if (f->active) {
        show_types_to_block(f);
    }
    f->entered = 0;
    f->bypass.comb(f->bypass.self, &f->in, &f->out);
    return f->out.byp_valid ? &f->held[f->out.byp_port][l2_front_place(f->out.byp_data)].request
                            : NULL;
}

void l2_front_arbitrate(struct l2_front *f, struct bank_arbiter_in *in,
                        struct bank_arbiter_out *out) {
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
    f->held[port][place].request = *r;
    f->held[port][place].at_port_end = at_port_end;
    f->newest[port] = (uint8_t)place;
    f->entered |= (uint8_t)(1u << port);
    f->entered_in = f->policies->view.cycle;
    f->count++;
    f->active = true;
    l2_types_look(&f->types, port, r);
}

void l2_front_bypassed(struct l2_front *f) {
    const unsigned port = f->out.byp_port;
    const struct request *r = &l2_front_leave(f, port, f->out.byp_data)->request;
    if (f->policies->events & L2_POLICY_EVENT(L2_POLICY_BYPASSED)) {
        const struct l2_policy_access access = l2_policy_access_of(f->policies, r);
        l2_policies_tell(f->policies,
                         &(struct l2_policy_event){.kind = L2_POLICY_BYPASSED, .access = &access});
    }
    l2_types_bypassed(&f->types, port, r);
}
