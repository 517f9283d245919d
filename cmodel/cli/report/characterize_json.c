/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "cli/report/characterize_report.h"
#include "cli/report/json_build.h"
#include "cli/report/result_json.h"

const char *const character_space[] = {"global", "local", "shared", "texture", "constant"};
const char *const character_kind[] = {"load", "store", "atomic"};
const char *const character_by[] = {"same_warp", "same_cta", "other_cta"};
const char *const character_order[] = {"round_robin", "groups_until_miss", "groups_oldest",
                                       "groups_until_end"};

static json_t *array_of_counts(const uint64_t *values, unsigned count) {
    json_t *a = json_array();
    for (unsigned i = 0; i < count; i++) {
        append_element(&a, json_integer((json_int_t)values[i]));
    }
    return a;
}

static void put_count(json_t **to, const char *name, uint64_t value) {
    set_member(to, name, json_integer((json_int_t)value));
}

static json_t *instructions_json(const struct lane_counts *l) {
    json_t *to = json_object();
    put_count(&to, "warp", l->warp_instructions);
    put_count(&to, "thread", l->thread_instructions);
    put_count(&to, "arithmetic", l->arithmetic);
    put_count(&to, "branches", l->branches);
    put_count(&to, "divergent_branches", l->divergent_branches);
    put_count(&to, "barriers", l->barriers);
    put_count(&to, "fences", l->fences);
    put_count(&to, "predicated_off", l->lanes[0]);
    set_member(&to, "active_lanes", array_of_counts(&l->lanes[1], WARP_SIZE));
    return to;
}

static json_t *memory_json(const struct line_counts *l) {
    json_t *to = json_object(), *lines = json_object();
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        json_t *s = json_object();
        for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
            set_member(&s, character_kind[kind],
                       json_pack("{s:I, s:I}", "instructions",
                                 (json_int_t)l->instructions[space][kind], "accesses",
                                 (json_int_t)l->accesses[space][kind]));
        }
        set_member(&to, character_space[space], s);
    }
    for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
        set_member(&lines, character_kind[kind],
                   array_of_counts(&l->histogram[kind][1], LINES_MAX));
    }
    set_member(&to, "lines_an_access", lines);
    return to;
}

static json_t *footprint_json(const struct footprint *f, unsigned line_bytes) {
    json_t *to = json_object();
    put_count(&to, "lines", f->lines.count);
    put_count(&to, "bytes", (uint64_t)f->lines.count * line_bytes);
    put_count(&to, "warps", f->warps);
    put_count(&to, "warp_lines", f->warp_lines);
    put_count(&to, "warp_lines_most", f->warp_most);
    return to;
}

static json_t *reuse_json(const struct reuse_counts *r, unsigned parts) {
    json_t *to = json_object();
    put_count(&to, "first", r->first);
    put_count(&to, "far", r->far);
    for (unsigned by = 0; by < parts; by++) {
        set_member(&to, character_by[by], array_of_counts(r->near[by], REUSE_BUCKETS));
    }
    return to;
}

static json_t *rows_json(const struct row_counts *r) {
    json_t *to = json_object();
    double rows = r->rows ? (double)r->rows : 1;
    put_count(&to, "rows", r->rows);
    set_member(&to, "ctas_a_row", json_real((double)r->ctas / rows));
    set_member(&to, "consecutive_share", json_real(r->shares / rows));
    if (r->launches) {
        double launches = (double)r->launches;
        set_member(&to, "launch_ctas_a_row", json_real(r->launch_ctas / launches));
        set_member(&to, "launch_consecutive_share", json_real(r->launch_shares / launches));
    }
    set_member(&to, "ctas_histogram", array_of_counts(&r->histogram[1], 32));
    return to;
}

static json_t *replay_json(const struct replay_counts replay[ORDER_COUNT]) {
    json_t *to = json_object();
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        json_t *o = json_object();
        put_count(&o, "reads", replay[i].reads);
        put_count(&o, "read_misses", replay[i].read_misses);
        put_count(&o, "writes", replay[i].writes);
        put_count(&o, "write_misses", replay[i].write_misses);
        put_count(&o, "texture", replay[i].texture);
        put_count(&o, "texture_misses", replay[i].texture_misses);
        put_count(&o, "constant", replay[i].constant);
        put_count(&o, "constant_misses", replay[i].constant_misses);
        set_member(&to, character_order[i], o);
    }
    return to;
}

static json_t *counts_json(const struct kernel_counts *k, unsigned line_bytes) {
    json_t *to = json_object();
    put_count(&to, "launches", k->launches);
    put_count(&to, "ctas", k->ctas);
    put_count(&to, "warps", k->warps);
    put_count(&to, "cta_threads", k->block_most);
    put_count(&to, "ctas_a_core", k->resident_most);
    set_member(&to, "instructions", instructions_json(&k->lanes));
    set_member(&to, "memory", memory_json(&k->lines));
    set_member(&to, "footprint", footprint_json(&k->footprint, line_bytes));
    set_member(&to, "reuse_within_warp", reuse_json(&k->own, 1));
    set_member(&to, "reuse_on_core", reuse_json(&k->core, REUSE_BY_COUNT));
    set_member(&to, "rows", rows_json(&k->rows));
    set_member(&to, "replay", replay_json(k->replay));
    return to;
}

static json_t *load_json(const struct kernel_counts *k, const struct loop *l, unsigned i,
                         const unsigned *group) {
    const struct loop_load *load = &l->load[i];
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I}", "pc",
                     (json_int_t)k->code.insns[load->insn].pc, "executions",
                     (json_int_t)load->executions, "local_executions", (json_int_t)load->local,
                     "mostly_local_executions", (json_int_t)load->mostly_local, "accesses",
                     (json_int_t)load->accesses, "local_accesses", (json_int_t)load->local_accesses,
                     "diverged_executions", (json_int_t)load->diverged, "converged_executions",
                     (json_int_t)load->converged, "diverged", (int)loop_load_diverged(load),
                     "repeats_pc", (json_int_t)k->code.insns[l->load[group[i]].insn].pc);
}

static json_t *loop_json(const struct kernel_counts *k, const struct loop *l) {
    unsigned group[LOOP_LOADS_MAX];
    json_t *to = json_object(), *loads = json_array();
    uint64_t footprint[WARP_SIZE];
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        footprint[i] = loop_footprint(l, i + 1);
    }
    loop_groups(l, group);
    for (unsigned i = 0; i < l->loads; i++) {
        append_element(&loads, load_json(k, l, i, group));
    }
    put_count(&to, "pc", k->code.insns[l->insn].pc);
    put_count(&to, "entries", loop_sum(l->entries));
    put_count(&to, "trips", loop_sum(l->trips));
    set_member(&to, "entries_by_lanes", array_of_counts(&l->entries[1], WARP_SIZE));
    set_member(&to, "trips_by_lanes", array_of_counts(&l->trips[1], WARP_SIZE));
    put_count(&to, "accesses", l->accesses);
    put_count(&to, "accessed_this_trip", l->this_trip);
    put_count(&to, "accessed_last_trip", l->last_trip);
    put_count(&to, "accessed_earlier", l->earlier);
    put_count(&to, "trip_lines", l->trip_lines);
    put_count(&to, "live_lines", l->live_lines);
    put_count(&to, "footprint_lines", loop_footprint_sum(l));
    set_member(&to, "footprint_by_lanes", array_of_counts(footprint, WARP_SIZE));
    set_member(&to, "loads", loads);
    return to;
}

static json_t *insn_json(const struct insn *i, const struct static_access *s) {
    return json_pack("{s:I, s:s, s:s, s:i, s:b, s:I, s:I, s:I, s:i}", "pc", (json_int_t)i->pc,
                     "kind", character_kind[access_kind(i)], "space", character_space[i->space],
                     "width", (int)i->width, "uncached", (int)i->uncached, "executions",
                     (json_int_t)s->executions, "lanes", (json_int_t)s->lanes, "accesses",
                     (json_int_t)s->accesses, "accesses_most", (int)s->most);
}

static json_t *character_kernel_json(const struct kernel_counts *k, unsigned line_bytes) {
    json_t *to = json_pack("{s:s, s:i, s:i}", "name", k->code.name, "registers",
                           (int)k->code.registers, "shared_bytes", (int)k->code.shared_bytes);
    json_t *counts = counts_json(k, line_bytes), *insns = json_array(), *loops = json_array();
    if (json_object_update(to, counts)) {
        json_decref(to);
        to = NULL;
    }
    json_decref(counts);
    for (unsigned i = 0; i < k->code.insn_count; i++) {
        if (insn_is_memory(&k->code.insns[i])) {
            append_element(&insns, insn_json(&k->code.insns[i], &k->insn[i]));
        }
    }
    for (unsigned i = 0; i < k->loops.count; i++) {
        append_element(&loops, loop_json(k, &k->loops.loop[i]));
    }
    set_member(&to, "memory_instructions", insns);
    set_member(&to, "loops", loops);
    return to;
}

json_t *character_json(struct characterize *c, const struct session_options *o,
                       const struct machine *m, bool complete) {
    char hash[17];
    unsigned bytes = m->config.l1.line_bytes;
    json_t *to = result_head_json(CHARACTER_SCHEMA, CHARACTER_SCHEMA_VERSION, o, m),
           *kernels = json_array();
    if (!to || !kernels) {
        json_decref(to);
        json_decref(kernels);
        return NULL;
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(&m->config));
    struct row_counts run;
    if (!characterize_run_rows(c, &run)) {
        json_decref(to);
        json_decref(kernels);
        return NULL;
    }
    set_member(&to, "config_hash", json_string(hash));
    set_member(&to, "complete", json_boolean(complete));
    put_count(&to, "cores", m->config.core.count);
    put_count(&to, "line_bytes", bytes);
    put_count(&to, "l1_lines", m->config.l1.sets * m->config.l1.ways);
    put_count(&to, "row_bytes", m->config.dram.row_bytes);
    set_member(&to, "rows_of_run", run.rows ? rows_json(&run) : json_null());
    set_member(&to, "total", counts_json(characterize_total(c), bytes));
    for (unsigned i = 0; characterize_kernel(c, i); i++) {
        append_element(&kernels, character_kernel_json(characterize_kernel(c, i), bytes));
    }
    set_member(&to, "kernels", kernels);
    return to;
}
