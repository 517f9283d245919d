/* SPDX-License-Identifier: Apache-2.0
 * Words that make a machine: --preset, --scheme, the parts, --set. Each line is one; its first
 * letter says which. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/machine.h"
#include "fuzz/promises.h"

enum { WORDS_MAX = 64 };

static void take_word_of_line(struct machine_options *o, char *line) {
    switch (*line) {
    case 'p': o->preset = line + 1; break;
    case 'n': o->scheme = line + 1; break;
    case 'i': o->issue = line + 1; break;
    case '1': o->l1 = line + 1; break;
    case '2': o->l2 = line + 1; break;
    case 'd': o->dram = line + 1; break;
    case 's': o->sets[o->set_count++] = line + 1; break;
    default: break;
    }
}

static void run_words_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    struct machine_options o;
    struct config_error e = {""};
    struct machine m;
    char *text = fuzz_text(&b), *rest = text, *line;
    fuzz_check(machine_options_init(&o, WORDS_MAX), "out of memory");
    for (unsigned i = 0; i < WORDS_MAX && (line = strtok_r(rest, "\n", &rest)); i++) {
        take_word_of_line(&o, line);
    }
    if (machine_make(&m, &o, NULL, NULL, &e)) {
        fuzz_check(promise_config(&m.config), "machine_make() gave what config_check() refuses");
        fuzz_one_line(m.scheme);
    } else {
        fuzz_check(*e.text, "refused without a word");
    }
    machine_options_free(&o);
    free(text);
}

const struct fuzz_target fuzz_words = {"words", run_words_target};
