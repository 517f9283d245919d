/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "base/stats.h"

static const struct stat_desc hits = {"l1.read_hits", "accesses", "found", "model", STAT_SUM};
static const struct stat_desc depth = {"l1.queue_depth", "requests", "most", "model", STAT_MAX};

TEST(an_empty_registry_has_no_names) {
    struct stats *s = stats_create();
    assert_int_equal(stats_count(s), 0);
    stats_destroy(s);
    stats_destroy(NULL);
}

TEST(names_stay_in_the_order_of_first_registration) {
    struct stats *s = stats_create();
    uint64_t a = 0, b = 0;
    assert_true(stats_register(s, &hits, &a));
    assert_true(stats_register(s, &depth, &b));
    assert_true(stats_register(s, &hits, &b));
    assert_int_equal(stats_count(s), 2);
    assert_ptr_equal(stats_at(s, 0), &hits);
    assert_ptr_equal(stats_at(s, 1), &depth);
    stats_destroy(s);
}

TEST(instances_are_summed_or_the_largest_counts) {
    struct stats *s = stats_create();
    uint64_t hit[3] = {5, 0, 7}, deep[3] = {5, 9, 7};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(stats_register(s, &hits, &hit[i]));
        assert_true(stats_register(s, &depth, &deep[i]));
    }
    assert_int_equal(stats_value(s, 0), 12);
    assert_int_equal(stats_value(s, 1), 9);
    assert_int_equal(stats_get(s, "l1.read_hits"), 12);
    stats_destroy(s);
}

TEST(a_name_is_found_or_is_not) {
    struct stats *s = stats_create();
    uint64_t value = 0;
    size_t i = 9;
    assert_true(stats_register(s, &depth, &value) && stats_register(s, &hits, &value));
    assert_true(stats_find(s, "l1.read_hits", &i));
    assert_int_equal(i, 1);
    assert_false(stats_find(s, "l1.read_hit", &i));
    stats_destroy(s);
}

TEST(values_are_read_when_asked) {
    struct stats *s = stats_create();
    uint64_t hit = 1;
    assert_true(stats_register(s, &hits, &hit));
    hit = UINT64_MAX;
    assert_true(stats_get(s, "l1.read_hits") == UINT64_MAX);
    stats_destroy(s);
}

TEST(there_is_room_for_many_names_and_instances) {
    enum { NAMES = 300, INSTANCES = 40 };
    static struct stat_desc desc[NAMES];
    static char name[NAMES][16];
    uint64_t value = 2;
    struct stats *s = stats_create();
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(name[i], sizeof name[i], "many.n%u", i);
        desc[i] = (struct stat_desc){name[i], "things", "one of many", "model", STAT_SUM};
    }
    for (unsigned k = 0; k < INSTANCES; k++) {
        for (unsigned i = 0; i < NAMES; i++) {
            assert_true(stats_register(s, &desc[i], &value));
        }
    }
    assert_int_equal(stats_count(s), NAMES);
    for (unsigned i = 0; i < NAMES; i++) {
        assert_string_equal(stats_at(s, i)->name, name[i]);
        assert_int_equal(stats_value(s, i), 2 * INSTANCES);
    }
    stats_destroy(s);
}

TEST(members_of_a_struct_register_by_their_offsets) {
    struct counters {
        uint64_t hits, deepest;
    } counters[2] = {{3, 4}, {5, 6}};
    const struct stat_member members[] = {
        {{"x.hits", "accesses", "found", "model", STAT_SUM}, offsetof(struct counters, hits)},
        {{"x.deepest", "requests", "most", "model", STAT_MAX}, offsetof(struct counters, deepest)},
    };
    struct stats *s = stats_create();
    assert_true(stats_register_members(s, members, 2, &counters[0]));
    assert_true(stats_register_members(s, members, 2, &counters[1]));
    assert_int_equal(stats_get(s, "x.hits"), 8);
    assert_int_equal(stats_get(s, "x.deepest"), 6);
    stats_destroy(s);
}

/* Mistakes of a programmer end the program: run them in a child. */
static bool mistake_aborts(void (*mistake)(struct stats *s)) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr);
        signal(SIGABRT, SIG_DFL);
        mistake(stats_create());
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void no_such_name(struct stats *s) {
    stats_get(s, "l1.read_hits");
}

TEST(one_name_with_two_descriptions_is_refused) {
    static const struct stat_desc other = {"l1.read_hits", "lines", "seen", "mine", STAT_SUM};
    struct stats *s = stats_create();
    uint64_t value = 0;
    assert_true(stats_register(s, &hits, &value));
    assert_null(stats_error(s));
    assert_false(stats_register(s, &other, &value));
    assert_string_equal(stats_error(s),
                        "two counters are called l1.read_hits: \"found\" (accesses, model) and "
                        "\"seen\" (lines, mine): must be two names");
    stats_destroy(s);
}

TEST(a_name_that_is_not_place_dot_what_is_refused) {
    static const char *const names[] = {"L1 hits", "hits", ".hits", "hits."};
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const struct stat_desc d = {names[i], "accesses", "found", "model", STAT_SUM};
        struct stats *s = stats_create();
        assert_false(stats_register(s, &d, &value));
        assert_non_null(strstr(stats_error(s), "must be place.what"));
        assert_non_null(strstr(stats_error(s), names[i]));
        stats_destroy(s);
    }
}

TEST(asking_for_an_unknown_name_is_caught) {
    assert_true(mistake_aborts(no_such_name));
}
