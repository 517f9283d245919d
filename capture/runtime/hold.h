/* SPDX-License-Identifier: Apache-2.0
 *
 * The device is held by one thread of the host at a time: for a launch, a copy, or a look at what
 * threads share. A thread that holds it may take it again. No function of the program runs
 * meanwhile, so one that waits for another thread waits in vain for nothing.
 */
#ifndef WARPMEM_RUNTIME_HOLD_H
#define WARPMEM_RUNTIME_HOLD_H

void hold_take(void);
void hold_give(void);

static inline void hold_leave(const int *held) {
    (void)held;
    hold_give();
}

/* A declaration: holds the device from here to the end of the block. */
#define HOLD_DEVICE const int held __attribute__((cleanup(hold_leave), unused)) = (hold_take(), 1)

#endif
