/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks that stand in the machine and exist as Verilog too.
 */
#ifndef WARPMEM_CLI_MACHINE_BLOCKS_H
#define WARPMEM_CLI_MACHINE_BLOCKS_H

#include "config/config.h"
#include "config/derived.h"
#include "dram/dual_queue_ports.h"
#include "l1/mrpb_ports.h"
#include "l2/bank_arbiter_ports.h"
#include "l2/bypass_ports.h"
#include "l2/insertion_ports.h"
#include "l2/warp_type_ports.h"

/* Where instances of a block stand, and so their names: sm0, p0, p0b0; a table of the whole L2 is
 * l2, one of a partition p0. */
enum machine_place { MACHINE_CORE, MACHINE_PARTITION, MACHINE_BANK, MACHINE_TABLE };

/* B(name, where it stands, its parameters, the sets of them that are built, meaning, text of the
 * setting that it needs, the same as an expression of c) */
#define MACHINE_BLOCKS(B) \
    B("l1/mrpb", MACHINE_CORE, MRPB_PARAMS, MRPB_SETS, \
      "memory request prioritization buffer, one in each core", "l1.mrpb=on (--scheme mrpb)", \
      c->l1.mrpb == L1_MRPB_ON) \
    B("dram/dual_queue", MACHINE_PARTITION, DUAL_QUEUE_PARAMS, DUAL_QUEUE_SETS, \
      "two request queues of a DRAM controller, one in each partition", \
      "dram.queues=two (--scheme wms)", c->dram.queues == DRAM_QUEUES_TWO) \
    B("l2/insertion", MACHINE_BANK, INSERTION_PARAMS, INSERTION_SETS, \
      "replacement state with warp types, one in each L2 bank", \
      "l2.insertion=warp-type (--scheme wip)", \
      c->l2.insertion == L2_INSERTION_WARP_TYPE && !c->l2.perfect) \
    B("l2/warp_type", MACHINE_TABLE, WARP_TYPE_PARAMS, WARP_TYPE_SETS, \
      "table of warp types, of the L2 or of each partition", \
      "l2.bypass=warp-type or pc, l2.insertion=warp-type or dram.queues=two (--scheme medic)", \
      config_has_table(c)) \
    B("l2/bypass", MACHINE_PARTITION, BYPASS_PARAMS, BYPASS_SETS, \
      "bypassing at the ports of a partition, one in each", \
      "l2.bypass other than off, l2.allocation=tokens, or warp types (--scheme medic)", \
      config_has_l2_sorting(c)) \
    B("l2/bank_arbiter", MACHINE_PARTITION, BANK_ARBITER_PARAMS, BANK_ARBITER_SETS, \
      "arbiter between ports and banks, one in each partition", \
      "l2.ports=2 or more, or l2/bypass", c->l2.ports > 1 || config_has_l2_sorting(c))

#endif
