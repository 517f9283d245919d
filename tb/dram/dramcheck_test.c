/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker of command logs: an illegal log for each rule is named with both lines and the
 * distance, bad files are refused with their line, and what the machine writes is legal.
 */
#include "base/seeded.h"

#include "config/derived.h"
#include "config/preset.h"
#include "cosim/rng.h"
#include "cosim/dramcheck.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "workloads/workload.h"

/* No two distances are equal. A burst takes two cycles, four with groups of two banks. */
#define HEADER \
    DRAM_LOG_MAGIC "\tchannels=2\tbanks=4\tbank_groups=2\tbus_bytes=8\tbeats=4\tburst=8\tcl=20" \
                   "\twl=7\trcd=31\trp=17\tras=45\trc=80\trrd=9\tccd=4\tccdl=6\trtpl=11\tcdlr=5" \
                   "\twr=13\tfaw=0\taw32=0\trefi=0\trfc=0\tgroup_bits=high\tline_order=off\n"
/* The data bus alone forbids what CCD = 1 lets pass. */
#define NARROW \
    DRAM_LOG_MAGIC "\tchannels=1\tbanks=4\tbank_groups=1\tbus_bytes=8\tbeats=4\tburst=8\tcl=20" \
                   "\twl=7\trcd=31\trp=17\tras=45\trc=80\trrd=9\tccd=1\tccdl=1\trtpl=11\tcdlr=5" \
                   "\twr=13\tfaw=0\taw32=0\trefi=0\trfc=0\tgroup_bits=high\tline_order=off\n"
/* Five banks' first activates, 9 cycles apart: a window of 40 forbids the fifth. */
#define WINDOW(faw, aw32) \
    DRAM_LOG_MAGIC "\tchannels=1\tbanks=64\tbank_groups=1\tbus_bytes=8\tbeats=4\tburst=8\tcl=20" \
                   "\twl=7\trcd=31\trp=17\tras=45\trc=80\trrd=1\tccd=4\tccdl=6\trtpl=11\tcdlr=5" \
                   "\twr=13\tfaw=" #faw "\taw32=" #aw32 \
                   "\trefi=0\trfc=0\tgroup_bits=low\tline_order=off\n"
/* Lines have an order. */
#define ORDERED \
    DRAM_LOG_MAGIC "\tchannels=2\tbanks=4\tbank_groups=2\tbus_bytes=8\tbeats=4\tburst=8\tcl=20" \
                   "\twl=7\trcd=31\trp=17\tras=45\trc=80\trrd=9\tccd=4\tccdl=6\trtpl=11\tcdlr=5" \
                   "\twr=13\tfaw=0\taw32=0\trefi=0\trfc=0\tgroup_bits=high\tline_order=on\n" \
                   "0\t100\tactivate\t0\t7\n1\t100\tactivate\t0\t7\n"
#define LINE(channel, cycle, command, line, request) \
#channel "\t" #cycle "\t" #command "\t0\t7\t" #line "\t" #request "\n"
#define A(cycle, bank) "0\t" #cycle "\tactivate\t" #bank "\t7\n"
#define FOUR_ACTIVATES A(100, 0) A(109, 1) A(118, 2) A(127, 3)
#define FOUR(t, b, i, j, k, l) A(t##i, b##i) A(t##j, b##j) A(t##k, b##k) A(t##l, b##l)
#define EIGHT(t, b) FOUR(t, b, 0, 1, 2, 3) FOUR(t, b, 4, 5, 6, 7)
/* A refresh is due at 200, 400, ...; bank 0 is open until 150. */
#define REFRESHED \
    DRAM_LOG_MAGIC "\tchannels=1\tbanks=4\tbank_groups=2\tbus_bytes=8\tbeats=4\tburst=8\tcl=20" \
                   "\twl=7\trcd=31\trp=17\tras=45\trc=80\trrd=9\tccd=4\tccdl=6\trtpl=11\tcdlr=5" \
                   "\twr=13\tfaw=0\taw32=0\trefi=200\trfc=50\tgroup_bits=high\tline_order=off\n" \
                   "0\t100\tactivate\t0\t7\n"
#define CLOSED_AT(cycle) REFRESHED "0\t" #cycle "\tprecharge\t0\t7\n"
#define REFRESH_AT(cycle) "0\t" #cycle "\trefresh\t0\t0\n"
#define OPEN "0\t100\tactivate\t0\t7\n0\t109\tactivate\t3\t7\n"

/* The checker's output for a text, and its exit status. */
static int check_text(const char *text, size_t length, char *says, size_t size) {
    FREED char *out, *err;
    size_t out_size, err_size;
    FILE *in = fmemopen((void *)(uintptr_t)text, length, "r"),
         *out_file = open_memstream(&out, &out_size), *err_file = open_memstream(&err, &err_size);
    assert_true(in && out_file && err_file);
    int status = dramcheck_log(in, "log", out_file, err_file);
    fclose(in);
    fclose(out_file);
    fclose(err_file);
    assert_true(status == DRAMCHECK_BAD_FILE ? !out_size && err_size : out_size && !err_size);
    snprintf(says, size, "%s%s", out, err);
    return status;
}

TEST(a_legal_log_is_accepted_with_its_count) {
    char says[1024];
    const char *log = HEADER OPEN "1\t100\tactivate\t0\t7\n0\t140\tread\t3\t7\n0\t144\tread\t0\t7\n"
                                  "0\t161\twrite\t0\t7\n0\t183\tprecharge\t0\t7\n";
    assert_int_equal(check_text(log, strlen(log), says, sizeof says), DRAMCHECK_LEGAL);
    assert_string_equal(says, "legal: 7 commands on 2 channels\n");
}

TEST(refreshes_that_come_in_time_are_legal) {
    char says[1024];
    static const char *const logs[] = {
        CLOSED_AT(150) REFRESH_AT(200) A(250, 3), CLOSED_AT(200) REFRESH_AT(217) REFRESH_AT(400),
        REFRESHED "0\t203\tprecharge\t0\t7\n" REFRESH_AT(220) A(270, 0),
        /* Two are owed: the channel was not looked at. */
        CLOSED_AT(150) REFRESH_AT(401) REFRESH_AT(451) A(501, 1)};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        assert_int_equal(check_text(logs[i], strlen(logs[i]), says, sizeof says), DRAMCHECK_LEGAL);
    }
}

TEST(requests_of_other_lines_or_channels_and_reads_pass_each_other) {
    char says[1024];
    static const char *const logs[] = {
        ORDERED LINE(0, 200, read, 5, 3) LINE(0, 206, read, 5, 2) LINE(0, 300, write, 5, 4),
        ORDERED LINE(0, 200, write, 5, 3) LINE(0, 300, read, 6, 2) LINE(1, 300, read, 5, 2),
        ORDERED LINE(0, 200, write, 5, 3) LINE(0, 206, write, 5, 3)};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        assert_int_equal(check_text(logs[i], strlen(logs[i]), says, sizeof says), DRAMCHECK_LEGAL);
    }
}

TEST(windows_let_pass_what_comes_at_their_end) {
    char says[1024];
    static const char *const logs[] = {
        WINDOW(40, 0) FOUR_ACTIVATES A(140, 4), WINDOW(0, 0) FOUR_ACTIVATES A(128, 4),
        WINDOW(0, 200) EIGHT(10, 1) EIGHT(11, 2) EIGHT(12, 3) EIGHT(13, 4) A(300, 50)};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        assert_int_equal(check_text(logs[i], strlen(logs[i]), says, sizeof says), DRAMCHECK_LEGAL);
    }
}

TEST(each_rule_has_an_illegal_log_that_is_named) {
    static const struct {
        const char *log, *says;
    } logs[] = {
        {HEADER OPEN "0\t109\tprecharge\t0\t7\n", "command bus"},
        {HEADER OPEN "0\t300\tactivate\t0\t8\n", "activate of an open bank"},
        {HEADER OPEN "0\t300\tread\t1\t7\n", "read or write of a closed bank"},
        {HEADER OPEN "0\t300\twrite\t0\t8\n", "a row that is not the open one"},
        {HEADER OPEN "0\t300\tprecharge\t2\t7\n", "precharge of a closed bank"},
        {HEADER OPEN "0\t150\tprecharge\t0\t7\n0\t179\tactivate\t0\t9\n",
         "tRC (activate to activate, same bank): 80 cycles required, 79 found\n"
         "  line 2: cycle 100 activate bank 0 row 7\n  line 5: cycle 179 activate bank 0 row 9\n"},
        {HEADER "0\t100\tactivate\t0\t7\n1\t105\tactivate\t1\t2\n0\t108\tactivate\t1\t7\n",
         "channel 0 breaks tRRD (activate to activate, other bank): 9 cycles required, 8 found\n"
         "  line 2: cycle 100 activate bank 0 row 7\n  line 4: cycle 108 activate bank 1 row 7\n"},
        {HEADER OPEN "0\t130\tread\t0\t7\n", "tRCD (activate to read): 31 cycles required, 30"},
        {HEADER OPEN "0\t122\twrite\t0\t7\n", "tRCD (activate to write): 23 cycles required, 22"},
        {HEADER OPEN "0\t144\tprecharge\t0\t7\n", "tRAS (activate to precharge): 45 cycles"},
        {HEADER OPEN "0\t170\tprecharge\t0\t7\n0\t186\tactivate\t0\t7\n",
         "tRP (precharge to activate): 17 cycles required, 16 found"},
        {HEADER OPEN "0\t200\tread\t0\t7\n0\t203\tread\t3\t7\n",
         "tCCD (column to column command): 4 cycles required, 3 found"},
        {HEADER OPEN "0\t200\tread\t0\t7\n0\t205\tread\t0\t7\n",
         "tCCDL (column to column command, same bank group): 6 cycles required, 5 found"},
        {HEADER OPEN "0\t200\tread\t0\t7\n0\t216\twrite\t3\t7\n",
         "tRTW (read to write): 17 cycles required, 16 found"},
        {HEADER OPEN "0\t200\twrite\t0\t7\n0\t213\tread\t3\t7\n",
         "tWTR (write to read): 14 cycles required, 13 found"},
        {HEADER OPEN "0\t200\tread\t0\t7\n0\t210\tprecharge\t0\t7\n",
         "tRTP (read to precharge): 11 cycles required, 10 found"},
        {HEADER OPEN "0\t200\twrite\t0\t7\n0\t221\tprecharge\t0\t7\n",
         "tWR (write to precharge): 22 cycles required, 21 found"},
        {ORDERED LINE(0, 200, write, 5, 3) LINE(0, 300, read, 5, 2),
         "illegal: channel 0 breaks line order: request 3 went before request 2 of its line\n"
         "  line 5: cycle 300 read bank 0 row 7\n"},
        {ORDERED LINE(0, 200, read, 5, 3) LINE(0, 206, read, 6, 4) LINE(0, 300, write, 5, 2),
         "line order: request 3 went before request 2"},
        {WINDOW(40, 0) FOUR_ACTIVATES A(139, 4),
         "tFAW (four activates): 40 cycles required, 39 found\n"
         "  line 2: cycle 100 activate bank 0 row 7\n  line 6: cycle 139 activate bank 4 row 7\n"},
        {WINDOW(0, 200) EIGHT(10, 1) EIGHT(11, 2) EIGHT(12, 3) EIGHT(13, 4) A(299, 50),
         "t32AW (32 activates): 200 cycles required, 199 found\n"
         "  line 2: cycle 100 activate bank 10 row 7\n"},
        {REFRESHED REFRESH_AT(200), "row state (refresh with an open bank)\n"
                                    "  line 2: cycle 100 activate bank 0 row 7\n"},
        {CLOSED_AT(150) REFRESH_AT(199), "tREFI (refresh before it is due)"},
        {CLOSED_AT(150) REFRESH_AT(200) REFRESH_AT(399), "tREFI (refresh before it is due)"},
        {HEADER REFRESH_AT(200), "tREFI (refresh before it is due)"},
        {REFRESHED "0\t200\tread\t0\t7\n",
         "tREFI (activate, read or write while a refresh is due)"},
        {CLOSED_AT(180) "0\t200\tactivate\t0\t7\n",
         "tREFI (activate, read or write while a refresh"},
        {REFRESHED
         "0\t150\tactivate\t3\t7\n0\t195\tprecharge\t3\t7\n0\t203\tprecharge\t0\t7\n" REFRESH_AT(
             229),
         "tRC (activate to refresh): 80 cycles required, 79 found\n"
         "  line 3: cycle 150 activate bank 3 row 7\n"},
        {CLOSED_AT(200) REFRESH_AT(216),
         "tRP (precharge to refresh): 17 cycles required, 16 found"},
        {CLOSED_AT(150) REFRESH_AT(200) "0\t249\tactivate\t3\t7\n",
         "tRFC (refresh to the next command): 50 cycles required, 49 found\n"
         "  line 4: cycle 200 refresh bank 0 row 0\n"},
        {NARROW OPEN "0\t200\tread\t0\t7\n0\t201\tread\t3\t7\n",
         "data bus (two bursts at once): 2 cycles required, 1 found\n"
         "  line 4: cycle 200 read bank 0 row 7\n  line 5: cycle 201 read bank 3 row 7\n"},
    };
    char says[1024];
    /* A log for each rule but LEGAL, three more of refreshes, and two of line order. */
    assert_int_equal(sizeof logs / sizeof *logs, RULES - 1 + 3 + 2);
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        int status = check_text(logs[i].log, strlen(logs[i].log), says, sizeof says);
        if (status != DRAMCHECK_ILLEGAL || !strstr(says, logs[i].says)) {
            fail_msg("log %u: status %d: %s", (unsigned)i, status, says);
        }
    }
}

TEST(a_bad_file_is_refused_with_its_line) {
    static const struct {
        const char *log, *says;
    } logs[] = {
        {"hello\n", "log:1: must begin with"},
        {DRAM_LOG_MAGIC "\tchannels=0\n", "log:1: header: channels=1..192"},
        {DRAM_LOG_MAGIC "\tchannels=2\tbank_groups=2\n", "log:1: header: banks=1..255"},
        {HEADER, "log:2: no command: nothing was checked"},
        {HEADER "2\t100\tactivate\t0\t7\n", "log:2: channel: must be 0..1"},
        {HEADER "0\tx\tactivate\t0\t7\n", "log:2: DRAM cycle"},
        {HEADER "0\t99999999999999999999\tactivate\t0\t7\n", "log:2: DRAM cycle"},
        {HEADER OPEN "0\t200\tactivated\t1\t7\n", "log:4: command"},
        {HEADER OPEN "0\t200\tread\t4\t7\n", "log:4: bank: must be 0..3"},
        {HEADER OPEN "0\t200\tread\t0\t7\t1\n", "log:4: row"},
        {HEADER OPEN "0\t200\tread\t0\t7", "log:4: the line has no end"},
        {HEADER OPEN "0\t108\tread\t0\t7\n", "log:4: DRAM cycle 108: channel 0 was at 109"},
        {HEADER OPEN "\n", "log:4: channel"},
        {ORDERED "0\t200\tread\t0\t7\n", "log:4: row: must be a number and a tab"},
        {ORDERED "0\t200\tread\t0\t7\t1\n", "log:4: line and request: must be two numbers"},
    };
    char says[1024];
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        int status = check_text(logs[i].log, strlen(logs[i].log), says, sizeof says);
        if (status != DRAMCHECK_BAD_FILE || !strstr(says, logs[i].says)) {
            fail_msg("log %u: status %d: %s", (unsigned)i, status, says);
        }
    }
}

TEST(a_file_of_noise_is_refused) {
    for (unsigned stream = 0; stream < 2000; stream++) {
        struct rng rng = seeded_rng(stream);
        char text[2048] = HEADER OPEN, says[4096];
        size_t length = strlen(text);
        for (unsigned i = 0; i < 1 + stream % 4; i++) { /* never of one another's making legal */
            text[rng_below(&rng, (uint32_t)length)] = (char)(rng_below(&rng, 255) + 1);
        }
        int status = check_text(text, length, says, sizeof says);
        assert_true(status == DRAMCHECK_LEGAL || status == DRAMCHECK_ILLEGAL ||
                    status == DRAMCHECK_BAD_FILE);
    }
}

/* --- what the machine writes --- */

/* The commands of a machine's run, judged by the rules of @judge: the checker's verdict, and what
 * it says. */
static int check_machine(const struct config *c, const struct config *judge, struct program *p,
                         struct machine_run *r, char *says, size_t size) {
    char *text;
    size_t length;
    FILE *log = tmpfile(), *judged = open_memstream(&text, &length);
    assert_true(log && judged);
    run_test_machine(r, c, &(struct gpu_options){.dram_log = log}, p, false);
    assert_complete(r);
    dram_log_header(judged, judge);
    rewind(log);
    for (int byte = 0; byte != '\n';) { /* the header */
        byte = fgetc(log);
        assert_int_not_equal(byte, EOF);
    }
    for (size_t got; (got = fread(says, 1, size, log)) > 0;) {
        assert_int_equal(fwrite(says, 1, got, judged), got);
    }
    fclose(judged);
    fclose(log);
    int status = check_text(text, length, says, size);
    free(text);
    return status;
}

/* Asserts that all commands of a run are there, and legal. Return: its row prefetches. */
static uint64_t assert_legal_run(const struct config *c, const char *what, struct program *p) {
    struct machine_run r;
    char says[512], wanted[128];
    int status = check_machine(c, c, p, &r, says, sizeof says);
    snprintf(wanted, sizeof wanted, "legal: %" PRIu64 " commands on %u channels\n",
             run_counter(&r, "dram.activates") + run_counter(&r, "dram.precharges") +
                 run_counter(&r, "dram.columns") +
                 (c->dram.refi ? run_counter(&r, "dram.refreshes") : 0),
             c->l2.partitions);
    if (status != DRAMCHECK_LEGAL || strcmp(says, wanted)) {
        fail_msg("%s: %s", what, says);
    }
    return c->owl.prefetch ? run_counter(&r, "dram.prefetches") : 0;
}

TEST(the_commands_of_real_workloads_are_legal_on_every_preset) {
    static const char *const workloads[] = {"atax", "vecadd"};
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        for (unsigned k = 0; k < 2; k++) {
            const struct workload *w = workload_find(workloads[k]);
            struct config c;
            struct config_error e;
            struct program p;
            assert_true(config_preset(&c, name, &e));
            assert_null(workload_open(w, &p, SIZE_TINY, 1));
            assert_legal_run(&c, name, &p);
            workload_close(w, &p);
        }
    }
}

/* --- lines by chance: reads and writes, row hits and conflicts in every bank --- */

enum { CHANCE_CTAS = 16, CHANCE_WARPS = 4, CHANCE_STEPS = 60 };

WARP_WRITER(by_chance) {
    const uint64_t *seed = user;
    struct rng rng;
    rng_seed(&rng, *seed * 1000 + cta * CHANCE_WARPS + warp);
    for (unsigned i = 0; i < CHANCE_STEPS; i++) {
        uint64_t line = 1 << 20 | rng_below(&rng, 1 << 18);
        unsigned index = rng_below(&rng, 3);
        put_lines(s, index, line, index < 2 ? 0xf : 0x3);
    }
}

static void open_by_chance(struct hand_program *p, uint64_t *seed) {
    static const struct insn table[] = {LOAD(1, NO), LOAD(2, NO), STORE(NO)};
    hand_open(p, table, 3, CHANCE_CTAS, CHANCE_WARPS * WARP_SIZE);
    p->warp = by_chance;
    p->user = seed;
}

/* A preset with caches so small that dirty lines leave them. */
static struct config preset_that_writes(const char *name) {
    struct config c = named_preset(name);
    c.l1.sets = c.l2.sets = 2;
    c.l1.ways = c.l2.ways = 2;
    assert_legal(&c);
    return c;
}

TEST(the_commands_of_random_traffic_are_legal_on_every_preset) {
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct config c = preset_that_writes(name);
            struct hand_program p;
            open_by_chance(&p, &seed);
            assert_legal_run(&c, name, &p.program);
        }
    }
}

/* Prefetchers read the rest of open rows too (OWL 4.4), by both rules, and with the L2 asked before
 * and after. Presets whose rows have too many lines refuse that. */
TEST(the_commands_of_row_prefetch_are_legal_on_every_preset_that_takes_it) {
    const char *name, *about;
    unsigned taken = 0;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct config c = preset_that_writes(name);
            struct config_error e;
            struct hand_program p;
            c.owl.prefetch = seed % 2 ? OWL_PREFETCH_LEAST : OWL_PREFETCH_STOP;
            c.owl.claim = seed > 2 ? OWL_CLAIM_LATE : OWL_CLAIM_EARLY;
            if (config_check(&c, &e)) {
                open_by_chance(&p, &seed);
                assert_true(assert_legal_run(&c, name, &p.program) > 0);
                taken++;
            }
        }
    }
    assert_true(taken >= 4 * 5);
}

/* Refreshes as near to each other as may be, and every third machine drains writes. */
static struct config preset_with_refresh(const char *name, unsigned more) {
    struct config c = preset_that_writes(name);
    c.dram.rfc = 30 + more;
    c.dram.refi = config_refresh_and_column(&c) + 1 + 20 * more;
    c.dram.write_drain = more % 3 == 0;
    assert_legal(&c);
    return c;
}

TEST(the_commands_between_refreshes_are_legal_on_every_preset) {
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct config c = preset_with_refresh(name, (unsigned)seed);
            struct hand_program p;
            c.dram.line_order = seed % 2;
            open_by_chance(&p, &seed);
            assert_legal_run(&c, name, &p.program);
        }
    }
}

/* A log of a machine that is polled is the same, byte for byte: refreshes that a sleeping channel
 * makes up for stand where they do there. */
TEST(a_polled_machine_logs_the_same_refreshes) {
    char *text[2];
    for (unsigned poll = 0; poll < 2; poll++) {
        struct config c = preset_with_refresh("gtx480", 3);
        struct hand_program p;
        struct machine_run r;
        uint64_t seed = 1;
        size_t size;
        FILE *log = open_memstream(&text[poll], &size);
        open_by_chance(&p, &seed);
        run_test_machine(&r, &c, &(struct gpu_options){.dram_log = log, .poll = poll}, &p.program,
                         false);
        assert_complete(&r);
        fclose(log);
        assert_true(size > 1000 && strstr(text[poll], "\trefresh\t0\t0\n"));
    }
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

TEST(a_machine_that_refreshes_too_late_or_too_short_is_found_out) {
    static const char *const wanted[] = {"breaks tRFC", "breaks tREFI (activate, read or write",
                                         "breaks tREFI (refresh before"};
    for (unsigned k = 0; k < 3; k++) {
        struct config c = preset_with_refresh("gtx480", 2), judge = c;
        struct hand_program p;
        struct machine_run r;
        uint64_t seed = 1;
        char says[512];
        judge.dram.rfc += k == 0;
        judge.dram.refi -= k == 1;
        judge.dram.refi += k == 2;
        open_by_chance(&p, &seed);
        int status = check_machine(&c, &judge, &p.program, &r, says, sizeof says);
        if (status != DRAMCHECK_ILLEGAL || !strstr(says, wanted[k])) {
            fail_msg("%s: %s", wanted[k], says);
        }
    }
}

/* A machine whose DRAM keeps a rule a cycle too short is found out, and the rule named. Not tRC
 * where tRAS and tRP add up to it, nor what the data bus or a longer rule forbids anyhow. */
TEST(a_machine_that_breaks_a_rule_is_found_out_and_the_rule_named) {
#define KEY(key) offsetof(struct config, dram.key)
    static const struct {
        size_t key;
        const char *name;
    } rules[] = {{KEY(rcd), "tRCD"},  {KEY(rp), "tRP "}, {KEY(ras), "tRAS"},  {KEY(rrd), "tRRD"},
                 {KEY(cdlr), "tWTR"}, {KEY(wr), "tWR "}, {KEY(ccdl), "tCCDL"}};
#undef KEY
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        for (unsigned k = 0; k < sizeof rules / sizeof *rules; k++) {
            struct config c = preset_that_writes(name), broken = c;
            struct hand_program p;
            struct machine_run r;
            uint64_t seed = 1;
            char says[512], wanted[64];
            unsigned *value = (unsigned *)((char *)&broken + rules[k].key);
            --*value;
            if (broken.dram.ccdl < broken.dram.ccd) {
                continue; /* no bank groups */
            }
            broken.dram.rc = broken.dram.ras + broken.dram.rp;
            open_by_chance(&p, &seed);
            int status = check_machine(&broken, &c, &p.program, &r, says, sizeof says);
            snprintf(wanted, sizeof wanted, "breaks %s", rules[k].name);
            bool either = k == 1 || k == 2; /* tRC is broken with them, and may be seen first */
            if (status != DRAMCHECK_ILLEGAL ||
                !(strstr(says, wanted) || (either && strstr(says, "breaks tRC")))) {
                fail_msg("%s with a shorter %s: %s", name, rules[k].name, says);
            }
        }
    }
}
