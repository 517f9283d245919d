/* SPDX-License-Identifier: Apache-2.0
 * One target under libFuzzer, which calls these two. FUZZ_TARGET: its name. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

#define TARGET_OF(name) fuzz_##name
#define TARGET(name) TARGET_OF(name)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    /* The generators of tests are used, and assert with cmocka: outside a test it would exit(),
     * which is no crash. */
    return setenv("CMOCKA_TEST_ABORT", "1", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    TARGET(FUZZ_TARGET).run(data, size);
    return 0;
}
