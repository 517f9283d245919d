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
#include "runtime/recording_now.h"
#include "runtime/spin.h"
#include "trace/wtr_writer.h"

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

struct recording_now recording_now;

/* Blocks. A thread that records nothing is looked at more often when it has waited. */
#define FIRST_GAP (UINT32_C(16) << 10)
#define LAST_GAP (UINT32_C(16) << 20)
static struct unrecorded unrecorded[THREADS_MAX];

/* The launch and CTA that are recorded. A thread's reports are kept in its stream, also while a
 * thread of an unrecorded launch is looked at. */
static struct kernel_recording *of_kernel;
static const struct kernel *kernel_now;
static unsigned ctas_of_launch, threads_of_cta, ctas_written;
static bool records;     /* the CTA */
static bool own_streams; /* one for each thread of the CTA */
static bool looks[THREADS_MAX];
static struct aligner_mark mark_of_cta;

/* The recording of a CTA that is kept aside. */
struct kept_recording {
    struct aligner *aligner;
    struct cta_trace *trace;
    struct thread_stream stream[THREADS_MAX];
    struct aligner_mark mark;
    bool own_streams, looks[THREADS_MAX];
};
static struct cta_trace **ended; /* before a CTA that comes first; NULL: all in their order */

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
        if (check_launches_skipped()) {
            fprintf(stderr,
                    "warpmem capture: --check: %llu launches were not compared, as their threads "
                    "wait for each other\n",
                    check_launches_skipped());
        }
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
    k->own_stacks = k->meets || has_barrier(r->table);
    k->shared_bytes = r->table->shared_bytes;
    k->recording = r;
}

void recording_lay_kernel(struct kernel *k) {
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
    recording_lay_kernel(k);
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
    recording_now.function_block = k->recording->table->function_block;
    threads_of_cta = block.x * block.y * block.z;
    kernel_names_note(k->name);
    if (!recording_wanted() || capture.launches >= capture.launches_max ||
        !kernel_is_listed(capture.kernels, k->name)) {
        return false;
    }
    recording_lay_kernel(k);
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
    recording_now.warps_of_cta = launch_warps(&l);
    ctas_written = 0;
    wtr_write_launch(capture.writer, &l);
    check_writer();
    return true;
}

bool recording_takes_cta(unsigned cta) {
    return cta < ctas_of_launch;
}

/* --- a CTA --- */

void recording_begin_cta(unsigned cta, bool recorded, bool own_stacks) {
    struct recorder *r = &capture.recorder;
    recording_now.recorder = r;
    recording_now.cta = cta;
    if (!r->words_max) {
        recorder_init(r, RECORDER_WORDS_MAX);
    }
    records = recorded;
    own_streams = own_stacks;
    memset(looks, 0, sizeof looks);
    spin_begin_cta();
    r->first_limit = spin_first_limit();
    for (unsigned t = 0; !records && t < threads_of_cta; t++) {
        unrecorded[t].left = unrecorded[t].gap = FIRST_GAP;
    }
    if (records) {
        recorder_clear(r, 0, THREADS_MAX);
        aligner_begin_cta(of_kernel->aligner, threads_of_cta, capture.trace);
    }
}

/* Without stacks of their own a warp's threads have ended before the next warp begins: all use the
 * same streams. */
static unsigned stream_of(unsigned thread) {
    return own_streams ? thread : thread % WARP_SIZE;
}

void recording_own_streams(unsigned thread) {
    const unsigned first = thread / WARP_SIZE * WARP_SIZE;
    for (unsigned lane = 0; first && lane < WARP_SIZE; lane++) {
        struct thread_stream *of = &capture.recorder.thread[lane], was = *of;
        *of = of[first];
        of[first] = was;
    }
    own_streams = true;
}

void recording_select(unsigned thread, char *stack, size_t stack_bytes) {
    struct recording_now *n = &recording_now;
    n->here = &unrecorded[thread];
    n->thread = thread;
    n->stack = stack;
    n->stack_bytes = stack_bytes;
    n->stream = records || looks[thread] ? &capture.recorder.thread[stream_of(thread)] : NULL;
}

void recording_continue_thread(unsigned thread) {
    if (spin_continue(thread, &capture.recorder.thread[thread])) {
        unrecorded[thread].left = unrecorded[thread].gap = FIRST_GAP / 4;
    }
}

void recording_begin_look(void) {
    struct recording_now *n = &recording_now;
    looks[n->thread] = true;
    n->here->left = n->here->gap;
    n->stream = &capture.recorder.thread[stream_of(n->thread)];
    n->stream->count = n->stream->limit = 0;
}

void recording_end_look(void) {
    if (!records) {
        looks[recording_now.thread] = false;
        recording_now.stream = NULL;
        struct unrecorded *u = recording_now.here;
        u->gap = u->gap < LAST_GAP ? 2 * u->gap : u->gap;
        u->left = u->gap;
    }
}

bool recording_is_on(void) {
    return records;
}

void recording_look_at_all(bool all) {
    capture.recorder.first_limit = spin_first_limit();
    if (records) {
        recorder_clear(&capture.recorder, 0, THREADS_MAX);
    } else {
        memset(looks, all, sizeof looks);
        recorder_clear(&capture.recorder, 0, THREADS_MAX);
    }
}

static void fail_kernel(const char *why) {
    capture_fail("kernel %s, CTA %u: %s", kernel_now->name, recording_now.cta, why);
}

void recording_fail_full(void) {
    capture_fail("kernel %s, CTA %u: what its threads do between two barriers takes more than the "
                 "%zu GiB that are allowed, or than memory has: a loop is too long, or one thread "
                 "waits for another for ever",
                 running_kernel->name, recording_now.cta,
                 (RECORDER_WORDS_MAX * sizeof(uint64_t)) >> 30);
}

void recording_align(unsigned warp) {
    const unsigned first = stream_of(warp * WARP_SIZE);
    struct thread_stream *streams = &capture.recorder.thread[first];
    if (records || spin_watches_rounds()) {
        spin_note_piece(warp, streams);
    }
    if (records && !aligner_run(of_kernel->aligner, warp, streams)) {
        fail_kernel(aligner_error(of_kernel->aligner));
    }
    if (records) {
        recorder_clear(&capture.recorder, first, WARP_SIZE);
    } else if (spin_has_looked(warp)) {
        recorder_clear(&capture.recorder, first, WARP_SIZE);
        memset(&looks[warp * WARP_SIZE], spin_watches_rounds(), WARP_SIZE * sizeof *looks);
    }
    spin_end_piece(warp);
}

void recording_mark(void) {
    if (records) {
        aligner_set_mark(of_kernel->aligner, &mark_of_cta);
    }
}

void recording_cut(void) {
    if (records) {
        aligner_cut_to_mark(of_kernel->aligner, &mark_of_cta);
    }
}

static void write_cta(const struct cta_trace *t) {
    wtr_write_cta(capture.writer, t);
    check_writer();
    ctas_written++;
}

static struct cta_trace *new_trace(void) {
    struct cta_trace *t = cta_trace_create();
    if (!t) {
        capture_fail("kernel %s: out of memory", kernel_now->name);
    }
    return t;
}

/* The file has CTAs in their order, but one may end before another that waits. */
static void keep_ended(unsigned cta) {
    ended = ended ? ended : calloc(ctas_of_launch, sizeof(struct cta_trace *));
    if (!ended) {
        capture_fail("kernel %s: out of memory", kernel_now->name);
    }
    ended[cta] = capture.trace;
    capture.trace = new_trace();
}

void recording_end_cta(void) {
    if (!records) {
        return;
    }
    recording_now.stream = NULL;
    if (!aligner_end_cta(of_kernel->aligner)) {
        fail_kernel(aligner_error(of_kernel->aligner));
    }
    if (recording_now.cta != ctas_written) {
        keep_ended(recording_now.cta);
        return;
    }
    write_cta(capture.trace);
    while (ended && ctas_written < ctas_of_launch && ended[ctas_written]) {
        const unsigned cta = ctas_written;
        write_cta(ended[cta]);
        cta_trace_destroy(ended[cta]);
        ended[cta] = NULL;
    }
}

/* --- CTAs that are kept aside --- */

/* The recordings of the running CTA and of the kept one change places. */
static void exchange_recording(struct kept_recording *k) {
    struct aligner *aligner = of_kernel->aligner;
    struct cta_trace *trace = capture.trace;
    of_kernel->aligner = k->aligner;
    capture.trace = k->trace;
    k->aligner = aligner;
    k->trace = trace;
}

struct kept_recording *recording_keep_cta(struct kept_recording *k) {
    k = k ? k : calloc(1, sizeof *k);
    if (!k) {
        capture_fail("kernel %s: out of memory", running_kernel->name);
    }
    k->own_streams = own_streams;
    k->mark = mark_of_cta;
    memcpy(k->looks, looks, sizeof looks);
    recorder_keep(&capture.recorder, k->stream, THREADS_MAX);
    if (records) {
        k->aligner = k->aligner ? k->aligner : aligner_create(of_kernel->layout, capture.rule);
        k->trace = k->trace ? k->trace : new_trace();
        if (!k->aligner) {
            capture_fail("kernel %s: out of memory", running_kernel->name);
        }
        exchange_recording(k);
    }
    recording_now.stream = NULL;
    return k;
}

void recording_return_cta(unsigned cta, bool recorded, struct kept_recording *k) {
    recording_now.cta = cta;
    records = recorded;
    own_streams = k->own_streams;
    mark_of_cta = k->mark;
    memcpy(looks, k->looks, sizeof looks);
    recorder_return(&capture.recorder, k->stream, THREADS_MAX);
    capture.recorder.first_limit = spin_first_limit();
    if (records) {
        exchange_recording(k);
    }
}

void recording_drop_kept(struct kept_recording *k) {
    if (k) {
        aligner_destroy(k->aligner);
        cta_trace_destroy(k->trace);
        free(k);
    }
}

void recording_end_launch(void) {
    records = false;
    free(ended);
    ended = NULL;
    of_kernel = NULL;
}

void recording_copy(const void *to, size_t bytes) {
    if (recording_wanted() && memory_is_device(to)) {
        wtr_write_copy(capture.writer, (uintptr_t)to - DEVICE_BASE + TRACE_DEVICE, bytes);
        check_writer();
    }
}
