/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies of the L1 behind each front, together, and what they are asked and told.
 */
#include "l1/load_store_bench.h"

enum { EVENTS_MAX = 64 };

/* Notes what it is told, and answers as the test says. */
struct recorder {
    unsigned events;
    struct l1_policy_event event[EVENTS_MAX];
    struct l1_policy_access access[EVENTS_MAX];
    int victim;
};

static size_t size_of_recorder(const struct l1_policy_view *view) {
    (void)view;
    return sizeof(struct recorder);
}

static void tell_recorder(void *state, const struct l1_policy_view *view,
                          const struct l1_policy_event *event, struct l1_prefetches *prefetches) {
    struct recorder *r = state;
    (void)view;
    assert_null(prefetches); /* it asks for none */
    assert_true(r->events < EVENTS_MAX);
    r->event[r->events] = *event;
    if (event->access) {
        r->access[r->events] = *event->access;
    }
    r->events++;
}

static bool bypasses_odd_lines(const void *state, const struct l1_policy_view *view,
                               const struct l1_policy_access *access) {
    (void)state, (void)view;
    return access->line & 1;
}

static int choose_as_told(const void *state, const struct l1_policy_view *view,
                          const struct l1_policy_access *access, uint64_t candidates) {
    (void)view, (void)access, (void)candidates;
    return ((const struct recorder *)state)->victim;
}

#define RECORDER(...) \
    { .name = "recorder", .state_size = size_of_recorder, .tell = tell_recorder, __VA_ARGS__ }
#define ACCESSES L1_POLICY_EVENT(L1_POLICY_REFUSED) | L1_POLICY_EVENT(L1_POLICY_TAKEN)
static const struct l1_policy_kind listener = RECORDER(.events = ACCESSES),
                                   bypasser = RECORDER(.bypasses = bypasses_odd_lines),
                                   chooser = RECORDER(.victim = choose_as_told),
                                   full_listener =
                                       RECORDER(.events =
                                                    L1_POLICY_EVENT(L1_POLICY_FILLED + 1) - 1);

static struct recorder *recorder_of(const struct bench *b) {
    return l1_policies_state(b->unit.front.policies, "recorder");
}

/* None, the queue, the slot, MRPB with bounded and unbounded queues. */
enum { FRONTS = 5 };
static struct config config_with_front(unsigned front) {
    static const unsigned keys[FRONTS] = {L1_FRONT_NONE, L1_FRONT_NONE, L1_FRONT_SLOT,
                                          L1_FRONT_MRPB, L1_FRONT_MRPB};
    struct config c = base_preset();
    c.l1.front = keys[front];
    c.l1.front_latency = front == 1 ? 3 : 0;
    c.mrpb.depth = front == 4 ? 0 : 8;
    return c;
}

#define POLICY_BENCH(b, config_of, kind) \
    CLOSED_BY(close_unit_bench) struct bench b = {.config = config_of, .policy = kind}; \
    open_unit_bench(&b, false)

TEST(an_access_bypasses_if_one_of_several_policies_says_so) {
    for (unsigned front = 0; front < FRONTS; front++) {
        struct config c = config_with_front(front);
        c.mdb.bypass = MDB_BYPASS_LIMIT; /* warp 0 uses the L1 */
        c.mdb.limit = 1;
        POLICY_BENCH(b, c, &bypasser);
        for (unsigned warp = 0; warp < 2; warp++) {
            for (unsigned line = 2; line < 4; line++) {
                push_memory_insn(&b, warp, OP_LOAD, line + 8 * warp, 1);
                next_taken(&b);
                assert_int_equal(b.outcome.cache.result == L1_BYPASS, warp || line & 1);
            }
        }
    }
}

/* PDP chooses victims, another policy bypasses, MRPB bypasses where a set is full of lines that
 * wait. */
TEST(a_bypass_a_chooser_and_a_front_work_together) {
    struct config c = config_with_front(3);
    c.l1.replacement = L1_REPLACEMENT_PDP;
    c.l1.sets = c.l1.ways = 1;
    POLICY_BENCH(b, c, &bypasser);
    static const enum l1_result results[] = {L1_MISS, L1_BYPASS, L1_BYPASS, L1_BYPASS};
    for (unsigned i = 0; i < 4; i++) {
        push_memory_insn(&b, 0, OP_LOAD, 2 + i, 1);
        next_taken(&b);
        assert_int_equal(b.outcome.cache.result, results[i]);
    }
    assert_int_equal(unit_counter(&b, "pdp.protected"), 1); /* line 4; 3 and 5 are odd */
    assert_int_equal(unit_counter(&b, "mrpb.reads"), 4);
}

TEST(atomics_local_memory_and_uncached_reads_never_bypass) {
    static const struct insn insns[] = {
        {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE},
        {.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4, .dst = 7},
        {.op = OP_STORE, .space = SPACE_LOCAL, .width = 4, .dst = REG_NONE}};
    static const enum l1_result results[] = {L1_ATOMIC, L1_MISS, L1_WRITE};
    for (unsigned i = 0; i < 3; i++) {
        POLICY_BENCH(b, base_preset(), &bypasser);
        push_insn(&b, 0, insns[i], 5 * LINE, LINE, 1);
        next_taken(&b);
        assert_int_equal(b.outcome.cache.result, results[i]);
    }
}

/* Headers of the MRPB have no room for a PC: the policy knows it, the L2 does not. */
TEST(a_policy_knows_the_instruction_behind_each_front) {
    for (unsigned front = 0; front < FRONTS; front++) {
        POLICY_BENCH(b, config_with_front(front), &listener);
        for (unsigned i = 0; i < 3; i++) {
            struct insn insn = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 7};
            insn.pc = 17 * (i + 1);
            push_insn(&b, i % 2, insn, (2 + i) * LINE, LINE, 1);
            next_taken(&b);
        }
        assert_int_equal(recorder_of(&b)->events, 3);
        for (unsigned i = 0; i < 3; i++) {
            const struct l1_policy_access *a = &recorder_of(&b)->access[i];
            assert_int_equal(a->line, 2 + i);
            assert_int_equal(a->pc, (uint16_t)((17 * (i + 1)) * 0x9e3779b1u >> 16));
        }
    }
}

TEST(a_refusal_is_told_once_and_the_access_then) {
    struct config c = base_preset();
    c.l1.miss_queue = 1;
    c.l1.local_write = L1_WRITE_EVICT;
    POLICY_BENCH(b, c, &listener);
    push_memory_insn(&b, 4, OP_LOAD, 50, 2);
    for (unsigned i = 0; i < 20; i++) {
        step_unit(&b);
        load_store_retry(&b.unit);
    }
    drain_miss_queue(&b);
    step_unit(&b);
    static const struct {
        enum l1_policy_event_kind kind;
        enum l1_result result;
        bool refused;
        uint64_t line;
    } want[] = {{L1_POLICY_TAKEN, L1_MISS, false, 50},
                {L1_POLICY_REFUSED, L1_FAIL_MISS_QUEUE, false, 51},
                {L1_POLICY_TAKEN, L1_MISS, true, 51}};
    const struct recorder *r = recorder_of(&b);
    assert_int_equal(r->events, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(r->event[i].kind, want[i].kind);
        assert_int_equal(r->event[i].result, want[i].result);
        assert_int_equal(r->event[i].refused, want[i].refused);
        assert_int_equal(r->access[i].line, want[i].line);
        assert_int_equal(r->access[i].warp, 4);
    }
}

TEST(launches_ctas_warps_and_fills_are_told) {
    CLOSED_BY(close_unit_bench)
    struct bench b = {.config = base_preset(), .policy = &full_listener};
    b.config.core.warps = 2;
    b.config.core.threads = 64;
    open_unit_bench(&b, false);
    struct recorder *r = recorder_of(&b);
    assert_int_equal(r->events, 2); /* the bench's warps */
    assert_true(r->event[1].kind == L1_POLICY_WARP_BEGUN && r->event[1].warp == 1 &&
                r->event[1].number == 1 && r->event[1].cta_slot == 0);
    r->events = 0;
    load_store_launch_ended(&b.unit, b.cycle);
    load_store_kernel(&b.unit, "k", b.cycle);
    load_store_begin_cta(&b.unit, b.cycle);
    push_memory_insn(&b, 1, OP_LOAD, 9, 1);
    next_taken(&b);
    struct request reply = {
        .line = 9, .warp = 1, .l1_mshr = (uint16_t)tag_mshr(&b.unit.cache.tags, 9, 0), .pc = 99};
    load_store_take_fill(&b.unit, &reply, b.cycle);
    load_store_warp_ended(&b.unit, 1, b.cycle);
    static const enum l1_policy_event_kind want[] = {L1_POLICY_LAUNCH_ENDED, L1_POLICY_LAUNCHED,
                                                     L1_POLICY_CTA_STARTED,  L1_POLICY_TAKEN,
                                                     L1_POLICY_FILLED,       L1_POLICY_WARP_ENDED};
    assert_int_equal(r->events, sizeof want / sizeof *want);
    for (unsigned i = 0; i < r->events; i++) {
        assert_int_equal(r->event[i].kind, want[i]);
    }
    assert_true(r->event[1].kernel && r->event[1].kernel == r->event[2].kernel);
    assert_true(r->access[4].line == 9 && r->access[4].warp == 1 && !r->access[4].pc);
    assert_int_equal(r->event[4].way, tag_find(&b.unit.cache.tags, r->access[4].set, 9));
}

/* Each answer of victim(), in a set of two valid lines. */
TEST(a_policy_chooses_the_victim_or_none) {
    static const struct {
        int victim;
        unsigned op;
        enum l1_result result;
    } rows[] = {{0, OP_LOAD, L1_MISS},
                {1, OP_LOAD, L1_MISS},
                {L1_NO_LINE, OP_LOAD, L1_BYPASS},
                {L1_NO_LINE, OP_STORE, L1_FAIL_ASSOCIATIVITY},
                {L1_NO_VICTIM, OP_LOAD, L1_FAIL_ASSOCIATIVITY}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config c = base_preset();
        c.l1.sets = 1;
        c.l1.ways = 2;
        POLICY_BENCH(b, c, &chooser);
        b.unit.cache.write[0] = L1_WRITE_BACK; /* so that a store takes a line */
        b.unit.cache.write_fetches = true;
        for (unsigned line = 0; line < 2; line++) { /* free ways come first */
            push_memory_insn(&b, 0, OP_LOAD, line, 1);
            next_taken(&b);
            fill_sent_line(&b, line);
        }
        recorder_of(&b)->victim = rows[i].victim;
        push_memory_insn(&b, 0, rows[i].op, 7, 1);
        for (unsigned k = 0; k < 10 && !step_unit(&b)->cache_taken; k++) {}
        if (rows[i].result >= L1_FAILS) {
            assert_int_equal(b.unit.front.refusal.cause, rows[i].result);
            recorder_of(&b)->victim = 1; /* an event may have told it something */
            load_store_follow_policies(&b.unit);
            assert_true(step_unit(&b)->cache_taken);
        } else {
            assert_int_equal(b.outcome.cache.result, rows[i].result);
            assert_int_equal(tag_find(&b.unit.cache.tags, 0, 7),
                             rows[i].victim >= 0 ? rows[i].victim : TAG_NO_WAY);
        }
    }
}

TEST(a_victim_that_is_no_candidate_ends_the_run) {
    struct config c = base_preset();
    c.l1.sets = c.l1.ways = 1;
    POLICY_BENCH(b, c, &chooser);
    push_memory_insn(&b, 0, OP_LOAD, 1, 1);
    next_taken(&b);
    fill_sent_line(&b, 1);
    recorder_of(&b)->victim = 3;
    push_memory_insn(&b, 0, OP_LOAD, 2, 1);
    for (unsigned k = 0; k < 10; k++) {
        assert_false(step_unit(&b)->cache_taken);
    }
    assert_int_equal(b.alarm.cause, ALARM_PLUGIN);
    assert_string_equal(b.alarm.text,
                        "policy recorder, L1 of core 0: victim() gives way 3: must be "
                        "one of the candidates, 0x1, or none");
}

/* Refused with the sentence; NULL: they fit. */
TEST(policies_fit_machines_or_are_refused) {
    static const struct {
        const struct l1_policy_kind *kind;
        const char *keys[2], *said;
    } rows[] = {
        {&listener, {"l1.sectors=on", "l1.front=mrpb"}, NULL},
        {&bypasser, {"l1.global_write=through", "l1.allocate=fill"}, NULL},
        {&chooser, {"mdb.bypass=local", "l1.front=mrpb"}, NULL},
        {&listener,
         {"l1.perfect=on"},
         "l1.policy = recorder with l1.perfect = on: there is no cache to decide about; must be "
         "l1.policy = -"},
        {&listener,
         {"l1.cache=off"},
         "l1.policy = recorder with l1.cache = off: there is no cache to decide about; must be "
         "l1.policy = -"},
        {&bypasser,
         {"l1.global_write=back", "l1.miss_queue=4"},
         "l1.policy = recorder with l1.global_write = back: an access that bypasses the L1 would "
         "miss data that stay there; must be l1.global_write = evict or through"},
        {&chooser,
         {"l1.replacement=pdp"},
         "l1.policy = recorder and pdp both choose victims: must be one of them"},
        {&chooser,
         {"l1.sectors=on", "l1.local_write=evict"},
         "l1.policy = recorder with l1.sectors = on: it chooses victims for whole lines that are "
         "taken at a miss; must be l1.sectors = off"},
        {&chooser,
         {"l1.allocate=fill", "l1.local_write=evict"},
         "l1.policy = recorder with l1.allocate = fill: it chooses victims for whole lines that "
         "are taken at a miss; must be l1.allocate = miss"},
        {&chooser, {"l1.ways=65"}, "l1.policy = recorder with l1.ways = 65: must be at most 64"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config c = base_preset();
        struct config_error e;
        char error[512] = "";
        for (unsigned k = 0; k < 2 && rows[i].keys[k]; k++) {
            assert_true(config_set(&c, rows[i].keys[k], &e));
        }
        bool fits = l1_policy_fits(&c, rows[i].kind,
                                   &(struct build){.error = error, .error_size = sizeof error});
        assert_int_equal(fits, !rows[i].said);
        assert_string_equal(error, rows[i].said ? rows[i].said : "");
    }
}
