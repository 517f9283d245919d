/* SPDX-License-Identifier: Apache-2.0
 * The short report against the counters of the same run. */
#include "cli/command_json.h"

#include <inttypes.h>

static uint64_t reported_count(const json_t *json, const char *place, const char *what) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", place, what);
    return (uint64_t)json_integer_value(json_object_get(json_object_get(json, "stats"), name));
}

/* A pending hit is an access too: it belongs to the sum of which the shares are. */
static void has_shares(const char *text, const json_t *json, const char *head, const char *place) {
    uint64_t hits = reported_count(json, place, "hits"),
             pending = reported_count(json, place, "pending_hits");
    uint64_t misses = reported_count(json, place, "misses"), all = hits + pending + misses;
    double percent = 100 / (double)all;
    char line[256];
    assert_true(all > 0);
    snprintf(line, sizeof line,
             "\n%s %" PRIu64 ": hits %.1f %%, pending hits %.1f %%, misses %.1f %%", head, all,
             (double)hits * percent, (double)pending * percent, (double)misses * percent);
    assert_printed(text, line, "run");
}

COMMAND_TEST(accesses_are_shared_out_into_hits_pending_hits_and_misses) {
    FREED char *text = run_good_command(x, "run gemm --size tiny --preset quadro-owl");
    json_t *json = json_of(x, "run gemm --size tiny --preset quadro-owl --json -");
    assert_true(reported_count(json, "l2.read_", "pending_hits") > 0);
    has_shares(text, json, "L1 writes     kept", "l1.write_");
    has_shares(text, json, "L2            reads", "l2.read_");
    assert_null(strstr(text, "L2            writes")); /* its L1s keep them */
    json_decref(json);
    free(text);
    text = run_good_command(x, "run gemm --size tiny");
    json = json_of(x, "run gemm --size tiny --json -");
    has_shares(text, json, "L2            reads", "l2.read_");
    has_shares(text, json, "L2            writes", "l2.write_");
    assert_null(strstr(text, "L1 writes")); /* all go on */
    json_decref(json);
}

COMMAND_TEST(what_bypasses_the_l2_has_a_line_if_anything_does) {
    char line[128];
    FREED char *text = run_good_command(x, "run scp --size tiny --preset gtx480 --scheme medic");
    json_t *json = json_of(x, "run scp --size tiny --preset gtx480 --scheme medic --json -");
    assert_true(reported_count(json, "l2.bypass_", "reads") > 0);
    snprintf(line, sizeof line, "\nL2 bypasses   reads %" PRIu64 ", writes %" PRIu64 "\n",
             reported_count(json, "l2.bypass_", "reads"),
             reported_count(json, "l2.bypass_", "writes"));
    assert_printed(text, line, "run");
    json_decref(json);
    free(text);
    text = run_good_command(x, "run scp --size tiny --preset gtx480");
    assert_null(strstr(text, "L2 bypasses"));
}

COMMAND_TEST(a_workload_gives_its_results_on_every_preset) {
    char *presets = run_good_command(x, "list presets"), *save, line[128];
    unsigned runs = 0;
    for (char *p = strtok_r(presets, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --max-insn 999999999 --preset %.*s",
                 (int)strcspn(p, " "), p);
        char *text = run_good_command(x, line);
        assert_printed(text, "\nresults equal plain C: yes\n", line);
        free(text);
        runs++;
    }
    assert_true(runs >= 6);
    free(presets);
}

/* The table equals the JSON, and the kernels add up to the run. */
COMMAND_TEST(kernels_are_listed_and_add_up_to_the_run) {
    static const char *const sums[] = {"cycles", "warp_instructions", "thread_instructions"};
    FREED char *text = run_good_command(x, "run atax --size tiny --kernels");
    json_t *json = json_of(x, "run atax --size tiny --json -");
    json_t *kernels = json_object_get(json, "kernels"), *kernel;
    size_t i;
    assert_int_equal(json_array_size(kernels), 2);
    for (unsigned k = 0; k < sizeof sums / sizeof *sums; k++) {
        json_int_t sum = 0;
        json_array_foreach(kernels, i, kernel) {
            sum += json_integer_value(json_object_get(kernel, sums[k]));
        }
        assert_true(sum == json_integer_value(json_object_get(json, sums[k])));
    }
    json_array_foreach(kernels, i, kernel) {
        char line[256];
        json_int_t cycles, warp, thread;
        const char *name;
        int launches, capped, complete;
        double ipc;
        assert_int_equal(json_unpack(kernel, "{s:s, s:i, s:i, s:b, s:I, s:I, s:I, s:f}", "name",
                                     &name, "launches", &launches, "capped_launches", &capped,
                                     "complete", &complete, "cycles", &cycles, "warp_instructions",
                                     &warp, "thread_instructions", &thread, "ipc", &ipc),
                         0);
        assert_string_equal(name, i ? "atax_kernel2" : "atax_kernel1");
        assert_true(launches == 1 && capped == 0 && complete);
        assert_true(ipc - (double)thread / (double)cycles < 1e-6);
        assert_true((double)thread / (double)cycles - ipc < 1e-6);
        snprintf(line, sizeof line, "\n%s         1 %14lld %14lld %14lld %14.6f\n", name,
                 (long long)cycles, (long long)warp, (long long)thread, ipc);
        assert_printed(text, line, "--kernels");
    }
    json_decref(json);
}
