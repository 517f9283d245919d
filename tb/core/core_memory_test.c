/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's register write port and its way to the interconnect, each with everybody waiting.
 */
#include "core/core_memory.h"

#include <string.h>

#include "config/packets.h"
#include "config/preset.h"

enum { W_DATA, W_REPLY, W_CONSTANT, W_TEXTURE, SOURCES }; /* a warp each */
enum { EACH = 3, PLENTY = 100, NOW = 50 };

struct bench {
    struct config config;
    struct core core;
    struct ring requests, replies;
    struct clock_domain noc;
    struct unit_set requesting;
    uint64_t now;
};

static void open_core_bench(struct bench *b, unsigned request_room) {
    b->config = base_preset();
    b->config.l1.perfect = 1; /* every texture access hits; nothing else here looks at a tag */
    assert_legal(&b->config);
    b->core = (struct core){0};
    assert_true(core_init(&b->core, &b->config, 0, NULL, NULL, &(struct build){0}));
    assert_true(ring_init(&b->requests, request_room) && ring_init(&b->replies, PLENTY));
    clock_domain_init(&b->noc, 1, 2);
    dram_map_init(&b->core.map, &b->config);
    b->core.requests = &b->requests;
    b->core.replies = &b->replies;
    b->core.requesting = &b->requesting;
    b->core.noc_clock = &b->noc;
    b->core.load_store.read_only_used = true;
    b->requesting = (struct unit_set){0};
    b->now = NOW;
}

static void close_core_bench(struct bench *b) {
    core_destroy(&b->core);
    ring_destroy(&b->requests);
    ring_destroy(&b->replies);
}

static struct request access_of(unsigned warp) {
    return (struct request){.warp = (uint16_t)warp, .reg = REG_NONE, .kind = REQUEST_READ};
}

static void wait_in_mshr(struct mshr_file *m, unsigned warp) {
    struct request r = access_of(warp);
    mshr_fill(m, mshr_allocate(m, &r));
}

static void everybody_waits(struct bench *b, bool data) {
    struct load_store *u = &b->core.load_store;
    for (unsigned w = 0; w < SOURCES; w++) {
        b->core.warp[w].outstanding = PLENTY;
    }
    for (unsigned i = 0; i < EACH; i++) {
        struct request bypass = access_of(W_REPLY), texture = access_of(W_TEXTURE);
        bypass.bypasses = i % 2 == 0;
        bypass.kind = i % 2 ? REQUEST_ATOMIC : REQUEST_READ;
        ring_push(&b->replies, &bypass, NOW, 1);
        texture_cache_access(&u->texture, &texture, &(struct now){NOW - 1, NOW - 1, 1});
        if (i < b->config.constant.mshrs) {
            wait_in_mshr(&u->constant.mshrs, W_CONSTANT);
        }
        if (data) {
            wait_in_mshr(&u->cache.mshrs, W_DATA);
        }
    }
}

/* The warp whose data comes in the next cycle. */
static int served_warp(struct bench *b) {
    uint32_t before[SOURCES];
    int which = -1;
    for (unsigned w = 0; w < SOURCES; w++) {
        before[w] = b->core.warp[w].outstanding;
    }
    core_take_data(&b->core, &(struct now){b->now, b->now, 1});
    b->now++;
    for (unsigned w = 0; w < SOURCES; w++) {
        if (b->core.warp[w].outstanding != before[w]) {
            assert_int_equal(which, -1); /* one a cycle */
            which = (int)w;
        }
    }
    return which;
}

TEST(replies_constants_and_textures_write_registers_in_turn) {
    static struct bench b;
    static const int order[] = {W_REPLY,   W_CONSTANT, W_TEXTURE, W_REPLY, W_CONSTANT,
                                W_TEXTURE, W_REPLY,    W_TEXTURE, -1};
    open_core_bench(&b, PLENTY);
    everybody_waits(&b, false);
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(served_warp(&b), order[i]);
    }
    close_core_bench(&b);
}

TEST(what_waits_in_the_data_caches_mshrs_goes_first) {
    static struct bench b;
    open_core_bench(&b, PLENTY);
    everybody_waits(&b, true);
    for (unsigned i = 0; i < EACH; i++) {
        assert_int_equal(served_warp(&b), W_DATA);
    }
    assert_int_equal(served_warp(&b), W_REPLY); /* the turn has not moved */
    close_core_bench(&b);
}

TEST(an_acknowledgement_needs_no_port) {
    static struct bench b;
    open_core_bench(&b, PLENTY);
    struct request ack = access_of(W_REPLY);
    ack.kind = REQUEST_WRITE;
    ring_push(&b.replies, &ack, NOW, 1);
    wait_in_mshr(&b.core.load_store.cache.mshrs, W_DATA);
    b.core.warp[W_REPLY].outstanding = b.core.warp[W_DATA].outstanding = PLENTY;
    core_take_data(&b.core, &(struct now){NOW, NOW, 1});
    assert_int_equal(b.core.warp[W_REPLY].outstanding, PLENTY - 1);
    assert_int_equal(b.core.warp[W_DATA].outstanding, PLENTY - 1);
    close_core_bench(&b);
}

static void want_to_send(struct bench *b, unsigned unit, unsigned kind, unsigned count) {
    struct load_store *u = &b->core.load_store;
    struct ring *queue = unit == UNIT_DATA      ? &u->cache.miss_queue
                         : unit == UNIT_TEXTURE ? &u->texture.requests
                                                : &u->constant.miss_queue;
    for (unsigned i = 0; i < count; i++) {
        struct request r = {.unit = (uint8_t)unit, .kind = (uint8_t)kind, .bytes = 128, .line = 77};
        ring_push(queue, &r, NOW, 1);
    }
}

/* The unit whose request enters the interconnect in the next cycle. */
static int injected_unit(struct bench *b) {
    uint32_t before = b->requests.count;
    core_inject(&b->core, b->now++);
    if (b->requests.count == before) {
        return -1;
    }
    assert_int_equal(b->requests.count, before + 1);
    return b->requests.entries[(b->requests.head + before) & b->requests.mask].request.unit;
}

TEST(the_caches_send_in_turn) {
    static struct bench b;
    static const int order[] = {
        UNIT_DATA, UNIT_TEXTURE, UNIT_CONSTANT, UNIT_DATA, UNIT_TEXTURE, UNIT_DATA, -1};
    open_core_bench(&b, PLENTY);
    want_to_send(&b, UNIT_DATA, REQUEST_READ, 3);
    want_to_send(&b, UNIT_TEXTURE, REQUEST_READ, 2);
    want_to_send(&b, UNIT_CONSTANT, REQUEST_READ, 1);
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(injected_unit(&b), order[i]);
    }
    close_core_bench(&b);
}

/* A small packet does not pass a large one for ever: while there is no room for the one whose turn
 * it is, nobody sends. */
TEST(the_turn_waits_for_room) {
    static struct bench b;
    const struct config config = base_preset();
    unsigned flits = packet_flits(&config, 128);
    open_core_bench(&b, flits);
    want_to_send(&b, UNIT_DATA, REQUEST_WRITE, 1);
    want_to_send(&b, UNIT_CONSTANT, REQUEST_READ, 2);
    struct request other = {.kind = REQUEST_READ};
    ring_push(&b.requests, &other, NOW, 1); /* one flit is gone */
    assert_int_equal(injected_unit(&b), -1);
    assert_true(core_memory_next(&b.core) <= b.now); /* a small one has room: look again */
    ring_pop(&b.requests, b.now++);
    assert_int_equal(injected_unit(&b), UNIT_DATA);
    assert_int_equal(injected_unit(&b), -1);
    close_core_bench(&b);
}

/* Each unit counts lines of its own size. */
TEST(a_request_goes_to_the_partition_of_its_address) {
    static struct bench b;
    static const unsigned order[] = {UNIT_DATA, UNIT_TEXTURE, UNIT_CONSTANT};
    open_core_bench(&b, PLENTY);
    for (unsigned i = 0; i < 3; i++) {
        want_to_send(&b, order[i], REQUEST_READ, 1);
        assert_int_equal(injected_unit(&b), order[i]);
        const struct request *r =
            &b.requests.entries[(b.requests.head + i) & b.requests.mask].request;
        unsigned line_bytes[] = {b.config.l1.line_bytes, b.config.texture.line_bytes,
                                 b.config.constant.line_bytes};
        uint64_t local, address = UINT64_C(77) * line_bytes[order[i]];
        assert_int_equal(r->partition, dram_map_partition(&b.core.map, address, &local));
        assert_true(r->local == local);
    }
    close_core_bench(&b);
}
