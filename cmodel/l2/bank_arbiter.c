/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank_arbiter.h"

#include <string.h>

bool bank_arbiter_init(struct bank_arbiter *s, const struct bank_arbiter_params *params) {
    *s = (struct bank_arbiter){.params = *params};
    return true;
}

void bank_arbiter_destroy(struct bank_arbiter *s) {
    (void)s;
}

/* The ports that show a request for each bank. Return: the banks that are wanted and have room. */
static inline uint32_t requested_banks(const struct bank_arbiter_in *in,
                                       uint8_t wanting[BANK_ARBITER_BANKS_MAX]) {
    uint32_t wanted = 0;
    for (uint32_t left = in->req_valid; left; left &= left - 1) {
        unsigned bank = in->req_bank[__builtin_ctz(left)];
        wanting[bank] |= (uint8_t)(left & -left);
        wanted |= UINT32_C(1) << bank;
    }
    return wanted & in->room;
}

/* The ports among which a bank chooses. */
static inline uint32_t candidate_ports(const struct bank_arbiter *s, unsigned bank,
                                       uint32_t ports) {
    uint32_t owed = s->owed[bank] & ports;
    return owed ? owed : ports;
}

static inline void give_port_the_bank(const struct bank_arbiter_in *in,
                                      struct bank_arbiter_out *out, unsigned bank, unsigned port) {
    out->req_ready |= (uint8_t)(1u << port);
    out->bank_valid |= (uint16_t)(1u << bank);
    out->bank_port[bank] = (uint8_t)port;
    out->bank_data[bank] = in->req_data[port];
}

/* Most cycles have one request: no choice, and no debt after it. */
static inline bool one_request(const struct bank_arbiter_in *in) {
    return !(in->req_valid & (in->req_valid - 1));
}

void bank_arbiter_comb(const struct bank_arbiter *s, const struct bank_arbiter_in *in,
                       struct bank_arbiter_out *out) {
    *out = (struct bank_arbiter_out){0};
    if (!in->req_valid) {
        return;
    }
    if (one_request(in)) {
        unsigned port = (unsigned)__builtin_ctz(in->req_valid), bank = in->req_bank[port];
        if (in->room >> bank & 1) {
            give_port_the_bank(in, out, bank, port);
        }
        return;
    }
    uint8_t wanting[BANK_ARBITER_BANKS_MAX] = {0};
    for (uint32_t banks = requested_banks(in, wanting); banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctz(banks);
        uint32_t among = candidate_ports(s, bank, wanting[bank]);
        uint32_t from_turn = among >> in->turn << in->turn;
        give_port_the_bank(in, out, bank, (unsigned)__builtin_ctz(from_turn ? from_turn : among));
    }
}

void bank_arbiter_step(struct bank_arbiter *s, const struct bank_arbiter_in *in,
                       const struct bank_arbiter_out *out) {
    if (in->rst) {
        memset(s->owed, 0, sizeof s->owed);
        return;
    }
    if (one_request(in)) {
        for (uint32_t given = out->bank_valid; given; given &= given - 1) {
            s->owed[__builtin_ctz(given)] = 0;
        }
        return;
    }
    uint8_t wanting[BANK_ARBITER_BANKS_MAX] = {0};
    for (uint32_t banks = requested_banks(in, wanting); banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctz(banks);
        s->owed[bank] = (uint8_t)(candidate_ports(s, bank, wanting[bank]) & ~out->req_ready);
    }
}

bool bank_arbiter_quiet(const struct bank_arbiter *s, const struct bank_arbiter_in *in) {
    if (in->rst) {
        static const uint8_t nothing[BANK_ARBITER_BANKS_MAX];
        return memcmp(s->owed, nothing, sizeof nothing) == 0;
    }
    /* A choice among several ports changes the owed turns; so does one that drops an owed turn. */
    uint8_t wanting[BANK_ARBITER_BANKS_MAX] = {0};
    for (uint32_t banks = requested_banks(in, wanting); banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctz(banks);
        if (s->owed[bank] || (wanting[bank] & (wanting[bank] - 1))) {
            return false;
        }
    }
    return true;
}
