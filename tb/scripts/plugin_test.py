#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Plug-ins: the examples in machines, and what is refused or caught."""
import json
import os
import re
import subprocess

from test_house import BUILD, ROOT, House, main

PROGRAM = os.path.join(BUILD, "warpmem")
EXAMPLES = os.path.join(ROOT, "examples", "policy")
CC = ("cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I" + os.path.join(ROOT, "cmodel"))

# A policy whose functions stand in place of @...@.
POLICY = """#include "gpu/plugin.h"
struct state { uint64_t asked; uint64_t seen; };
static void tell(void *s, const struct policy_view *v, const struct policy_event *e, struct issue_policy *m) {
    (void)v, (void)e, (void)m;
    ((struct state *)s)->seen++;
}
static void refresh(void *s, const struct policy_view *v, struct issue_policy *m) {
    (void)s, (void)v, (void)m;
    @REFRESH@
}
static const struct policy_kind mine = {.name = "@NAME@", .state_size = sizeof(struct state), .refresh = refresh, @MORE@};
static const struct policy_kind *const policies[] = {&mine, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .issue = policies};
"""
VICTIM = """#include "gpu/plugin.h"
static size_t size(const struct l2_policy_view *v) { (void)v; return 8; }
static unsigned victim(const void *s, const struct l2_policy_view *v, const struct l2_policy_access *a, uint64_t c) {
    (void)s, (void)v, (void)a, (void)c;
    @VICTIM@
}
static const struct l2_policy_kind mine = {.name = "mine", .state_size = size, .victim = victim};
static const struct l2_policy_kind *const policies[] = {&mine, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l2 = policies};
"""
SCHEDULER = """#include "gpu/plugin.h"
static unsigned choose(const void *s, const struct dram_view *v) {
    (void)s, (void)v;
    @CHOOSE@
}
static const struct dram_scheduler_kind mine = {.name = "mine", .state_size = 8, .choose = choose};
static const struct dram_scheduler_kind *const policies[] = {&mine, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .dram = policies};
"""
L1 = """#include "gpu/plugin.h"
static size_t size(const struct l1_policy_view *v) { (void)v; return 8; }
static bool bypasses(const void *s, const struct l1_policy_view *v, const struct l1_policy_access *a) {
    (void)s, (void)v, (void)a;
    @BYPASSES@
}
static const struct l1_policy_kind mine = {.name = "mine", .state_size = size, .bypasses = bypasses};
static const struct l1_policy_kind *const policies[] = {&mine, NULL};
const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l1 = policies};
"""


class Plugins(House):
    def build(self, name, text):
        source, built = self.write(name + ".c", text), self.path(name + ".so")
        subprocess.run([*CC, source, "-o", built], check=True)
        return built

    def policy(self, name="mine", refresh="", more=".events = POLICY_EVENT(POLICY_ISSUED), .tell = tell", file="policy"):
        return self.build(file, POLICY.replace("@NAME@", name).replace("@REFRESH@", refresh).replace("@MORE@", more))

    def example(self, name):
        with open(os.path.join(EXAMPLES, name + ".c"), encoding="utf-8") as file:
            return self.build(name, file.read())

    def warpmem(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def refused(self, *words, said, code=2):
        text = self.warpmem(*words, code=code)
        self.assertRegex(text, said)
        self.assertEqual(text.count("\n"), 1, text)


class Examples(Plugins):
    RUN = ("run", "spmv-scalar", "--size", "tiny", "--preset", "quadro-daws", "--set", "l1.sets=8")  # where warps contend

    def test_a_scheduler_policy_works_and_counts(self):
        file = self.example("miss_throttle")
        text = self.warpmem("compare", *self.RUN[1:], "--plugin", file, "--schemes", "gto,gto+miss-throttle",
                            "--stats", "miss_throttle.lowered", "--json", "t.json", "--tsv", "-")
        head, base, ours = (line.split("\t") for line in text.splitlines())
        self.assertEqual((base[0], ours[0]), ("gto+overrides", "gto+miss-throttle+overrides"))
        self.assertGreater(int(ours[head.index("miss_throttle.lowered")]), 0)
        self.assertEqual(base[head.index("miss_throttle.lowered")], "-")
        self.assertNotEqual(base[head.index("cycles")], ours[head.index("cycles")])
        base, ours = (row["result"] for row in self.json("t.json")["rows"])
        self.assertNotIn("plugins", base)
        self.assertEqual([(p["key"], p["name"], p["file"]) for p in ours["plugins"]], [("issue.policy", "miss-throttle", file)])
        self.assertIn({"key": "issue.policy", "base": "-", "value": "miss-throttle", "by": "scheme"}, ours["differs"])

    def test_a_policy_of_the_l2_decides_on_lines_and_counts(self):
        """Beside MeDiC's bypassing, which bypasses as without it."""
        text = self.warpmem("compare", "spmv-scalar", "--size", "tiny", "--preset", "gtx480", "--set", "l2.sets=8",
                            "--plugin", self.example("dead_loads"), "--schemes", "wbyp,wbyp+dead-loads",
                            "--stats", "dead_loads.refused,l2.no_allocate_reads,l2.bypass_reads", "--tsv", "-")
        head, base, ours = (line.split("\t") for line in text.splitlines())
        refused, lineless, bypasses = (head.index(name) for name in ("dead_loads.refused", "l2.no_allocate_reads", "l2.bypass_reads"))
        self.assertEqual((base[refused], base[lineless]), ("-", "0"))
        for count in (refused, lineless, bypasses):
            self.assertGreater(int(ours[count]), 0)

    def test_a_scheduler_of_the_dram_works_and_counts(self):
        text = self.warpmem("compare", "fdtd", "--size", "tiny", "--preset", "gtx480", "--plugin", self.example("batch"),
                            "--schemes", "baseline,batch", "--stats", "batch.formed,dram.reads", "--tsv", "-")
        _, base, ours = (dict(zip(text.split("\n", 1)[0].split("\t"), line.split("\t"))) for line in text.splitlines())
        self.assertEqual((base["scheme"], base["batch.formed"], ours["scheme"]), ("baseline", "-", "batch"))
        self.assertEqual(base["dram.reads"], ours["dram.reads"])
        self.assertNotEqual(base["cycles"], ours["cycles"])
        self.assertGreater(int(ours["batch.formed"]), 0)

    def test_policies_of_the_l1_bypass_and_prefetch_behind_any_front(self):
        """With MRPB, whose headers have no instruction, and with MeDiC."""
        files = [word for name in ("load_filter", "next_line") for word in ("--plugin", self.example(name))]
        schemes = [f"{other}{name}" for name in ("load-filter", "next-line") for other in ("", "mrpb+", "medic+")]
        text = self.warpmem("compare", "spmv-scalar", "--size", "tiny", "--preset", "gtx480", *files, "--schemes", ",".join(["gto", *schemes]),
                            "--stats", "load_filter.filtered,l1.prefetch_issued,l1.prefetch_late", "--tsv", "-")
        head, base, *rows = (line.split("\t") for line in text.splitlines())
        columns = [head.index(name) for name in ("load_filter.filtered", "l1.prefetch_issued", "l1.prefetch_late")]
        self.assertEqual([base[at] for at in columns], ["-"] * 3)
        for row in rows:
            self.assertEqual([row[at] != "-" for at in columns], ["filter" in row[0], "next" in row[0], "next" in row[0]])
            self.assertTrue(all(int(row[at]) > 0 for at in columns if row[at] != "-"), row)
        self.assertLess(int(rows[0][head.index("cycles")]), int(base[head.index("cycles")]))

    def test_polling_and_the_order_of_units_change_nothing(self):
        for examples in (("miss_throttle", "srrip"), ("miss_throttle", "dead_loads"), ("miss_throttle", "batch"), ("miss_throttle", "load_filter"),
                         ("next_line", "srrip")):
            files = [word for name in examples for word in ("--plugin", self.example(name))]
            words = (*self.RUN, *files, "--scheme", "+".join(("gto", *examples)).replace("_", "-"), "--json", "-")
            plain = self.warpmem(*words)
            for option in ("--poll", "--reverse"):
                self.assertEqual(self.warpmem(*words, option), plain)
            self.assertEqual(len(json.loads(plain)["plugins"]), 2)

    def test_a_replacement_policy_is_the_one_it_says(self):
        """LRU as a plug-in gives the bytes of the machine's own."""
        lru = self.build("lru", """#include "gpu/plugin.h"
            struct state { uint64_t now, used[]; };
            static size_t size(const struct l2_policy_view *v) { return 8 + 8 * l2_policy_lines(v); }
            static unsigned victim(const void *s, const struct l2_policy_view *v, const struct l2_policy_access *a, uint64_t c) {
                const uint64_t *used = ((const struct state *)s)->used + l2_policy_line(v, a->bank, a->set, 0);
                unsigned best = (unsigned)__builtin_ctzll(c);
                for (; c; c &= c - 1) {
                    unsigned way = (unsigned)__builtin_ctzll(c);
                    best = used[way] < used[best] ? way : best;
                }
                return best;
            }
            static void tell(void *s, const struct l2_policy_view *v, const struct l2_policy_event *e) {
                struct state *t = s;
                t->used[l2_policy_line(v, e->access->bank, e->access->set, e->way)] = ++t->now;
            }
            static const struct l2_policy_kind mine = {
                .name = "own-lru", .state_size = size, .victim = victim, .tell = tell,
                .events = L2_POLICY_EVENT(L2_POLICY_TOUCHED) | L2_POLICY_EVENT(L2_POLICY_INSERTED)};
            static const struct l2_policy_kind *const policies[] = {&mine, NULL};
            const struct plugin warpmem_plugin = {PLUGIN_HEAD, .l2 = policies};""")
        for workload in ("atax", "pvc", "mst"):
            words = ("run", workload, "--size", "tiny", "--set", "l2.sets=8", "--set", "l2.ways=4", "--tsv", "-")
            own, plugged = (re.sub(r"^(scheme|config_hash|l2.policy)\t.*\n", "", self.warpmem(*words, *more), flags=re.M)
                            for more in ((), ("--plugin", lru, "--scheme", "own-lru")))
            self.assertEqual(plugged, own)

    def test_a_policy_becomes_a_row_by_its_own_file_and_one_word(self):
        """A program with the examples in the tables of the L1 and the L2 gives the bytes of the plug-ins."""
        rows = (("l1", "load_filter", "mrpb+load-filter", "loads whose"), ("l1", "next_line", "mdb-local+next-line", "a read that"),
                ("l2", "dead_loads", "wbyp+dead-loads", "lines of"))
        sources, tables = [], {}
        for place, name, _, _ in rows:
            with open(os.path.join(EXAMPLES, name + ".c"), encoding="utf-8") as file:
                own = re.sub(rf"static (const struct {place}_policy_kind) {name}", rf"\1 {place}_policy_{name}", file.read())
            own = re.sub(rf"static const struct {place}_policy_kind \*const.*", "", own, flags=re.S).replace("gpu/plugin.h", place + "/policy.h")
            with open(os.path.join(ROOT, "cmodel", place, "policy_kinds.c"), encoding="utf-8") as file:
                table = tables.get(place) or file.read()
            tables[place] = re.sub(r"(POLICIES\(P\) .*)", rf"\1 P({name})", table)
            sources.append(self.write(name + ".c", own))
        sources += [self.write(place + "_kinds.c", table) for place, table in tables.items()]
        with open(os.path.join(BUILD, "model.flags"), encoding="utf-8") as file:
            flags = [word for word in file.readline().split() if word not in ("|", "-MMD", "-MP", "-Icmodel")]
        objects = [os.path.join(BUILD, "obj", "cmodel", "cli", name + ".o") for name in ("main", os.path.join("options", "no_rtl_options"))]
        subprocess.run(["cc", *flags, "-I" + os.path.join(ROOT, "cmodel"), *sources, *objects, os.path.join(BUILD, "libwarpmem.a"),
                        *"-ljansson -linih -lzstd -llzma -lpthread -lm".split(), "-o", self.path("own")], check=True)
        listed = subprocess.run([self.path("own"), "list", "schemes"], capture_output=True, text=True, check=True).stdout
        for place, name, scheme, about in rows:
            words = ("spmv-scalar", "--size", "tiny", "--preset", "gtx480", "--scheme", scheme, "--tsv", "-")
            row = subprocess.run([self.path("own"), "run", *words], capture_output=True, text=True, check=True).stdout
            self.assertEqual(row, self.warpmem("run", *words, "--plugin", self.example(name)))
            dashed = name.replace("_", "-")
            self.assertRegex(listed, rf"{dashed} +{about} .*\n +{place}.policy={dashed}\n")
        wrong = subprocess.run([self.path("own"), "run", "--set", "l2.policy=dead", *words[:3]], capture_output=True, text=True, check=False)
        self.assertRegex(wrong.stderr, "l2.policy = dead: no plug-in has this policy: must be -, dead-loads or")

    def test_a_misspelt_policy_is_told_of_plug_ins(self):
        self.refused(*self.RUN, "--scheme", "srip", said=r"scheme srip: there is none .*\(--plugin FILE.so adds your own policies\)")
        self.refused(*self.RUN, "--plugin", self.example("srrip"), "--scheme", "srip", said=r"\(plug-ins have srrip\)")
        self.assertNotIn("plug-in", self.warpmem(*self.RUN, "--scheme", "swl:0", code=2))

    def test_a_result_repeats_with_its_plug_in(self):
        file = self.example("srrip")
        first = self.warpmem(*self.RUN, "--plugin", file, "--scheme", "srrip", "--json", "-")
        self.write("first.json", first)
        self.assertEqual(self.warpmem("run", "--config", "first.json", "--plugin", file, "--json", "-"), first)
        self.refused("run", "--config", "first.json", said="l2.policy = srrip: no plug-in has this policy: must be - or that of a")


class Refused(Plugins):
    RUN = ("run", "2dconv", "--size", "tiny")

    def test_what_is_no_plug_in(self):
        text = self.write("text.so", "hello")
        empty = self.build("empty", "int nothing;")
        for file, said in ((text, "cannot be loaded: (invalid|file too short)"), ("absent.so", "--plugin absent.so: .*No such file"),
                           (".", "--plugin .*[Dd]irectory"), (empty, "exports no warpmem_plugin")):
            self.refused(*self.RUN, "--plugin", file, said=said)

    def test_other_headers_and_other_versions(self):
        good = POLICY.replace("@NAME@", "mine").replace("@REFRESH@", "").replace("@MORE@", ".tell = tell")
        self.refused(*self.RUN, "--plugin", self.build("version", good.replace("PLUGIN_HEAD", ".version = 9, .layout = PLUGIN_LAYOUT")),
                     said="is of version 9: must be 4: build it again")
        self.refused(*self.RUN, "--plugin", self.build("layout", good.replace("PLUGIN_HEAD", ".version = 4, .layout = {1, 2}")),
                     said="was built with other headers than this warpmem")

    def test_names(self):
        for name, said in (("gto", "gto is a scheme of warpmem"), ("", "called : must be letters"), ("a+b", "a.b: must be letters"),
                           ("8mb", "must be letters|is a scheme")):
            self.refused(*self.RUN, "--plugin", self.policy(name), said=said)
        self.refused(*self.RUN, "--plugin", self.policy(), "--plugin", self.policy(file="again"), said="there is a policy mine already")

    def test_a_counter_with_the_name_of_another(self):
        counter = """static bool count(const void *s, struct stats *to) {
                static const struct stat_desc d = {"l1.read_hits", "requests", "seen by mine", "mine", STAT_SUM};
                return stats_register(to, &d, &((const struct state *)s)->seen);
            }
            static const struct policy_kind mine"""
        text = POLICY.replace("static const struct policy_kind mine", counter, 1).replace("@NAME@", "mine").replace("@REFRESH@", "(void)tell;")
        file = self.build("counter", text.replace("@MORE@", ".register_stats = count"))
        both = 'two counters are called l1.read_hits: ".*" .accesses, .* and "seen by mine" .requests, mine.: must be two names'
        self.refused(*self.RUN, "--plugin", file, "--scheme", "mine", said="statistics: " + both)
        self.refused("list", "stats", "--plugin", file, "--scheme", "mine", said=both)
        self.refused("compare", *self.RUN[1:], "--plugin", file, "--schemes", "gto,mine", "--stats", "l1.nothing", said=both)

    def test_what_lacks_a_function_or_a_policy(self):
        self.refused(*self.RUN, "--plugin", self.policy(more=".events = 1, .init = NULL", refresh="(void)tell;"), said="mine asks for events: must have tell")
        text = VICTIM.replace("@VICTIM@", "return 0;")
        for more, said in ((".events = 1", r"mine asks for events: must have tell\(\)"),
                           (".begin_cycle = (void *)size", r"mine has begin_cycle\(\): must have end_cycle\(\) and victim\(\)")):
            self.refused(*self.RUN, "--plugin", self.build("lacks", text.replace(".victim = victim", ".victim = victim, " + more)),
                         said=said)
        self.refused(*self.RUN, "--plugin", self.build("s", SCHEDULER.replace("@CHOOSE@", "return 0;").replace(", .choose = choose", "")
                                                       .replace("static unsigned", "unsigned")), said="mine: must have choose\\(\\) or cycle")
        text = L1.replace("@BYPASSES@", "return 0;")
        for more, said in ((".events = 1", r"mine asks for events: must have tell\(\)"), (".prefetches = true", r"mine prefetches: must have tell\(\)")):
            self.refused(*self.RUN, "--plugin", self.build("lacks", text.replace("bypasses}", "bypasses, " + more + "}")), said=said)
        self.refused(*self.RUN, "--plugin", self.build("none", '#include "gpu/plugin.h"\nconst struct plugin warpmem_plugin = {PLUGIN_HEAD};'),
                     said="brings no policy")

    def test_two_for_one_place_and_none(self):
        files = ("--plugin", self.policy("one", file="one"), "--plugin", self.policy("two", file="two"))
        self.refused(*self.RUN, *files, "--scheme", "one+two", said="one and two: two policies for one place")
        self.refused(*self.RUN, "--set", "issue.policy=one", said="issue.policy = one: no plug-in has this policy")
        self.refused(*self.RUN, "--scheme", "one", said="scheme one: there is none of that name")
        self.refused(*self.RUN, *files, "--scheme", "one+mrbp", said="mrbp.*mrpb")
        self.refused(*self.RUN, "--preset", "gtx480", "--set", "l2.policy=x", "--scheme", "wip",
                     "--plugin", self.build("x", VICTIM.replace("@VICTIM@", "return 0;").replace('"mine"', '"x"')),
                     said="l2.policy = x and wip both order the lines of a set: must be one of them")


class Caught(Plugins):
    RUN = ("run", "spmv-scalar", "--size", "tiny", "--scheme", "mine")

    def test_a_policy_that_changes_its_state_when_asked(self):
        file = self.policy(refresh="((struct state *)s)->asked++;")
        self.warpmem(*self.RUN, "--plugin", file)
        self.refused(*self.RUN, "--plugin", file, "--poll", code=1,
                     said=r"policy mine, core \d+: refresh\(\) changes its state when it is called again in one cycle")

    def test_a_policy_whose_masks_depend_on_how_often_it_is_asked(self):
        file = self.policy(refresh="static uint64_t n; m->can_issue &= n++ % 64 ? ~UINT64_C(0) : ~UINT64_C(1);")
        self.refused(*self.RUN, "--plugin", file, "--poll", code=1, said=r"core \d+: refresh\(\) gives other masks")

    def test_a_bypass_that_depends_on_how_often_it_is_asked(self):
        for answer, said in (("return ++*(uint64_t *)(uintptr_t)s == 0;", "changes its state"), ("static unsigned n; return n++ & 1;", "gives another answer")):
            file = self.build("wrong", L1.replace("@BYPASSES@", answer))
            self.refused(*self.RUN, "--plugin", file, "--poll", code=1, said=r"policy mine, L1 of core \d+: bypasses\(\) " + said)

    def test_a_victim_that_is_no_candidate(self):
        small = ("--set", "l2.sets=4", "--set", "l2.ways=2")
        file = self.build("wrong", VICTIM.replace("@VICTIM@", "return 7;"))
        self.refused(*self.RUN, *small, "--plugin", file, code=1,
                     said=r"policy mine, partition \d+, bank 0: victim\(\) gives way 7: must be one of the candidates, 0x[123]")

    def test_a_victim_that_changes_when_asked(self):
        small = ("--set", "l2.sets=4", "--set", "l2.ways=2", "--poll")
        first = "return (unsigned)__builtin_ctzll(c);"
        for victim, said in (("++*(uint64_t *)(uintptr_t)s; " + first, "changes its state"),
                             ("static unsigned n; return c == 3 ? n++ & 1 : (unsigned)__builtin_ctzll(c);", "gives another answer")):
            file = self.build("wrong", VICTIM.replace("@VICTIM@", victim))
            self.refused(*self.RUN, *small, "--plugin", file, code=1, said=r"victim\(\) " + said)

    def test_a_choice_of_the_dram_that_is_wrong_or_changes_when_asked(self):
        first = "for (unsigned i = 0; i < v->count; i++) if (dram_view_is_ready(v, i)) return i; return DRAM_NO_POSITION;"
        for choose, words, said in (("return v->count;", (), r"gives request \d+ of \d+: must be one whose command is legal"),
                                    ("++*(uint64_t *)(uintptr_t)s; " + first, ("--poll",), "changes its state when it is asked again"),
                                    ("static unsigned n; if (n++ & 1) return DRAM_NO_POSITION; " + first, ("--poll",), "gives another")):
            file = self.build("wrong", SCHEDULER.replace("@CHOOSE@", choose))
            self.refused(*self.RUN, "--plugin", file, *words, code=1, said=r"scheduler mine, partition \d+: choose\(\) " + said)


if __name__ == "__main__":
    main()
