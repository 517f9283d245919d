/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/simt_grid.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>

#include "kernel/simt_internal.h"

enum cta_state { CTA_RUNS, CTA_AT_BARRIER, CTA_ENDED };

struct grid_cta {
    struct simt_grid *grid;
    struct simt *simt;
    struct cta_trace *trace;
    pthread_t thread;
    sem_t turn;
    jmp_buf give_up;
    bool has_thread, good;
    enum cta_state state;
};

struct simt_grid {
    const struct launch *launch;
    simt_kernel *kernel;
    const void *arguments;
    struct grid_cta *cta;
    unsigned ctas, asked;
    sem_t back; /* the running CTA waits or has ended */
    bool given_up;
};

struct simt_grid *simt_grid_create(void) {
    struct simt_grid *g = calloc(1, sizeof *g);
    if (g) {
        sem_init(&g->back, 0, 0);
    }
    return g;
}

static void sleep_on(sem_t *s) {
    while (sem_wait(s)) { /* a signal came between */
    }
}

/* Gives the CTA its turn and waits until it returns it. */
static void let_run(struct grid_cta *c) {
    sem_post(&c->turn);
    sleep_on(&c->grid->back);
}

static void give_back(struct grid_cta *c) {
    sem_post(&c->grid->back);
}

static void wait_turn(struct simt *s, bool for_all) {
    struct grid_cta *c = s->wait_self;
    if (for_all) {
        simt_leave_trace(s);
        c->state = CTA_AT_BARRIER;
    }
    give_back(c);
    sleep_on(&c->turn);
    if (c->grid->given_up) {
        longjmp(c->give_up, 1);
    }
    if (for_all) {
        simt_enter_trace(s, c->trace);
    }
}

static void *run_grid_cta(void *self) {
    struct grid_cta *c = self;
    const struct simt_grid *g = c->grid;
    sleep_on(&c->turn);
    if (!g->given_up && !setjmp(c->give_up)) {
        unsigned number = (unsigned)(c - g->cta);
        c->good = simt_begin_cta(c->simt, g->launch, number, c->trace);
        if (c->good) {
            g->kernel(c->simt, g->arguments);
            c->good = simt_end_cta(c->simt);
        }
    }
    c->state = CTA_ENDED;
    give_back(c);
    return NULL;
}

static bool start_cta(struct simt_grid *g, struct grid_cta *c) {
    c->grid = g;
    c->simt = simt_create();
    c->trace = cta_trace_create();
    sem_init(&c->turn, 0, 0);
    if (!c->simt || !c->trace) {
        return false;
    }
    c->simt->wait = wait_turn;
    c->simt->wait_self = c;
    c->has_thread = pthread_create(&c->thread, NULL, run_grid_cta, c) == 0;
    return c->has_thread;
}

static void free_grid_ctas(struct simt_grid *g) {
    for (unsigned i = 0; i < g->ctas; i++) {
        struct grid_cta *c = &g->cta[i];
        if (c->has_thread) {
            pthread_join(c->thread, NULL);
        }
        simt_destroy(c->simt);
        cta_trace_destroy(c->trace);
        sem_destroy(&c->turn);
    }
    free(g->cta);
    g->cta = NULL;
    g->ctas = g->asked = 0;
}

static void give_up(struct simt_grid *g) {
    g->given_up = true;
    for (unsigned i = 0; i < g->ctas; i++) {
        if (g->cta[i].has_thread && g->cta[i].state != CTA_ENDED) {
            let_run(&g->cta[i]);
        }
    }
    free_grid_ctas(g);
    g->given_up = false;
}

void simt_grid_destroy(struct simt_grid *g) {
    if (g) {
        give_up(g);
        sem_destroy(&g->back);
        free(g);
    }
}

static bool start_grid(struct simt_grid *g, const struct launch *l, simt_kernel *kernel,
                       const void *arguments) {
    give_up(g);
    g->launch = l;
    g->kernel = kernel;
    g->arguments = arguments;
    g->cta = calloc(launch_ctas(l), sizeof *g->cta);
    if (!g->cta) {
        return false;
    }
    g->ctas = launch_ctas(l);
    for (unsigned i = 0; i < g->ctas; i++) {
        if (!start_cta(g, &g->cta[i])) {
            return false;
        }
    }
    return true;
}

/* Runs the CTAs in turns until all are at the barrier or have ended. */
static bool run_all(struct simt_grid *g) {
    bool good = true;
    unsigned running, ended = 0;
    for (unsigned i = 0; i < g->ctas; i++) {
        g->cta[i].state = CTA_RUNS;
    }
    do {
        running = 0;
        for (unsigned i = 0; i < g->ctas; i++) {
            struct grid_cta *c = &g->cta[i];
            if (c->state != CTA_RUNS) {
                continue;
            }
            let_run(c);
            running += c->state == CTA_RUNS;
            ended += c->state == CTA_ENDED;
            good = good && (c->state != CTA_ENDED || c->good);
        }
    } while (running && good);
    if (good && ended && ended < g->ctas) {
        simt_bug(g->cta[0].simt, NULL, "%u of %u CTAs ended, the others wait for them", ended,
                 g->ctas);
    }
    return good;
}

bool simt_grid_run(struct simt_grid *g, const struct launch *l, unsigned cta, struct cta_trace *out,
                   simt_kernel *kernel, const void *arguments) {
    if (!g->asked) {
        bool again = simt_grid_waits(g);
        if ((!again && !start_grid(g, l, kernel, arguments)) || !run_all(g)) {
            return false;
        }
    }
    g->asked++;
    struct cta_trace *mine = g->cta[cta].trace, taken = *out;
    *out = *mine; /* swapped, so that neither's memory is lost */
    *mine = taken;
    if (g->asked == g->ctas) {
        g->asked = 0;
    }
    return true;
}

bool simt_grid_waits(const struct simt_grid *g) {
    return g->ctas && g->cta[0].state == CTA_AT_BARRIER;
}
