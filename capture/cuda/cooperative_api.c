/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches whose CTAs are live together.
 */
#include "cuda/errors.h"
#include "runtime/capture.h"
#include "runtime/occupancy.h"

#define COOPERATIVE_LAUNCH_TOO_LARGE 720

API(cudaLaunchCooperativeKernel, const void *stub, struct size3 grid, struct size3 block,
    void **arguments, size_t shared, void *stream) {
    struct kernel *k = kernel_find(stub);
    (void)stream;
    if (!k) {
        return note_error(INVALID_FUNCTION);
    }
    if (!launch_is_possible(grid, block, shared)) {
        return note_error(INVALID_CONFIGURATION);
    }
    const uint64_t ctas = (uint64_t)grid.x * grid.y * grid.z;
    if (ctas > DEVICE_MULTIPROCESSORS * occupancy_ctas(k, block.x * block.y * block.z, shared)) {
        return note_error(COOPERATIVE_LAUNCH_TOO_LARGE);
    }
    return note_error(launch_run_whole(k, grid, block, arguments, shared) ? SUCCESS : NO_MEMORY);
}
