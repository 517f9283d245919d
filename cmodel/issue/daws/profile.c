/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define PROFILE_WORDS 8   /* of a line, one more than any has */
#define PROFILE_LINE 4096 /* characters */

struct profile_parse {
    struct daws_profile *profile;
    unsigned line;
    bool ended;
    char *error;
    size_t size;
};

static uint64_t hash_number(uint64_t hash, uint64_t value) {
    for (unsigned i = 0; i < 8; i++) {
        hash = (hash ^ (value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t daws_code_hash(const struct kernel_code *code) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < code->insn_count; i++) {
        const struct insn *insn = &code->insns[i];
        hash =
            hash_number(hash, insn->op | (uint64_t)insn->space << 8 | (uint64_t)insn->width << 16 |
                                  (uint64_t)insn->uncached << 24 | (uint64_t)insn->pc << 32);
    }
    return hash;
}

__attribute__((format(printf, 2, 3))) static bool fail_profile_line(const struct profile_parse *p,
                                                                    const char *format, ...) {
    char shown[TEXT_SHOWN];
    va_list args;
    int used = snprintf(p->error, p->size,
                        "%s:%u: ", text_shown(shown, sizeof shown, p->profile->path), p->line);
    va_start(args, format);
    vsnprintf(p->error + used, p->size - (size_t)used, format, args);
    va_end(args);
    return false;
}

/* A number of the line's word. */
static bool read_profile_number(const struct profile_parse *p, const char *what, const char *word,
                                unsigned least, unsigned most, unsigned *value) {
    char shown[TEXT_SHOWN], *end;
    errno = 0;
    unsigned long number = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno || number < least || number > most) {
        return fail_profile_line(p, "%s %s: must be %u..%u", what,
                                 text_shown(shown, sizeof shown, word), least, most);
    }
    *value = (unsigned)number;
    return true;
}

static bool begin_profile_kernel(struct profile_parse *p, const char *hash, const char *name) {
    struct daws_profile *profile = p->profile;
    char shown[TEXT_SHOWN], *end;
    struct daws_profile_kernel *more =
        realloc(profile->kernel, (profile->kernels + 1) * sizeof *more);
    if (!more) {
        return fail_profile_line(p, "out of memory");
    }
    profile->kernel = more;
    struct daws_profile_kernel *k = &more[profile->kernels];
    *k = (struct daws_profile_kernel){.line = p->line, .hash = strtoull(hash, &end, 16)};
    if (strlen(hash) != 16 || *end || !*name) {
        return fail_profile_line(p, "kernel %s: must be kernel, 16 hexadecimal digits and its name",
                                 text_shown(shown, sizeof shown, hash));
    }
    for (unsigned i = 0; i < profile->kernels; i++) {
        if (!strcmp(more[i].name, name) && more[i].hash == k->hash) {
            return fail_profile_line(p, "kernel %s: stands in line %u already",
                                     text_shown(shown, sizeof shown, name), more[i].line);
        }
    }
    k->name = strdup(name);
    profile->kernels += k->name != NULL;
    return k->name || fail_profile_line(p, "out of memory");
}

/* Is there room in the table, and no entry of the load yet? */
static bool check_profile_entry(const struct profile_parse *p, const struct daws_profile_kernel *k,
                                const struct daws_profile_load *load) {
    unsigned loops = 0;
    bool known = false;
    for (unsigned i = 0; i < k->loads; i++) {
        bool first = true;
        if (k->load[i].loop == load->loop && k->load[i].pc == load->pc) {
            return fail_profile_line(p, "load %u: stands in line %u already", load->pc,
                                     k->load[i].line);
        }
        for (unsigned j = 0; j < i; j++) {
            first &= k->load[j].loop != k->load[i].loop;
        }
        loops += first;
        known |= k->load[i].loop == load->loop;
    }
    if (k->loads == DAWS_PROFILE_LOADS) {
        return fail_profile_line(p, "load %u: kernel %s has more loads than the %d of the table",
                                 load->pc, k->name, DAWS_PROFILE_LOADS);
    }
    if (loops == DAWS_PROFILE_LOOPS && !known) {
        return fail_profile_line(p, "loop %u: kernel %s has more loops than the %d of the table",
                                 load->loop, k->name, DAWS_PROFILE_LOOPS);
    }
    return true;
}

/* load LOOP PC CLASS GROUP LANES LINES */
static bool read_profile_load(struct profile_parse *p, char *const word[PROFILE_WORDS],
                              unsigned words) {
    struct daws_profile *profile = p->profile;
    struct daws_profile_load load = {.line = p->line};
    char shown[TEXT_SHOWN];
    if (!profile->kernels) {
        return fail_profile_line(p, "load: must stand below its kernel's line");
    }
    if (words != 7) {
        return fail_profile_line(p, "load: %u words: must be load LOOP PC CLASS GROUP LANES LINES",
                                 words);
    }
    load.diverged = !strcmp(word[3], "diverged");
    if (!load.diverged && strcmp(word[3], "converged")) {
        return fail_profile_line(p, "class %s: must be diverged or converged",
                                 text_shown(shown, sizeof shown, word[3]));
    }
    struct daws_profile_kernel *k = &profile->kernel[profile->kernels - 1];
    if (!read_profile_number(p, "loop", word[1], 0, UINT32_MAX, &load.loop) ||
        !read_profile_number(p, "load", word[2], 0, UINT32_MAX, &load.pc) ||
        !read_profile_number(p, "group", word[4], 0, DAWS_PROFILE_LOADS - 1, &load.group) ||
        !read_profile_number(p, "lanes", word[5], 1, WARP_SIZE, &load.lanes) ||
        !read_profile_number(p, "lines", word[6], 1, 2 * WARP_SIZE, &load.lines) ||
        !check_profile_entry(p, k, &load)) {
        return false;
    }
    k->load[k->loads++] = load;
    return true;
}

static bool read_profile_words(struct profile_parse *p, char *const word[PROFILE_WORDS],
                               unsigned words, const char *name) {
    char shown[TEXT_SHOWN];
    if (p->ended) {
        return fail_profile_line(p, "%s: must not follow the line end",
                                 text_shown(shown, sizeof shown, word[0]));
    }
    if (!strcmp(word[0], "load")) {
        return read_profile_load(p, word, words);
    }
    if (!strcmp(word[0], "kernel")) {
        return begin_profile_kernel(p, words > 1 ? word[1] : "", name);
    }
    p->ended = !strcmp(word[0], "end") && words == 1;
    return p->ended || fail_profile_line(p, "%s: must be kernel, load or end",
                                         text_shown(shown, sizeof shown, word[0]));
}

/* One line without its newline; # begins a comment. */
static bool read_profile_line(struct profile_parse *p, char *text) {
    char *word[PROFILE_WORDS], *at = text, name[PROFILE_LINE] = "";
    unsigned words = 0;
    if (p->line == 1) {
        text[strcspn(text, "\r")] = '\0';
        return !strcmp(text, DAWS_PROFILE_FIRST_LINE) ||
               fail_profile_line(p, "must be %s", DAWS_PROFILE_FIRST_LINE);
    }
    at[strcspn(at, "#")] = '\0';
    while (words < PROFILE_WORDS && *(at += strspn(at, " \t\r"))) {
        if (words == 2) { /* a kernel's name may have blanks */
            snprintf(name, sizeof name, "%s", at);
            for (size_t n = strlen(name); n && strchr(" \t\r", name[n - 1]); n--) {
                name[n - 1] = '\0';
            }
        }
        word[words++] = at;
        at += strcspn(at, " \t\r");
        if (*at) {
            *at++ = '\0';
        }
    }
    return !words || read_profile_words(p, word, words, name);
}

static bool read_profile_file(struct profile_parse *p, FILE *in) {
    char text[PROFILE_LINE];
    while (fgets(text, sizeof text, in)) {
        size_t length = strlen(text);
        p->line++;
        if (length + 1 == sizeof text && text[length - 1] != '\n') {
            return fail_profile_line(p, "a line of more than %d characters", PROFILE_LINE - 2);
        }
        text[strcspn(text, "\n")] = '\0';
        if (!read_profile_line(p, text)) {
            return false;
        }
    }
    p->line++;
    if (ferror(in)) {
        return fail_profile_line(p, "%s", strerror(errno));
    }
    return p->ended || fail_profile_line(p, "the line end is missing");
}

struct daws_profile *daws_profile_read(const char *path, char *error, size_t size) {
    char shown[TEXT_SHOWN];
    struct daws_profile *profile = calloc(1, sizeof *profile);
    struct profile_parse p = {.profile = profile, .error = error, .size = size};
    snprintf(error, size, "out of memory");
    if (!profile || !(profile->path = strdup(path))) {
        free(profile);
        return NULL;
    }
    FILE *in = fopen(path, "r");
    if (!in) {
        snprintf(error, size, "%s: %s", text_shown(shown, sizeof shown, path), strerror(errno));
    }
    bool good = in && read_profile_file(&p, in);
    if (in) {
        fclose(in);
    }
    if (!good) {
        daws_profile_destroy(profile);
        return NULL;
    }
    return profile;
}

void daws_profile_destroy(struct daws_profile *p) {
    for (unsigned i = 0; p && i < p->kernels; i++) {
        free(p->kernel[i].name);
    }
    if (p) {
        free(p->kernel);
        free(p->path);
    }
    free(p);
}

const struct daws_profile_kernel *daws_profile_find(const struct daws_profile *p,
                                                    const struct kernel_code *code) {
    uint64_t hash = daws_code_hash(code);
    for (unsigned i = 0; i < p->kernels; i++) {
        if (p->kernel[i].hash == hash && !strcmp(p->kernel[i].name, code->name)) {
            return &p->kernel[i];
        }
    }
    return NULL;
}

static bool code_has_loop(const struct kernel_code *code, uint32_t pc) {
    for (unsigned i = 0; i < code->insn_count; i++) {
        if (code->insns[i].op == OP_LOOP_BEGIN && code->insns[i].pc == pc) {
            return true;
        }
    }
    return false;
}

static bool code_has_cached_load(const struct kernel_code *code, uint32_t pc) {
    for (unsigned i = 0; i < code->insn_count; i++) {
        if (insn_is_cached_load(&code->insns[i]) && code->insns[i].pc == pc) {
            return true;
        }
    }
    return false;
}

/* The profile does not know the code: of another kernel, or of another version of it. */
static bool say_unknown_kernel(const struct daws_profile *p, const struct kernel_code *code,
                               char *error, size_t size) {
    char file[TEXT_SHOWN], name[TEXT_SHOWN];
    text_shown(file, sizeof file, p->path);
    text_shown(name, sizeof name, code->name);
    for (unsigned i = 0; i < p->kernels; i++) {
        if (!strcmp(p->kernel[i].name, code->name)) {
            snprintf(error, size,
                     "%s:%u: kernel %s: the code that runs is another one: must be %016" PRIx64,
                     file, p->kernel[i].line, name, daws_code_hash(code));
            return false;
        }
    }
    snprintf(error, size,
             "%s: has no kernel %s, which runs: the profile must be of the same program", file,
             name);
    return false;
}

bool daws_profile_fits(const struct daws_profile *p, const struct kernel_code *code, char *error,
                       size_t size) {
    const struct daws_profile_kernel *k = daws_profile_find(p, code);
    char shown[TEXT_SHOWN];
    if (!k) {
        return say_unknown_kernel(p, code, error, size);
    }
    text_shown(shown, sizeof shown, p->path);
    for (unsigned i = 0; i < k->loads; i++) {
        const struct daws_profile_load *load = &k->load[i];
        if (!code_has_loop(code, load->loop)) {
            snprintf(error, size, "%s:%u: loop %u: kernel %s has no loop with that PC", shown,
                     load->line, load->loop, k->name);
            return false;
        }
        if (!code_has_cached_load(code, load->pc)) {
            snprintf(error, size,
                     "%s:%u: load %u: kernel %s has no load with that PC which the L1 serves",
                     shown, load->line, load->pc, k->name);
            return false;
        }
    }
    return true;
}
