/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/ccws/memc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/ccws/lookup3.h"

#define PAGE_BYTES (1u << 20) /* memcached's, and its largest item */
#define CLASSES_MAX 64

/* A size of items: chunks of so many bytes, in pages of its own. */
struct slab_class {
    uint32_t chunk_bytes, left_in_page;
    uint64_t next;          /* offset in the heap of the next free chunk */
    uint64_t newest;        /* address of the item stored last, 0: none */
    uint32_t items, a_page; /* chunks of a page */
};

/* memcached's defaults: the first class takes a header and 48 bytes, the others a quarter more
 * each, in units of 8. Return: how many. */
static unsigned make_classes(struct slab_class *c) {
    unsigned count = 0;
    for (uint32_t bytes = ITEM_HEADER_BYTES + 48; bytes <= PAGE_BYTES / 5 * 4;
         bytes = bytes * 5 / 4) {
        bytes = (bytes + 7) / 8 * 8;
        c[count++] = (struct slab_class){.chunk_bytes = bytes, .a_page = PAGE_BYTES / bytes};
    }
    return count;
}

static uint64_t random_of(uint64_t seed, uint64_t number) {
    uint64_t state = seed ^ number * UINT64_C(0xd1342543de82ef95);
    return host_random(&state);
}

unsigned memc_key(uint64_t seed, uint64_t number, uint8_t *key) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const struct memc_parameters *p = &memc_parameters;
    uint64_t state = random_of(seed, number);
    const unsigned length = p->key_length[host_random(&state) % 16];
    const unsigned prefix = (unsigned)strlen(p->key_prefix);
    memcpy(key, p->key_prefix, prefix);
    for (unsigned i = prefix; i < length; i++) {
        key[i] = (uint8_t)letters[host_random(&state) % 36];
    }
    return length;
}

/* The contents of a SET of item @number. */
struct set {
    uint8_t key[MEMC_KEY_MAX];
    unsigned key_bytes;
    char suffix[32]; /* " flags bytes\r\n" */
    unsigned suffix_bytes, value_bytes;
};

static void make_set(uint64_t seed, unsigned number, struct set *s) {
    s->key_bytes = memc_key(seed, number, s->key);
    s->value_bytes = memc_parameters.value_bytes[random_of(seed + 1, number) % 16];
    s->suffix_bytes = (unsigned)snprintf(s->suffix, sizeof s->suffix, " 0 %u\r\n", s->value_bytes);
    s->value_bytes += 2; /* "\r\n" */
}

static unsigned class_of(const struct slab_class *c, const struct set *s) {
    const unsigned bytes =
        ITEM_HEADER_BYTES + ITEM_CAS_BYTES + s->key_bytes + 1 + s->suffix_bytes + s->value_bytes;
    unsigned i = 0;
    while (c[i].chunk_bytes < bytes) {
        i++;
    }
    return i;
}

static uint64_t *long_at(const struct memc_store *m, uint64_t address, unsigned offset) {
    return (uint64_t *)m->heap_longs.data + (address - m->heap.address + offset) / 8;
}

static void put_word(uint8_t *item, unsigned offset, uint32_t value) {
    memcpy(item + offset, &value, sizeof value);
}

/* A SET: a chunk of its class, newest of the class's list, first of its chain. */
static void store(struct memc_store *m, struct slab_class *c, unsigned class, const struct set *s,
                  unsigned number, uint64_t random, uint64_t *next_page) {
    const struct memc_parameters *p = &memc_parameters;
    if (!c->left_in_page) {
        c->next = *next_page;
        c->left_in_page = c->a_page;
        *next_page += PAGE_BYTES;
    }
    struct memc_item *it = &m->item[number];
    uint8_t *item = (uint8_t *)m->heap.data + c->next, *at = item + ITEM_HEADER_BYTES;
    it->address = m->heap.address + c->next;
    it->time = p->now - (uint32_t)(random >> 32) % p->touched_within;
    it->expires = (uint32_t)random % p->expired_one_in ? 0 : it->time;
    it->bytes = (int32_t)s->value_bytes;
    c->next += c->chunk_bytes;
    c->left_in_page--;

    uint64_t *chain =
        (uint64_t *)m->table.data + (lookup3(s->key, s->key_bytes, 0) & (m->table.count - 1));
    *long_at(m, it->address, ITEM_CHAIN) = *chain;
    *long_at(m, it->address, ITEM_NEXT) = c->newest;
    if (c->newest) {
        *long_at(m, c->newest, ITEM_PREV) = it->address;
    }
    *chain = c->newest = it->address;
    put_word(item, ITEM_TIME, it->time);
    put_word(item, ITEM_EXPIRES, it->expires);
    put_word(item, ITEM_BYTES, s->value_bytes);
    item[ITEM_REFERENCES] = 1;
    item[ITEM_SUFFIX_BYTES] = (uint8_t)s->suffix_bytes;
    item[ITEM_FLAGS] = ITEM_IS_LINKED | ITEM_HAS_CAS;
    item[ITEM_CLASS] = (uint8_t)(class + 1); /* memcached counts from 1 */
    item[ITEM_KEY_BYTES] = (uint8_t)s->key_bytes;
    const uint64_t cas = number + UINT64_C(1);
    memcpy(at, &cas, sizeof cas);
    memcpy(at + ITEM_CAS_BYTES, s->key, s->key_bytes);
    memcpy(at + ITEM_CAS_BYTES + s->key_bytes + 1, s->suffix, s->suffix_bytes);
    memset(at + ITEM_CAS_BYTES + s->key_bytes + 1 + s->suffix_bytes, 'v', s->value_bytes);
}

/* All items in random order, so that popular ones lie anywhere. */
static bool store_all(struct memc_store *m, struct device_memory *device, uint64_t seed) {
    struct slab_class classes[CLASSES_MAX];
    const unsigned count = make_classes(classes);
    uint64_t pages = 0, next_page = 0, state = seed;
    struct set s;
    uint32_t *order = malloc(m->items * sizeof *order);
    if (!order) {
        return false;
    }
    for (unsigned i = 0; i < m->items; i++) {
        const unsigned j = (unsigned)(host_random(&state) % (i + 1));
        order[i] = order[j];
        order[j] = i;
        make_set(seed, i, &s);
        classes[class_of(classes, &s)].items++;
    }
    for (unsigned i = 0; i < count; i++) {
        pages += (classes[i].items + classes[i].a_page - 1) / classes[i].a_page;
    }
    const bool ok = device_memory_alloc(device, &m->heap, pages * PAGE_BYTES, 1);
    if (ok) {
        m->heap_words = m->heap_longs = m->heap;
        m->heap_words.width = 4;
        m->heap_words.count = m->heap.count / 4;
        m->heap_longs.width = 8;
        m->heap_longs.count = m->heap.count / 8;
        for (unsigned i = 0; i < m->items; i++) {
            make_set(seed, order[i], &s);
            const unsigned class = class_of(classes, &s);
            store(m, &classes[class], class, &s, order[i], host_random(&state), &next_page);
        }
    }
    free(order);
    return ok;
}

/* A number in [0, 1) of 53 bits: one of 24 is too coarse for the tail of the popularity. */
static double uniform(uint64_t *state) {
    return (double)(host_random(state) >> 11) / 9007199254740992.0;
}

/* "get <key>\r\n" for items by their popularity, and for keys that were never stored. */
static bool ask(struct memc_store *m, uint64_t seed) {
    const struct memc_parameters *p = &memc_parameters;
    double *up_to = malloc(m->items * sizeof *up_to), sum = 0; /* the least popular first */
    uint64_t state = seed + 2;
    if (!up_to) {
        return false;
    }
    for (unsigned i = 0; i < m->items; i++) {
        sum += pow(m->items - i, -p->zipf_exponent);
        up_to[i] = sum;
    }
    for (unsigned r = 0; r < m->requests; r++) {
        uint8_t *at = (uint8_t *)m->request.data + (size_t)r * m->request_bytes;
        const bool stored = uniform(&state) < p->hit_share;
        const double where = uniform(&state) * sum;
        unsigned low = 0, high = m->items - 1;
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (up_to[middle] > where) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        m->asked[r] = stored ? m->items - 1 - low : MEMC_NEVER_STORED;
        memcpy(at, "get ", MEMC_COMMAND_BYTES);
        at += MEMC_COMMAND_BYTES;
        at += memc_key(seed, stored ? m->asked[r] : (uint64_t)m->items + r, at);
        memcpy(at, "\r\n", 2);
    }
    free(up_to);
    return true;
}

bool memc_store_create(struct memc_store *m, struct device_memory *device, unsigned hash_power,
                       unsigned requests, unsigned request_bytes, uint64_t seed) {
    m->request_bytes = request_bytes;
    m->hash_power = hash_power;
    m->items = (unsigned)(memc_parameters.load * (1u << hash_power));
    m->requests = requests;
    m->item = calloc(m->items, sizeof *m->item);
    m->asked = calloc(requests, sizeof *m->asked);
    if (!m->item || !m->asked ||
        !device_memory_alloc(device, &m->table, UINT64_C(1) << hash_power, 8) ||
        !device_memory_alloc(device, &m->request, (uint64_t)requests * request_bytes, 1)) {
        return false;
    }
    m->request_words = m->request;
    m->request_words.width = 4;
    m->request_words.count = m->request.count / 4;
    return store_all(m, device, seed) && ask(m, seed);
}

void memc_store_destroy(struct memc_store *m) {
    free(m->item);
    free(m->asked);
}
