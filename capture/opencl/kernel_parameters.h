/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters of an OpenCL kernel, as the instrumenter passes them to the runtime: the row of
 * numbers wm_parameters_NAME. After their count it has the work-group size that the kernel requires
 * (three, 0: none), then a kind and a number of bytes for each parameter.
 */
#ifndef WARPMEM_OPENCL_KERNEL_PARAMETERS_H
#define WARPMEM_OPENCL_KERNEL_PARAMETERS_H

#define KERNEL_PARAMETERS_MAX 256

enum parameter_kind {
    PARAMETER_VALUE,
    PARAMETER_BUFFER, /* __global or __constant */
    PARAMETER_LOCAL,  /* the host sets its bytes of local memory */
};

#endif
