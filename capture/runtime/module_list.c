/* SPDX-License-Identifier: Apache-2.0
 * Modules, their kernels and variables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/capture.h"
#include "runtime/hold.h"
#include "runtime/kernel_names.h"
#include "runtime/memory.h"

static struct module modules[MODULES_MAX];
static unsigned module_count;
static struct kernel **kernels;
static size_t kernel_count;
static struct variable {
    const void *host;
    void *device;
    size_t bytes;
} * variables;
static size_t variable_count;
/* __managed__ ones: the module's is there for its address in a trace. */
static struct managed {
    char *host;
    const char *twin;
    size_t bytes;
} * managed;
static size_t managed_count;

void capture_warn(const char *format, va_list args) {
    fflush(stdout);
    fputs("warpmem capture: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void capture_fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    capture_warn(format, args);
    va_end(args);
    _exit(1);
}

static void *grow_list(void *list, size_t count, size_t size) {
    if (count & (count - 1)) {
        return list;
    }
    void *grown = realloc(list, (count ? 2 * count : 1) * size);
    if (!grown) {
        capture_fail("out of memory");
    }
    return grown;
}

static void *open_file(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        capture_fail("the kernels cannot be loaded: %s", dlerror());
    }
    return handle;
}

/* The loader wants a file: one in memory. */
static void *open_object(const void *bytes) {
    const Elf64_Ehdr *head = bytes;
    char path[64];
    if (memcmp(head->e_ident, ELFMAG, SELFMAG)) {
        capture_fail("the program's device half is none: compile it with warpmem-cc");
    }
    size_t size = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    int fd = memfd_create("warpmem-device", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < size;) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);
        if (n <= 0) {
            capture_fail("the device half cannot be loaded: no memory");
        }
        done += (size_t)n;
    }
    if (fd < 0) {
        capture_fail("the device half cannot be loaded: no memory");
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open_file(path); /* which stays open: the loader tells objects apart by their paths */
}

/* A function of a module; it has the size of a data pointer here. */
static void find_in_module(const struct module *m, const char *prefix, const char *name,
                           void **to) {
    char symbol[8192];
    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    *to = dlsym(m->handle, symbol);
    if (!*to) {
        capture_fail("the device half lacks %s: compile it again", symbol);
    }
}

const uint32_t *module_numbers(const struct module *m, const char *prefix, const char *name) {
    char symbol[8192];
    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    return dlsym(m->handle, symbol);
}

/* Variables lie on 256 bytes, as arrays do. */
static uint64_t behind_range(uint64_t at, const struct module_range *r) {
    return at + (r->bytes + 255) / 256 * 256;
}

static int compare_addresses(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t) * (const void *const *)a,
                    y = (uintptr_t) * (const void *const *)b;
    return x < y ? -1 : x > y;
}

static void list_functions(struct module *m) {
    const uint32_t *count = module_numbers(m, "wm_function_", "count");
    const void *const *addresses = count ? dlsym(m->handle, "wm_functions") : NULL;
    if (!addresses) {
        return;
    }
    m->function_count = count[1];
    m->functions = malloc(count[1] * sizeof *m->functions);
    if (!m->functions) {
        capture_fail("out of memory");
    }
    memcpy(m->functions, addresses, count[1] * sizeof *m->functions);
    qsort(m->functions, count[1], sizeof *m->functions, compare_addresses);
}

bool module_has_function(const struct module *m, const void *function) {
    return m->functions && bsearch(&function, m->functions, m->function_count, sizeof *m->functions,
                                   compare_addresses);
}

static struct module *add_module(void *handle) {
    HOLD_DEVICE;
    union {
        void *symbol;
        void (*function)(struct module_ranges *);
    } ranges;
    if (module_count == MODULES_MAX) {
        capture_fail("more than %d source files with kernels, or OpenCL programs: at most that",
                     MODULES_MAX);
    }
    struct module *m = &modules[module_count];
    *m = (struct module){.handle = handle};
    find_in_module(m, "", "wm_module_ranges", &ranges.symbol);
    ranges.function(&m->ranges);
    list_functions(m);
    m->trace_variables = TRACE_VARIABLES;
    m->trace_constants = TRACE_CONSTANTS;
    if (module_count) {
        const struct module *last = m - 1;
        m->trace_variables = behind_range(last->trace_tables, &last->ranges.tables);
        m->trace_constants = behind_range(last->trace_constants, &last->ranges.constant);
    }
    m->trace_tables = behind_range(m->trace_variables, &m->ranges.device);
    if (behind_range(m->trace_tables, &m->ranges.tables) > TRACE_DEVICE ||
        behind_range(m->trace_constants, &m->ranges.constant) > TRACE_VARIABLES) {
        capture_fail("the variables of all source files take more than %" PRIu64
                     " MB, or their constants more than %" PRIu64 " MB: at most that",
                     (TRACE_DEVICE - TRACE_VARIABLES) >> 20,
                     (TRACE_VARIABLES - TRACE_CONSTANTS) >> 20);
    }
    module_count++;
    return m;
}

struct module *module_add(const void *bytes) {
    return add_module(open_object(bytes));
}

struct module *module_add_joined(const void *bytes) {
    static const void *last;
    static struct module *loaded;
    if (last != bytes) {
        loaded = module_add(bytes);
        last = bytes;
    }
    return loaded;
}

struct module *module_add_file(const char *path) {
    return add_module(open_file(path));
}

const struct module *module_at(unsigned i) {
    return i < module_count ? &modules[i] : NULL;
}

struct kernel *kernel_add(struct module *m, const void *stub, const char *device_name) {
    HOLD_DEVICE;
    struct kernel *k = calloc(1, sizeof *k);
    union {
        void *symbol;
        void (*function)(void **);
    } call, plain;
    void *table;
    if (!k) {
        capture_fail("out of memory");
    }
    find_in_module(m, "wm_call_", device_name, &call.symbol);
    find_in_module(m, "wm_plain_", device_name, &plain.symbol);
    find_in_module(m, "wm_table_", device_name, &table);
    *k = (struct kernel){.stub = stub,
                         .module = m,
                         .call = call.function,
                         .plain = plain.function,
                         .table = table,
                         .name = kernel_name_of(device_name),
                         .device_name = strdup(device_name),
                         .sizes = module_numbers(m, "wm_sizes_", device_name),
                         .meets = module_numbers(m, "wm_meets_", device_name)};
    const uint32_t *registers = module_numbers(m, "wm_registers_", device_name);
    k->registers = registers ? registers[1] : 0;
    kernels = grow_list(kernels, kernel_count, sizeof *kernels);
    kernels[kernel_count++] = k;
    return k;
}

struct kernel *kernel_named(struct module *m, const char *device_name) {
    for (size_t i = 0; i < kernel_count; i++) {
        if (kernels[i]->module == m && !strcmp(kernels[i]->device_name, device_name)) {
            return kernels[i];
        }
    }
    return kernel_add(m, NULL, device_name);
}

struct kernel *kernel_find(const void *stub) {
    for (size_t i = 0; i < kernel_count; i++) {
        if (kernels[i]->stub == stub) {
            return kernels[i];
        }
    }
    return NULL;
}

/* The host's gets the initial value. Objects that are linked may name one variable twice. */
static void add_managed(char *host, const char *twin, void **pointer, size_t bytes) {
    if (*pointer) {
        return;
    }
    memcpy(host, twin, bytes);
    *pointer = host;
    managed = grow_list(managed, managed_count, sizeof *managed);
    managed[managed_count++] = (struct managed){host, twin, bytes};
}

void variable_add(struct module *m, void *host, const char *device_name, size_t bytes) {
    HOLD_DEVICE;
    char symbol[8192];
    void *device = dlsym(m->handle, device_name);
    snprintf(symbol, sizeof symbol, "wm_managed_%s", device_name);
    void **pointer = device ? dlsym(m->handle, symbol) : NULL;
    if (pointer) {
        add_managed(host, device, pointer, bytes);
        device = host;
    }
    variables = grow_list(variables, variable_count, sizeof *variables);
    variables[variable_count++] = (struct variable){host, device, bytes};
}

char *variable_managed(size_t i, size_t *bytes) {
    *bytes = i < managed_count ? managed[i].bytes : 0;
    return i < managed_count ? managed[i].host : NULL;
}

const char *variable_twin(const char *p, size_t *left) {
    for (size_t i = 0; i < managed_count; i++) {
        const size_t offset = (size_t)(p - managed[i].host);
        if (offset < managed[i].bytes) {
            *left = managed[i].bytes - offset;
            return managed[i].twin + offset;
        }
    }
    return NULL;
}

void *variable_find(const void *host, size_t *bytes) {
    for (size_t i = 0; i < variable_count; i++) {
        if (variables[i].host == host) {
            *bytes = variables[i].bytes;
            return variables[i].device;
        }
    }
    return NULL;
}

bool variable_at(const void *p) {
    for (size_t i = 0; i < variable_count; i++) {
        if (variables[i].device &&
            (size_t)((const char *)p - (char *)variables[i].device) < variables[i].bytes) {
            return true;
        }
    }
    return false;
}
