/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/promises.h"

#include <stdlib.h>
#include <string.h>

#include "characterize/characterize.h"
#include "config/derived.h"
#include "config/schemes.h"
#include "fuzz/fuzz.h"
#include "gpu/machine_run.h"
#include "trace/wtr_reader.h"

/* --- configurations --- */

struct config promise_preset(const char *name) {
    enum { PRESETS = 16 };
    static struct {
        const char *name;
        struct config c;
    } kept[PRESETS];
    struct config_error e;
    unsigned i = 0;
    while (i < PRESETS && kept[i].name && strcmp(kept[i].name, name)) {
        i++;
    }
    fuzz_check(i < PRESETS, "more than %d presets", PRESETS);
    if (!kept[i].name) {
        fuzz_check(config_preset(&kept[i].c, name, &e), "%s", e.text);
        kept[i].name = name;
    }
    return kept[i].c;
}

bool promise_config(const struct config *c) {
    struct config again = promise_preset("c2050-s");
    struct config_error e = {""};
    const char *path = fuzz_path("printed.ini");
    FILE *f = fopen(path, "wb");
    fuzz_check(f, "%s cannot be written", path);
    config_print(c, f);
    fclose(f);
    fuzz_check(config_file(&again, path, &e), "what config_print() wrote is refused: %s", e.text);
    fuzz_check(!memcmp(c, &again, sizeof again) && config_hash(c) == config_hash(&again),
               "what config_print() wrote is another configuration");
    e.text[0] = '\0';
    bool good = config_check(c, &e);
    if (!good) {
        fuzz_one_line(e.text);
    }
    return good;
}

enum { CACHE_LINES_MAX = 1 << 14, CLOCKS_APART_MAX = 100 };

bool promise_small(const struct config *c) {
    const unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram};
    unsigned fast = 0, slow = UINT32_MAX;
    for (unsigned i = 0; i < 4; i++) {
        fast = khz[i] > fast ? khz[i] : fast;
        slow = khz[i] < slow ? khz[i] : slow;
    }
    uint64_t core_lines = (uint64_t)c->l1.sets * c->l1.ways +
                          (uint64_t)c->texture.sets * c->texture.ways +
                          (uint64_t)c->constant.sets * c->constant.ways;
    return fast / slow <= CLOCKS_APART_MAX &&
           c->core.count * core_lines + config_l2_bytes(c) / c->l2.line_bytes <= CACHE_LINES_MAX;
}

/* --- traces --- */

static const char *const machines[][2] = {{"gtx480", "baseline"},     {"c2050-s", "mrpb"},
                                          {"quadro-owl", "baseline"}, {"gtx480", "medic-reuse"},
                                          {"gtx480-mdb", "eaf"},      {"quadro-daws", "two-level"}};
enum { MACHINES = sizeof machines / sizeof *machines, CYCLES_MAX = 800, CTAS_MAX = 64 };

/* A preset with few cores and small caches, so that little traffic fills everything. */
static struct config small_machine(unsigned which) {
    struct config_error e;
    struct scheme_selection s = {0};
    which %= MACHINES;
    struct config c = promise_preset(machines[which][0]);
    fuzz_check(scheme_pick(&s, NULL, machines[which][1], &e) && scheme_apply(&s, &c, &e), "%s",
               e.text);
    c.core.count = c.l2.partitions = 2;
    c.l1.sets = c.l2.sets = 4;
    c.l1.ways = c.l2.ways = 2;
    c.l1.index = c.l2.index = INDEX_XOR;
    c.texture.sets = c.constant.sets = 2;
    c.texture.ways = c.constant.ways = 1;
    c.noc.topology = NOC_CROSSBAR;
    strcpy(c.noc.nodes, "-");
    fuzz_check(config_check(&c, &e), "%s", e.text);
    return c;
}

/* Reads all of it as a machine would, without one. */
static bool read_records(const char *path) {
    char error[1024] = "";
    const struct launch *l;
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    if (!r) {
        fuzz_one_line(error);
        return false;
    }
    struct program p = wtr_reader_program(r);
    struct cta_trace *t = cta_trace_create();
    bool good = true;
    while (good && p.next_launch(p.self, &l)) {
        for (unsigned cta = 0; good && cta < launch_ctas(l); cta++) {
            good = p.run_cta(p.self, cta, t);
        }
    }
    const char *wrong = wtr_reader_error(r);
    fuzz_check(good || wrong, "records ended without a message");
    if (wrong) {
        fuzz_one_line(wrong);
        good = false;
    }
    cta_trace_destroy(t);
    wtr_reader_close(r);
    return good;
}

/* The same by its items, which looks at no record. */
static bool read_every_item(const char *path) {
    char error[1024] = "";
    struct wtr_item item;
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    if (!r) {
        return false;
    }
    while (wtr_reader_item(r, &item)) {}
    const char *wrong = wtr_reader_error(r);
    if (wrong) {
        fuzz_one_line(wrong);
    }
    bool good = !wrong;
    wtr_reader_close(r);
    return good;
}

static void run_on(struct machine_run *run, const char *path, const struct config *c, bool poll) {
    char error[1024];
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    fuzz_check(r, "opened once, and refused then: %s", error);
    struct program p = wtr_reader_program(r);
    struct gpu_options o = {.max_cycles = CYCLES_MAX, .poll = poll, .reverse = poll};
    run_test_machine(run, c, &o, &p, false);
    fuzz_check(run->status != GPU_STUCK, "stuck at %" PRIu64 ": %s", run->cycles, run->message);
    fuzz_check(!run->broken[0], "not conserved: %s", run->broken);
    if (run->status == GPU_DOES_NOT_FIT) {
        fuzz_one_line(run->message);
    }
    machine_run_free(run);
    wtr_reader_close(r);
}

static void compare_runs(const char *path, unsigned which) {
    static struct machine_run asleep, polled;
    struct config c = small_machine(which);
    run_on(&asleep, path, &c, false);
    run_on(&polled, path, &c, true);
    /* A refused run leaves nothing to compare: asleep, channels run ahead and see the refusal
     * earlier. A run whose trace breaks off leaves only its cycles: nobody knew when to wait. */
    if (asleep.status == GPU_OUT_OF_MEMORY) {
        fuzz_check(polled.status == asleep.status && polled.cycles == asleep.cycles,
                   "a trace that breaks off at %" PRIu64 " ends with status %d at %" PRIu64,
                   asleep.cycles, (int)polled.status, polled.cycles);
    } else if (asleep.status != GPU_DOES_NOT_FIT || polled.status != GPU_DOES_NOT_FIT) {
        assert_same_run(&asleep, &polled, "asleep against polled");
    }
}

/* One launch, up to its last CTA or the most that are counted. Return: go on. */
static bool characterize_one(struct characterize *c, struct program *p, const struct launch *l) {
    const char *wrong = characterize_launch(c, l);
    if (wrong) {
        fuzz_one_line(wrong);
        return false;
    }
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        struct cta_trace *room = cta < CTAS_MAX ? characterize_room(c) : NULL;
        if (!room || !p->run_cta(p->self, cta, room)) {
            return false;
        }
        fuzz_check(characterize_cta(c), "out of memory");
    }
    return characterize_end(c);
}

static void characterize_trace(const char *path, unsigned which) {
    char error[1024];
    const struct config config = small_machine(which);
    const struct launch *l;
    struct row_counts rows;
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    struct characterize *c = characterize_create(&config);
    fuzz_check(r && c, "opened once, and refused then: %s", error);
    struct program p = wtr_reader_program(r);
    while (p.next_launch(p.self, &l) && characterize_one(c, &p, l)) {}
    fuzz_check(characterize_total(c) && characterize_run_rows(c, &rows), "out of memory");
    characterize_destroy(c);
    wtr_reader_close(r);
}

bool promise_trace(const char *path, unsigned which) {
    char error[1024];
    bool good = read_records(path), items = read_every_item(path);
    fuzz_check(items || !good, "its records can be read, its items cannot");
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    if (r) {
        wtr_reader_close(r);
        characterize_trace(path, which);
        compare_runs(path, which);
    }
    return good;
}
