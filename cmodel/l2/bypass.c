/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bypass.h"

#include <string.h>

#include "base/request.h"

bool bypass_init(struct bypass *s, const struct bypass_params *params) {
    const struct round_robin_arbiter_params turn = {.REQUESTERS = params->PORTS};
    memset(s, 0, sizeof *s);
    s->params = *params;
    /* One port is always the first in turn. */
    return params->PORTS == 1 || round_robin_arbiter_init(&s->turn, &turn);
}

void bypass_destroy(struct bypass *s) {
    round_robin_arbiter_destroy(&s->turn);
}

/* Of a request that entered in the last cycle. */
static uint8_t class_found(const struct bypass_in *in, unsigned port) {
    return in->look_known >> port & 1 ? in->look_class[port] : L2_CLASS_BALANCED;
}

/* Of the oldest request of a port. */
static uint8_t class_of_port(const struct bypass *s, const struct bypass_in *in, unsigned port) {
    bool entered_last = s->fresh & ~s->full & 1u << port;
    return entered_last ? class_found(in, port) : s->request[port]->class;
}

static bool may_bypass(const struct bypass *s, const struct bypass_request *r) {
    return r->kind == REQUEST_READ || (s->params.STORES && r->kind != REQUEST_ATOMIC);
}

/* The ports whose oldest request is for the DRAM. */
static uint8_t bypassing_ports(const struct bypass *s, const struct bypass_in *in) {
    unsigned ports = 0;
    for (unsigned left = s->held; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctz(left);
        const struct bypass_request *r = s->request[port];
        bool bypasses = class_of_port(s, in, port) == L2_CLASS_MISS && !r->keep && may_bypass(s, r);
        ports |= bypasses ? 1u << port : 0;
    }
    return (uint8_t)ports;
}

void bypass_comb(const struct bypass *s, const struct bypass_in *in, struct bypass_out *out) {
    unsigned to_dram = bypassing_ports(s, in);
    memset(out, 0, sizeof *out);
    out->req_ready = (uint8_t)(~s->full & ((1u << s->params.PORTS) - 1));
    out->arb_valid = (uint8_t)(s->held & ~to_dram);
    for (unsigned left = out->arb_valid; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctz(left);
        const struct bypass_request *r = s->request[port];
        uint8_t class = class_of_port(s, in, port);
        out->arb_data[port] = r->data;
        out->arb_class[port] = class;
        out->arb_allocate |= class != L2_CLASS_MISS || r->keep ? (uint8_t)(left & -left) : 0;
    }
    if (to_dram) {
        struct round_robin_arbiter_out grant;
        round_robin_arbiter_comb(&s->turn, &(struct round_robin_arbiter_in){.req_valid = to_dram},
                                 &grant);
        out->byp_valid = true;
        out->byp_port = grant.grant_index;
        out->byp_data = s->request[grant.grant_index]->data;
    }
}

static void enter_port(struct bypass *s, const struct bypass_in *in, unsigned port) {
    uint8_t bit = (uint8_t)(1u << port);
    bool second = s->held & bit;
    s->request[port][second] = (struct bypass_request){
        .data = in->req_data[port], .kind = in->req_kind[port], .keep = in->req_keep & bit};
    s->full |= second ? bit : 0;
    s->held |= bit;
}

/* Requests of the DRAM's port move on as the arbiter's do. */
static unsigned leaving_ports(const struct bypass_in *in, const struct bypass_out *out) {
    unsigned to_dram = out->byp_valid && in->byp_ready ? 1u << out->byp_port : 0;
    return (out->arb_valid & in->arb_ready) | to_dram;
}

void bypass_step(struct bypass *s, const struct bypass_in *in, const struct bypass_out *out) {
    const struct round_robin_arbiter_in served = {.rst = in->rst, .grant_taken = in->byp_ready};
    const struct round_robin_arbiter_out grant = {.grant_valid = out->byp_valid,
                                                  .grant_index = out->byp_port};
    if (s->params.PORTS > 1) {
        round_robin_arbiter_step(&s->turn, &served, &grant);
    }
    if (in->rst) {
        s->held = s->full = s->fresh = 0;
        return;
    }
    for (unsigned left = s->fresh; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctz(left);
        s->request[port][s->full >> port & 1].class = class_found(in, port);
    }
    unsigned enters = in->req_valid & out->req_ready, leaves = leaving_ports(in, out);
    for (unsigned left = leaves & s->full; left; left &= left - 1) {
        struct bypass_request *r = s->request[__builtin_ctz(left)];
        r[0] = r[1];
    }
    unsigned stay = s->held & ~leaves;
    s->held = (uint8_t)(stay | (leaves & s->full));
    s->full &= (uint8_t)~leaves;
    for (unsigned left = enters; left; left &= left - 1) {
        enter_port(s, in, (unsigned)__builtin_ctz(left));
    }
    s->fresh = (uint8_t)enters;
}

bool bypass_quiet(const struct bypass *s, const struct bypass_in *in) {
    if (in->rst) {
        return !s->held && !s->fresh && !s->turn.first;
    }
    if (s->fresh || (in->req_valid & ~s->full)) {
        return false;
    }
    unsigned to_dram = bypassing_ports(s, in);
    return !(s->held & ~to_dram & in->arb_ready) && !(to_dram && in->byp_ready);
}
