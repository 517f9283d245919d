/* SPDX-License-Identifier: Apache-2.0 */
#include "config/preset.h"

#include <string.h>

#include "config/derived.h"
#include "config/keys.h"
#include "config/schemes.h"

/* Only Fermi's hash asks for a shape that a preset may not have: OWL's lines have 64 bytes. */
TEST(every_scheme_and_part_applies_to_every_preset) {
    const struct scheme *scheme;
    const char *name;
    unsigned refused = 0, write_back = 0, round = 0, of_today = 0;
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        for (unsigned i = 0; (scheme = scheme_at(i)); i++) {
            struct scheme_selection s = {0};
            struct config_error e;
            struct config c;
            char pick[64];
            snprintf(pick, sizeof pick, "%s%s", scheme->name, scheme->number.needed ? ":1" : "");
            if (!config_preset(&c, name, &e) || !scheme_pick(&s, scheme->place, pick, &e) ||
                !scheme_apply(&s, &c, &e)) {
                fail_msg("%s %s: %s", name, pick, e.text);
            }
            if (config_check(&c, &e)) {
                continue;
            }
            /* MeDiC 4.2: what bypasses needs a write-through L2. */
            bool back = strstr(e.text, "must be l2.bypass = off or l2.write = through") &&
                        c.l2.write == L2_WRITE_BACK;
            write_back += back;
            /* MDB 2.2: what goes round the L1 is not looked up; OWL's L1 keeps writes. */
            bool mdb = strstr(e.text, "mdb.bypass = ") && c.l1.global_write == L1_WRITE_BACK;
            round += mdb;
            /* A GPU of today has more warps than a table of types, and an L1 of few sets of many
             * ways, with sectors. */
            bool today = (strstr(e.text, "l1.sets = 4 with mdb.bypass = ") ||
                          strstr(e.text, "l1.index = fermi with l1.sets = 4") ||
                          strstr(e.text, "core.count * core.warps = ") ||
                          strstr(e.text, "l1.replacement = pdp with l1.sectors = on")) &&
                         c.l1.sectors;
            of_today += today;
            if (!back && !mdb && !today &&
                (strcmp(name, "quadro-owl") || strcmp(scheme->name, "fermi"))) {
                fail_msg("%s %s: %s", name, scheme->name, e.text);
            }
            refused++;
        }
    }
    /* The presets gtx480 and quadro-daws write through; ten names bypass. */
    assert_int_equal(write_back, 8 * 10);
    assert_int_equal(round, 5);
    assert_int_equal(of_today, 4 * 13); /* of v100, gv100, a100 and h100 */
    assert_int_equal(refused, 1 + write_back + round + of_today);
}

/* The preset with one name applied. */
static struct config preset_with_scheme(const char *preset_name, const char *place,
                                        const char *names) {
    struct scheme_selection s = {0};
    struct config_error e;
    struct config c;
    if (!config_preset(&c, preset_name, &e) || !scheme_pick(&s, place, names, &e) ||
        !scheme_apply(&s, &c, &e)) {
        fail_msg("%s %s: %s", preset_name, names, e.text);
    }
    return c;
}

/* A part bears the key's word; the scheme of round-robin is called as in the papers. */
TEST(each_scheduler_has_a_scheme_and_a_part) {
    int key = config_key_find("issue", "scheduler");
    const struct config_key *scheduler = config_key_at((unsigned)key);
    for (unsigned i = 0; i <= scheduler->max; i++) {
        const char *word = scheduler->words[i];
        struct config scheme =
            preset_with_scheme("c2050-s", NULL, i == SCHEDULER_LRR ? "rr" : word);
        struct config part = preset_with_scheme("c2050-s", "issue", word),
                      untouched = base_preset();
        assert_int_equal(scheme.issue.scheduler, i);
        assert_memory_equal(&scheme, &part, sizeof part);
        scheme.issue.scheduler = untouched.issue.scheduler;
        assert_memory_equal(&scheme, &untouched, sizeof untouched);
    }
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "swl").issue.scheduler, SCHEDULER_GTO);
    assert_int_equal(preset_with_scheme("c2050-s", "issue", "swl").issue.scheduler, SCHEDULER_GTO);
}

/* A constant of another key's list compiles too: each must be a value of the key that it is for.
 * No key is set twice. */
TEST(schemes_set_keys_to_values_of_theirs) {
    const struct scheme *scheme;
    for (unsigned i = 0; (scheme = scheme_at(i)); i++) {
        for (const struct scheme_value *v = scheme->values; v->key.text; v++) {
            char key[CONFIG_KEY_TEXT];
            unsigned at = config_key_at_offset(v->key.offset);
            const struct config_key *k = config_key_at(at);
            assert_string_equal(config_key_text(at, key), v->key.text);
            assert_int_not_equal(k->kind, CONFIG_WORD);
            assert_true(v->per.text || v->times[0].text ||
                        (v->number >= k->min && v->number <= k->max));
            for (const struct scheme_value *other = scheme->values; other < v; other++) {
                assert_true(other->key.offset != v->key.offset);
            }
        }
    }
}

TEST(the_baseline_keeps_the_presets_own_scheduler) {
    assert_int_equal(preset_with_scheme("gtx480", NULL, "baseline").issue.scheduler, SCHEDULER_GTO);
    assert_int_equal(preset_with_scheme("quadro-owl", NULL, "baseline").issue.scheduler,
                     SCHEDULER_LRR);
}

/* DAWS 3.3: a static limit, set when the kernel is launched. */
TEST(swl_takes_its_limit_behind_a_colon) {
    struct config c = preset_with_scheme("quadro-daws", NULL, "swl:4");
    assert_int_equal(c.issue.scheduler, SCHEDULER_GTO);
    assert_int_equal(c.issue.warp_limit, 4);
    assert_int_equal(preset_with_scheme("quadro-daws", "issue", "swl:32").issue.warp_limit, 32);
    assert_int_equal(preset_with_scheme("quadro-daws", NULL, "swl").issue.warp_limit, 0);
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "mrpb+swl:2").issue.warp_limit, 2);

    struct scheme_selection s = {0};
    struct config_error e;
    char label[SCHEME_LABEL];
    assert_true(scheme_pick(&s, NULL, "mrpb+swl:4", &e));
    assert_true(scheme_pick(&s, "issue", "swl:4", &e));
    assert_string_equal(scheme_label(&s, label), "mrpb+swl:4+issue:swl:4");
}

TEST(numbers_of_names_are_checked) {
    static const struct {
        const char *place, *names, *message;
    } bad[] = {
        {NULL, "swl:65", "scheme swl:65: the number is issue.warp_limit, and must be 0..64 warps"},
        {NULL, "swl:0", "scheme swl:0: must be swl:N, N = issue.warp_limit from 1 to 64"},
        {NULL, "swl:", "scheme swl:: the number is issue.warp_limit, and must be 0..64 warps"},
        {"issue", "swl:x",
         "--issue swl:x: the number is issue.warp_limit, and must be 0..64 warps"},
        {NULL, "gto:4", "scheme gto:4: must be gto, which bears no number"},
        {NULL, "best-swl:4", "scheme best-swl:4: must be best-swl, which bears no number"},
        {NULL, "pdp-fixed",
         "scheme pdp-fixed: must be pdp-fixed:N, N = pdp.distance from 1 to 256"},
        {NULL, "pdp-fixed:0",
         "scheme pdp-fixed:0: must be pdp-fixed:N, N = pdp.distance from 1 to 256"},
        {NULL, "swl:4+swl:8",
         "scheme swl:4 and scheme swl:8 cannot be combined: issue.warp_limit=4 "
         "against issue.warp_limit=8"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct scheme_selection s = {0};
        struct config_error e = {""};
        assert_false(scheme_pick(&s, bad[i].place, bad[i].names, &e));
        assert_string_equal(e.text, bad[i].message);
    }
}

/* DAWS 7.1: on GTO; MRPB 5.7: also round-robin. */
TEST(swl_gives_way_to_a_scheduler_that_is_named) {
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "swl:4").issue.scheduler, SCHEDULER_GTO);
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "swl:4+rr").issue.scheduler,
                     SCHEDULER_LRR);
    assert_int_equal(preset_with_scheme("c2050-s", "issue", "swl:4+lrr").issue.scheduler,
                     SCHEDULER_LRR);
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "best-swl").issue.scheduler,
                     SCHEDULER_GTO);
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "best-swl+rr").issue.scheduler,
                     SCHEDULER_LRR);
    assert_int_equal(preset_with_scheme("c2050-s", NULL, "rr+best-swl").issue.scheduler,
                     SCHEDULER_LRR);
    assert_int_equal(preset_with_scheme("gtx480", NULL, "best-swl+oldest").issue.scheduler,
                     SCHEDULER_OLDEST);
}

TEST(best_schemes_are_marked_as_sweeps_of_the_limit) {
    const struct scheme *scheme;
    unsigned sweeps = 0;
    for (unsigned i = 0; (scheme = scheme_at(i)); i++) {
        if (scheme->sweep.text) {
            assert_true(!strcmp(scheme->name, "best-swl") || !strcmp(scheme->name, "cbwt-best"));
            assert_string_equal(scheme->sweep.text, "issue.warp_limit");
            sweeps++;
        }
    }
    assert_int_equal(sweeps, 3); /* best-swl is a scheme and a part */
}

TEST(ideal_machines_hit_always) {
    struct config pmem = preset_with_scheme("quadro-owl", NULL, "perfect-l1");
    struct config perfect_l2 = preset_with_scheme("quadro-owl", NULL, "perfect-l2");
    assert_true(pmem.l1.perfect && !pmem.l2.perfect);
    assert_true(perfect_l2.l2.perfect && !perfect_l2.l1.perfect);
    assert_true(preset_with_scheme("gtx480", "l1", "perfect").l1.perfect);
    assert_true(preset_with_scheme("gtx480", "l2", "perfect").l2.perfect);
    assert_false(preset_with_scheme("gtx480-mdb", "l1", "off").l1.cache);
}

/* The L1s that the papers put in the place of their own. */
TEST(other_l1s_have_the_papers_shapes) {
    static const struct {
        const char *preset, *part;
        unsigned sets, ways;
        uint64_t bytes;
    } all[] = {
        {"gtx480-mdb", "8mb", 16384, 4, 8 << 20},                    /* MDB figure 2 */
        {"c2050-s", "16kb-64way", 2, 64, 16 << 10},                  /* MRPB 5.8 */
        {"c2050-s", "20kb-5way", 32, 5, 20 << 10},                   /* MRPB 6 */
        {"c2050-s", "fully-associative", 1, 128, 16 << 10},          /* MRPB 2.4: 128-way */
        {"c2050-l", "fully-associative", 1, 384, 48 << 10},          /* MRPB 2.4: 384-way */
        {"c2050-s", "fully-associative-1024x", 1, 131072, 16 << 20}, /* MRPB figure 5 */
        {"c2050-l", "fully-associative-1024x", 1, 393216, 48 << 20}, /* MRPB figure 5 */
        {"quadro-owl", "8mb", 32768, 4, 8 << 20},                    /* lines of 64 bytes */
        {"quadro-owl", "16kb-64way", 4, 64, 16 << 10},
        {"quadro-owl", "20kb-5way", 64, 5, 20 << 10},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct config c = preset_with_scheme(all[i].preset, "l1", all[i].part);
        assert_int_equal(c.l1.sets, all[i].sets);
        assert_int_equal(c.l1.ways, all[i].ways);
        assert_true(config_l1_bytes(&c) == all[i].bytes);
    }
}

TEST(set_indices_can_be_chosen) {
    assert_int_equal(preset_with_scheme("gtx480-mdb", "l1", "modulo").l1.index, INDEX_MODULO);
    assert_int_equal(preset_with_scheme("c2050-s", "l1", "xor").l1.index, INDEX_XOR);
    assert_int_equal(preset_with_scheme("c2050-s", "l1", "fermi").l1.index, INDEX_FERMI);
    assert_int_equal(preset_with_scheme("c2050-s", "l2", "xor").l2.index, INDEX_XOR);
}

/* Values that follow from the preset do so in whatever order the names stand. */
TEST(the_order_of_names_does_not_matter) {
    struct config a = preset_with_scheme("c2050-l", "l1", "mrpb+fully-associative");
    struct config b = preset_with_scheme("c2050-l", "l1", "fully-associative+mrpb");
    assert_memory_equal(&a, &b, sizeof a);
}

TEST(mrpb_is_the_papers_final_choice) {
    struct scheme_selection s = {0};
    struct config_error e;
    struct config c = base_preset();
    c.mrpb.signature = MRPB_SIGNATURE_BLOCK;
    c.mrpb.drain = MRPB_DRAIN_LONGEST;
    c.mrpb.flush = 0;
    c.mrpb.depth = 4;
    c.mrpb.latency = 3;
    c.mrpb.bypass = MRPB_BYPASS_OFF;
    assert_true(scheme_pick(&s, NULL, "mrpb", &e));
    assert_true(scheme_apply(&s, &c, &e));
    assert_int_equal(c.l1.front, L1_FRONT_MRPB);
    assert_int_equal(c.mrpb.signature, MRPB_SIGNATURE_WARP);
    assert_int_equal(c.mrpb.drain, MRPB_DRAIN_FIXED);
    assert_int_equal(c.mrpb.flush, 1);
    assert_int_equal(c.mrpb.depth, 8);
    assert_int_equal(c.mrpb.latency, 5);
    assert_int_equal(c.mrpb.bypass, MRPB_BYPASS_ASSOCIATIVITY);
    assert_int_equal(c.issue.scheduler, SCHEDULER_LRR);
}

/* MRPB 5.1 to 5.4: reordering without bypassing, bypassing without reordering. */
TEST(mrpbs_halves_are_schemes) {
    struct config whole = preset_with_scheme("c2050-s", NULL, "mrpb"),
                  reorder = preset_with_scheme("c2050-s", NULL, "mrpb-reorder");
    whole.mrpb.bypass = MRPB_BYPASS_OFF;
    assert_memory_equal(&whole, &reorder, sizeof whole);
    struct config some = preset_with_scheme("c2050-s", NULL, "mrpb-bypass"),
                  all = preset_with_scheme("c2050-s", NULL, "mrpb-bypass-all");
    assert_true(some.l1.front == L1_FRONT_SLOT && some.mrpb.bypass == MRPB_BYPASS_ASSOCIATIVITY);
    assert_true(all.l1.front == L1_FRONT_SLOT && all.mrpb.bypass == MRPB_BYPASS_ALL);
}

/* Whole schemes can be compared, parts only run: MRPB figure 5, sections 5.8 and 6. */
TEST(the_l1s_that_mrpb_compares_with_are_schemes) {
    static const char *const same[][2] = {
        {"l1-64way", "16kb-64way"},
        {"l1-20k-5way", "20kb-5way"},
        {"fully-associative", "fully-associative"},
        {"fully-associative-1024x", "fully-associative-1024x"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct config scheme = preset_with_scheme("c2050-l", NULL, same[i][0]),
                      part = preset_with_scheme("c2050-l", "l1", same[i][1]);
        assert_memory_equal(&scheme, &part, sizeof part);
    }
}

TEST(a_scheme_and_its_parts_give_the_same_machine) {
    struct scheme_selection joined = {0}, parts = {0};
    struct config_error e;
    struct config a = base_preset(), b = base_preset();
    char label[SCHEME_LABEL];
    assert_true(scheme_pick(&joined, NULL, "mrpb+gto", &e));
    assert_true(scheme_pick(&parts, "issue", "gto", &e));
    assert_true(scheme_pick(&parts, "l1", "mrpb", &e));
    assert_true(scheme_apply(&joined, &a, &e));
    assert_true(scheme_apply(&parts, &b, &e));
    assert_true(config_hash(&a) == config_hash(&b));
    assert_string_equal(scheme_label(&joined, label), "mrpb+gto");
    assert_string_equal(scheme_label(&parts, label), "issue:gto+l1:mrpb");
}

TEST(nothing_picked_is_the_baseline) {
    struct scheme_selection s = {0};
    struct config_error e;
    struct config a = base_preset(), b = base_preset();
    char label[SCHEME_LABEL];
    assert_true(scheme_apply(&s, &a, &e));
    assert_true(config_hash(&a) == config_hash(&b));
    assert_string_equal(scheme_label(&s, label), "baseline");
}

TEST(what_contradicts_is_refused_with_both_names) {
    struct scheme_selection s = {0};
    struct config_error e;
    assert_false(scheme_pick(&s, NULL, "baseline+mrpb", &e));
    assert_string_equal(e.text, "scheme baseline and scheme mrpb cannot be combined: l1.front=none "
                                "against l1.front=mrpb");
    s.count = 0;
    assert_false(scheme_pick(&s, "l1", "mrpb+off", &e));
    assert_string_equal(e.text, "--l1 mrpb and --l1 off cannot be combined: l1.front=mrpb against "
                                "l1.front=none");
    s.count = 0;
    assert_false(scheme_pick(&s, "l1", "8mb+fully-associative", &e));
    assert_string_equal(e.text, "--l1 8mb and --l1 fully-associative cannot be combined: "
                                "l1.sets=2097152/l1.line_bytes against l1.sets=1");
    s.count = 0;
    assert_true(scheme_pick(&s, NULL, "gto", &e));
    assert_false(scheme_pick(&s, "issue", "lrr", &e));
    assert_string_equal(e.text, "scheme gto and --issue lrr cannot be combined: "
                                "issue.scheduler=gto against issue.scheduler=lrr");
}

static void assert_refused(const char *place, const char *name, const char *message) {
    struct scheme_selection s = {0};
    struct config_error e = {""};
    assert_false(scheme_pick(&s, place, name, &e));
    if (!strstr(e.text, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, e.text);
    }
}

TEST(unknown_names_say_what_there_is) {
    static const char *const places[] = {"issue", "l1", "l2", "dram"};
    assert_refused(NULL, "mrbp", "scheme mrbp: there is none of that name; did you mean mrpb?");
    assert_refused(NULL, "",
                   "scheme (nothing): there is none of that name; must be one of baseline, mrpb");
    assert_refused(NULL, "mrpb+", "scheme (nothing): there is none");
    assert_refused(NULL, "mrpb+daws", "scheme daws: there is none");
    assert_refused("issue", "rr", "--issue rr: there is none of that name; did you mean lrr?");
    for (unsigned p = 0; p < sizeof places / sizeof *places; p++) {
        char message[400];
        const struct scheme *scheme;
        size_t used =
            (size_t)snprintf(message, sizeof message,
                             "--%s bananas: there is none of that name; must be one of", places[p]);
        unsigned count = 0;
        for (unsigned i = 0; (scheme = scheme_at(i)); i++) {
            if (scheme->place && !strcmp(scheme->place, places[p])) {
                used += (size_t)snprintf(message + used, sizeof message - used, "%s %s",
                                         count++ ? "," : "", scheme->name);
            }
        }
        assert_true(count >= 2 && used < sizeof message);
        assert_refused(places[p], "bananas", message);
    }
}

TEST(too_many_names_are_refused) {
    struct scheme_selection s = {0};
    struct config_error e;
    char names[200] = "gto";
    for (unsigned i = 0; i < SCHEME_PICKS_MAX; i++) {
        strcat(names, "+gto");
    }
    assert_false(scheme_pick(&s, NULL, names, &e));
    assert_string_equal(e.text, "gto: at most 16 names can be combined");
}

TEST(only_keys_of_schemes_count_as_undone) {
    struct config a = base_preset(), b = base_preset();
    b.l2.ways = 4;
    assert_false(scheme_keys_differ(&a, &b));
    b.mrpb.depth = 4;
    assert_true(scheme_keys_differ(&a, &b));
    b = a;
    b.issue.warp_limit = 4; /* no scheme names its value, a number does */
    assert_true(scheme_keys_differ(&a, &b));
}
