/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels launch: it runs when they have ended, in the order of the launches, each with its own
 * children before the next. Since CUDA 12 a kernel cannot wait for its children, so no order
 * shows it more.
 */
#ifndef WARPMEM_RUNTIME_CHILDREN_H
#define WARPMEM_RUNTIME_CHILDREN_H

/** children_run() - those of the launch that has ended. */
void children_run(void);
/** children_drop() - the launch is run again, or has failed. */
void children_drop(void);

#endif
