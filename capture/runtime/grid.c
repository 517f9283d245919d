/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/grid.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/capture.h"
#include "runtime/cta.h"

/* CTAs that have begun and not ended, in their order. */
static struct waiting_cta {
    struct kept_cta *kept;
    enum cta_end end;
} * waiting;
static unsigned waiting_count, waiting_room;
static unsigned begun, ctas;

static void add_waiting(enum cta_end end) {
    if (waiting_count == waiting_room) {
        waiting_room = waiting_room ? 2 * waiting_room : 16;
        waiting = realloc(waiting, waiting_room * sizeof *waiting);
        if (!waiting) {
            capture_fail("kernel %s: no memory for %u CTAs together", running_kernel->name,
                         waiting_room);
        }
    }
    waiting[waiting_count++] = (struct waiting_cta){cta_keep(NULL), end};
}

static void begin_cta(bool recorded) {
    const unsigned cta = begun++;
    const enum cta_end end = cta_begin(cta, recorded && recording_takes_cta(cta));
    if (end != CTA_ENDED) {
        add_waiting(end);
    }
}

static void continue_cta(struct waiting_cta *w, bool granted) {
    w->end = cta_continue(w->kept, w->end == CTA_AT_GRID, granted);
    if (w->end == CTA_ENDED) {
        cta_drop_kept(w->kept);
        w->kept = NULL;
    } else {
        cta_keep(w->kept);
    }
}

static void drop_ended(void) {
    unsigned left = 0;
    for (unsigned i = 0; i < waiting_count; i++) {
        if (waiting[i].kept) {
            waiting[left++] = waiting[i];
        }
    }
    waiting_count = left;
}

/* Those for which something has changed. False: there are none. */
static bool continue_changed(void) {
    bool any = false;
    for (unsigned i = 0; i < waiting_count; i++) {
        if (waiting[i].end == CTA_WAITS && cta_may_continue(waiting[i].kept)) {
            continue_cta(&waiting[i], false);
            any = true;
        }
    }
    drop_ended();
    return any;
}

static unsigned count_at_grid(void) {
    unsigned count = 0;
    for (unsigned i = 0; i < waiting_count; i++) {
        count += waiting[i].end == CTA_AT_GRID;
    }
    return count;
}

/* All CTAs wait at the barrier of the grid, and go on. False: not all. */
static bool release_grid(void) {
    const unsigned at_grid = count_at_grid();
    if (at_grid && at_grid == waiting_count && waiting_count < ctas) {
        capture_fail("kernel %s: %u CTAs wait for the grid, but %u have ended",
                     running_kernel->name, at_grid, ctas - at_grid);
    }
    if (!at_grid || at_grid < waiting_count) {
        return false;
    }
    for (unsigned i = 0; i < waiting_count; i++) {
        continue_cta(&waiting[i], false);
    }
    drop_ended();
    return true;
}

/* Nothing changes any more, and some threads may end by themselves. False: none. */
static bool grant_any(void) {
    bool any = false;
    for (unsigned i = 0; i < waiting_count; i++) {
        if (waiting[i].end == CTA_WAITS && cta_can_be_granted(waiting[i].kept)) {
            continue_cta(&waiting[i], true);
            any = true;
        }
    }
    drop_ended();
    return any;
}

static _Noreturn void fail_grid(void) {
    char others[160] = "";
    unsigned i = 0;
    while (waiting[i].end != CTA_WAITS) {
        i++;
    }
    if (begun < ctas) {
        snprintf(others, sizeof others,
                 "; %u of %u CTAs have not begun, as the device holds %u of them at once",
                 ctas - begun, ctas, waiting_count);
    }
    cta_fail_hang(waiting[i].kept, others);
}

void grid_run(bool recorded, unsigned (*residents)(void)) {
    unsigned most = 0; /* 0: no CTA has waited */
    ctas = running.grid.x * running.grid.y * running.grid.z;
    for (begun = waiting_count = 0; begun < ctas || waiting_count;) {
        most = waiting_count && !most ? residents() : most;
        if (begun < ctas && (!waiting_count || waiting_count < most)) {
            begin_cta(recorded);
            continue_changed();
        } else if (!continue_changed() && !release_grid() && !grant_any()) {
            fail_grid();
        }
    }
}

void grid_drop(void) {
    for (unsigned i = 0; i < waiting_count; i++) {
        cta_drop_kept(waiting[i].kept);
    }
    waiting_count = 0;
}
