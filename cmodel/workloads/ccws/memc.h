/* SPDX-License-Identifier: Apache-2.0
 *
 * A memcached server's memory with items in it, and a batch of GET requests: the input of memc.
 * The structures are those of memcached 1.4 on a machine of 64 bits: a hash table of pointers to
 * chains of items, items in the chunks of slab pages of 1 MB, and in each item its key.
 */
#ifndef WARPMEM_WORKLOADS_CCWS_MEMC_H
#define WARPMEM_WORKLOADS_CCWS_MEMC_H

#include "workloads/host.h"

/* Parameters that the papers leave open. No source of the OpenCL port is public, so each value is
 * memcached's own or one measured on memcached servers, and none is fitted to a paper's result. */
static const struct memc_parameters {
    double load;              /* items a chain, on average */
    double zipf_exponent;     /* popularity of the rank-th item: rank ^ -exponent */
    double hit_share;         /* share of requests for stored items */
    unsigned key_length[16];  /* equally likely */
    unsigned value_bytes[16]; /* equally likely */
    const char *key_prefix;   /* of all keys */
    unsigned expired_one_in;  /* one item in this many has expired but is still in its chain */
    uint32_t now;             /* seconds since the server's start */
    uint32_t touched_within;  /* seconds before now, uniform */
    uint32_t touch_after;     /* seconds after which a GET stamps the item again */
} memc_parameters = {
    .load = 1,             /* the table doubles at 1.5, and has 0.75 after that */
    .zipf_exponent = 0.99, /* YCSB's */
    .hit_share = 0.814,    /* of Facebook's pool ETC (Atikoglu et al., SIGMETRICS 2012) */
    /* The middles of 16 equal parts of that paper's distributions for ETC: keys by a generalized
     * extreme value distribution (30.7984, 8.20449, 0.078688), values by a generalized Pareto
     * distribution (0, 214.476, 0.348238). */
    .key_length = {21, 24, 26, 27, 29, 30, 32, 33, 35, 36, 38, 40, 43, 46, 52, 63},
    .value_bytes = {7, 21, 38, 55, 75, 97, 123, 152, 186, 227, 277, 342, 430, 560, 789, 1443},
    .key_prefix = "enwiki:", /* MediaWiki's keys begin with the name of the wiki */
    .expired_one_in = 32,    /* a few, so that the test is not one-sided: nothing is known */
    .now = 86400,            /* a day */
    .touched_within = 3600,  /* most items are requested again after a minute: see touch_after */
    .touch_after = 60,       /* memcached's ITEM_UPDATE_INTERVAL */
};

#define MEMC_KEY_MAX 250
#define MEMC_COMMAND_BYTES 4 /* "get " */

/* Offsets in an item, of which the header has 48 bytes. */
enum {
    ITEM_NEXT = 0, /* of the least-recently-used list of its class */
    ITEM_PREV = 8,
    ITEM_CHAIN = 16,   /* the next item of the chain */
    ITEM_TIME = 24,    /* of the last request */
    ITEM_EXPIRES = 28, /* 0: never */
    ITEM_BYTES = 32,   /* of the value, "\r\n" included */
    ITEM_REFERENCES = 36,
    ITEM_SUFFIX_BYTES = 38,
    ITEM_FLAGS = 39,
    ITEM_CLASS = 40,
    ITEM_KEY_BYTES = 41,
    ITEM_HEADER_BYTES = 48,
    ITEM_CAS_BYTES = 8, /* between header and key */
};
#define ITEM_IS_LINKED 1
#define ITEM_HAS_CAS 2

#define MEMC_NEVER_STORED UINT32_MAX

/* The host's description of an item. */
struct memc_item {
    uint64_t address;
    uint32_t time, expires;
    int32_t bytes;
};

/**
 * struct memc_store - the device's memory, and the host's description of it.
 * @heap: the slab pages, with views of the same bytes as elements of 4 and 8 bytes
 * @table: pointers to the first item of each chain, 0: none
 * @request: @request_bytes each, with a view of words
 * @item: by popularity
 * @asked: the requested item of each request, or MEMC_NEVER_STORED
 */
struct memc_store {
    unsigned hash_power, items, requests, request_bytes;
    struct buffer heap, heap_words, heap_longs, table, request, request_words;
    struct memc_item *item;
    uint32_t *asked;
};

/**
 * memc_store_create() - fill a server and a batch of requests.
 * @hash_power: log2 of the table's pointers
 * @request_bytes: from one request to the next, a multiple of 4
 * Return: false when out of memory; call memc_store_destroy() anyway.
 */
bool memc_store_create(struct memc_store *m, struct device_memory *device, unsigned hash_power,
                       unsigned requests, unsigned request_bytes, uint64_t seed);
/** memc_store_destroy() - free the host's memory. */
void memc_store_destroy(struct memc_store *m);

/**
 * memc_key() - the key of an item, or of one that was never stored.
 * @number: items have 0 to items - 1
 * @key: MEMC_KEY_MAX bytes
 * Return: length.
 */
unsigned memc_key(uint64_t seed, uint64_t number, uint8_t *key);

/* The structure of the workload. */
struct memc {
    struct host host;
    struct memc_store store;
    struct buffer found;  /* pointer to the item of each request, 0: none */
    struct buffer length; /* of its value */
};

#define MEMC_BLOCK 256

/** memc_launch() - append a launch with a thread for each request. */
void memc_launch(struct memc *k);

#endif
