/* SPDX-License-Identifier: Apache-2.0
 * Wrong input: one line that says what, where and what is allowed; exit 2; no file. */
#include "cli/command.h"

COMMAND_TEST(bad_commands_get_one_line_exit_2_and_no_file) {
    static const struct {
        const char *line, *what, *allowed;
    } bad[] = {
        {"", "command", "warpmem help"},
        {"EMPTY", "(empty name): no such command", "warpmem help"},
        {"rnu", "rnu", "did you mean run?"},
        {"help bananas", "bananas", "warpmem help"},
        {"run", "workload", "warpmem list workloads"},
        {"run EMPTY", "(empty name): no such workload", "warpmem list workloads"},
        {"run no-such-thing", "no-such-thing", "warpmem list workloads"},
        {"run WORKLOAD again --json x", "again", "exactly one"},
        {"run WORKLOAD --size huge --json x", "--size huge", "tiny, small, paper, paper:mrpb"},
        {"run atax --size paper:daws --json x", "--size paper:daws",
         "atax has tiny, small, paper:mrpb"},
        {"run WORKLOAD --seed x --json x", "--seed x", "0..9007199254740991"},
        {"run WORKLOAD --seed -1 --json x", "--seed -1", "0..9007199254740991"},
        {"run WORKLOAD --seed 9007199254740992 --json x", "--seed", "0..9007199254740991"},
        {"run WORKLOAD --max-cycles 0 --json x", "--max-cycles 0", "1.."},
        {"run WORKLOAD --preset c2050s --json x", "preset c2050", "did you mean c2050-s?"},
        {"run WORKLOAD --scheme mrbp --json x", "scheme mrbp", "did you mean mrpb?"},
        {"run WORKLOAD --scheme x --json x", "scheme x", "baseline, mrpb"},
        {"run WORKLOAD --issue rr --json x", "--issue rr", "lrr"},
        {"run WORKLOAD --l1 none --json x", "--l1 none", "baseline, mrpb"},
        {"run WORKLOAD --l2 none --json x", "--l2 none", "baseline, perfect"},
        {"run WORKLOAD --dram none --json x", "--dram none", "baseline, row-prefetch, wms"},
        {"run WORKLOAD --scheme gto --issue lrr --json x", "scheme gto and --issue lrr",
         "combined"},
        {"run WORKLOAD --set l1.ways=0 --json x", "--set: l1.ways = 0", "1..524288 ways"},
        {"run WORKLOAD --set l1.wasy=4 --json x", "--set: l1.wasy", "did you mean l1.ways?"},
        {"run WORKLOAD --set ways --json x", "--set: ways", "section.key=value"},
        {"run WORKLOAD --set l1.sets=33 --json x", "l1.sets = 33", "power of two"},
        {"run WORKLOAD --config nothing.ini --json x", "nothing.ini", "No such file"},
        {"run WORKLOAD --config . --json x", ".:", "directory"},
        {"run WORKLOAD --json absent/x", "absent/x", "No such file"},
        {"run ./kernelslist.g --json x", "./kernelslist.g: cannot be read", "warpmem import"},
        {"run WORKLOAD --scheme swl --json x", "scheme swl: must be swl:N", "N from 1 to 64"},
        {"run WORKLOAD --issue swl --json x", "issue swl: must be swl:N", "N from 1 to 64"},
        {"list schemes --preset nosuch", "list schemes", "list stats has"},
        {"compare WORKLOAD --schemes , --json x", "--schemes ,: an empty name", "NAME,NAME"},
        {"compare WORKLOAD --csv absent/x --json x", "--csv absent/x", "No such file"},
        {"run WORKLOAD --json .", ".: cannot be written", "directory"},
        {"run WORKLOAD --json x/", "x/: cannot be written", "directory"},
        {"run WORKLOAD --csv absent/x --json x", "absent/x", "No such file"},
        {"run WORKLOAD --events absent/x --json x", "absent/x", "No such file"},
        {"run WORKLOAD --json x --csv x", "--csv x: is also --json", "a file of its own"},
        {"run WORKLOAD --json - --csv -", "--csv -: is also --json", "a file of its own"},
        {"run WORKLOAD --json x --csv ./x", "--csv ./x: is also --json", "a file of its own"},
        {"run WORKLOAD --events x --csv x", "--events x: is also --csv", "a file of its own"},
        {"run WORKLOAD --json", "--json", "needs a value"},
        {"compare WORKLOAD --json x --tsv x", "--tsv x: is also --json", "a file of its own"},
        {"compare WORKLOAD --tsv absent/x --json x", "--tsv absent/x", "No such file"},
        {"run WORKLOAD --jsno x", "--jsno", "did you mean --json?"},
        {"run WORKLOAD --poll=1 --json x", "--poll", "takes no value"},
        {"run WORKLOAD --se 1", "--se", "may mean --"},
        {"run WORKLOAD --drams x", "--drams: no such option", "did you mean --dram?"},
        {"run WORKLOAD --see=1", "--see: no such option", "did you mean --seed?"},
        {"compare WORKLOAD --scheme mrpb,gto --json x", "--scheme:", "did you mean --schemes?"},
        {"run WORKLOAD --json --pol --seed x", "--seed x", "0.."}, /* a file's name */
        {"trace WORKLOAD -o --siz --seed x", "--seed x", "0.."},
        {"trace WORKLOAD -o --size --siz tiny", "--siz: no such option", "--size?"},
        {"run -z WORKLOAD", "-z", "warpmem run --help"},
        {"compare WORKLOAD --schemes mrpb,mrpb --json x", "mrpb", "twice"},
        {"compare WORKLOAD --schemes mrpb,,gto --json x", "mrpb,,gto: an empty name", "NAME,NAME"},
        {"compare WORKLOAD --schemes mrpb,gto,bananas --json x", "bananas", "baseline"},
        {"compare WORKLOAD --schemes best-swl --jobs 0 --json x", "--jobs 0", "1..256"},
        {"compare WORKLOAD --presets c2050-s,c2050-s --json x", "c2050-s", "twice"},
        {"compare WORKLOAD --presets all --preset c2050-s --json x", "--presets", "one of the two"},
        {"compare WORKLOAD --presets all --schemes baseline,medic --json x",
         "preset a100, scheme medic: l2.bypass = warp-type with l2.write = back",
         "must be l2.bypass = off or l2.write = through"},
        {"compare WORKLOAD --presets gtx480 --schemes gto,medic+perfect-l2 --json x",
         "preset gtx480, scheme medic+perfect-l2: l2.bypass = warp-type with l2.perfect = on",
         "must be l2.bypass = off or l2.perfect = off"},
        {"compare WORKLOAD --schemes baseline,wbyp --json x",
         "warpmem: scheme wbyp: l2.bypass = warp-type", "l2.write = through"},
        {"compare WORKLOAD --presets gtx480 --schemes gto,medik --json x",
         "warpmem: scheme medik: there is none", "did you mean medic?"},
        {"compare WORKLOAD --presets no --json x", "preset no", "must be one of"},
        {"compare WORKLOAD --stats l1.read_hit --json x", "--stats l1.read_hit",
         "did you mean l1.read_hits?"},
        {"compare WORKLOAD --stats nonsense --json x", "--stats nonsense", "warpmem list stats"},
        {"compare WORKLOAD --swl-limits 2 --json x", "--swl-limits", "best-swl"},
        {"run WORKLOAD --swl-limits 2 --json x", "--swl-limits", "best-swl"},
        {"run WORKLOAD --scheme best-swl --swl-limits 2, --json x", "--swl-limits 2,", "1..64"},
        {"run WORKLOAD --scheme best-swl --swl-limits 2,2 --json x", "--swl-limits 2,2", "twice"},
        {"run WORKLOAD --scheme best-swl --swl-limits 25 --json x", "--swl-limits 25",
         "1..24 on c2050-s"},
        {"run WORKLOAD --scheme best-swl --set issue.warp_limit=3 --json x", "issue.warp_limit",
         "best-swl tries its values"},
        {"run WORKLOAD --scheme best-swl+swl:3 --json x", "issue.warp_limit",
         "best-swl+swl:3 tries its values"},
        {"run WORKLOAD --series s --series-interval 0 --json x", "--series-interval 0", "1.."},
        {"run WORKLOAD --series-interval 9 --json x", "--series-interval",
         "needs --series or --warps"},
        {"run WORKLOAD --series absent/x --json x", "absent/x", "No such file"},
        {"run WORKLOAD --series x --json x", "--series x: is also --json", "a file of its own"},
        {"run WORKLOAD --dram-log absent/x --json x", "--dram-log absent/x", "No such file"},
        {"run WORKLOAD --record-border absent/x --json x", "--record-border absent/x",
         "No such file"},
        {"run WORKLOAD --set dram.latency=3 --record-border b --json x", "--record-border",
         "dram.latency=4.."},
        {"run WORKLOAD --set dram.queues=two --record-border b --json x", "--record-border",
         "needs dram.queues=one"},
        {"run WORKLOAD --max-insn 0 --json x", "--max-insn 0", "1.."},
        {"run WORKLOAD --max-insn-launch 0 --json x", "--max-insn-launch 0", "1.."},
        {"run WORKLOAD --max-insn-per-kernel x --json x", "--max-insn-per-kernel x", "1.."},
        {"compare --json x", "workload", "warpmem list workloads"},
        {"compare WORKLOAD again --json x", "again: no such workload", "warpmem list workloads"},
        {"profile", "profile: needs a workload's name", "warpmem list workloads"},
        {"profile WORKLOAD", "profile: needs -o FILE", "the profile to write"},
        {"profile WORKLOAD -o absent/x", "-o absent/x", "No such file"},
        {"profile no-such -o x", "no-such", "warpmem list workloads"},
        {"profile WORKLOAD -o x --seed y", "--seed y", "0.."},
        {"run WORKLOAD --profile absent --json x", "absent: No such file", "No such file"},
        {"run WORKLOAD --size tiny --scheme daws-profiled --json x", "policy daws",
         "needs --profile FILE"},
        {"run WORKLOAD --scheme daws-profiled+swl:2 --json x", "daws.mode is on",
         "two issue policies"},
        {"run WORKLOAD --scheme daws-profiled+two-level --json x", "daws.mode is on",
         "two issue policies"},
        {"list", "list: must be", "workloads, suites, schemes, presets, keys, stats or blocks"},
        {"list things", "things", "workloads, suites, schemes, presets, keys, stats or blocks"},
        {"list stats blocks", "blocks", "too many"},
        {"list stats --tsv", "--tsv", "is for workloads"},
        {"list workloads --tsv --json -", "--tsv and --json", "one of them"},
        {"list keys --json absent/x", "absent/x", "No such file"},
        {"list keys --set l1.ways=2", "list keys", "list stats has"},
        {"config", "config: must be", "show PRESET or check FILE"},
        {"config show", "preset", "warpmem list presets"},
        {"config show gtx --set l1.ways=2", "gtx", "did you mean gtx480?"},
        {"config show nothing", "nothing", "must be one of a100, c2050-l"},
        {"run atax --scheme daws", "scheme daws", "did you mean daws-"},
        {"run spmv", "spmv", "did you mean spmv-scalar?"},
        {"compare atax --reference x", "--reference x", "first or point"},
        {"config show c2050-s --preset x", "two presets", "one"},
        {"config check", "config check", "file"},
        {"config check nothing.ini", "nothing.ini", "No such file"},
        {"config check nothing.ini --sources", "--sources", "is for show"},
        {"config dump c2050-s", "dump", "show PRESET or check FILE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CLOSED_BY(drop_printed) struct printed p = run_command(x, bad[i].line);
        if (p.status != 2 || *p.out) {
            fail_msg("%s\nexit %d, printed %s%s", bad[i].line, p.status, p.out, p.err);
        }
        assert_printed(p.err, bad[i].what, bad[i].line);
        assert_printed(p.err, bad[i].allowed, bad[i].line);
        assert_int_equal(strncmp(p.err, "warpmem: ", 9), 0);
        assert_ptr_equal(strchr(p.err, '\n'), p.err + strlen(p.err) - 1); /* one line */
        assert_int_equal(count_files(x->folder), 0);
    }
}

COMMAND_TEST(errors_in_a_file_are_named_with_its_line) {
    write_text("bad.ini", "[l1]\nways = 4\nsets = many\n");
    CLOSED_BY(drop_printed) struct printed p = run_command(x, "config check bad.ini");
    assert_int_equal(p.status, 2);
    assert_string_equal(p.err, "warpmem: bad.ini:3: l1.sets = many: must be 1..65536 sets\n");
    write_text("hash.ini", "[core]\ncount = 2 # two\n");
    CLOSED_BY(drop_printed) struct printed hash = run_command(x, "config check hash.ini");
    assert_int_equal(hash.status, 2);
    assert_string_equal(hash.err,
                        "warpmem: hash.ini:2: core.count = 2 # two: must be 1..192 cores; "
                        "a comment begins with ;, not #\n");
    write_text("other.ini", "base = gtx480\n");
    CLOSED_BY(drop_printed)
    struct printed other = run_command(x, "run WORKLOAD --preset c2050-s --config other.ini");
    assert_int_equal(other.status, 2);
    assert_string_equal(other.err, "warpmem: other.ini:1: base = gtx480: must be the given preset, "
                                   "c2050-s\n");
}

#define RUN_PROFILED \
    "run spmv-scalar --size tiny --preset quadro-daws --scheme daws-profiled --profile "

/* A line with the file and its line, whatever part of it is wrong. */
COMMAND_TEST(a_profile_that_does_not_fit_is_named_with_its_line) {
    free(run_good_command(x,
                          "profile spmv-scalar --size tiny --seed 2 --preset quadro-daws -o good"));
    free(run_good_command(x, RUN_PROFILED "good"));
    free(run_good_command(x, "profile bfs-1m --size tiny --preset quadro-daws -o other"));
    CLOSED_BY(drop_printed) struct printed other = run_command(x, RUN_PROFILED "other");
    assert_int_equal(other.status, 2);
    assert_string_equal(other.err, "warpmem: spmv-scalar: other: has no kernel spmv_scalar, which "
                                   "runs: the profile must be of the same program\n");
    char *text = read_whole_file("good"), *load = strstr(text, "\nload 112 112 ");
    assert_non_null(load);
    memcpy(load, "\nload 113 112 ", 14);
    write_text("loop", text);
    CLOSED_BY(drop_printed) struct printed loop = run_command(x, RUN_PROFILED "loop");
    assert_int_equal(loop.status, 2);
    assert_string_equal(loop.err, "warpmem: spmv-scalar: loop:7: loop 113: kernel spmv_scalar has "
                                  "no loop with that PC\n");
    memcpy(load, "\nlaod 113 112 ", 14);
    write_text("word", text);
    CLOSED_BY(drop_printed) struct printed word = run_command(x, RUN_PROFILED "word");
    assert_int_equal(word.status, 2);
    assert_string_equal(word.err, "warpmem: word:7: laod: must be kernel, load or end\n");
    free(text);
}

COMMAND_TEST(verilog_is_refused_where_there_is_none) {
    static const char *const options[] = {"--rtl l1/mrpb", "--lockstep l1/mrpb",
                                          "--record l1/mrpb@sm0=x", "--wave x"};
    for (size_t i = 0; !x->verilog && i < sizeof options / sizeof *options; i++) {
        char line[128];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny %s", options[i]);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        assert_int_equal(p.status, 2);
        assert_printed(p.err, "use warpmem-rtl", line);
    }
}

COMMAND_TEST(verilog_options_are_checked_before_the_run) {
    static const struct {
        const char *options, *message;
    } bad[] = {
        {"--rtl l1/mrpb", "l1/mrpb: is not in this machine: needs l1.front=mrpb"},
        {"--l1 mrpb --rtl l1/mrbp", "--rtl l1/mrbp: must be a block that"},
        {"--l1 mrpb --rtl common/fifo", "--rtl common/fifo: stands only inside other blocks"},
        {"--l1 mrpb --rtl l1/fifo",
         "`warpmem list blocks` names, or BLOCK@WHERE with smN, smNsM, pN, pNbM or l2"},
        {"--l1 mrpb --rtl l1/mrpb@0", "--rtl l1/mrpb@0: must name the core as smN"},
        {"--l1 mrpb --rtl l1/mrpb@sm00", "--rtl l1/mrpb@sm00: must name the core as smN"},
        {"--l1 mrpb --lockstep l1/mrpb@sm99", "l1/mrpb@sm99: no such core: must be sm0..sm13"},
        {"--l1 mrpb --lockstep l1/mrpb@sm14", "l1/mrpb@sm14: no such core: must be sm0..sm13"},
        {"--scheme medic --rtl l2/bypass@sm0", "must name the partition as pN, as in @p0"},
        {"--scheme medic --rtl l2/warp_type@sm0", "must name the table as l2 or pN, as in @l2"},
        {"--preset gtx480 --scheme medic --rtl l2/warp_type@p0",
         "no such table: must be l2 (medic.table = sh"},
        {"--preset gtx480 --scheme medic --rtl l2/warp_type@l2 --set medic.table=partition",
         "no such table: must be that of a partition, as in @p0 (medic.table = partition)"},
        {"--scheme wip --rtl l2/insertion@sm0", "must name the bank as pNbM, as in @p0b0"},
        {"--scheme wip --rtl l2/insertion@p0", "must name the bank as pNbM, as in @p0b0"},
        {"--scheme wip --rtl l2/insertion@p0b00", "must name the bank as pNbM, as in @p0b0"},
        {"--scheme wip --rtl l2/insertion@p99b0", "l2/insertion@p99b0: no such bank: must be p0b0"},
        {"--scheme wip --rtl l2/insertion@p0b99", "l2/insertion@p0b99: no such bank: must be p0b0"},
        {"--scheme wip --record l2/insertion=x", "as in l2/insertion@p0b0=FILE"},
        {"--rtl l2/insertion", "is not in this machine: needs l2.insertion=warp-type"},
        {"--dram wms --rtl dram/dual_queue@sm0", "must name the partition as pN, as in @p0"},
        {"--dram wms --rtl dram/dual_queue@p99", "no such partition: must be p0..p"},
        {"--l1 mrpb --rtl l1/mrpb --lockstep l1/mrpb", "--lockstep l1/mrpb: named twice"},
        {"--l1 mrpb --rtl l1/mrpb --set mrpb.depth=7", "no Verilog with QUEUES=48 DEPTH=7"},
        {"--l1 mrpb --rtl l1/mrpb --set mrpb.depth=0", "no Verilog with QUEUES=48 DEPTH=0"},
        {"--scheme mrpb-bypass --rtl l1/mrpb", "is not in this machine: needs l1.front=mrpb"},
        {"--l1 mrpb --record l1/mrpb=x", "must name one instance, as in l1/mrpb@sm0=FILE"},
        {"--l1 mrpb --record l1/mrpb@sm0", "must be PLACE/BLOCK@WHERE=FILE"},
        {"--l1 mrpb --record l1/mrpb@sm0=absent/x", "--record absent/x: cannot be"},
        {"--l1 mrpb --record l1/mrpb@sm0=", "--record (empty name): cannot be written"},
        {"--l1 mrpb --record l1/mrpb@sm0=-", "--record -: must be a file"},
        {"--l1 mrpb --rtl l1/mrpb --wave absent/x", "--wave absent/x: cannot be"},
        {"--l1 mrpb --rtl l1/mrpb --wave-inside .", "--wave-inside .: cannot be written: Is a dir"},
        {"--l1 mrpb --rtl l1/mrpb --wave y", "--wave y: is also --json: each needs a file"},
        {"--l1 mrpb --rtl l1/mrpb --wave w --wave-inside ./w", "--wave-inside ./w: is also --wave"},
        {"--l1 mrpb --record l1/mrpb@sm0=y", "--record y: is also --json"},
        {"--l1 mrpb --record l1/mrpb@sm0=r --record l1/mrpb@sm1=r", "--record r: is also --record"},
        {"--l1 mrpb --rtl l1/mrpb --wave -", "--wave -: must be a file"},
        {"--l1 mrpb --wave x", "--wave: needs --rtl or --lockstep"},
        {"--l1 mrpb --rtl l1/mrpb --wave-from 3", "need --wave or --wave-inside"},
        {"--l1 mrpb --rtl l1/mrpb --wave x --wave-cycles -3", "--wave-cycles -3: must be 0.."},
    };
    for (size_t i = 0; x->verilog && i < sizeof bad / sizeof *bad; i++) {
        char line[256];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --json y %s", bad[i].options);
        CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
        if (p.status != 2 || *p.out) {
            fail_msg("%s\nexit %d, printed %s%s", line, p.status, p.out, p.err);
        }
        assert_printed(p.err, bad[i].message, line);
        assert_ptr_equal(strchr(p.err, '\n'), p.err + strlen(p.err) - 1);
        assert_int_equal(count_files(x->folder), 0);
    }
}

static void assert_line_refused(const struct fixture *x, const char *line, const char *message) {
    CLOSED_BY(drop_printed) struct printed p = run_command(x, line);
    if (p.status != 2 || *p.out) {
        fail_msg("%s\nexit %d, printed %s%s", line, p.status, p.out, p.err);
    }
    assert_printed(p.err, message, line);
}

COMMAND_TEST(two_names_of_one_file_are_one_place) {
    write_text("old", "old");
    assert_int_equal(link("old", "hard"), 0);
    assert_int_equal(symlink("old", "soft"), 0);
    assert_line_refused(x, "run WORKLOAD --size tiny --json old --csv hard",
                        "--csv hard: is also --json");
    assert_line_refused(x, "run WORKLOAD --size tiny --json soft --csv old",
                        "--csv old: is also --json");
    assert_line_refused(x, "compare WORKLOAD --size tiny --json old --tsv soft",
                        "soft: is also --json");
    char *text = read_whole_file("old");
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(count_files("."), 3);
}

/* They are written beside the place and renamed, which would put a file where a device was. */
COMMAND_TEST(waves_and_recordings_go_to_files_alone) {
    static const char *const options[] = {"--rtl l1/mrpb --wave pipe",
                                          "--rtl l1/mrpb --wave-inside pipe",
                                          "--record l1/mrpb@sm0=pipe"};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t i = 0; x->verilog && i < sizeof options / sizeof *options; i++) {
        char line[128];
        snprintf(line, sizeof line, "run WORKLOAD --size tiny --l1 mrpb %s", options[i]);
        assert_line_refused(x, line, " pipe: must be a file");
    }
    assert_int_equal(count_files("."), 1);
}
