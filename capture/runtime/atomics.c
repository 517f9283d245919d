/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics that the compiler has no instruction for. Threads run one after another.
 */
#include <stdint.h>

unsigned __wm_atomic_inc(unsigned *p, unsigned most);
unsigned __wm_atomic_inc(unsigned *p, unsigned most) {
    const unsigned old = *p;
    *p = old >= most ? 0 : old + 1;
    return old;
}

unsigned __wm_atomic_dec(unsigned *p, unsigned most);
unsigned __wm_atomic_dec(unsigned *p, unsigned most) {
    const unsigned old = *p;
    *p = !old || old > most ? most : old - 1;
    return old;
}
