/* SPDX-License-Identifier: Apache-2.0
 * warpmem-rtl with an error in MRPB's Verilog, for tests of what the command says then. Linked in
 * place of the table of blocks. */
#include "cosim/rtl_block.h"
#include "l1/mrpb_ports.h"

extern const struct rtl_block rtl_mrpb_paper;

/* Every core meets this, and those that run the same CTAs meet it in the same cycle. */
static void broken_mrpb_comb(void *self, const void *in, void *out) {
    struct mrpb_out *o = out;
    rtl_mrpb_paper.comb(self, in, out);
    o->deq_bypass ^= o->deq_valid && o->deq_queue == 3;
}

const struct rtl_block *const *rtl_blocks(unsigned *count) {
    static struct rtl_block broken;
    static const struct rtl_block *const table[] = {&broken};
    broken = rtl_mrpb_paper;
    broken.comb = broken_mrpb_comb;
    *count = 1;
    return table;
}
