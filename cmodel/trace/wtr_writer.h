/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a trace file, block by block: memory does not grow with the number of CTAs or launches.
 *
 *     wtr_writer_create(file, &origin)
 *     for each launch: wtr_write_launch(), wtr_write_cta() for each of its CTAs in ascending order
 *     wtr_writer_finish(), wtr_writer_destroy()
 *
 * After a call has failed, all later ones fail; wtr_writer_error() has the reason.
 */
#ifndef WARPMEM_TRACE_WTR_WRITER_H
#define WARPMEM_TRACE_WTR_WRITER_H

#include <stdio.h>

#include "kernel/launch.h"
#include "trace/wtr.h"

struct wtr_writer;

/** wtr_writer_create() - for a file that the caller has opened for writing and closes. NULL: out of
 * memory. */
struct wtr_writer *wtr_writer_create(FILE *file, const struct wtr_origin *origin);
void wtr_writer_destroy(struct wtr_writer *w);

/** wtr_write_origin() - replace the origin; before the first launch or copy. */
bool wtr_write_origin(struct wtr_writer *w, const struct wtr_origin *origin);
/** wtr_write_launch() - begin a launch; the one before must be complete. Writes its code unless an
 * earlier launch had the same. */
bool wtr_write_launch(struct wtr_writer *w, const struct launch *l);
/** wtr_write_cta() - the next CTA's records, which are checked. */
bool wtr_write_cta(struct wtr_writer *w, const struct cta_trace *t);
/** wtr_write_copy() - a copy from host to device memory, between launches. */
bool wtr_write_copy(struct wtr_writer *w, uint64_t address, uint64_t bytes);
/** wtr_writer_finish() - write the totals. The caller closes the file. */
bool wtr_writer_finish(struct wtr_writer *w);

/** wtr_writer_totals() - totals so far. */
const struct wtr_totals *wtr_writer_totals(const struct wtr_writer *w);
/** wtr_writer_error() - NULL: none. One line; "cannot be written: ..." for a full disk. */
const char *wtr_writer_error(const struct wtr_writer *w);

#endif
