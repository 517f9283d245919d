/* SPDX-License-Identifier: Apache-2.0
 *
 * FST files get their names when they are complete. GTKWave's writer reports no failed write, so
 * the closed file is read again, section by section. The writer also maps a second file (PATH.hier)
 * into memory and dies of SIGBUS if the disk has no room for it, so the room is checked before the
 * file is opened and before it is closed.
 */
#ifndef WARPMEM_COSIM_FST_FILE_H
#define WARPMEM_COSIM_FST_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes: the hierarchy of the largest block takes a third of it. */
enum { FST_ROOM_TO_OPEN = 1 << 20 };

/** fst_file_has_room() - true if @bytes more fit on the disk of @path. */
bool fst_file_has_room(const char *path, uint64_t bytes);

/** fst_file_make_room() - before the writer of @temporary is closed: if the disk is full, abandon
 * the waves in it, which fst_file_publish() will detect. */
void fst_file_make_room(const char *temporary);

/** fst_file_is_whole() - true if the sections of the closed file at @path end with the file and
 * include header, geometry and hierarchy. */
bool fst_file_is_whole(const char *path);

/** fst_file_publish() - rename the complete file @temporary to @path. False: it is damaged or
 * cannot be renamed; then it is removed, and the old @path stays. */
bool fst_file_publish(const char *temporary, const char *path);

#endif
