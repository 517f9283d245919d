/* SPDX-License-Identifier: Apache-2.0
 *
 * A program's accesses to memory, without timing: launch by launch, CTA by CTA in ascending order.
 * CTA i of all launches together goes to core i modulo the cores. Only the records of resident CTAs
 * are kept.
 */
#ifndef WARPMEM_CHARACTERIZE_CHARACTERIZE_H
#define WARPMEM_CHARACTERIZE_CHARACTERIZE_H

#include "characterize/kernel.h"

struct characterize;

/** characterize_create() - @config: the machine; must stay. NULL: out of memory. */
struct characterize *characterize_create(const struct config *config);
void characterize_destroy(struct characterize *c);

/**
 * characterize_launch() - the next launch; the previous one must have ended. @c and @l must stay
 * until characterize_end().
 * Return: NULL; "" when out of memory; else a line that says why the launch does not fit the
 * machine (the storage of *c).
 */
const char *characterize_launch(struct characterize *c, const struct launch *l);
/** characterize_room() - buffer for the next CTA's records; NULL: out of memory. */
struct cta_trace *characterize_room(struct characterize *c);
/** characterize_cta() - count the records that the caller has written to that buffer. False: out of
 * memory. */
bool characterize_cta(struct characterize *c);
/** characterize_end() - all CTAs of the launch have been counted. False: out of memory. */
bool characterize_end(struct characterize *c);

/** characterize_instructions() - thread instructions counted so far. */
uint64_t characterize_instructions(const struct characterize *c);
/** characterize_kernel() - the i-th, in the order of their first launches; NULL past the last. */
const struct kernel_counts *characterize_kernel(const struct characterize *c, unsigned i);
/** characterize_total() - counts of the whole program so far. */
const struct kernel_counts *characterize_total(struct characterize *c);
/** characterize_run_rows() - DRAM rows over the whole run. False: out of memory. */
bool characterize_run_rows(const struct characterize *c, struct row_counts *rows);

#endif
