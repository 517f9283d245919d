/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "include/warpmem_attributes.h"
#include "runtime/capture.h"

unsigned device_multiprocessors(void) {
    static unsigned count;
    if (!count) {
        const char *text = getenv("WARPMEM_CAPTURE_MULTIPROCESSORS");
        const unsigned long given = text ? strtoul(text, NULL, 10) : 0;
        count = given && given <= WARPMEM_CORES_MOST ? (unsigned)given : WARPMEM_CORES;
    }
    return count;
}
