/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared part of the test cases of the table of warp types. Sections in the names of the cases are
 * those of Ausavarungnirun et al., PACT 2015 (MeDiC).
 */
#ifndef WARPMEM_TB_L2_WARP_TYPE_CASES_H
#define WARPMEM_TB_L2_WARP_TYPE_CASES_H

#include "base/request.h"
#include "common/bench.h"
#include "cosim/block_test.h"
#include "l2/warp_type.h"

/* So many sets of the list have what a case is about. A program of mutants has a few sets alone. */
static inline void assert_sets(unsigned found, unsigned in_the_list) {
#define COUNT(...) +1
    enum { ALL = WARP_TYPE_SETS(COUNT) };
#undef COUNT
    unsigned here;
    rtl_blocks(&here);
    assert_true(here < ALL || found == in_the_list);
}

enum { LATENCY = 6 }; /* cycles from an access to the first lookup that it counts for */

static inline const struct warp_type_params *warp_type_params_of(const struct bench *b) {
    return (const struct warp_type_params *)b->pair.ports.params;
}

static inline struct warp_type_in *warp_type_in_of(struct bench *b) {
    return b->pair.in;
}

static inline const struct warp_type_out *warp_type_out_of(const struct bench *b) {
    return b->pair.c_out;
}

/* The counters of a warp; the Verilog's show in what is known of it. */
static inline const struct warp_type_entry *entry_of(const struct bench *b, unsigned warp) {
    return &((const struct warp_type *)b->pair.state)->entry[warp];
}

/* Until the counters are empty. */
static inline void sweep_counters(struct bench *b) {
    bench_idle(b, warp_type_words(warp_type_params_of(b)));
}

/* As after a clear that is over. */
static inline void renew_table(struct bench *b) {
    warp_type_in_of(b)->clear = true;
    bench_edge(b);
    sweep_counters(b);
}

/* Until every update is in the types. */
static inline void settle_updates(struct bench *b) {
    bench_idle(b, warp_type_params_of(b)->QUEUE * warp_type_params_of(b)->UPDATES + LATENCY);
}

/* An access of a warp through a port. */
static inline void set_access(struct warp_type_in *in, unsigned port, unsigned warp, bool hit) {
    in->upd_valid |= UINT64_C(1) << port;
    in->upd_hit |= (uint64_t)hit << port;
    in->upd_warp[port] = (uint16_t)warp;
}

/* The same in this cycle. The edge is still to come. */
static inline void access_at(struct bench *b, unsigned port, unsigned warp, bool hit) {
    set_access(warp_type_in_of(b), port, warp, hit);
}

/* Accesses of a warp, hits or not, none of them lost. */
static inline void send_accesses(struct bench *b, unsigned warp, unsigned generation,
                                 unsigned count, bool hit) {
    while (count) {
        bench_comb(b);
        if (warp_type_out_of(b)->upd_ready & 1) {
            access_at(b, 0, warp, hit);
            warp_type_in_of(b)->upd_generation[0] = (uint8_t)generation;
            count--;
        }
        bench_edge(b);
    }
}

/* As many hits, then as many accesses that are none; all in the types. */
static inline void mix_accesses(struct bench *b, unsigned warp, unsigned hits, unsigned misses) {
    send_accesses(b, warp, 0, hits, true);
    send_accesses(b, warp, 0, misses, false);
    settle_updates(b);
}

enum { UNKNOWN = -1 };

/* The answer to a port's lookup in the last cycle. */
static inline int answer_to_lookup(struct bench *b, unsigned port) {
    bench_comb(b);
    bool known = warp_type_out_of(b)->look_known >> port & 1;
    if (!known) {
        assert_int_equal(warp_type_out_of(b)->look_class[port], L2_CLASS_BALANCED);
    }
    return known ? warp_type_out_of(b)->look_class[port] : UNKNOWN;
}

/* A lookup in this cycle. The edge is still to come. */
static inline void ask_type(struct bench *b, unsigned port, unsigned warp, unsigned generation) {
    struct warp_type_in *in = warp_type_in_of(b);
    in->look_valid |= UINT64_C(1) << port;
    in->look_warp[port] = (uint16_t)warp;
    in->look_generation[port] = (uint8_t)generation;
}

/* The type of a warp now, or UNKNOWN. */
static inline int type_of_warp(struct bench *b, unsigned warp, unsigned generation) {
    unsigned port = warp_type_params_of(b)->LOOKUPS - 1;
    ask_type(b, port, warp, generation);
    bench_edge(b);
    return answer_to_lookup(b, port);
}

#endif
