/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kept input goes through its target, without a fuzzer: the corpus, and in it as found-* what
 * once went wrong. A crash ends this program; its last line says on which file. Arguments: a target
 * and files, to repeat these alone.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "fuzz/fuzz.h"

#define CORPUS "tb/fuzz/corpus"

static void replay_input(const struct fuzz_target *target, const char *path) {
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    FILE *f = fopen(path, "rb");
    if (!f || !data) {
        fail_msg("%s: cannot be read", path);
    }
    size_t size = fread(data, 1, MOST, f);
    fclose(f);
    /* As long as it is, so that valgrind and sanitizers see what is read behind it. */
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, data, size);
    free(data);
    fprintf(stderr, "%s %s\n", target->name, path);
    target->run(exact, size);
    free(exact);
}

static void replay_all(const struct fuzz_target *target) {
    char folder[256], path[640];
    unsigned files = 0;
    snprintf(folder, sizeof folder, "%s/%s", CORPUS, target->name);
    DIR *d = opendir(folder);
    if (!d) {
        fail_msg("%s: no such folder: to be run from the project's", folder);
    }
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.') {
            replay_input(target, path);
            files++;
        }
    }
    closedir(d);
    assert_true(files > 0);
}

#define KEPT(name) \
    TEST(name##_takes_what_was_kept) { \
        replay_all(&fuzz_##name); \
    }
FUZZ_TARGETS(KEPT)

static int replay_some(int argc, char **argv) {
#define NAMED(name) \
    if (!strcmp(argv[1], #name)) { \
        target = &fuzz_##name; \
    }
    const struct fuzz_target *target = NULL;
    FUZZ_TARGETS(NAMED)
    if (!target || argc < 3) {
        fprintf(stderr, "usage: corpus_test [TARGET FILE...]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        replay_input(target, argv[i]);
    }
    return 0;
}

static int replay_some_or_all(int argc, char **argv) {
    return argc > 1 ? replay_some(argc, argv) : unit_tests_run(NULL);
}
TEST_FRAME(replay_some_or_all)
