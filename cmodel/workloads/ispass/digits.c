/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/ispass/digits.h"

#include <math.h>

#include "workloads/host.h"

/* The way of the pen: column 0 .. 4 and row 0 .. 6 of each point. */
static const char *const strokes[10] = {
    "10 30 41 45 36 16 05 01 10",
    "11 20 26",
    "01 10 30 41 42 06 46",
    "01 10 30 41 42 33 23 33 44 45 36 16 05",
    "36 30 04 44",
    "40 00 02 32 43 45 36 16 05",
    "30 10 01 05 16 36 45 43 32 12 03",
    "00 40 16",
    "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "42 33 13 02 01 10 30 41 45 36 16",
};

struct pen {
    float left, top, wide, high, slant, radius;
};

struct point {
    float x, y;
};

static struct point point_of(const struct pen *pen, const char *at) {
    const float column = (float)(at[0] - '0'), row = (float)(at[1] - '0');
    return (struct point){pen->left + pen->wide * column + pen->slant * (3.0f - row),
                          pen->top + pen->high * row};
}

/* From p to the stretch between a and b. */
static float distance(struct point p, struct point a, struct point b) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    float along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
    along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
    const float x = p.x - (a.x + along * dx), y = p.y - (a.y + along * dy);
    return sqrtf(x * x + y * y);
}

/* The amount of ink: 0 .. 255. */
static float ink(const struct pen *pen, const char *stroke, struct point p) {
    float nearest = DIGITS_SIDE;
    for (const char *at = stroke; at[2]; at += 3) {
        const float d = distance(p, point_of(pen, at), point_of(pen, at + 3));
        nearest = d < nearest ? d : nearest;
    }
    const float cover = pen->radius + 0.5f - nearest;
    return cover <= 0.0f ? 0.0f : cover >= 1.0f ? 255.0f : floorf(255.0f * cover);
}

void digits_draw(unsigned digit, uint64_t *seed, float *image) {
    struct pen pen;
    pen.left = 6.0f + 3.0f * host_uniform(seed);
    pen.top = 3.5f + 2.0f * host_uniform(seed);
    pen.wide = 2.6f + 0.8f * host_uniform(seed);
    pen.high = 2.9f + 0.4f * host_uniform(seed);
    pen.slant = 0.8f * host_uniform(seed);
    pen.radius = 0.8f + 0.7f * host_uniform(seed);
    for (unsigned y = 0; y < DIGITS_SIDE; y++) {
        for (unsigned x = 0; x < DIGITS_SIDE; x++) {
            const bool paper = x == DIGITS_SIDE - 1 || y == DIGITS_SIDE - 1;
            const float pixel =
                paper ? 0.0f : ink(&pen, strokes[digit], (struct point){(float)x, (float)y});
            image[y * DIGITS_SIDE + x] = 1.0f - pixel / DIGITS_PIXEL;
        }
    }
}
