/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/result_loads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/json_build.h"

static const char *const access_name[LOAD_ACCESSES] = {
    [LOAD_HIT_OWN] = "hits_own",
    [LOAD_HIT_OTHER] = "hits_other",
    [LOAD_PENDING_OWN] = "pending_own",
    [LOAD_PENDING_OTHER] = "pending_other",
    [LOAD_MISS] = "misses",
    [LOAD_PAST] = "past",
};

static json_t *result_load_json(const struct load_count *l) {
    json_t *one = json_pack("{s:I, s:s, s:s, s:i, s:I, s:I, s:I}", "pc", (json_int_t)l->pc, "op",
                            l->op == OP_LOAD ? "load" : "atomic", "space",
                            l->space == SPACE_LOCAL ? "local" : "global", "width", (int)l->width,
                            "executions", (json_int_t)l->executions, "lanes", (json_int_t)l->lanes,
                            "accesses", (json_int_t)l->accesses);
    for (unsigned what = 0; what < LOAD_ACCESSES; what++) {
        set_member(&one, access_name[what], json_integer((json_int_t)l->taken[what]));
    }
    if (l->in_loop) {
        set_member(&one, "loop", json_integer((json_int_t)l->loop));
    }
    if (l->file) {
        set_member(&one, "file", json_string(l->file));
        set_member(&one, "line", json_integer((json_int_t)l->line));
    }
    return one;
}

json_t *result_loads_json(const struct load_counts *loads) {
    json_t *array = json_array();
    for (unsigned i = 0; i < loads->count; i++) {
        if (loads->row[i].executions) {
            append_element(&array, result_load_json(&loads->row[i]));
        }
    }
    return array;
}

static bool get_number(const json_t *from, const char *name, uint64_t *value) {
    const json_t *number = json_object_get(from, name);
    *value = (uint64_t)json_integer_value(number);
    return json_is_integer(number);
}

static bool read_load(const json_t *from, struct load_count *l) {
    const char *op = json_string_value(json_object_get(from, "op"));
    const char *space = json_string_value(json_object_get(from, "space"));
    const char *file = json_string_value(json_object_get(from, "file"));
    uint64_t pc, width, loop, line;
    bool whole = op && space && get_number(from, "pc", &pc) && get_number(from, "width", &width) &&
                 get_number(from, "executions", &l->executions) &&
                 get_number(from, "lanes", &l->lanes) && get_number(from, "accesses", &l->accesses);
    for (unsigned what = 0; whole && what < LOAD_ACCESSES; what++) {
        whole = get_number(from, access_name[what], &l->taken[what]);
    }
    if (!whole) {
        return false;
    }
    l->pc = (uint32_t)pc;
    l->width = (uint8_t)width;
    l->op = strcmp(op, "load") == 0 ? OP_LOAD : OP_ATOMIC;
    l->space = strcmp(space, "local") == 0 ? SPACE_LOCAL : SPACE_GLOBAL;
    l->in_loop = get_number(from, "loop", &loop);
    l->loop = (uint32_t)loop;
    if (file && get_number(from, "line", &line)) {
        l->line = (uint32_t)line;
        l->file = strdup(file);
    }
    return !file || l->file;
}

bool result_loads_read(const json_t *array, struct load_counts *loads) {
    const size_t count = json_array_size(array);
    loads->row = calloc(count + 1, sizeof *loads->row);
    for (size_t i = 0; loads->row && i < count; i++) {
        loads->count++; /* to be freed */
        if (!read_load(json_array_get(array, i), &loads->row[i])) {
            return false;
        }
    }
    return loads->row && json_is_array(array);
}

static double share_of(const struct load_count *l, enum load_access what) {
    return l->accesses ? 100.0 * (double)l->taken[what] / (double)l->accesses : 0;
}

static void print_load(const struct load_count *l, FILE *out) {
    const double executions = (double)l->executions;
    char loop[16] = "-";
    if (l->in_loop) {
        snprintf(loop, sizeof loop, "%" PRIu32, l->loop);
    }
    fprintf(out, "  %8" PRIu32 " %8s  %-6s %-6s %12" PRIu64 " %6.2f %8.2f ", l->pc, loop,
            l->op == OP_LOAD ? "load" : "atomic", l->space == SPACE_LOCAL ? "local" : "global",
            l->executions, (double)l->lanes / executions, (double)l->accesses / executions);
    for (unsigned what = 0; what < LOAD_ACCESSES; what++) {
        fprintf(out, " %6.1f", share_of(l, what));
    }
    if (l->file) {
        fprintf(out, "  %s:%" PRIu32, l->file, l->line);
    }
    fputc('\n', out);
}

void result_loads_print(const struct gpu_kernels *kernels, FILE *out) {
    fprintf(out, "each load, and what the L1 did with its accesses, in per cent (own, other: the "
                 "line was fetched by the same warp, by another)\n");
    for (unsigned i = 0; i < kernels->count; i++) {
        const struct load_counts *loads = &kernels->kernel[i].loads;
        fprintf(out, "%s\n  %8s %8s  %-6s %-6s %12s %6s %8s  %6s %6s %6s %6s %6s %6s\n",
                kernels->kernel[i].name, "pc", "loop", "kind", "space", "executions", "lanes",
                "accesses", "hit", "hit", "merged", "merged", "miss", "past");
        fprintf(out, "  %8s %8s  %-6s %-6s %12s %6s %8s  %6s %6s %6s %6s\n", "", "", "", "", "",
                "each", "each", "own", "other", "own", "other");
        for (unsigned row = 0; row < loads->count; row++) {
            if (loads->row[row].executions) {
                print_load(&loads->row[row], out);
            }
        }
    }
}
