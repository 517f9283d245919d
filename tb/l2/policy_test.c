/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of l2/policy.h in a partition: the questions and events of a policy in their order,
 * several policies together, refused combinations, wrong answers.
 */
#include "l2/partition_bench.h"

/* The test's policy answers so, and notes what it hears. */
static struct {
    enum l2_bypass bypass;
    bool takes_line;
    enum l2_place place;
    unsigned asked;
    char text[400];
} heard;

__attribute__((format(printf, 1, 2))) static void note_heard(const char *format, ...) {
    size_t length = strlen(heard.text);
    va_list args;
    va_start(args, format);
    vsnprintf(heard.text + length, sizeof heard.text - length, format, args);
    va_end(args);
    assert_true(strlen(heard.text) < sizeof heard.text - 1);
}

static enum l2_bypass answer_bypass(const void *state, const struct l2_policy_view *view,
                                    const struct l2_policy_access *access) {
    (void)state, (void)access;
    assert_true(view->banks == 1 && view->ports == 1 && view->cycle > 0);
    return heard.bypass;
}

static bool answer_line(void *state, const struct l2_policy_view *view,
                        const struct l2_policy_access *access) {
    (void)state, (void)view;
    note_heard("line%u ", (unsigned)access->line);
    return heard.takes_line;
}

static unsigned answer_oldest(const void *state, const struct l2_policy_view *view,
                              const struct l2_policy_access *access, uint64_t candidates) {
    (void)state, (void)view, (void)access;
    heard.asked++;
    return (unsigned)__builtin_ctzll(candidates);
}

static enum l2_place answer_place(void *state, const struct l2_policy_view *view,
                                  const struct l2_policy_access *access, unsigned way) {
    (void)state, (void)view;
    note_heard("place%u@%u ", (unsigned)access->line, way);
    return heard.place;
}

static void note_l2_event(void *state, const struct l2_policy_view *view,
                          const struct l2_policy_event *e) {
    static const char *const outcome[] = {"hit", "pending", "miss"};
    unsigned line = e->access ? (unsigned)e->access->line : 0;
    (void)state, (void)view;
    switch (e->kind) {
    case L2_POLICY_LAUNCHED: note_heard("launch "); break;
    case L2_POLICY_BYPASSED: note_heard("past%u ", line); break;
    case L2_POLICY_ACCESSED: note_heard("%s%u ", outcome[e->outcome], line); break;
    case L2_POLICY_TOUCHED: note_heard("use%u@%u ", line, e->way); break;
    case L2_POLICY_EVICTED: note_heard("out%u ", (unsigned)e->line); break;
    case L2_POLICY_INSERTED: note_heard("in%u@%u ", line, e->way); break;
    case L2_POLICY_FILLED: note_heard("fill%u@%u ", line, e->way); break;
    case L2_POLICY_EVENTS: break;
    }
}

#define LISTENS .events = L2_POLICY_EVENT(L2_POLICY_EVENTS) - 1, .tell = note_l2_event
static const struct l2_policy_kind listener = {.name = "listener", LISTENS};
static const struct l2_policy_kind admitter = {
    .name = "admitter", .bypass = answer_bypass, .takes_line = answer_line, LISTENS};
static const struct l2_policy_kind placer = {.name = "placer", .place = answer_place, LISTENS};
static const struct l2_policy_kind evicter = {.name = "evicter", .victim = answer_oldest, LISTENS};

/* One bank with one set of two ways, written through. */
static struct config one_set(void) {
    struct config c = partition_config();
    c.l2.ports = c.l2.banks = c.l2.sets = 1;
    c.l2.ways = 2;
    c.l2.rop_latency = 5;
    c.l2.write = L2_WRITE_THROUGH;
    return c;
}

/* Requests one after the other; of two that a '+' joins the second comes before the first's data.
 * r, w, a: read, write of a whole line, atomic, of the line that follows. */
static void serve_requests(struct bench *b, const char *requests) {
    for (const char *at = requests; *at; at++) {
        if (*at == '+' || *at == ' ') {
            continue;
        }
        unsigned kind = *at == 'r' ? REQUEST_READ : *at == 'w' ? REQUEST_WRITE : REQUEST_ATOMIC;
        bool waits = at[2] == '+';
        ask_partition(b, kind, (uint64_t)(*++at - '0'), kind == REQUEST_WRITE, 0);
        for (unsigned i = 0; i < (waits ? 30 : 200); i++) {
            tick_l2(b);
            if (answer_seen(b)) {
                take_answer(b);
            }
            if (dram_seen(b) && !waits) {
                struct request r = dram_take(b);
                if (r.kind == REQUEST_READ) {
                    dram_answer(b, &r);
                }
            }
        }
    }
}

TEST(a_policy_hears_what_happens_in_this_order) {
    static const struct {
        const struct l2_policy_kind *policy;
        enum l2_bypass bypass;
        bool takes_line;
        const char *requests, *heard;
    } cases[] = {
        {&listener, 0, 0, "r1", "in1@0 miss1 fill1@0 "},
        {&listener, 0, 0, "r1 r1", "in1@0 miss1 fill1@0 use1@0 hit1 "},
        {&listener, 0, 0, "r1+r1", "in1@0 miss1 use1@0 pending1 fill1@0 "},
        {&listener, 0, 0, "w1 w1", "in1@0 miss1 use1@0 hit1 "}, /* whole: it needs no fetch */
        {&listener, 0, 0, "a1", "in1@0 miss1 fill1@0 "},
        {&listener, 0, 0, "r1 r2 r3",
         "in1@0 miss1 fill1@0 in2@1 miss2 fill2@1 out1 in3@0 miss3 fill3@0 "},
        {&placer, 0, 0, "w1 w2 w3",
         "place1@0 in1@0 miss1 place2@1 in2@1 miss2 place3@0 out1 in3@0 miss3 "},
        {&admitter, L2_BYPASS_NEVER, true, "r1", "line1 in1@0 miss1 fill1@0 "},
        {&admitter, L2_BYPASS_NEVER, false, "r1 w2", "line1 miss1 line2 miss2 "},
        {&admitter, L2_BYPASS_ALWAYS, true, "r1 r1", "past1 past1 "},
        {&admitter, L2_BYPASS_ALWAYS, true, "w1 a2", "line1 miss1 line2 miss2 "}, /* look it up */
        {&admitter, L2_BYPASS_BY_TYPE, true, "r1", "line1 in1@0 miss1 fill1@0 "}, /* not known */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set(), .policy = cases[i].policy};
        memset(&heard, 0, sizeof heard);
        heard.bypass = cases[i].bypass;
        heard.takes_line = cases[i].takes_line;
        open_partition_bench(&b, 1);
        l2_partition_launch(&b.p, START);
        serve_requests(&b, cases[i].requests);
        assert_true(!strncmp(heard.text, "launch ", 7));
        assert_string_equal(heard.text + 7, cases[i].heard);
    }
}

/* Lines 1 and 2 are there, 1 the older one, when 3 comes and then 4. */
TEST(a_policy_orders_the_lines_of_a_set) {
    static const struct {
        const struct l2_policy_kind *policy;
        enum l2_place place;
        const char *requests, *there;
    } cases[] = {
        {&listener, 0, "r1 r2 r1 r3", "13"},
        {&evicter, 0, "r1 r2 r1 r3", "23"},
        {&placer, L2_PLACE_MOST_RECENT, "r1 r2 r3 r4", "34"},
        {&placer, L2_PLACE_LEAST_RECENT, "r1 r2 r3 r4", "14"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set(), .policy = cases[i].policy};
        memset(&heard, 0, sizeof heard);
        heard.place = cases[i].place;
        open_partition_bench(&b, 1);
        serve_requests(&b, cases[i].requests);
        for (uint64_t line = 1; line < 5; line++) {
            bool there = tag_find(&b.p.bank->tags, 0, line) != TAG_NO_WAY;
            assert_int_equal(there, strchr(cases[i].there, '0' + (int)line) != NULL);
        }
        assert_int_equal(heard.asked, cases[i].policy == &evicter);
    }
}

TEST(a_request_bypasses_if_one_lets_it_and_takes_a_line_if_all_do) {
    static const struct {
        const char *key, *more;
        enum l2_bypass bypass;
        bool takes_line;
        unsigned bypasses, lines;
    } cases[] = {
        {"l2.bypass=off", NULL, L2_BYPASS_NEVER, true, 0, 1},
        {"l2.bypass=off", NULL, L2_BYPASS_ALWAYS, true, 1, 0},
        {"l2.bypass=all", NULL, L2_BYPASS_NEVER, true, 1, 0},
        {"l2.bypass=random", "rand.percent=0", L2_BYPASS_NEVER, true, 0, 1},
        {"l2.bypass=random", "rand.percent=0", L2_BYPASS_ALWAYS, true, 1, 0},
        {"l2.bypass=warp-type", NULL, L2_BYPASS_ALWAYS, true, 1, 0},
        {"l2.bypass=warp-type", NULL, L2_BYPASS_NEVER, true, 0, 1}, /* its type is not known */
        {"l2.allocation=tokens", "pcal.tokens=0", L2_BYPASS_NEVER, true, 0, 0},
        {"l2.allocation=tokens", "pcal.tokens=96", L2_BYPASS_NEVER, true, 0, 1},
        {"l2.allocation=tokens", "pcal.tokens=96", L2_BYPASS_NEVER, false, 0, 0},
        {"l2.insertion=warp-type", NULL, L2_BYPASS_NEVER, false, 0, 0},
        {"l2.insertion=eaf", NULL, L2_BYPASS_ALWAYS, true, 1, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set(), .policy = &admitter};
        struct config_error e;
        memset(&heard, 0, sizeof heard);
        heard.bypass = cases[i].bypass;
        heard.takes_line = cases[i].takes_line;
        assert_true(config_set(&b.config, cases[i].key, &e) &&
                    (!cases[i].more || config_set(&b.config, cases[i].more, &e)));
        open_partition_bench(&b, 1);
        serve_requests(&b, "r1");
        assert_int_equal(partition_totals(&b).bypasses[REQUEST_READ], cases[i].bypasses);
        assert_int_equal(tag_find(&b.p.bank->tags, 0, 1) != TAG_NO_WAY, cases[i].lines);
    }
}

static bool note_type(void *state, const struct l2_policy_view *view,
                      const struct l2_policy_access *access) {
    (void)state, (void)view;
    note_heard("%u", access->type);
    return true;
}

/* Three requests are its profile. Reads of line 1 hit but for the first, others miss. */
TEST(a_policy_that_wants_types_gets_them) {
    static const struct l2_policy_kind typed[] = {
        {.name = "warps", .types = L2_TYPES_OF_WARPS, .takes_line = note_type},
        {.name = "instructions", .types = L2_TYPES_OF_INSTRUCTIONS, .takes_line = note_type}};
    for (unsigned i = 0; i < 4; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set(), .policy = &typed[i / 2]};
        memset(&heard, 0, sizeof heard);
        b.config.medic.profile = 3;
        b.config.medic.boundary = MEDIC_BOUNDARY_FIXED;
        open_partition_bench(&b, 1);
        serve_requests(&b, i % 2 ? "r1 r2 r3 r4" : "r1 r1 r1 r1");
        assert_true(!strncmp(heard.text, "111", 3)); /* balanced, as it is not known */
        assert_int_equal(heard.text[3] - '0', i % 2 ? L2_CLASS_MISS : L2_CLASS_BALANCED);
    }
}

TEST(what_does_not_go_together_is_refused) {
    static const struct l2_policy_kind of_warps = {.name = "w", .types = L2_TYPES_OF_WARPS},
                                       of_pcs = {.name = "p", .types = L2_TYPES_OF_INSTRUCTIONS};
    static const struct {
        const struct l2_policy_kind *policy;
        const char *keys[3], *said; /* NULL: nothing */
    } cases[] = {
        {&evicter,
         {"l2.insertion=eaf"},
         "l2.policy = evicter and eaf both order the lines of a set"},
        {&placer, {"l2.insertion=warp-type"}, "l2.policy = placer and wip both order"},
        {&evicter, {"l2.insertion=warp-type", "l2.perfect=on"}, NULL},
        {&admitter, {"l2.insertion=warp-type", "l2.allocation=tokens", "dram.queues=two"}, NULL},
        {&evicter, {"owl.prefetch=least"}, "must be owl.prefetch = off"},
        {&placer, {"owl.prefetch=least"}, NULL},
        {&placer, {"l2.ways=65"}, "l2.policy = placer: l2.ways = 65: must be at most 64"},
        {&admitter, {"l2.ways=65"}, NULL},
        {&admitter, {"l2.write=back"}, "l2.policy = admitter bypasses the L2: must be l2.write"},
        {&admitter, {"l2.perfect=on"}, "must be l2.write = through and l2.perfect = off"},
        {&evicter, {"l2.write=back"}, NULL},
        {&of_warps, {"l2.bypass=pc"}, "l2.policy = w with l2.bypass = pc: one table decides"},
        {&of_warps, {"l2.bypass=warp-type", "dram.queues=two"}, NULL},
        {&of_warps, {"medic.lanes=8", "core.count=1", "core.warps=4"}, "medic.lanes = 8: must be"},
        {&of_pcs, {"dram.queues=two"}, "l2.policy = p with dram.queues = two: one table decides"},
        {&of_pcs, {"l2.bypass=pc"}, NULL},
        {&of_pcs, {"l1.front=mrpb"}, "l2.policy = p with l1.front = mrpb"},
        {&of_pcs, {"medic.lanes=8", "pcbyp.entries=4"}, "medic.lanes = 8 with l2.policy = p"},
        {NULL, {"l2.write=back"}, NULL},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[300] = "";
        const struct build build = {.error = error, .error_size = sizeof error};
        struct config c = one_set();
        struct config_error e;
        for (unsigned k = 0; k < 3 && cases[i].keys[k]; k++) {
            assert_true(config_set(&c, cases[i].keys[k], &e));
        }
        bool fits = l2_policy_fits(&c, cases[i].policy, &build);
        if (fits != !cases[i].said || (!fits && !strstr(error, cases[i].said))) {
            fail_msg("case %u: %s", i, error);
        }
    }
}

static enum l2_bypass change_when_asked(const void *state, const struct l2_policy_view *view,
                                        const struct l2_policy_access *access) {
    (void)view, (void)access;
    ++*(uint64_t *)(uintptr_t)state;
    return L2_BYPASS_NEVER;
}

static enum l2_bypass answer_in_turn(const void *state, const struct l2_policy_view *view,
                                     const struct l2_policy_access *access) {
    (void)state, (void)view, (void)access;
    return heard.asked++ & 1 ? L2_BYPASS_ALWAYS : L2_BYPASS_NEVER;
}

static unsigned answer_no_candidate(const void *state, const struct l2_policy_view *view,
                                    const struct l2_policy_access *access, uint64_t candidates) {
    (void)state, (void)view, (void)access, (void)candidates;
    return 7;
}

static size_t size_of_count(const struct l2_policy_view *view) {
    (void)view;
    return sizeof(uint64_t);
}

TEST(wrong_answers_ring_the_alarm) {
    static const struct {
        struct l2_policy_kind kind;
        const char *said;
    } cases[] = {
        {{.name = "x", .bypass = change_when_asked, .state_size = size_of_count},
         "policy x, partition 0, bank 0: bypass() changes its state when it is called again"},
        {{.name = "x", .bypass = answer_in_turn}, "bypass() gives another answer"},
        {{.name = "x", .victim = answer_no_candidate},
         "victim() gives way 7: must be one of the candidates, 0x3"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(close_partition_bench)
        struct bench b = {.config = one_set(), .policy = &cases[i].kind, .poll = true};
        memset(&heard, 0, sizeof heard);
        b.attention = 1000;
        open_partition_bench(&b, 1);
        serve_requests(&b, "r1 r2 r3");
        assert_true(b.alarm.cause == ALARM_PLUGIN && strstr(b.alarm.text, cases[i].said));
    }
}
