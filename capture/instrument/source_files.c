/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/source_files.h"

#include <stdlib.h>
#include <string.h>

#include "capture/kernel_table.h"

#define USERS_MAX 8 /* of an instruction without a place: one behind another */

/* The compiler names the compiled file as the user did, or relative to its own folder. */
static bool is_end_of_path(const char *path, const char *name, size_t length) {
    const size_t whole = strlen(path);
    return whole >= length && !memcmp(path + whole - length, name, length) &&
           (whole == length || path[whole - length - 1] == '/');
}

/* The number of a name, which is added if it is new; KERNEL_TABLE_FILES_MAX: no room. */
static uint32_t number_of_file(struct source_files *f, const char *name, size_t length) {
    const char *folder = f->folder ? strstr(name, f->folder) : NULL;
    if (folder) { /* the compiler may name it from the root or from where it runs */
        folder += strlen(f->folder);
        length -= (size_t)(folder - name);
        name = folder;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        if (is_end_of_path(f->names[i], name, length) && (!i || strlen(f->names[i]) == length)) {
            return i;
        }
    }
    char **grown = f->count < KERNEL_TABLE_FILES_MAX
                       ? realloc(f->names, (f->count + 1) * sizeof *grown)
                       : NULL;
    f->names = grown ? grown : f->names;
    char *copy = grown ? strndup(name, length) : NULL;
    if (!copy) {
        return KERNEL_TABLE_FILES_MAX;
    }
    for (char *c = copy; *c; c++) {
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    }
    f->names[f->count] = copy;
    return f->count++;
}

bool source_files_init(struct source_files *f, const char *compiled, bool moment) {
    const char *slash = moment ? strrchr(compiled, '/') : NULL, *first = slash;
    while (slash && first > compiled && first[-1] != '/') {
        first--;
    }
    *f =
        (struct source_files){.folder = slash ? strndup(first, (size_t)(slash + 1 - first)) : NULL};
    return (!slash || f->folder) && number_of_file(f, compiled, strlen(compiled)) == 0;
}

void source_files_free(struct source_files *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        free(f->names[i]);
    }
    free(f->names);
    free(f->folder);
}

static bool is_own_header(const char *name, size_t length) {
    static const char *const begins[] = {"warpmem_", "__clang_"};
    const char *last = name;
    for (size_t i = 0; i < length; i++) {
        last = name[i] == '/' ? name + i + 1 : last;
    }
    for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t n = strlen(begins[i]);
        if ((size_t)(name + length - last) >= n && !memcmp(last, begins[i], n)) {
            return true;
        }
    }
    return false;
}

/* Passes make addresses without a place: they have that of what uses them. */
static llvm_metadata location_of(const struct llvm *l, llvm_value instruction) {
    for (unsigned n = 0; n < USERS_MAX && l->IsAInstruction(instruction); n++) {
        llvm_metadata at = l->InstructionGetDebugLoc(instruction);
        llvm_use use = l->GetFirstUse(instruction);
        if (at || !use) {
            return at;
        }
        instruction = l->GetUser(use);
    }
    return NULL;
}

struct source_line source_files_locate(struct source_files *f, const struct llvm *l,
                                       llvm_value instruction) {
    const char *name = NULL;
    unsigned length = 0;
    llvm_metadata at = location_of(l, instruction);
    for (; at; at = l->DILocationGetInlinedAt(at)) {
        llvm_metadata file = l->DIScopeGetFile(l->DILocationGetScope(at));
        name = file ? l->DIFileGetFilename(file, &length) : NULL;
        if (name && !is_own_header(name, length)) {
            break;
        }
    }
    const uint32_t number = at ? number_of_file(f, name, length) : KERNEL_TABLE_FILES_MAX;
    return number == KERNEL_TABLE_FILES_MAX
               ? (struct source_line){0}
               : (struct source_line){l->DILocationGetLine(at), (uint16_t)number};
}
