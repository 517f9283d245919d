/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles of loads: what is read, and that wrong ones get one line with file and line.
 */
#include "base/unit_tests.h"

#include <stdio.h>
#include <unistd.h>

#include "gpu/hand_program.h"
#include "issue/daws/profile.h"

enum { I_BEGIN, I_TRIP, I_END, I_LOAD, I_SHARED, I_UNCACHED, I_USE, INSNS };

static const struct insn table[] = {
    [I_BEGIN] = SIMPLE(OP_LOOP_BEGIN),
    [I_TRIP] = SIMPLE(OP_LOOP_ITERATION),
    [I_END] = SIMPLE(OP_LOOP_END),
    [I_LOAD] = LOAD(1, NO),
    [I_SHARED] = {.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .dst = 1, .src = NO_REGS},
    [I_UNCACHED] = {.op = OP_LOAD, .width = 4, .uncached = 1, .dst = 1, .src = NO_REGS},
    [I_USE] = ALU(2, 1),
};

static struct hand_program program_by_hand(void) {
    struct hand_program p;
    hand_open(&p, table, INSNS, 1, 32);
    return p;
}

/* The name of a file with this text, until the next call. */
static const char *file_with(const char *text) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/warpmem-profile-%d", (int)getpid());
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return path;
}

static struct daws_profile *read_text(const char *text, char error[512]) {
    struct daws_profile *p = daws_profile_read(file_with(text), error, 512);
    remove(file_with(""));
    return p;
}

#define HEAD "daws-profile 1\n"
#define KERNEL HEAD "kernel 0123456789abcdef some kernel\n"

TEST(a_profile_is_read) {
    char error[512];
    struct daws_profile *p =
        read_text(HEAD "# a comment\n\nkernel 0123456789abcdef  some kernel \r\n"
                       "load 112 120 diverged 3 22 16 # why\n"
                       "  load 112 128 converged 3 32 1\n"
                       "kernel 00000000000000ff other\nend\n",
                  error);
    assert_non_null(p);
    assert_int_equal(p->kernels, 2);
    assert_string_equal(p->kernel[0].name, "some kernel");
    assert_true(p->kernel[0].hash == UINT64_C(0x0123456789abcdef));
    assert_int_equal(p->kernel[0].loads, 2);
    const struct daws_profile_load *l = p->kernel[0].load;
    assert_true(l[0].loop == 112 && l[0].pc == 120 && l[0].diverged && l[0].group == 3);
    assert_true(l[0].lanes == 22 && l[0].lines == 16 && l[0].line == 5);
    assert_true(l[1].pc == 128 && !l[1].diverged && l[1].lanes == 32 && l[1].line == 6);
    assert_int_equal(p->kernel[1].loads, 0);
    daws_profile_destroy(p);
}

TEST(wrong_lines_are_named_with_file_and_line) {
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } wrong[] = {
        {"", 1, "the line end is missing"},
        {"hello\n", 1, "must be daws-profile 1"},
        {"daws-profile 2\n", 1, "must be daws-profile 1"},
        {KERNEL, 3, "the line end is missing"},
        {KERNEL "load 112 120 diverged 0 22 16\n", 4, "the line end is missing"},
        {KERNEL "end\nload 1 2 diverged 0 1 1\n", 4, "must not follow the line end"},
        {HEAD "load 112 120 diverged 0 22 16\nend\n", 2, "must stand below its kernel's line"},
        {HEAD "kernel 12 name\nend\n", 2, "16 hexadecimal digits"},
        {HEAD "kernel 0123456789abcdeg name\nend\n", 2, "16 hexadecimal digits"},
        {HEAD "kernel 0123456789abcdef\nend\n", 2, "16 hexadecimal digits and its name"},
        {KERNEL "kernel 0123456789abcdef some kernel\nend\n", 3, "stands in line 2 already"},
        {KERNEL "laod 112 120 diverged 0 22 16\nend\n", 3, "laod: must be kernel, load or end"},
        {KERNEL "load 112 120 diverged 0 22\nend\n", 3, "must be load LOOP PC CLASS GROUP"},
        {KERNEL "load 112 120 diverged 0 22 16 1\nend\n", 3, "8 words"},
        {KERNEL "load 112 120 divergent 0 22 16\nend\n", 3, "must be diverged or converged"},
        {KERNEL "load x 120 diverged 0 22 16\nend\n", 3, "loop x: must be 0.."},
        {KERNEL "load 112 -1 diverged 0 22 16\nend\n", 3, "load -1: must be 0.."},
        {KERNEL "load 112 99999999999 diverged 0 22 16\nend\n", 3, "load 99999999999: must be"},
        {KERNEL "load 112 120 diverged 32 22 16\nend\n", 3, "group 32: must be 0..31"},
        {KERNEL "load 112 120 diverged 0 33 16\nend\n", 3, "lanes 33: must be 1..32"},
        {KERNEL "load 112 120 diverged 0 0 16\nend\n", 3, "lanes 0: must be 1..32"},
        {KERNEL "load 112 120 diverged 0 22 65\nend\n", 3, "lines 65: must be 1..64"},
        {KERNEL "load 1 2 diverged 0 2 2\nload 1 2 diverged 0 2 2\nend\n", 4,
         "load 2: stands in line 3 already"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char error[512], place[80];
        struct daws_profile *p = read_text(wrong[i].text, error);
        snprintf(place, sizeof place, "%s:%u: ", file_with(""), wrong[i].line);
        remove(file_with(""));
        if (p || strncmp(error, place, strlen(place)) || !strstr(error, wrong[i].says) ||
            strchr(error, '\n')) {
            fail_msg("case %u: %s", i, p ? "taken" : error);
        }
    }
}

TEST(a_file_that_is_not_there_is_named) {
    char error[512];
    assert_null(daws_profile_read("absent/profile", error, sizeof error));
    assert_string_equal(error, "absent/profile: No such file or directory");
}

static struct daws_profile *profile_of_loads(unsigned loads, unsigned loops, char error[512]) {
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", KERNEL);
    for (unsigned i = 0; i < loads; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "load %u %u diverged 0 1 1\n",
                                 i % loops, 1000 + i);
    }
    snprintf(text + used, sizeof text - used, "end\n");
    return read_text(text, error);
}

TEST(thirty_three_loads_and_nine_loops_are_refused) {
    char error[512];
    struct daws_profile *p = profile_of_loads(32, 8, error);
    assert_non_null(p);
    daws_profile_destroy(p);
    assert_null(profile_of_loads(33, 8, error));
    assert_non_null(strstr(error, ":35: load 1032: kernel some kernel has more loads than the 32"));
    assert_null(profile_of_loads(9, 9, error));
    assert_non_null(strstr(error, ":11: loop 8: kernel some kernel has more loops than the 8"));
}

/* Does a profile with this load fit the program by hand? */
static bool hand_profile_fits(const char *name, const char *load, char error[512]) {
    struct hand_program p = program_by_hand();
    char text[256];
    p.code.insns = p.insns;
    snprintf(text, sizeof text, HEAD "kernel %016llx %s\n%s\nend\n",
             (unsigned long long)daws_code_hash(&p.code), name, load);
    struct daws_profile *profile = read_text(text, error);
    assert_non_null(profile);
    bool fits = daws_profile_fits(profile, &p.code, error, 512);
    assert_true((daws_profile_find(profile, &p.code) != NULL) == !strcmp(name, "by_hand"));
    daws_profile_destroy(profile);
    return fits;
}

TEST(a_profile_fits_the_code_that_it_was_made_of) {
    char error[512];
    assert_true(hand_profile_fits("by_hand", "load 0 24 diverged 0 1 1", error));
    assert_false(hand_profile_fits("by_foot", "load 0 24 diverged 0 1 1", error));
    assert_non_null(strstr(error, "has no kernel by_hand, which runs"));
    assert_false(hand_profile_fits("by_hand", "load 8 24 diverged 0 1 1", error));
    assert_non_null(strstr(error, ":3: loop 8: kernel by_hand has no loop with that PC"));
    static const unsigned no_load[] = {8 * I_SHARED, 8 * I_UNCACHED, 8 * I_USE, 8 * INSNS};
    for (unsigned i = 0; i < sizeof no_load / sizeof *no_load; i++) {
        char load[64], says[64];
        snprintf(load, sizeof load, "load 0 %u diverged 0 1 1", no_load[i]);
        snprintf(says, sizeof says, ":3: load %u: kernel by_hand has no load", no_load[i]);
        assert_false(hand_profile_fits("by_hand", load, error));
        assert_non_null(strstr(error, says));
    }
}

TEST(a_profile_of_other_code_of_that_name_does_not_fit) {
    struct hand_program p = program_by_hand();
    char error[512];
    p.code.insns = p.insns;
    uint64_t hash = daws_code_hash(&p.code);
    p.insns[I_LOAD].width = 8;
    assert_true(daws_code_hash(&p.code) != hash);
    struct daws_profile *profile = read_text(HEAD "kernel 0123456789abcdef by_hand\nend\n", error);
    assert_non_null(profile);
    assert_false(daws_profile_fits(profile, &p.code, error, sizeof error));
    assert_non_null(strstr(error, ":2: kernel by_hand: the code that runs is another one"));
    daws_profile_destroy(profile);
}
