/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's parts: modules and their kernels, launches, the recording.
 */
#ifndef WARPMEM_RUNTIME_CAPTURE_H
#define WARPMEM_RUNTIME_CAPTURE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/module.h"

#define MODULES_MAX 256
#define THREADS_MAX 1024

struct size3 {
    unsigned x, y, z;
};

/* A source file's device half. */
struct module {
    void *handle; /* of dlopen() */
    struct module_ranges ranges;
    const void **functions; /* that kernels may call, by ascending address */
    unsigned function_count;
    uint64_t trace_variables, trace_constants, trace_tables; /* their addresses in a trace */
};

/* A kernel that the host can launch. */
struct kernel {
    const void *stub; /* the host function that represents it */
    struct module *module;
    void (*call)(void **arguments);
    void (*plain)(void **arguments); /* the same without reports */
    const uint32_t *table;           /* a count, and that many numbers of capture/kernel_table.h */
    const uint32_t *sizes;     /* a count, and the bytes of each argument; of CUDA's kernels */
    unsigned registers;        /* of a thread, by warpmem-cc --ptxas; 0: as the code here needs */
    size_t dynamic_shared_max; /* cudaFuncSetAttribute(); 0: none */
    char *name;                /* of the source, without parameters */
    char *device_name;         /* the mangled one */
    struct kernel_recording *recording; /* made at the first launch */
    bool meets;                         /* lanes of a warp wait for each other */
    unsigned shared_bytes;
    bool own_stacks; /* or threads of a CTA, at a barrier or in a loop */
};

/** module_add() - load a module from the bytes that the host half has. */
struct module *module_add(const void *bytes);
/** module_add_file() - load a module from a file, which may be removed afterwards. */
struct module *module_add_file(const char *path);
/** module_add_joined() - load the module of several files' device code once, for each of them. */
struct module *module_add_joined(const void *bytes);
/** module_at() - the modules by number; NULL: no more. */
const struct module *module_at(unsigned i);
/** module_has_function() - true if kernels of the module may call it. */
bool module_has_function(const struct module *m, const void *function);
/** module_numbers() - the row @prefix@name from the instrumenter: a count, and that many numbers.
 * NULL: none. */
const uint32_t *module_numbers(const struct module *m, const char *prefix, const char *name);
/** kernel_add() - @device_name: the mangled one. variable_add(): likewise. */
struct kernel *kernel_add(struct module *m, const void *stub, const char *device_name);
struct kernel *kernel_find(const void *stub);
/** kernel_named() - the module's, which the host may not know, by its mangled name. */
struct kernel *kernel_named(struct module *m, const char *device_name);
/** kernel_prepare() - read its table, as its first launch does. */
void kernel_prepare(struct kernel *k);
/** kernel_registers() - 32-bit registers of a thread. */
unsigned kernel_registers(struct kernel *k);
void variable_add(struct module *m, void *host, const char *device_name, size_t bytes);
/** variable_managed() - __managed__ variable number @i, which is the host's. NULL: there are fewer.
 * variable_twin(): for an address in one, that in the module's variable; *left: bytes from there to
 * its end. NULL: in none. */
char *variable_managed(size_t i, size_t *bytes);
const char *variable_twin(const char *p, size_t *left);
/** variable_find() - its place on the device; NULL: there is none. */
void *variable_find(const void *host, size_t *bytes);

/** variable_at() - true for an address in a variable of the device. */
bool variable_at(const void *p);

/** launch_is_possible() - true if a GPU accepts the launch. */
bool launch_is_possible(struct size3 grid, struct size3 block, size_t dynamic_shared);
/* The ends of a launch. */
enum launch_fault { LAUNCH_GOOD, LAUNCH_BAD_ADDRESS, LAUNCH_ASSERTED, LAUNCH_TRAPPED };
/** launch_fail() - end the running launch, with a message: and the program, unless the program can
 * see the error and nothing is recorded. A failed assertion ends the thread alone while something
 * is recorded. launch_cta(): number of the running CTA. */
__attribute__((format(printf, 2, 3), noreturn)) void launch_fail(enum launch_fault why,
                                                                 const char *format, ...);
unsigned launch_cta(void);
/** launch_is_here() - true if this thread of the host runs the kernel. */
bool launch_is_here(void);
/* The API returns errors of launches that began; and how one of them ended. */
extern bool launch_errors_return;
extern _Atomic enum launch_fault launch_failed;
/** launch_run() - run every CTA, one after another, and then what the kernel has launched. A launch
 * of another thread waits. False: a GPU would refuse the launch. */
bool launch_run(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                size_t dynamic_shared);

/** launch_run_whole() - the same with all CTAs live together, as cudaLaunchCooperativeKernel()
 * does. False: no memory is left. The launch must be possible. */
bool launch_run_whole(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                      size_t dynamic_shared);

/* --- the recording --- */

/** recording_cores() - multiprocessors of the device that the program sees: `capture --cores`, or
 * @otherwise. */
unsigned recording_cores(unsigned otherwise);

/** recording_wanted() - true if `warpmem capture` records this program. */
bool recording_wanted(void);
/** recording_begin_launch() - false: this launch is not recorded. */
bool recording_begin_launch(struct kernel *k, struct size3 grid, struct size3 block,
                            size_t dynamic_shared);
/** recording_takes_cta() - CTAs come in ascending order. */
bool recording_takes_cta(unsigned cta);
/** recording_begin_cta() - @recorded: else its threads are only looked at, if they run for long. */
void recording_begin_cta(unsigned cta, bool recorded, bool own_stacks);
/** recording_is_on() - true if the running CTA is recorded. */
bool recording_is_on(void);
/** recording_select() - select the thread that reports from now on, with its @stack. */
void recording_select(unsigned thread, char *stack, size_t stack_bytes);
/** recording_own_streams() - each thread of the running CTA has a stack from now on, in which
 * @thread runs and those before it have ended. */
void recording_own_streams(unsigned thread);
/** recording_continue_thread() - a thread that has waited in a loop goes on. */
void recording_continue_thread(unsigned thread);
/** recording_align() - the threads of a warp have reached a barrier, or ended. */
void recording_align(unsigned warp);
/** recording_look_at_all() - runtime/spin.h sees all reports, between two barriers of the CTA; or
 * not. */
void recording_look_at_all(bool all);
/** recording_mark() - remember how much the CTA has recorded, at a barrier. recording_cut(): drop
 * what it has recorded since, which repeats itself. */
void recording_mark(void);
void recording_cut(void);
void recording_end_cta(void);
/** recording_keep_cta() - the running CTA waits, and another one will run. @old: what it had when
 * it was kept before, or NULL. recording_return_cta(): it continues. */
struct kept_recording *recording_keep_cta(struct kept_recording *old);
void recording_return_cta(unsigned cta, bool recorded, struct kept_recording *k);
void recording_drop_kept(struct kept_recording *k);
void recording_end_launch(void);
/** recording_place() - file and line of the block that runs; in a signal, it is near the fault. */
const char *recording_place(unsigned *line);
/** recording_copy() - the host has copied to the device. */
void recording_copy(const void *to, size_t bytes);

/** capture_warn() - print a message. */
void capture_warn(const char *format, va_list args);
/** capture_fail() - print the fault and end the program with status 1. */
__attribute__((format(printf, 1, 2), noreturn)) void capture_fail(const char *format, ...);

/* The thread that runs. */
extern struct running_thread { struct size3 thread, block, cta, grid; } running;
extern const struct kernel *running_kernel;

/* For functions of kernels: the calls of clock() so far, and whether printf() prints. */
extern long long device_clock;
extern bool device_prints;

#endif
