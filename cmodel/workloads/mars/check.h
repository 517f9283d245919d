/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of a call of the framework, in plain C.
 */
#ifndef WARPMEM_WORKLOADS_MARS_CHECK_H
#define WARPMEM_WORKLOADS_MARS_CHECK_H

#include "workloads/mars/mars.h"

#define MARS_RECORD_BYTES 20 /* of key and value at most */

/* A record as it must have been emitted: the key, then the value. */
struct mars_expected {
    uint8_t bytes[MARS_RECORD_BYTES];
};

/* Order of two keys of a program, below, equal or above zero. */
typedef int mars_order(const void *self, const uint8_t *a, const uint8_t *b);

/**
 * mars_check_records() - compare the records and their directory with the expected ones, in this
 * order?
 * @name: for the message
 * @expected: @n records of @key_size and @value_size bytes
 * Return: NULL, or what differs, in the host's message.
 */
const char *mars_check_records(struct mars *m, const char *name, const struct mars_records *r,
                               const struct mars_expected *expected, unsigned n, unsigned key_size,
                               unsigned value_size);
/**
 * mars_check_sorted() - are the sorted records the same as @expected, in any order, no key before
 * one that is smaller, and are the ranges those of equal keys? @expected is sorted.
 */
const char *mars_check_sorted(struct mars *m, const struct mars_call *c,
                              struct mars_expected *expected, unsigned n, unsigned key_size,
                              unsigned value_size, mars_order *order, const void *self);
/** mars_check_ranges() - are the ranges those of equal neighbours among the sorted keys? */
const char *mars_check_ranges(struct mars *m, const struct mars_group *g, unsigned key_size,
                              mars_order *order, const void *self);

#endif
