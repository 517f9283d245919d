/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of compare as JSON (docs/result_json.md, data/schemas/warpmem.compare.json).
 */
#ifndef WARPMEM_CLI_STUDY_COMPARE_JSON_H
#define WARPMEM_CLI_STUDY_COMPARE_JSON_H

#include "cli/study/grid.h"
#include "cli/report/result_json.h"

/* Both return NULL when memory runs out. */
/** compare_json() - rows with whole results, and the means. @times: with the times of each */
json_t *compare_json(const struct grid *g, const struct axes *axes, enum grid_mean mean,
                     bool times);
/** compare_points_json() - the same without the results, for scripts/plot_compare.py. */
json_t *compare_points_json(const struct grid *g, const struct axes *axes, enum grid_mean mean);

#endif
