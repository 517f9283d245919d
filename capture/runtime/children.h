/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches by kernels: they run when the kernel has ended, in their order, each with its own
 * children before the next. Since CUDA 12 a kernel cannot wait for its children, so it cannot tell
 * this order from another one.
 */
#ifndef WARPMEM_RUNTIME_CHILDREN_H
#define WARPMEM_RUNTIME_CHILDREN_H

/** children_run() - those of the launch that has ended. */
void children_run(void);
/** children_drop() - the launch is run again, or has failed. */
void children_drop(void);
/** children_put_aside() - the launch runs again, and its children are then those that
 * children_take_back() returns. */
void children_put_aside(void);
void children_take_back(void);

#endif
