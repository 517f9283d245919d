/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: the last one, and their texts.
 */
#include "cuda/errors.h"

#include <stddef.h>

#include "runtime/capture.h"

static _Thread_local int last_error;

bool device_is_lost(void) {
    return launch_failed != LAUNCH_GOOD;
}

int note_error(int error) {
    static const int lost[] = {[LAUNCH_BAD_ADDRESS] = cudaErrorIllegalAddress,
                               [LAUNCH_ASSERTED] = cudaErrorAssert,
                               [LAUNCH_TRAPPED] = cudaErrorLaunchFailure};
    const enum launch_fault failed = launch_failed;
    error = failed ? lost[failed] : error;
    last_error = error ? error : last_error;
    return error;
}

API(cudaGetLastError, void) {
    int error = note_error(last_error);
    last_error = cudaSuccess;
    return error;
}

API(cudaPeekAtLastError, void) {
    return note_error(last_error);
}

static const struct error_text {
    int error;
    const char *name, *text;
} error_texts[] = {
#define ERROR_TEXT(name, number, text) {number, #name, text},
    WARPMEM_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
};

static const struct error_text *text_of_error(int error) {
    static const struct error_text unknown = {0, "unrecognized error code",
                                              "unrecognized error code"};
    for (size_t i = 0; i < sizeof error_texts / sizeof *error_texts; i++) {
        if (error_texts[i].error == error) {
            return &error_texts[i];
        }
    }
    return &unknown;
}

const char *cudaGetErrorString(int error);
const char *cudaGetErrorString(int error) {
    return text_of_error(error)->text;
}

const char *cudaGetErrorName(int error);
const char *cudaGetErrorName(int error) {
    return text_of_error(error)->name;
}
