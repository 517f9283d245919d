/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/fst_file.h"

enum { RESET_CYCLES = 2 };

void rtl_power_on(const struct rtl_block *rtl, void *rtl_self, const struct port_table *ports,
                  void *in, void *out) {
    const struct port_desc *rst = port_find(ports->in, ports->in_count, "rst");
    memset(in, 0, ports->block->in_size);
    if (!rst) {
        return;
    }
    port_set(rst, in, &(uint64_t){1});
    for (int i = 0; i < RESET_CYCLES; i++) {
        rtl->comb(rtl_self, in, out);
        rtl->edge(rtl_self, 0);
    }
    memset(in, 0, ports->block->in_size);
}

bool pair_init(struct pair *p, const struct rtl_block *rtl, uint64_t seed) {
    memset(p, 0, sizeof *p);
    const struct block *block = rtl->block;
    p->block = block;
    p->rtl = rtl;
    void *state = malloc(block->state_size);
    p->in = calloc(1, block->in_size);
    p->c_out = calloc(1, block->out_size);
    p->rtl_out = calloc(1, block->out_size);
    p->c_late = calloc(1, block->out_size);
    p->rtl_late = calloc(1, block->out_size);
    p->rtl_self = rtl->create(seed);
    if (state) {
        /* A block may be in memory that was used before: members that init misses must show. */
        memset(state, 0xa5, block->state_size);
    }
    if (!state || !p->in || !p->c_out || !p->rtl_out || !p->c_late || !p->rtl_late ||
        !p->rtl_self || !port_table_init(&p->ports, block, rtl->set->values) ||
        !history_init(&p->history, block) || !block->init(state, rtl->set->values)) {
        free(state);
        pair_destroy(p);
        return false;
    }
    p->state = state;
    rtl_power_on(rtl, p->rtl_self, &p->ports, p->in, p->rtl_out);
    return true;
}

void pair_destroy(struct pair *p) {
    if (p->state) {
        p->block->destroy(p->state);
    }
    if (p->rtl_self) {
        p->rtl->destroy(p->rtl_self);
    }
    free(p->state);
    free(p->in);
    free(p->c_out);
    free(p->rtl_out);
    free(p->c_late);
    free(p->rtl_late);
    free(p->rtl_wave_part);
    history_destroy(&p->history);
    memset(p, 0, sizeof *p);
}

static char *part_name(const char *path) {
    size_t size = strlen(path) + sizeof ".part";
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%s.part", path);
    }
    return name;
}

static void close_inner_wave(struct pair *p) {
    if (p->rtl_wave) {
        fst_file_make_room(p->rtl_wave_part);
        p->rtl->wave_close(p->rtl_self);
        p->rtl_wave = false;
        p->rtl_wave_lost |= !fst_file_publish(p->rtl_wave_part, p->rtl_wave_path);
    }
}

static bool refuse_full_disk(const char *path, char *error, size_t size) {
    if (fst_file_has_room(path, FST_ROOM_TO_OPEN)) {
        return false;
    }
    snprintf(error, size, "%s: cannot write: a wave needs %d bytes of its disk free", path,
             FST_ROOM_TO_OPEN);
    return true;
}

bool pair_wave_open(struct pair *p, const char *wave, const char *rtl_wave,
                    const struct wave_options *options, char *error, size_t size) {
    if ((wave && refuse_full_disk(wave, error, size)) ||
        (rtl_wave && refuse_full_disk(rtl_wave, error, size))) {
        return false;
    }
    if (wave) {
        p->wave_path = wave;
        p->wave = wave_open(wave, &p->ports, options);
        if (!p->wave) {
            snprintf(error, size, "%s: cannot write: %s", wave, strerror(errno));
            return false;
        }
    }
    p->wave_from = options->from;
    p->wave_to = options->to ? options->to : UINT64_MAX;
    if (!rtl_wave) {
        return true;
    }
    p->rtl_wave_path = rtl_wave;
    p->rtl_wave_part = part_name(rtl_wave);
    if (!p->rtl_wave_part || !p->rtl->wave_open(p->rtl_self, p->rtl_wave_part)) {
        snprintf(error, size, "%s: cannot write", rtl_wave);
        return false;
    }
    p->rtl_wave = true;
    if (options->from) { /* it can be written; it is opened again when its cycle comes */
        close_inner_wave(p);
    }
    return true;
}

bool pair_wave_close(struct pair *p, uint64_t last_cycle, char *error, size_t size) {
    close_inner_wave(p);
    bool good = wave_close(p->wave, last_cycle);
    p->wave = NULL;
    if (!good || p->rtl_wave_lost) {
        snprintf(error, size, "%s: cannot write all of the wave (disk full?); no file is left",
                 good ? p->rtl_wave_path : p->wave_path);
    }
    return good && !p->rtl_wave_lost;
}

void pair_comb(struct pair *p) {
    p->block->comb(p->state, p->in, p->c_out);
    p->rtl->comb(p->rtl_self, p->in, p->rtl_out);
}

static void remember_cycle(struct pair *p, uint64_t cycle, uint64_t differ) {
    struct history *h = &p->history;
    unsigned slot = (unsigned)(h->count++ % HISTORY_CYCLES);
    h->cycle[slot] = cycle;
    h->compared[slot] = p->mask;
    h->differ[slot] = differ;
    memcpy(h->in[slot], p->in, p->block->in_size);
    memcpy(h->c[slot], p->c_out, p->block->out_size);
    memcpy(h->rtl[slot], p->rtl_out, p->block->out_size);
}

void pair_inner_wave(struct pair *p, uint64_t cycle) {
    if (p->rtl_wave_path && !p->rtl_wave && cycle >= p->wave_from && cycle < p->wave_to) {
        p->rtl_wave = p->rtl->wave_open(p->rtl_self, p->rtl_wave_part);
        p->rtl_wave_lost |= !p->rtl_wave;
    }
}

enum lockstep_status pair_settle(struct pair *p, uint64_t cycle) {
    const struct port_table *t = &p->ports;
    uint64_t all = t->out_count >= 64 ? UINT64_MAX : (UINT64_C(1) << t->out_count) - 1;
    p->mask = p->block->compared(t->params, p->c_out) & all;
    uint64_t differ = ports_differ(t, p->rtl_out, p->c_out, p->mask);
    p->cycles++;
    p->compared += (unsigned)__builtin_popcountll(p->mask);
    remember_cycle(p, cycle, differ);
    if (p->wave) {
        wave_cycle(p->wave, cycle, p->in, p->c_out, p->rtl_out, p->mask, differ);
    }
    pair_inner_wave(p, cycle);

    p->rtl->comb(p->rtl_self, p->in, p->rtl_late);
    p->block->comb(p->state, p->in, p->c_late);
    struct pair_failure f = {LOCKSTEP_PASS, NULL, NULL, NULL, NULL, NULL, 0};
    if (differ) {
        f = (struct pair_failure){LOCKSTEP_MISMATCH, "rtl",    "c",   NULL,
                                  p->rtl_out,        p->c_out, differ};
    } else if ((differ = ports_differ(t, p->rtl_out, p->rtl_late, all))) {
        f = (struct pair_failure){
            LOCKSTEP_LATE, "rtl before",
            "rtl after",   "late inputs changed these outputs of the Verilog in the same cycle",
            p->rtl_out,    p->rtl_late,
            differ};
    } else if ((differ = ports_differ(t, p->c_out, p->c_late, p->mask))) {
        f = (struct pair_failure){
            LOCKSTEP_LATE, "c before",
            "c after",     "late inputs changed these outputs of the C block in the same cycle",
            p->c_out,      p->c_late,
            differ};
    }
    p->failure = f;
    return f.status;
}

void pair_edge(struct pair *p, uint64_t cycle) {
    p->block->step(p->state, p->in, p->c_out);
    p->rtl->edge(p->rtl_self, cycle);
    if (p->rtl_wave && cycle + 1 >= p->wave_to) {
        close_inner_wave(p);
    }
}

void pair_report(const struct pair *p, FILE *out, uint64_t cycle, const char *context,
                 const char *waves, const char *again, const char *dir) {
    const struct pair_failure *f = &p->failure;
    mismatch_report(out, &(struct mismatch){
                             .title = f->status == LOCKSTEP_LATE    ? "LATE INPUT"
                                      : f->status == LOCKSTEP_QUIET ? "NOT QUIET"
                                                                    : "MISMATCH",
                             .ports = &p->ports,
                             .cycle = cycle,
                             .left = f->left,
                             .right = f->right,
                             .in = p->in,
                             .a = f->a,
                             .b = f->b,
                             .differ = f->differ,
                             .compared = p->mask,
                             .context = context,
                             .instance = p->instance ? p->instance : p->rtl->set->name,
                             .note = f->note,
                             .waves = waves,
                             .replay = p->replay,
                             .again = again,
                             .dir = dir ? dir : MISMATCH_DIR,
                             .history = &p->history,
                         });
}
