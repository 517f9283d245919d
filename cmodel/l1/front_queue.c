/* SPDX-License-Identifier: Apache-2.0
 *
 * The front with a queue of l1.front_latency places for each step, one per cycle to the tags: an
 * access that enters in cycle n is looked up in n + l1.front_latency, and one that the cache
 * refuses blocks those after it (GPGPU-Sim since its release 4). A place that an access leaves can
 * be taken in the same cycle.
 */
#include <stdio.h>
#include <stdlib.h>

#include "l1/front.h"

struct queued_access {
    struct request request;
    uint64_t at; /* core cycle in which it reaches the tags */
    uint32_t trip;
};

struct queue_front {
    unsigned head, count;
    unsigned places;               /* l1.front_latency, for each of l1.steps */
    struct queued_access access[]; /* [places] */
};

static bool queue_init(struct l1_front *f, const char *where, const uint64_t *cycle,
                       const struct build *build) {
    (void)where, (void)cycle;
    const unsigned places = f->config->l1.front_latency * f->config->l1.steps;
    struct queue_front *q = f->own = calloc(1, sizeof *q + places * sizeof q->access[0]);
    if (!q) {
        return build_refused(build, "out of memory");
    }
    q->places = places;
    return true;
}

static void queue_destroy(struct l1_front *f) {
    free(f->own);
    f->own = NULL;
}

static unsigned queue_cycle(struct l1_front *f, struct memory_insn *m, const struct now *now,
                            struct l1_taken *taken) {
    struct queue_front *q = f->own;
    const unsigned places = q->places;
    struct queued_access *head = &q->access[q->head];
    unsigned became = 0;
    if (q->count && head->at <= now->cycle && refusal_may_try(&f->refusal, now->cycle) &&
        l1_front_present(f, &head->request, false, head->trip, now, taken)) {
        q->head = q->head + 1 < places ? q->head + 1 : 0;
        q->count--;
        became |= L1_FRONT_TAKEN;
    }
    if (m && q->count < places) {
        unsigned place = q->head + q->count++;
        struct queued_access *a = &q->access[place < places ? place : place - places];
        l1_front_make_request(f, m, &a->request);
        a->at = now->cycle + f->config->l1.front_latency;
        a->trip = m->trip;
        became |= L1_FRONT_ENTERED;
    }
    if (!became && (!q->count || f->refusal.cause)) {
        return L1_FRONT_SLEEPS;
    }
    return became;
}

static bool queue_is_wanted(const struct config *config) {
    return config->l1.front == L1_FRONT_NONE && config->l1.front_latency;
}

const struct l1_front_kind l1_front_queue = {.wanted = queue_is_wanted,
                                             .keeps_accesses = true,
                                             .init = queue_init,
                                             .destroy = queue_destroy,
                                             .cycle = queue_cycle};
