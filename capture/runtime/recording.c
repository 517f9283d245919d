/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a program that `warpmem capture` runs, which passes the file's name in
 * WARPMEM_CAPTURE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/aligner.h"
#include "runtime/capture.h"
#include "runtime/check.h"
#include "runtime/hold.h"
#include "runtime/kernel_names.h"
#include "runtime/memory.h"
#include "trace/wtr_writer.h"

#define LOCAL_FRAME_WORDS ((uint64_t)1 << 16) /* of a thread, as long as a stack */

/* A kernel's code, from the table that its module has. */
struct kernel_recording {
    struct kernel_table *table;
    struct code_layout *layout;
    struct aligner *aligner;
};

static struct {
    FILE *file;
    struct wtr_writer *writer;
    struct recorder recorder;
    struct cta_trace *trace;
    pid_t process; /* a child of the program records nothing */
    unsigned long long launches, launches_max, ctas_max;
    enum aligner_rule rule;
    const char *kernels; /* names with commas between, or NULL: all */
    bool finished;
} capture;

/* A row for each recorded CTA of a launch whose CTAs wait for each other; NULL: of another
 * launch. */
static struct kept_recording {
    struct aligner *aligner;
    struct cta_trace *trace;
} * kept;

/* These belong to the current launch and thread. now is NULL while nothing is recorded. */
static struct thread_stream *now;
static struct kernel_recording *of_kernel;
static const struct kernel *kernel_now;
static struct aligner *aligner_now;
static struct cta_trace *trace_now;
static unsigned cta_now, thread_now, warps_of_cta, ctas_of_launch, threads_of_cta;
static uint32_t function_block; /* the first block of the functions that the kernel calls */
static char *stack_now;
static size_t stack_bytes_now;

/* Without a recording: the block that a thread runs, and its accesses so far, for a message. */
static struct unrecorded { uint32_t block, accesses; } unrecorded[THREADS_MAX], *here = unrecorded;

static unsigned long long number_from(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

unsigned recording_cores(unsigned otherwise) {
    return (unsigned)number_from("WARPMEM_CAPTURE_CORES", otherwise);
}

static void finish_recording(void) {
    HOLD_DEVICE;
    if (capture.finished || capture.process != getpid()) {
        return;
    }
    capture.finished = true;
    kernel_names_report(capture.kernels);
    if (check_is_wanted()) {
        fprintf(stderr,
                "warpmem capture: --check: %llu launches left the same in memory without "
                "recording\n",
                check_launches());
    }
    if (!wtr_writer_finish(capture.writer) || fclose(capture.file)) {
        const char *why = wtr_writer_error(capture.writer);
        capture_fail("the trace: %s", why ? why : strerror(errno));
    }
}

/* A child of the program has a copy of what is not written yet. */
static void forget_in_child(void) {
    __fpurge(capture.file);
}

static void open_recording(const char *path) {
    struct wtr_origin origin = {.size = "-"};
    const char *rule = getenv("WARPMEM_CAPTURE_RECONVERGE"), *name = getenv("WARPMEM_CAPTURE_NAME");
    snprintf(origin.workload, sizeof origin.workload, "%s", name && *name ? name : "captured");
    capture.file = fopen(path, "wbe");
    capture.writer = capture.file ? wtr_writer_create(capture.file, &origin) : NULL;
    capture.trace = cta_trace_create();
    if (!capture.writer || !capture.trace) {
        capture_fail("%s: cannot be written: %s", path, strerror(errno));
    }
    recorder_init(&capture.recorder, RECORDER_WORDS_MAX);
    capture.launches_max = number_from("WARPMEM_CAPTURE_LAUNCHES", UINT64_MAX);
    capture.ctas_max = number_from("WARPMEM_CAPTURE_CTAS", UINT64_MAX);
    capture.kernels = getenv("WARPMEM_CAPTURE_KERNELS");
    capture.rule = rule && !strcmp(rule, "stack") ? ALIGN_STACK : ALIGN_SMALLEST;
    capture.process = getpid();
    atexit(finish_recording);
    pthread_atfork(NULL, NULL, forget_in_child);
}

bool recording_wanted(void) {
    static bool looked;
    const char *path = getenv("WARPMEM_CAPTURE");
    if (!looked && path && *path) {
        open_recording(path);
    }
    looked = true;
    return capture.writer && !capture.finished && capture.process == getpid();
}

/* --- kernels --- */

static bool has_barrier(const struct kernel_table *t) {
    for (uint32_t b = 0; b < t->graph.count; b++) {
        if (t->blocks[b].barrier) {
            return true;
        }
    }
    return false;
}

/* The table is read whether or not the launch is recorded: it tells of barriers. */
void kernel_prepare(struct kernel *k) {
    HOLD_DEVICE;
    const char *wrong = "out of memory";
    if (k->recording) {
        return;
    }
    struct kernel_recording *r = calloc(1, sizeof *r);
    if (r) {
        r->table = kernel_table_parse(k->table + 1, *k->table, &wrong);
    }
    if (!r || !r->table) {
        capture_fail("kernel %s: %s", k->name, wrong);
    }
    free(r->table->name);
    r->table->name = strdup(k->name);
    k->has_barrier = k->meets || has_barrier(r->table);
    k->shared_bytes = r->table->shared_bytes;
    k->recording = r;
}

static void lay_kernel(struct kernel *k) {
    const char *wrong = "out of memory";
    struct kernel_recording *r = k->recording;
    if (r->aligner) {
        return;
    }
    r->layout = r->table->name ? code_layout_create(r->table, &wrong) : NULL;
    r->aligner = r->layout ? aligner_create(r->layout, capture.rule) : NULL;
    if (!r->aligner) {
        capture_fail("kernel %s: %s", k->name, wrong ? wrong : "out of memory");
    }
    r->layout->code.registers = k->registers ? k->registers : r->layout->code.registers;
}

unsigned kernel_registers(struct kernel *k) {
    HOLD_DEVICE;
    kernel_prepare(k);
    lay_kernel(k);
    return k->recording->layout->code.registers;
}

static void check_writer(void) {
    if (wtr_writer_error(capture.writer)) {
        capture_fail("the trace: %s", wtr_writer_error(capture.writer));
    }
}

bool recording_begin_launch(struct kernel *k, struct size3 grid, struct size3 block,
                            size_t dynamic_shared) {
    kernel_prepare(k);
    function_block = k->recording->table->function_block;
    kernel_names_note(k->name);
    if (!recording_wanted() || capture.launches >= capture.launches_max ||
        !kernel_is_listed(capture.kernels, k->name)) {
        return false;
    }
    lay_kernel(k);
    of_kernel = k->recording;
    kernel_now = k;
    struct kernel_code code = of_kernel->layout->code;
    code.shared_bytes += (unsigned)dynamic_shared;
    struct launch l = {
        .code = &code, .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}};
    if (launch_ctas(&l) > capture.ctas_max) {
        l.grid[0] = (unsigned)capture.ctas_max;
        l.grid[1] = l.grid[2] = 1;
    }
    capture.launches++;
    ctas_of_launch = launch_ctas(&l);
    threads_of_cta = launch_threads(&l);
    warps_of_cta = launch_warps(&l);
    wtr_write_launch(capture.writer, &l);
    check_writer();
    return true;
}

bool recording_takes_cta(unsigned cta) {
    return cta < ctas_of_launch;
}

void recording_keep_ctas(void) {
    kept = calloc(ctas_of_launch, sizeof *kept);
    for (unsigned cta = 0; kept && cta < ctas_of_launch; cta++) {
        kept[cta].aligner = aligner_create(of_kernel->layout, capture.rule);
        kept[cta].trace = cta_trace_create();
        if (!kept[cta].aligner || !kept[cta].trace) {
            capture_fail("kernel %s: out of memory", kernel_now->name);
        }
    }
}

void recording_return_cta(unsigned cta) {
    cta_now = cta;
    aligner_now = kept ? kept[cta].aligner : of_kernel->aligner;
    trace_now = kept ? kept[cta].trace : capture.trace;
    now = &capture.recorder.thread[0];
}

void recording_keep_cta(void) {
    now = NULL;
}

void recording_begin_cta(unsigned cta) {
    recorder_clear(&capture.recorder, 0, THREADS_MAX);
    recording_return_cta(cta);
    aligner_begin_cta(aligner_now, threads_of_cta, trace_now);
}

/* Without barriers a warp has ended before the next one begins: all use the same streams. */
static unsigned stream_of(unsigned thread) {
    return kernel_now->has_barrier ? thread : thread % WARP_SIZE;
}

void recording_select(unsigned thread, char *stack, size_t stack_bytes) {
    here = &unrecorded[thread];
    thread_now = thread;
    stack_now = stack;
    stack_bytes_now = stack_bytes;
    if (now) {
        now = &capture.recorder.thread[stream_of(thread)];
    }
}

static void fail_kernel(const char *why) {
    capture_fail("kernel %s, CTA %u: %s", kernel_now->name, cta_now, why);
}

static void fail_full(void) {
    capture_fail("kernel %s, CTA %u: what its threads do between two barriers takes more than the "
                 "%zu GiB that are allowed, or than memory has: a loop is too long, or one thread "
                 "waits for another for ever",
                 kernel_now->name, cta_now, (RECORDER_WORDS_MAX * sizeof(uint64_t)) >> 30);
}

void recording_align(unsigned warp) {
    if (!now) {
        return;
    }
    const unsigned first = stream_of(warp * WARP_SIZE);
    if (!aligner_run(aligner_now, warp, &capture.recorder.thread[first])) {
        fail_kernel(aligner_error(aligner_now));
    }
    recorder_clear(&capture.recorder, first, WARP_SIZE);
}

void recording_end_cta(void) {
    now = NULL;
    if (!aligner_end_cta(aligner_now)) {
        fail_kernel(aligner_error(aligner_now));
    }
    wtr_write_cta(capture.writer, trace_now);
    check_writer();
}

void recording_end_launch(void) {
    for (unsigned cta = 0; kept && cta < ctas_of_launch; cta++) {
        aligner_destroy(kept[cta].aligner);
        cta_trace_destroy(kept[cta].trace);
    }
    free(kept);
    kept = NULL;
    of_kernel = NULL;
}

/* --- addresses --- */

static bool range_has(const struct module_range *r, const char *p) {
    return (size_t)(p - r->at) < r->bytes;
}

/* The block that runs, and the number of its access that is being reported. */
static bool place_of_access(uint32_t *block, size_t *access) {
    if (!now) {
        *block = here->block;
        *access = here->accesses;
        return true;
    }
    size_t at = now->count;
    while (at && now->words[at - 1] >> RECORDER_KIND_SHIFT != RECORDER_BLOCK) {
        at--;
    }
    *block = at ? (uint32_t)(now->words[at - 1] & RECORDER_ADDRESS_MAX) : 0;
    *access = now->count - at;
    return at;
}

static struct source_line line_of_access(struct kernel_recording *r) {
    uint32_t block;
    size_t access;
    if (place_of_access(&block, &access) && block < r->table->graph.count) {
        const struct layout_block *b = &r->layout->blocks[block];
        for (uint32_t i = 0; i < b->count; i++) {
            const struct layout_item *item = &r->layout->items[b->first + i];
            if (item->access == access) {
                return r->layout->lines[item->index];
            }
        }
    }
    return (struct source_line){0};
}

__attribute__((noreturn)) static void fail_address(const void *p) {
    struct kernel *k = (struct kernel *)(uintptr_t)running_kernel;
    lay_kernel(k);
    const struct source_line line = line_of_access(k->recording);
    launch_fail(LAUNCH_BAD_ADDRESS,
                "%s:%u: kernel %s, CTA %u, thread %u: address %p is in no memory of the device",
                k->recording->table->files[line.file], line.line, k->name, launch_cta(), thread_now,
                p);
}

const char *recording_place(unsigned *line) {
    struct kernel *k = (struct kernel *)(uintptr_t)running_kernel;
    struct source_line at = {0};
    uint32_t block;
    size_t access;
    lay_kernel(k);
    const struct code_layout *l = k->recording->layout;
    block = place_of_access(&block, &access) ? block : 0;
    for (; !at.line && block < k->recording->table->graph.count; block++) {
        for (uint32_t i = 0; !at.line && i < l->blocks[block].count; i++) {
            at = l->lines[l->items[l->blocks[block].first + i].index];
        }
    }
    *line = at.line;
    return k->recording->table->files[at.file];
}

static void put_access(unsigned space, uint64_t address) {
    if (!now) {
        here->accesses++;
    } else if (!recorder_put_access(&capture.recorder, now, space, address)) {
        fail_full();
    }
}

/* In a variable or table of the device. */
static bool put_variable(const char *p) {
    const struct module *m;
    for (unsigned i = 0; (m = module_at(i)); i++) {
        if (range_has(&m->ranges.device, p)) {
            put_access(SPACE_GLOBAL, m->trace_variables + (size_t)(p - m->ranges.device.at));
            return true;
        }
        if (range_has(&m->ranges.tables, p)) {
            put_access(SPACE_GLOBAL, m->trace_tables + (size_t)(p - m->ranges.tables.at));
            return true;
        }
    }
    return false;
}

static bool put_global(const char *p) {
    if (memory_is_device(p)) {
        put_access(SPACE_GLOBAL, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE);
        return true;
    }
    if (put_variable(p)) {
        return true;
    }
    size_t left;
    const char *twin = variable_twin(p, &left);
    if (twin) {
        return put_variable(twin);
    }
    const uint64_t of_host = memory_registered(p);
    if (of_host) {
        put_access(SPACE_GLOBAL, of_host);
    }
    return of_host;
}

static bool put_constant(const char *p) {
    const struct module *m;
    if (memory_is_device(p)) { /* a buffer that a kernel of OpenCL takes as constant */
        put_access(SPACE_CONSTANT, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE);
        return true;
    }
    for (unsigned i = 0; (m = module_at(i)); i++) {
        if (range_has(&m->ranges.constant, p)) {
            put_access(SPACE_CONSTANT, m->trace_constants + (size_t)(p - m->ranges.constant.at));
            return true;
        }
    }
    return false;
}

static bool put_shared(const char *p) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    if (range_has(&r->shared, p)) {
        put_access(SPACE_SHARED, (size_t)(p - r->shared.at));
        return true;
    }
    if (range_has(&r->dynamic, p)) {
        put_access(SPACE_SHARED, (r->shared.bytes + 15) / 16 * 16 + (size_t)(p - r->dynamic.at));
        return true;
    }
    return false;
}

/* The words of a warp's lanes are neighbours, as in the hardware; each warp of the launch has a
 * frame of its own. */
static bool put_local(const char *p, unsigned bytes) {
    const uint64_t unit = bytes < 4 ? 4 : bytes, at = (uint64_t)(p - stack_now),
                   warp = (uint64_t)cta_now * warps_of_cta + thread_now / WARP_SIZE;
    if (at >= stack_bytes_now) {
        return false;
    }
    put_access(SPACE_LOCAL, TRACE_LOCAL + warp * LOCAL_FRAME_WORDS * 4 * WARP_SIZE +
                                at / unit * unit * WARP_SIZE + thread_now % WARP_SIZE * unit +
                                at % unit);
    return true;
}

void recording_copy(const void *to, size_t bytes) {
    if (recording_wanted() && memory_is_device(to)) {
        wtr_write_copy(capture.writer, (uintptr_t)to - DEVICE_BASE + TRACE_DEVICE, bytes);
        check_writer();
    }
}

/* --- the reports of compiled kernels --- */

void wm_block(uint32_t block);
void wm_function_block(uint32_t block);
void wm_call(const void *function);
void wm_global(const char *p);
void wm_local(const char *p, unsigned bytes);
void wm_shared(const char *p);
void wm_constant(const char *p);
void wm_texture(const char *p);
void wm_argument(const char *p, const char *base);
void wm_generic(const char *p, unsigned bytes);

void wm_block(uint32_t block) {
    if (!now) {
        *here = (struct unrecorded){.block = block};
    } else if (!recorder_put_block(&capture.recorder, now, block)) {
        fail_full();
    }
}

void wm_function_block(uint32_t block) {
    wm_block(function_block + block);
}

void wm_call(const void *function) {
    if (!module_has_function(running_kernel->module, function)) {
        unsigned line;
        const char *file = recording_place(&line);
        launch_fail(LAUNCH_TRAPPED,
                    "%s:%u or behind: kernel %s, CTA %u, thread %u: calls through the pointer %p: "
                    "no function of the device in the kernel's file is there",
                    file, line, running_kernel->name, launch_cta(), thread_now, function);
    }
}

void wm_global(const char *p) {
    if (!put_global(p)) {
        fail_address(p);
    }
}

void wm_local(const char *p, unsigned bytes) {
    if (!put_local(p, bytes)) {
        fail_address(p);
    }
}

void wm_shared(const char *p) {
    if (!put_shared(p)) {
        fail_address(p);
    }
}

void wm_constant(const char *p) {
    if (!put_constant(p)) {
        fail_address(p);
    }
}

void wm_texture(const char *p) {
    if (!memory_is_device(p)) {
        fail_address(p);
    }
    put_access(SPACE_TEXTURE, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE);
}

void wm_argument(const char *p, const char *base) {
    put_access(SPACE_CONSTANT, TRACE_ARGUMENTS + (uint64_t)(p - base));
}

void wm_generic(const char *p, unsigned bytes) {
    if (!put_global(p) && !put_shared(p) && !put_local(p, bytes) && !put_constant(p)) {
        fail_address(p);
    }
}
