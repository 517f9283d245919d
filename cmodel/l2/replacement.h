/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface for a replacement policy of the L2 that a plug-in brings (gpu/plugin.h).
 *
 * Each bank has a state of its own, a flat piece of memory without pointers. The bank takes free
 * ways by itself, and asks for a victim only in a full set. A refused request (a full queue, no
 * MSHR) asks again in a later cycle, perhaps with other candidates: the answer is a function of the
 * state, which only touch() and insert() change. With --poll each question is put twice, and a
 * policy that answers otherwise, or changes its state, ends the run.
 */
#ifndef WARPMEM_L2_REPLACEMENT_H
#define WARPMEM_L2_REPLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/request.h"
#include "config/config.h"

#define L2_REPLACEMENT_WAYS_MAX 64

/* A bank as its policy sees it. */
struct l2_replacement_view {
    const struct config *config;
    unsigned partition, bank;
    unsigned sets, ways;
};

/**
 * struct l2_replacement_access - a request at the bank.
 * @line: number of the line in the bank
 * @warp: slot of its warp in @core
 * @pc: as requests bear it: a hash of kernel and static instruction; 0: not known
 */
struct l2_replacement_access {
    uint64_t line;
    unsigned set;
    enum request_kind kind;
    unsigned core, warp;
    uint16_t pc;
};

/**
 * struct l2_replacement_kind - a policy. All but name and victim may be NULL.
 * @name: of letters, digits, - and _; a scheme's name, and the value of l2.policy
 * @about: one line
 * @state_size: bytes of a bank's state, zeroed before init
 * @victim: the way to evict, one of @candidates: ways with valid lines, a bit each, at least one
 * @touch: a request has found its line in @way, or on its way there
 * @insert: the line of a request takes @way, which was free or is the victim
 */
struct l2_replacement_kind {
    const char *name, *about;
    size_t (*state_size)(const struct l2_replacement_view *view);
    void (*init)(void *state, const struct l2_replacement_view *view);
    unsigned (*victim)(const void *state, const struct l2_replacement_view *view,
                       const struct l2_replacement_access *access, uint64_t candidates);
    void (*touch)(void *state, const struct l2_replacement_view *view,
                  const struct l2_replacement_access *access, unsigned way);
    void (*insert)(void *state, const struct l2_replacement_view *view,
                   const struct l2_replacement_access *access, unsigned way);
};

#endif
