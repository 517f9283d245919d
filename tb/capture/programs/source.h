/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a program in OpenCL, from the file that its first argument names.
 */
#include <stdio.h>
#include <stdlib.h>

static const char *read_source(int argc, char **argv) {
    static char text[1 << 16];
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!f) {
        fprintf(stderr, "usage: %s FILE.cl\n", argv[0]);
        exit(2);
    }
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}
