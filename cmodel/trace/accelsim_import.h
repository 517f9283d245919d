/* SPDX-License-Identifier: Apache-2.0
 *
 * Accel-Sim's text traces, from its list of kernels (kernelslist.g) to a trace file. Memory is
 * bounded by one thread block and 16 bytes a thread block of the grid.
 */
#ifndef WARPMEM_TRACE_ACCELSIM_IMPORT_H
#define WARPMEM_TRACE_ACCELSIM_IMPORT_H

#include "trace/accelsim_code.h"
#include "trace/import.h"

/** accelsim_import() - import a list (i->path), whose kernels' files are in its folder. @notes:
 * zeroed; counts what the import changed or dropped. */
enum import_status accelsim_import(struct import *i, struct accelsim_notes *notes);

#endif
