/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTAs of a launch. One runs at a time, to its end, or until all of its threads wait for other
 * CTAs. Only CTAs that the device holds at once can wait for each other: a further one begins when
 * one of them has ended.
 */
#ifndef WARPMEM_RUNTIME_GRID_H
#define WARPMEM_RUNTIME_GRID_H

#include <stdbool.h>

/** grid_run() - run all CTAs. @residents: how many the device holds at once, which is asked when
 * one waits. */
void grid_run(bool recorded, unsigned (*residents)(void));

/** grid_drop() - forget the CTAs of a launch that has failed. */
void grid_drop(void);

#endif
