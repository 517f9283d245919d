/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/find.h"

struct simt_mask lonestar_is_boss(struct simt *s, unsigned first, const struct buffer *ele2comp,
                                  const int32_t *element) {
    int32_t parent[SIMT_THREADS];
    struct simt_mask bosses;
    simt_alu(s, first + BOSS_ADDRESS);
    simt_atomic(s, first + BOSS_CAS, SIMT_CAS, parent, element, element, ele2comp,
                element_lane(element));
    simt_alu(s, first + BOSS_COMPARE);
    SIMT_WHERE(s, bosses, t, parent[t] == element[t]);
    return bosses;
}

void lonestar_find(struct simt *s, unsigned first, const struct buffer *ele2comp,
                   const int32_t *element, int32_t *boss) {
    SIMT_ALU(s, first + FIND_FIRST, t) {
        boss[t] = element[t];
    }
    SIMT_LOOP(s, first + FIND_HOPS) {
        struct simt_mask others = lonestar_is_boss(s, first + FIND_ADDRESS, ele2comp, boss);
        for (unsigned w = 0; w < SIMT_WARPS; w++) {
            others.warp[w] = ~others.warp[w];
        }
        simt_while(s, first + FIND_BRANCH, &others);
        simt_load(s, first + FIND_LOAD_PARENT, boss, ele2comp, element_lane(boss));
    }
    simt_alu(s, first + FIND_STORE_ADDRESS);
    simt_store(s, first + FIND_STORE_BOSS, boss, ele2comp, element_lane(element));
    simt_alu(s, first + FIND_BOSS);
}
