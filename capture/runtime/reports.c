/* SPDX-License-Identifier: Apache-2.0
 *
 * The reports of compiled kernels: each block, and each access with its address in the trace.
 */
#include "runtime/cta.h"
#include "runtime/memory.h"
#include "runtime/module.h"
#include "runtime/recording_now.h"
#include "runtime/spin.h"

#define LOCAL_FRAME_WORDS ((uint64_t)1 << 16) /* of a thread, as long as a stack */

/* --- addresses --- */

static bool range_has(const struct module_range *r, const char *p) {
    return (size_t)(p - r->at) < r->bytes;
}

/* The block that runs, and the number of its access that is being reported. */
static bool place_of_access(uint32_t *block, size_t *access) {
    const struct thread_stream *now = recording_now.stream;
    if (!now) {
        *block = recording_now.here->block;
        *access = recording_now.here->accesses;
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
    recording_lay_kernel(k);
    const struct source_line line = line_of_access(k->recording);
    launch_fail(LAUNCH_BAD_ADDRESS,
                "%s:%u: kernel %s, CTA %u, thread %u: address %p is in no memory of the device",
                k->recording->table->files[line.file], line.line, k->name, launch_cta(),
                recording_now.thread, p);
}

const char *recording_place(unsigned *line) {
    struct kernel *k = (struct kernel *)(uintptr_t)running_kernel;
    struct source_line at = {0};
    uint32_t block;
    size_t access;
    recording_lay_kernel(k);
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

/* The bytes of an access, of all of its parts. */
static uint32_t bytes_of_access(const struct kernel_table *t, uint32_t block, size_t access) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < t->blocks[block].count; i++) {
        const struct table_insn *insn = &t->insns[t->blocks[block].first + i];
        if (insn->access == access && insn->offset + insn->width > bytes) {
            bytes = insn->offset + insn->width;
        }
    }
    return bytes;
}

/* The stream is at its limit: the thread is looked at, or needs room. */
__attribute__((noinline)) static void put_word_slowly(uint64_t word, const char *p) {
    struct spin_report r = {.word = word, .at = p};
    uint32_t block;
    size_t access;
    if (p && place_of_access(&block, &access)) {
        r.bytes = bytes_of_access(running_kernel->recording->table, block, access);
    }
    if (spin_must_yield(recording_now.thread, recording_now.stream, &r)) {
        cta_yield();
    }
    struct thread_stream *s = recording_now.stream;
    if (!s) { /* it is looked at no more */
        return;
    }
    if (s->count == s->room) {
        s->limit = s->room;
        if (!recorder_grow(recording_now.recorder, s)) {
            recording_fail_full();
        }
    }
    s->words[s->count++] = word;
    s->limit = spin_limit(recording_now.thread, s);
}

static inline void put_word(struct thread_stream *s, uint64_t kind, uint64_t value, const char *p) {
    const uint64_t word = kind << RECORDER_KIND_SHIFT | value;
    if (s->count == s->limit) {
        put_word_slowly(word, p);
    } else {
        s->words[s->count++] = word;
    }
}

static void put_access(unsigned space, uint64_t address, const char *p) {
    struct thread_stream *s = recording_now.stream;
    if (s) {
        put_word(s, space, address, p);
    } else {
        recording_now.here->accesses++;
    }
}

/* In a variable or table of the device. @p: what the kernel accesses. */
static bool put_variable(const char *named, const char *p) {
    const struct module *m;
    for (unsigned i = 0; (m = module_at(i)); i++) {
        if (range_has(&m->ranges.device, named)) {
            put_access(SPACE_GLOBAL, m->trace_variables + (size_t)(named - m->ranges.device.at), p);
            return true;
        }
        if (range_has(&m->ranges.tables, named)) {
            put_access(SPACE_GLOBAL, m->trace_tables + (size_t)(named - m->ranges.tables.at), p);
            return true;
        }
    }
    return false;
}

static void put_device(const char *p) {
    put_access(SPACE_GLOBAL, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE, p);
}

/* A variable, or memory of the host. */
__attribute__((noinline)) static bool put_other_global(const char *p) {
    if (put_variable(p, p)) {
        return true;
    }
    size_t left;
    const char *twin = variable_twin(p, &left);
    if (twin) {
        return put_variable(twin, p);
    }
    const uint64_t of_host = memory_registered(p);
    if (of_host) {
        put_access(SPACE_GLOBAL, of_host, p);
    }
    return of_host;
}

static bool put_global(const char *p) {
    if (memory_is_device(p)) {
        put_device(p);
        return true;
    }
    return put_other_global(p);
}

static bool put_constant(const char *p) {
    const struct module *m;
    if (memory_is_device(p)) { /* a buffer that a kernel of OpenCL takes as constant */
        put_access(SPACE_CONSTANT, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE, p);
        return true;
    }
    for (unsigned i = 0; (m = module_at(i)); i++) {
        if (range_has(&m->ranges.constant, p)) {
            put_access(SPACE_CONSTANT, m->trace_constants + (size_t)(p - m->ranges.constant.at), p);
            return true;
        }
    }
    return false;
}

static bool put_shared(const char *p) {
    const struct module_ranges *r = &running_kernel->module->ranges;
    if (range_has(&r->shared, p)) {
        put_access(SPACE_SHARED, (size_t)(p - r->shared.at), p);
        return true;
    }
    if (range_has(&r->dynamic, p)) {
        put_access(SPACE_SHARED, (r->shared.bytes + 15) / 16 * 16 + (size_t)(p - r->dynamic.at), p);
        return true;
    }
    return false;
}

/* The words of a warp's lanes are neighbours, as in the hardware; each warp of the launch has a
 * frame of its own. */
static bool put_local(const char *p, unsigned bytes) {
    const uint64_t unit = bytes < 4 ? 4 : bytes, at = (uint64_t)(p - recording_now.stack),
                   warp = (uint64_t)recording_now.cta * recording_now.warps_of_cta +
                          recording_now.thread / WARP_SIZE;
    if (at >= recording_now.stack_bytes) {
        return false;
    }
    put_access(SPACE_LOCAL,
               TRACE_LOCAL + warp * LOCAL_FRAME_WORDS * 4 * WARP_SIZE +
                   at / unit * unit * WARP_SIZE + recording_now.thread % WARP_SIZE * unit +
                   at % unit,
               p);
    return true;
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

/* A thread that records nothing has run for long. */
__attribute__((noinline)) static void begin_look_at(uint32_t block) {
    recording_begin_look();
    put_word(recording_now.stream, RECORDER_BLOCK, block, NULL);
}

void wm_block(uint32_t block) {
    struct recording_now *n = &recording_now;
    if (n->stream) {
        put_word(n->stream, RECORDER_BLOCK, block, NULL);
        return;
    }
    n->here->block = block;
    n->here->accesses = 0;
    if (!--n->here->left) {
        begin_look_at(block);
    }
}

void wm_function_block(uint32_t block) {
    wm_block(recording_now.function_block + block);
}

void wm_call(const void *function) {
    if (!module_has_function(running_kernel->module, function)) {
        unsigned line;
        const char *file = recording_place(&line);
        launch_fail(LAUNCH_TRAPPED,
                    "%s:%u or behind: kernel %s, CTA %u, thread %u: calls through the pointer %p: "
                    "no function of the device in the kernel's file is there",
                    file, line, running_kernel->name, launch_cta(), recording_now.thread, function);
    }
}

__attribute__((noinline)) static void report_other_global(const char *p) {
    if (!put_other_global(p)) {
        fail_address(p);
    }
}

/* Most accesses are to allocated memory, and make no more calls. */
void wm_global(const char *p) {
    if (memory_is_device(p)) {
        put_device(p);
    } else {
        report_other_global(p);
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
    put_access(SPACE_TEXTURE, (uintptr_t)p - DEVICE_BASE + TRACE_DEVICE, p);
}

void wm_argument(const char *p, const char *base) {
    put_access(SPACE_CONSTANT, TRACE_ARGUMENTS + (uint64_t)(p - base), p);
}

void wm_generic(const char *p, unsigned bytes) {
    if (!put_global(p) && !put_shared(p) && !put_local(p, bytes) && !put_constant(p)) {
        fail_address(p);
    }
}
