/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipelines of arithmetic. Latency and initiation interval of each instruction, in core cycles.
 */
/* clang-format off */

SECTION(alu)
E(pipes, V(ALU_PIPES_SHARED, "shared") V(ALU_PIPES_SCHEDULER, "scheduler"),
  "core.sp_units and core.sfu_units for all schedulers; each has four: integer, comparison; FP32, integer product; FP64; SFU",
  D(shared, "simulator: one pool for all schedulers until release 4"))
U(int_add, 1, 1024, "cycles", "latency")
U(int_add_interval, 1, 256, "cycles", "initiation interval")
U(int_max, 1, 1024, "cycles", "latency")
U(int_max_interval, 1, 256, "cycles", "initiation interval")
U(int_mul, 1, 1024, "cycles", "latency")
U(int_mul_interval, 1, 256, "cycles", "initiation interval")
U(int_mad, 1, 1024, "cycles", "latency")
U(int_mad_interval, 1, 256, "cycles", "initiation interval")
U(int_div, 1, 1024, "cycles", "latency")
U(int_div_interval, 1, 256, "cycles", "initiation interval")
U(fp_add, 1, 1024, "cycles", "latency")
U(fp_add_interval, 1, 256, "cycles", "initiation interval")
U(fp_max, 1, 1024, "cycles", "latency")
U(fp_max_interval, 1, 256, "cycles", "initiation interval")
U(fp_mul, 1, 1024, "cycles", "latency")
U(fp_mul_interval, 1, 256, "cycles", "initiation interval")
U(fp_mad, 1, 1024, "cycles", "latency")
U(fp_mad_interval, 1, 256, "cycles", "initiation interval")
U(fp_div, 1, 1024, "cycles", "latency")
U(fp_div_interval, 1, 256, "cycles", "initiation interval")
U(dp_add, 1, 1024, "cycles", "latency")
U(dp_add_interval, 1, 256, "cycles", "initiation interval")
U(dp_max, 1, 1024, "cycles", "latency")
U(dp_max_interval, 1, 256, "cycles", "initiation interval")
U(dp_mul, 1, 1024, "cycles", "latency")
U(dp_mul_interval, 1, 256, "cycles", "initiation interval")
U(dp_mad, 1, 1024, "cycles", "latency")
U(dp_mad_interval, 1, 256, "cycles", "initiation interval")
U(dp_div, 1, 1024, "cycles", "latency")
U(dp_div_interval, 1, 256, "cycles", "initiation interval")
U(sfu, 1, 1024, "cycles", "latency")
U(sfu_interval, 1, 256, "cycles", "initiation interval")
END(alu)
