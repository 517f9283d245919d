/* SPDX-License-Identifier: Apache-2.0
 * MRPB with queues that grow, by itself. */
#include "l1/mrpb_unbounded.h"

int main(void) {
    return cmocka_run_group_tests(mrpb_unbounded_cases, NULL, NULL);
}
