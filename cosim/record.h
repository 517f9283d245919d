/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded stimulus: the inputs of a block, cycle by cycle, from a machine or a random run, in a
 * file that lockstep replays. Late inputs have their values at the clock edge.
 *
 * File, all numbers little-endian:
 *
 *     "WARPSTIM"  u32 version  u32 bytes of the description  u32 its CRC-32
 *     description: text, the block's name, a line a parameter, a line an input
 *     chunks: u32 raw bytes (0: the end)  u32 packed bytes  u32 CRC-32 of them  deflated records
 *     end: u64 records
 *     record: cycles since the last record, in groups of 7 bits, lowest first; then each input in
 *             the order of the list, lowest byte first, in as few bytes as its bits need
 *
 * Cycles in which the block was not called (quiet) have no record.
 */
#ifndef WARPMEM_COSIM_RECORD_H
#define WARPMEM_COSIM_RECORD_H

#include "cosim/port_values.h"

struct stimulus_writer;
struct stimulus_reader;

/**
 * stimulus_writer_open() - begin a file; it gets its name when it is closed.
 * @ports: must outlive the writer
 * Return: NULL: error (size bytes) has the reason in one line.
 */
struct stimulus_writer *stimulus_writer_open(const char *path, const struct port_table *ports,
                                             char *error, size_t size);
/** stimulus_write() - one record; cycles ascend. False: cannot write. */
bool stimulus_write(struct stimulus_writer *w, uint64_t cycle, const void *in);
/** stimulus_writer_close() - false: cannot write, no file is left. NULL: nothing, true. */
bool stimulus_writer_close(struct stimulus_writer *w, char *error, size_t size);

/**
 * stimulus_file_params() - the parameter values in a file of this block:
 * params[block->param_count].
 */
bool stimulus_file_params(const char *path, const struct block *block, unsigned *params,
                          char *error, size_t size);
/**
 * stimulus_reader_open() - NULL: cannot read it, damaged, or recorded from other ports or
 * parameters.
 */
struct stimulus_reader *stimulus_reader_open(const char *path, const struct port_table *ports,
                                             char *error, size_t size);
/**
 * stimulus_read() - the next record. 1: *cycle and *in are filled; 0: the end; -1: damaged, see
 * error.
 */
int stimulus_read(struct stimulus_reader *r, uint64_t *cycle, void *in, char *error, size_t size);
void stimulus_reader_close(struct stimulus_reader *r);

#endif
