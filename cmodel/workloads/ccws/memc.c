/* SPDX-License-Identifier: Apache-2.0
 *
 * Memcached's GET (MEMC of CCWS and DAWS): a thread a request, on the server's own structures. A
 * thread scans its request for the end of the key, hashes the key, and walks the chain of its place
 * in the table, where it compares keys byte by byte. Each lane reads its own lines, of its request
 * and of an item, over and over within a loop: a byte of a line in each iteration, lanes dropping
 * out as their keys end or differ.
 *
 * The port of Hetherington et al. (ISPASS 2012), which the papers ran, is not public: the code
 * follows memcached 1.4's (assoc_find, do_item_get, hashlittle for aligned keys), the structures
 * are its own, and memc_parameters has the choices made here. The network is left to the CPU,
 * as in the port's description, so a request is the text alone. Requests in a batch and items of
 * the papers are unknown: DAWS' size is two rounds of all the threads of its 30 cores.
 *
 * Requests are 252 bytes apart: memcached's longest key and its end, 250 + 2, with "get " among
 * them. In memc-256 they have room for the longest GET, "get " too. There a power of two puts the
 * lines of all requests, which each lane reads most, into half of the L1's sets: Detected-DAWS
 * takes 2.1 times as long with a factor of 0.6 as with 0.4, which DAWS's figure 15 (best at 0.6)
 * excludes. With 252 it takes 1.06 times as long.
 */
#include <stdlib.h>

#include "workloads/ccws/memc.h"
#include "workloads/workloads.h"

static const struct size {
    unsigned hash_power, requests; /* a multiple of MEMC_BLOCK */
} sizes[] = {
    [SIZE_TINY] = {12, 1024},
    [SIZE_SMALL] = {16, 16384},
    [SIZE_PAPER_DAWS] = {18, 65536},
};

static void memc_release(void *self) {
    struct memc *k = self;
    memc_store_destroy(&k->store);
}

static bool open_memc(void *self, enum workload_size size, uint64_t seed, unsigned request_bytes) {
    struct memc *k = self;
    struct device_memory *m = &k->host.memory;
    const unsigned requests = sizes[size].requests;
    if (!HOST_ALLOC(&k->host.memory, {&k->found, requests, 8}, {&k->length, requests, 4}) ||
        !memc_store_create(&k->store, m, sizes[size].hash_power, requests, request_bytes, seed)) {
        return false;
    }
    memc_launch(k);
    return true;
}

static bool memc_open(void *self, enum workload_size size, uint64_t seed) {
    return open_memc(self, size, seed, MEMC_KEY_MAX + 2);
}

static bool memc_256_open(void *self, enum workload_size size, uint64_t seed) {
    return open_memc(self, size, seed, MEMC_COMMAND_BYTES + MEMC_KEY_MAX + 2);
}

/* The stamps of all items, where the server's memory has them. */
static const char *check_stamps(struct memc *k, const uint32_t *stamp) {
    struct buffer got = {.count = k->store.items, .width = 4};
    uint32_t *time = calloc(k->store.items, sizeof *time);
    if (!time) {
        return "out of memory";
    }
    for (unsigned i = 0; i < k->store.items; i++) {
        time[i] = ((uint32_t *)k->store.heap_words
                       .data)[(k->store.item[i].address - k->store.heap.address + ITEM_TIME) / 4];
    }
    got.data = time;
    const char *error = host_compare_int(&k->host, "time", &got, stamp);
    free(time);
    return error;
}

/* Neither hashes nor chains: which item a request asks for is known from its making. */
static const char *memc_check(void *self) {
    const uint32_t now = memc_parameters.now;
    struct memc *k = self;
    const struct memc_store *m = &k->store;
    uint64_t *found = calloc(m->requests, sizeof *found);
    int32_t *length = calloc(m->requests, sizeof *length);
    uint32_t *stamp = calloc(m->items, sizeof *stamp);
    const char *error = "out of memory";
    if (found && length && stamp) {
        for (unsigned i = 0; i < m->items; i++) {
            stamp[i] = m->item[i].time;
        }
        for (unsigned r = 0; r < m->requests; r++) {
            const struct memc_item *item = &m->item[m->asked[r] % m->items];
            if (m->asked[r] != MEMC_NEVER_STORED && (!item->expires || item->expires > now)) {
                const bool old = item->time < now - memc_parameters.touch_after;
                found[r] = item->address;
                length[r] = item->bytes;
                stamp[m->asked[r]] = old ? now : item->time;
            }
        }
        error = host_compare_int(&k->host, "found", &k->found, found);
        error = error ? error : host_compare_int(&k->host, "length", &k->length, length);
        error = error ? error : check_stamps(k, stamp);
    }
    free(found);
    free(length);
    free(stamp);
    return error;
}

const struct workload workload_memc = {
    .name = "memc",
    .suite = "ccws",
    .about = "memcached GET: each lane its own request and chain, byte by byte",
    .size_text = {[SIZE_TINY] = "1024 requests, 4 Ki items",
                  [SIZE_SMALL] = "16 Ki requests, 64 Ki items",
                  [SIZE_PAPER_DAWS] = "64 Ki requests, 256 Ki items"},
    .bytes = sizeof(struct memc),
    .open = memc_open,
    .check = memc_check,
    /* .expect: the chains, and which of several requests stamps an item, are known only from a
     * walk. */
    .release = memc_release,
};

const struct workload workload_memc_256 = {
    .name = "memc-256",
    .suite = "ccws",
    .about = "memcached GET: memc with requests 256 bytes apart, in half of the sets",
    .size_text = {[SIZE_TINY] = "1024 requests, 4 Ki items",
                  [SIZE_SMALL] = "16 Ki requests, 64 Ki items",
                  [SIZE_PAPER_DAWS] = "64 Ki requests, 256 Ki items"},
    .bytes = sizeof(struct memc),
    .open = memc_256_open,
    .check = memc_check,
    .release = memc_release,
};
