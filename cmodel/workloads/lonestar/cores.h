/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU's programs make grids as large as the machine. The machine is that of MeDiC's table
 * I, whatever the preset that runs them: a program's launches are a property of its input.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_CORES_H
#define WARPMEM_WORKLOADS_LONESTAR_CORES_H

#define LONESTAR_CORES 15

#endif
