/* SPDX-License-Identifier: Apache-2.0 */
#include "common/mshrs.h"

#include <string.h>

bool mshrs_init(struct mshrs *s, const struct mshrs_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    return mshr_init(&s->file, params->ENTRIES, params->MERGE);
}

void mshrs_destroy(struct mshrs *s) {
    mshr_destroy(&s->file);
    memset(s, 0, sizeof *s);
}

static bool is_last(const struct mshr_file *m) {
    unsigned entry = m->ready[m->ready_head];
    return m->woken[entry] + 1u == m->waiting[entry];
}

/* Entries that a request finds free after the cycle's wake and fill, one bit each. */
static uint64_t free_entries(const struct mshrs *s, const struct mshrs_in *in) {
    const struct mshr_file *m = &s->file;
    uint64_t entries = m->free;
    if (mshr_ready(m) && in->wake_ready && is_last(m)) {
        entries |= UINT64_C(1) << m->ready[m->ready_head];
    }
    if (in->fill_valid && in->fill_drop) {
        entries |= UINT64_C(1) << in->fill_entry;
    }
    return entries;
}

void mshrs_comb(const struct mshrs *s, const struct mshrs_in *in, struct mshrs_out *out) {
    const struct mshr_file *m = &s->file;
    uint64_t entries = free_entries(s, in);
    out->wake_valid = mshr_ready(m);
    if (out->wake_valid) {
        out->wake_entry = (uint8_t)m->ready[m->ready_head];
        out->wake_tag = mshr_first(m)->line;
        out->wake_last = is_last(m);
    }
    out->new_valid = entries != 0;
    out->put_ready = in->put_merge ? mshr_can_merge(m, in->put_entry) : out->new_valid;
    out->new_entry = entries ? (uint8_t)__builtin_ctzll(entries) : 0;
    out->free_count = (uint8_t)m->free_count;
}

static void reset_mshrs(struct mshr_file *m) {
    for (unsigned entry = 0; entry < m->entries; entry++) {
        if (m->waiting[entry]) {
            mshr_release(m, entry);
        }
    }
    m->ready_head = m->ready_count = 0;
}

void mshrs_step(struct mshrs *s, const struct mshrs_in *in, const struct mshrs_out *out) {
    struct mshr_file *m = &s->file;
    const struct request request = {.line = in->put_tag};
    if (in->rst) {
        reset_mshrs(m);
        return;
    }
    if (out->wake_valid && in->wake_ready) {
        mshr_wake(m);
    }
    if (in->fill_valid && in->fill_drop) {
        mshr_release(m, in->fill_entry);
    } else if (in->fill_valid && in->fill_skip) {
        mshr_fill_behind_first(m, in->fill_entry);
    } else if (in->fill_valid) {
        mshr_fill(m, in->fill_entry);
    }
    if (in->put_valid && out->put_ready && in->put_merge) {
        mshr_merge(m, in->put_entry, &request);
    } else if (in->put_valid && out->put_ready) {
        mshr_allocate(m, &request);
    }
}

bool mshrs_quiet(const struct mshrs *s, const struct mshrs_in *in) {
    struct mshrs_out out;
    if (in->rst || in->fill_valid || (mshr_ready(&s->file) && in->wake_ready)) {
        return false;
    }
    mshrs_comb(s, in, &out);
    return !(in->put_valid && out.put_ready);
}
