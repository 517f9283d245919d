/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/block_test.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/record.h"

struct arguments {
    const struct block *block;
    const char *set;
    struct lockstep_options options;
    bool only_lockstep, only_unit;
};

enum { FROM = 256, TO, RTL_WAVE, MISMATCH_DIR, COVERAGE, EXACT, POINTS, UNIT };

static const struct argp_option options[] = {
    {"lockstep", 'l', NULL, 0, "Only lockstep, no unit tests", 0},
    {"unit", UNIT, NULL, 0, "Only unit tests, no lockstep", 0},
    {"set", 'S', "NAME", 0, "Only this parameter set", 0},
    {"seed", 's', "N", 0, "Seed (default $SEED or 0x5eed0001)", 0},
    {"cycles", 'c', "N", 0, "At least so many cycles a set (default $CYCLES or 1000000)", 0},
    {"exact", EXACT, NULL, 0, "Not more cycles than that; points may stay unreached", 0},
    {"points", POINTS, NULL, 0, "The count of every coverage point, not of the rarest alone", 0},
    {"replay", 'r', "FILE", 0, "Play a recorded stimulus instead of the random one", 0},
    {"record", 'o', "FILE", 0, "Record the stimulus", 0},
    {"wave", 'w', "FILE", 0, "Write an FST of the ports of both sides", 0},
    {"rtl-wave", RTL_WAVE, "FILE", 0, "Write an FST of the inside of the Verilog", 0},
    {"from", FROM, "CYCLE", 0, "Waves begin here", 0},
    {"to", TO, "CYCLE", 0, "Waves end before this cycle", 0},
    {"mismatch-dir", MISMATCH_DIR, "DIR", 0, "Where the last cycles go (build/mismatch)", 0},
    {"coverage", COVERAGE, "FILE", 0, "Write Verilator coverage (built with COVERAGE=1)", 0},
    {0},
};

static bool parse_c_number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (errno || end == text || *end || *text == '-') {
        return false;
    }
    *value = n;
    return true;
}

static void take_number_option(struct argp_state *state, const char *name, const char *text,
                               uint64_t *value) {
    if (!parse_c_number(text, value)) {
        argp_failure(state, 2, 0, "%s: \"%s\" is no number", name, text);
    }
}

static error_t parse_block_test_option(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case 'l': a->only_lockstep = true; break;
    case UNIT: a->only_unit = true; break;
    case 'S': a->set = arg; break;
    case 's': take_number_option(state, "--seed", arg, &a->options.seed); break;
    case 'c': take_number_option(state, "--cycles", arg, &a->options.cycles); break;
    case EXACT: a->options.exact = true; break;
    case POINTS: a->options.all_points = true; break;
    case 'r': a->options.replay = arg; break;
    case 'o': a->options.record = arg; break;
    case 'w': a->options.wave = arg; break;
    case RTL_WAVE: a->options.rtl_wave = arg; break;
    case FROM: take_number_option(state, "--from", arg, &a->options.wave_from); break;
    case TO: take_number_option(state, "--to", arg, &a->options.wave_to); break;
    case MISMATCH_DIR: a->options.mismatch_dir = arg; break;
    case COVERAGE: a->options.coverage = arg; break;
    case ARGP_KEY_ARG: argp_failure(state, 2, 0, "unexpected argument \"%s\"", arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* A recording says which parameters it is for. */
static bool choose_set_of_replay(struct arguments *a, char *error, size_t size) {
    unsigned params[64] = {0};
    const char *path = a->options.replay;
    if (!stimulus_file_params(path, a->block, params, error, size)) {
        return false;
    }
    const struct rtl_block *rtl = rtl_block_matching(a->block, params);
    if (!rtl) {
        char text[1024];
        snprintf(error, size, "%s: no set of %s has its parameters, %s", path, a->block->name,
                 block_params_text(a->block, params, text, sizeof text));
        return false;
    }
    a->set = rtl->set->name;
    return true;
}

static int run_lockstep(const struct arguments *a) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    int code = 0;
    for (unsigned i = 0; i < count; i++) {
        if (a->set && strcmp(a->set, all[i]->set->name) != 0) {
            continue;
        }
        struct lockstep_result result = lockstep_run(all[i], &block_stimulus, &a->options);
        fflush(stdout);
        if (result.status == LOCKSTEP_ERROR) {
            return 2;
        }
        code |= result.status != LOCKSTEP_PASS;
    }
    return code;
}

/* --- what holds for every block, however it works inside ------------------------------------- */

static size_t allocated_bytes(void) {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static void live_once(const struct rtl_block *rtl, void *self) {
    memset(self, 0xa5, rtl->block->state_size);
    assert_true(rtl->block->init(self, rtl->set->values));
    rtl->block->destroy(self);
}

/* The first lives fill the allocator's own stores, of which calloc takes nothing. */
enum { FIRST_LIVES = 16 };

/* With room for the state of each set's block in turn. */
static void for_each_set(void (*check)(const struct rtl_block *rtl, void *self)) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    for (unsigned i = 0; i < count; i++) {
        FREED void *self = malloc(all[i]->block->state_size);
        assert_non_null(self);
        check(all[i], self);
    }
}

static void gives_back_what_init_took(const struct rtl_block *rtl, void *self) {
    for (unsigned life = 0; life < FIRST_LIVES; life++) {
        live_once(rtl, self);
    }
    size_t before = allocated_bytes();
    live_once(rtl, self);
    assert_int_equal(allocated_bytes(), before);
}

TEST(test_destroy_gives_back_what_init_took) {
    for_each_set(gives_back_what_init_took);
}

/* An init that fails half way destroys, and so does its caller. */
static void can_be_repeated(const struct rtl_block *rtl, void *self) {
    live_once(rtl, self);
    rtl->block->destroy(self);
}

TEST(test_destroy_can_be_repeated) {
    for_each_set(can_be_repeated);
}

int block_test_main(int argc, char **argv) {
    static const struct argp argp = {
        options, parse_block_test_option,
        NULL,    "Unit tests of a block, and lockstep of its C and Verilog on every parameter set.",
        NULL,    NULL,
        NULL};
    unsigned blocks;
    const struct rtl_block *const *all = rtl_blocks(&blocks);
    struct arguments a = {.block = all[0]->block, .options = {.seed = LOCKSTEP_SEED}};
    const char *seed = getenv("SEED"), *cycles = getenv("CYCLES");
    if ((seed && *seed && !parse_c_number(seed, &a.options.seed)) ||
        (cycles && *cycles && !parse_c_number(cycles, &a.options.cycles))) {
        fprintf(stderr, "%s: SEED and CYCLES in the environment must be numbers\n", argv[0]);
        return 2;
    }
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    char error[1024];
    if (a.set && !rtl_block_find(a.block->name, a.set)) {
        fprintf(stderr, "%s: no set \"%s\"; there are:", a.block->name, a.set);
        for (unsigned i = 0; i < blocks; i++) {
            fprintf(stderr, " %s", all[i]->set->name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    if (a.options.replay && !a.set && !choose_set_of_replay(&a, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    if (!a.set && blocks > 1 &&
        (a.options.wave || a.options.rtl_wave || a.options.record || a.options.coverage)) {
        a.set = all[0]->set->name; /* one file holds one set */
    }
    if (!unit_tests_outside(__FILE__)) {
        fprintf(stderr, "%s has no unit tests of its own\n", a.block->name);
        return 1;
    }
    int failed = a.only_lockstep ? 0 : unit_tests_run(NULL);
    return failed || a.only_unit ? failed : run_lockstep(&a);
}
