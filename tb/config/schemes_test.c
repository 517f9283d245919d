/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <string.h>

#include "config/schemes.h"

static struct config preset(void) {
    struct config c;
    struct config_error e;
    if (!config_preset(&c, "c2050-s", &e)) {
        fail_msg("%s", e.text);
    }
    return c;
}

static void every_scheme_and_part_applies_to_every_preset(void **state) {
    (void)state;
    const struct scheme *scheme;
    const char *name;
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        for (unsigned i = 0; (scheme = scheme_at(i)); i++) {
            struct scheme_selection s = {0};
            struct config_error e;
            struct config c;
            if (!config_preset(&c, name, &e) || !scheme_pick(&s, scheme->place, scheme->name, &e) ||
                !scheme_apply(&s, &c, &e) || !config_check(&c, &e)) {
                fail_msg("%s %s: %s", name, scheme->name, e.text);
            }
        }
    }
}

static void mrpb_is_the_papers_final_choice(void **state) {
    (void)state;
    struct scheme_selection s = {0};
    struct config_error e;
    struct config c = preset();
    c.mrpb.depth = 4;
    c.mrpb.latency = 3;
    c.mrpb.bypass = MRPB_BYPASS_OFF;
    assert_true(scheme_pick(&s, NULL, "mrpb", &e));
    assert_true(scheme_apply(&s, &c, &e));
    assert_int_equal(c.l1.mrpb, 1);
    assert_int_equal(c.mrpb.depth, 8);
    assert_int_equal(c.mrpb.latency, 5);
    assert_int_equal(c.mrpb.bypass, MRPB_BYPASS_ASSOCIATIVITY);
    assert_int_equal(c.issue.scheduler, SCHEDULER_LRR);
}

static void a_scheme_and_its_parts_give_the_same_machine(void **state) {
    (void)state;
    struct scheme_selection joined = {0}, parts = {0};
    struct config_error e;
    struct config a = preset(), b = preset();
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

static void nothing_picked_is_the_baseline(void **state) {
    (void)state;
    struct scheme_selection s = {0};
    struct config_error e;
    struct config a = preset(), b = preset();
    char label[SCHEME_LABEL];
    assert_true(scheme_apply(&s, &a, &e));
    assert_true(config_hash(&a) == config_hash(&b));
    assert_string_equal(scheme_label(&s, label), "baseline");
}

static void what_contradicts_is_refused_with_both_names(void **state) {
    (void)state;
    struct scheme_selection s = {0};
    struct config_error e;
    assert_false(scheme_pick(&s, NULL, "baseline+mrpb", &e));
    assert_string_equal(e.text, "scheme baseline and scheme mrpb cannot be combined: l1.mrpb=off "
                                "against l1.mrpb=on");
    s.count = 0;
    assert_true(scheme_pick(&s, NULL, "gto", &e));
    assert_false(scheme_pick(&s, "issue", "lrr", &e));
    assert_string_equal(e.text, "scheme gto and --issue lrr cannot be combined: "
                                "issue.scheduler=gto against issue.scheduler=lrr");
}

static void unknown_names_say_what_there_is(void **state) {
    (void)state;
    static const struct {
        const char *place, *name, *message;
    } bad[] = {
        {NULL, "mrbp", "scheme mrbp: there is none of that name; did you mean mrpb?"},
        {NULL, "", "scheme (nothing): there is none of that name; must be one of baseline, mrpb"},
        {NULL, "mrpb+", "scheme (nothing): there is none"},
        {NULL, "mrpb+daws", "scheme daws: there is none"},
        {"issue", "rr", "--issue rr: there is none of that name; did you mean lrr?"},
        {"issue", "mrpb", "--issue mrpb: there is none of that name; must be one of lrr, gto"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct scheme_selection s = {0};
        struct config_error e = {""};
        assert_false(scheme_pick(&s, bad[i].place, bad[i].name, &e));
        if (!strstr(e.text, bad[i].message)) {
            fail_msg("\"%s\" is not in \"%s\"", bad[i].message, e.text);
        }
    }
}

static void too_many_names_are_refused(void **state) {
    (void)state;
    struct scheme_selection s = {0};
    struct config_error e;
    char names[200] = "gto";
    for (unsigned i = 0; i < SCHEME_PICKS_MAX; i++) {
        strcat(names, "+gto");
    }
    assert_false(scheme_pick(&s, NULL, names, &e));
    assert_string_equal(e.text, "gto: at most 16 names can be combined");
}

static void only_keys_of_schemes_count_as_undone(void **state) {
    (void)state;
    struct config a = preset(), b = preset();
    b.l2.ways = 4;
    assert_false(scheme_keys_differ(&a, &b));
    b.mrpb.depth = 4;
    assert_true(scheme_keys_differ(&a, &b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_and_part_applies_to_every_preset),
        cmocka_unit_test(mrpb_is_the_papers_final_choice),
        cmocka_unit_test(a_scheme_and_its_parts_give_the_same_machine),
        cmocka_unit_test(nothing_picked_is_the_baseline),
        cmocka_unit_test(what_contradicts_is_refused_with_both_names),
        cmocka_unit_test(unknown_names_say_what_there_is),
        cmocka_unit_test(too_many_names_are_refused),
        cmocka_unit_test(only_keys_of_schemes_count_as_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
