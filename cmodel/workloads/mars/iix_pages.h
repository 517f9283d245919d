/* SPDX-License-Identifier: Apache-2.0
 *
 * HTML pages for the inverted index, generated so that the program's output resembles that of
 * it makes of the suite's own sample: records of 1025 bytes and the rest of their line, 1196 on
 * average and 2919 at most (one in 17 ends in a very long line), and in 17 records 39 links, at
 * most 7 in one, none in 5 of them.
 */
#ifndef WARPMEM_WORKLOADS_MARS_IIX_PAGES_H
#define WARPMEM_WORKLOADS_MARS_IIX_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define IIX_BLOCK 1024 /* bytes of a record, before the rest of its line */
#define IIX_RECORD_MAX 2919

/**
 * iix_pages_generate() - the text of a file, of @records records.
 * @text: room for @records * IIX_RECORD_MAX bytes
 * @state: of the random numbers
 * Return: its bytes.
 */
size_t iix_pages_generate(char *text, unsigned records, uint64_t *state);

#endif
