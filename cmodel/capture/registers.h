/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of a kernel's values: a linear scan (M. Poletto, V. Sarkar, "Linear scan register
 * allocation", 1999) over the code in its final order. A value that a loop needs again keeps its
 * register for the whole loop. Nothing is spilt: with more than REG_COUNT live values two share a
 * register, which can only make an instruction wait unnecessarily.
 */
#ifndef WARPMEM_CAPTURE_REGISTERS_H
#define WARPMEM_CAPTURE_REGISTERS_H

#include "capture/kernel_table.h"

/**
 * registers_assign() - a register for each value.
 * @registers: of each value, 0..REG_COUNT - 1; REG_NONE: no instruction uses the value
 * @most: the largest number of 32-bit registers in use at once, at least 1
 * Return: false: out of memory.
 */
bool registers_assign(const struct kernel_table *t, const struct block_order *order,
                      uint8_t *registers, unsigned *most);

#endif
