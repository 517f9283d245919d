/* SPDX-License-Identifier: Apache-2.0
 *
 * The load/store unit's statistics: names, units, meanings, sources.
 */
#include <stddef.h>

#include "l1/load_store.h"

/* clang-format off */
#define LINES_STATS(L) \
    L(01, 1) L(02, 2) L(03, 3) L(04, 4) L(05, 5) L(06, 6) L(07, 7) L(08, 8) L(09, 9) L(10, 10) \
    L(11, 11) L(12, 12) L(13, 13) L(14, 14) L(15, 15) L(16, 16) L(17, 17) L(18, 18) L(19, 19) \
    L(20, 20) L(21, 21) L(22, 22) L(23, 23) L(24, 24) L(25, 25) L(26, 26) L(27, 27) L(28, 28) \
    L(29, 29) L(30, 30) L(31, 31)
/* clang-format on */

bool load_store_register_stats(const struct load_store *u, struct stats *s) {
#define UNIT_STAT(member, stat, unit, meaning, source) \
    { {stat, unit, meaning, source, STAT_SUM}, offsetof(struct load_store_stats, member) }
#define LINES_STAT(name, lines_of) \
    UNIT_STAT(lines[lines_of], "l1.lines_" #name, "warp instructions", \
              "global and local memory instructions that made " #lines_of " accesses", \
              "DAWS 4.2.1, figure 5"),
    static const struct stat_member members[] = {
        UNIT_STAT(shared_instructions, "shared.instructions", "warp instructions",
                  "shared-memory instructions", "model"),
        UNIT_STAT(shared_bank_cycles, "shared.bank_cycles", "core cycles",
                  "shared-memory instructions occupied the banks", "model"),
        UNIT_STAT(shared_conflict_cycles, "shared.conflict_cycles", "core cycles",
                  "of these: cycles that bank conflicts added", "model"),
    };
    static const struct stat_member line_members[] = {
        LINES_STATS(LINES_STAT)
            UNIT_STAT(lines[32], "l1.lines_32", "warp instructions",
                      "global and local memory instructions that made 32 accesses or more",
                      "DAWS 4.2.1, figure 5"),
    };
#undef UNIT_STAT
#undef LINES_STAT
    static const struct victim_watch no_victims;
    return l1_data_cache_register_stats(&u->cache, s) &&
           l1_constant_cache_register_stats(&u->constant, s) &&
           texture_cache_register_stats(&u->texture, s) &&
           stats_register_members(s, members, sizeof members / sizeof *members, &u->stats) &&
           l1_front_register_stats(&u->front, s) &&
           victim_watch_register_stats(u->victims ? u->victims : &no_victims, s) &&
           stats_register_members(s, line_members, sizeof line_members / sizeof *line_members,
                                  &u->stats);
}
