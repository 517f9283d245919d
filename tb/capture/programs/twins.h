/* SPDX-License-Identifier: Apache-2.0
 *
 * What twins.cu and twins.c, the same kernels in CUDA and in OpenCL, have in common: their data,
 * and what must come out. Each includes it behind its own functions for memory and launches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 500, NONZEROS_MAX = 16, BINS = 64, WIDTH = 96, HEIGHT = 40, SIDE = 12, ITEMS = 3000 };

static int first[ROWS + 1], column[ROWS * NONZEROS_MAX], wrong;
static float value[ROWS * NONZEROS_MAX], vector[ROWS], image[WIDTH * HEIGHT],
    cube[SIDE * SIDE * SIDE];
static int number[ITEMS];

static unsigned random_number(void) {
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Small whole numbers: their sums are exact in any order. */
static void make_data(void) {
    for (int r = 0; r < ROWS; r++) {
        first[r + 1] = first[r] + (int)(random_number() % NONZEROS_MAX);
        for (int i = first[r]; i < first[r + 1]; i++) {
            column[i] = (int)(random_number() % ROWS);
            value[i] = (float)(random_number() % 8);
        }
        vector[r] = (float)(random_number() % 16);
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        image[i] = (float)(random_number() % 32);
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        cube[i] = (float)(random_number() % 32);
    }
    for (int i = 0; i < ITEMS; i++) {
        number[i] = (int)(random_number() % 1000);
    }
}

static void compare_bytes(const char *name, const void *got, const void *wanted, size_t bytes) {
    if (memcmp(got, wanted, bytes)) {
        printf("%s: wrong\n", name);
        wrong = 1;
    }
}

static void check_spmv(const float *got) {
    static float wanted[ROWS];
    for (int r = 0; r < ROWS; r++) {
        for (int i = first[r]; i < first[r + 1]; i++) {
            wanted[r] += value[i] * vector[column[i]];
        }
    }
    compare_bytes("spmv", got, wanted, sizeof wanted);
}

static void check_histogram(const int *got) {
    static int wanted[BINS];
    for (int i = 0; i < ITEMS; i++) {
        wanted[number[i] % BINS]++;
    }
    compare_bytes("histogram", got, wanted, sizeof wanted);
}

static void check_stencil(const float *got) {
    static float wanted[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int at = y * WIDTH + x;
            const int inside = x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1;
            wanted[at] = inside ? 4 * image[at] - image[at - 1] - image[at + 1] -
                                      image[at - WIDTH] - image[at + WIDTH]
                                : image[at];
        }
    }
    compare_bytes("stencil", got, wanted, sizeof wanted);
}

static void check_reduce(const int *got, int groups, int items) {
    for (int g = 0; g < groups; g++) {
        int sum = 0;
        for (int i = g * items; i < (g + 1) * items && i < ITEMS; i++) {
            sum += number[i];
        }
        compare_bytes("reduce", &got[g], &sum, sizeof sum);
    }
}

/* Level of each row from row 0 along the columns. */
static void check_levels(const int *got) {
    static int level[ROWS];
    for (int r = 1; r < ROWS; r++) {
        level[r] = -1;
    }
    for (int l = 0, more = 1; more; l++) {
        more = 0;
        for (int r = 0; r < ROWS; r++) {
            for (int i = first[r]; level[r] == l && i < first[r + 1]; i++) {
                if (level[column[i]] < 0) {
                    level[column[i]] = l + 1;
                    more = 1;
                }
            }
        }
    }
    compare_bytes("levels", got, level, sizeof level);
}

static void check_turned(const float *got) {
    static float wanted[SIDE * SIDE * SIDE];
    for (int z = 0; z < SIDE; z++) {
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                wanted[(x * SIDE + z) * SIDE + y] = cube[(z * SIDE + y) * SIDE + x];
            }
        }
    }
    compare_bytes("turn", got, wanted, sizeof wanted);
}

/* Each item: the sum of the smallest three of seven, and one of those that are left. */
static void check_smallest(const int *got) {
    static int wanted[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        int seven[7];
        for (int k = 0; k < 7; k++) {
            seven[k] = number[(i + k * 11) % ITEMS];
        }
        for (int a = 0; a < 3; a++) {
            for (int b = a + 1; b < 7; b++) {
                if (seven[b] < seven[a]) {
                    const int t = seven[a];
                    seven[a] = seven[b];
                    seven[b] = t;
                }
            }
            wanted[i] += seven[a];
        }
        wanted[i] += seven[3 + i % 4];
    }
    compare_bytes("smallest", got, wanted, sizeof wanted);
}
