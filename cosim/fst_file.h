/* SPDX-License-Identifier: Apache-2.0
 *
 * FST files get their names when they are whole. GTKWave's writer reports no failed write, so the
 * closed file is read again, section by section. The writer also maps a file beside it into memory
 * (PATH.hier) and dies of SIGBUS when the disk had no room for that, so there must be room before
 * it is opened and before it is closed.
 */
#ifndef WARPMEM_COSIM_FST_FILE_H
#define WARPMEM_COSIM_FST_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes: the hierarchy of the largest block takes a third of it. */
enum { FST_ROOM_TO_OPEN = 1 << 20 };

/** fst_file_has_room() - can @bytes more be written to the disk of @path? */
bool fst_file_has_room(const char *path, uint64_t bytes);

/** fst_file_make_room() - before the writer of @temporary is closed: where the disk is full, the
 * waves in it are given up, and fst_file_publish() will find that. */
void fst_file_make_room(const char *temporary);

/** fst_file_is_whole() - do the sections of the closed file at @path end with the file, and are
 * header, geometry and hierarchy among them? */
bool fst_file_is_whole(const char *path);

/** fst_file_publish() - rename the whole file @temporary to @path. False: it is damaged or cannot
 * be renamed; then it is removed, and what @path held stays. */
bool fst_file_publish(const char *temporary, const char *path);

#endif
