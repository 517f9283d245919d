/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of handwritten digits, drawn: strokes of a pen of random place, size, slant and width,
 * in the form in which ispass-nn takes those of MNIST.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_DIGITS_H
#define WARPMEM_WORKLOADS_ISPASS_DIGITS_H

#include <stdint.h>

#define DIGITS_SIDE 29   /* a picture of 28, and a row and a column of paper after it */
#define DIGITS_PIXEL 256 /* greys: 1 - p / 256 is 1 for paper and close to 0 for ink */

/**
 * digits_draw() - one picture.
 * @digit: 0 .. 9
 * @seed: of host_random(), goes on
 * @image: DIGITS_SIDE rows of DIGITS_SIDE values
 */
void digits_draw(unsigned digit, uint64_t *seed, float *image);

#endif
