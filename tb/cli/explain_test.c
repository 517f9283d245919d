/* SPDX-License-Identifier: Apache-2.0
 * What --explain says of a run with counters of our choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cli/explain.h"
#include "config/preset.h"

enum { COUNTERS = 8 };

struct given {
    const char *name;
    uint64_t value;
};

/* The text for 100 cycles of 14 cores; the caller frees it. */
static char *explained(const struct given *given, unsigned count) {
    struct stat_desc descs[COUNTERS];
    uint64_t values[COUNTERS];
    struct machine machine = {.config = preset()};
    struct session s = {.machine = &machine, .cycles = 100, .values = values};
    char *text = calloc(1, 1 << 14);
    s.stats = stats_create();
    for (unsigned i = 0; i < count; i++) {
        descs[i] = (struct stat_desc){given[i].name, "core cycles", "", "model", STAT_SUM};
        values[i] = given[i].value;
        assert_true(stats_register(s.stats, &descs[i], &values[i]));
    }
    FILE *f = fmemopen(text, 1 << 14, "w");
    explain(&s, f);
    fclose(f);
    stats_destroy(s.stats);
    return text;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in\n%s", part, text);
    }
}

static void each_class_has_cycles_share_and_bar(void **state) {
    (void)state;
    char *text = explained((struct given[]){{"core.issue_cycles", 350},
                                            {"core.wait_dram_service", 700},
                                            {"core.no_warp_cycles", 350}},
                           3);
    has(text, "\nissued                          350   25.0 %  ##########\n");
    has(text, "\nDRAM service                    700   50.0 %  ####################\n");
    has(text, "\nall cores                      1400  100.0 %  ");
    has(text,
        "Bottleneck    In 50.0 % of the core cycles a core waited for the DRAM to deliver data");
    assert_true(strstr(text, "\nissued") < strstr(text, "\nDRAM service"));
    assert_true(strstr(text, "\nDRAM service") < strstr(text, "\nno warp"));
    assert_null(strstr(text, "not told apart"));
    free(text);
}

static void the_largest_cause_of_refusals_decides_the_remedy(void **state) {
    (void)state;
    static const struct {
        const char *counter, *advice;
    } causes[] = {{"l1.fail_associativity", "scheme mrpb"},
                  {"l1.fail_mshr_full", "l1.mshrs"},
                  {"l1.fail_mshr_merge", "l1.mshr_merge"},
                  {"l1.fail_miss_queue", "l1.miss_queue"}};
    for (unsigned worst = 0; worst < 4; worst++) {
        struct given given[5] = {{"core.wait_l1_refused", 1400}};
        char shown[80];
        for (unsigned i = 0; i < 4; i++) {
            given[i + 1] = (struct given){causes[i].counter, i == worst ? 60 : 50};
        }
        char *text = explained(given, 5);
        snprintf(shown, sizeof shown, "refused: %s = 60", causes[worst].counter);
        has(text, shown);
        has(strstr(text, "What attacks it"), causes[worst].advice);
        free(text);
    }
}

static void behind_a_lack_of_work_stands_the_next_cause(void **state) {
    (void)state;
    char *text = explained((struct given[]){{"core.issue_cycles", 100},
                                            {"core.wait_l2_queue", 300},
                                            {"core.no_warp_cycles", 1000}},
                           3);
    has(text, "Bottleneck    In 71.4 % of the core cycles a core had no warp");
    has(text, "Then          In 21.4 % of the core cycles a core waited for requests in front of");
    free(text);
}

static void cycles_without_a_class_are_shown_and_forbid_a_verdict(void **state) {
    (void)state;
    char *text = explained((struct given[]){{"core.issue_cycles", 200}}, 1);
    has(text, "\nnot told apart                 1200   85.7 %  ");
    has(text, "Bottleneck    cannot be told");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_has_cycles_share_and_bar),
        cmocka_unit_test(the_largest_cause_of_refusals_decides_the_remedy),
        cmocka_unit_test(behind_a_lack_of_work_stands_the_next_cause),
        cmocka_unit_test(cycles_without_a_class_are_shown_and_forbid_a_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
