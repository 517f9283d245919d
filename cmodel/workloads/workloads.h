/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the built-in workloads, one a file below the folder of its suite.
 */
#ifndef WARPMEM_WORKLOADS_WORKLOADS_H
#define WARPMEM_WORKLOADS_WORKLOADS_H

#include "workloads/workload.h"

/* clang-format off */

/* In the order in which they are listed: by suite. */
#define WORKLOADS(W) \
    /* ccws/ */ \
    W(gc) \
    W(memc) \
    W(memc_256) \
    /* ispass/ */ \
    W(ispass_bfs) \
    W(ispass_nn) \
    W(mum) \
    W(wp) \
    /* lonestar/ */ \
    W(bh) \
    W(dmr) \
    W(lonestar_bfs) \
    W(lonestar_bfs_r4) \
    W(lonestar_bfs_road) \
    W(lonestar_bfs_worklist) \
    W(mst) \
    W(mst_grid) \
    W(sp) \
    W(sssp) \
    /* mars/ */ \
    W(iix) \
    W(pvc) \
    W(pvr) \
    W(ssc) \
    /* parboil/ */ \
    W(fft) \
    W(fft_base) \
    W(parboil_spmv) \
    W(sad) \
    W(sad_base) \
    /* polybench/ */ \
    W(2dconv) \
    W(2mm) \
    W(3dconv) \
    W(3mm) \
    W(atax) \
    W(bicg) \
    W(corr) \
    W(covar) \
    W(fdtd) \
    W(gemm) \
    W(gesummv) \
    W(gramschm) \
    W(mvt) \
    W(syr2k) \
    W(syrk) \
    /* rodinia/ */ \
    W(backprop) \
    W(backprop_unshared) \
    W(bfs_1m) \
    W(bfs_64k) \
    W(bfs_dense) \
    W(cfd) \
    W(gaussian) \
    W(hotspot) \
    W(hotspot_unshared) \
    W(kmeans) \
    W(kmeans_136) \
    W(kmeans_global) \
    W(lud) \
    W(lud_unshared) \
    W(nn) \
    W(nw) \
    W(nw_unshared) \
    W(particlefilter_float) \
    W(particlefilter_naive) \
    W(pathfinder) \
    W(pathfinder_unshared) \
    W(srad_v1) \
    W(srad_v2) \
    W(srad_v2_unshared) \
    W(streamcluster) \
    /* sdk/ */ \
    W(cons) \
    W(fwt) \
    W(hst_256) \
    W(hst_64) \
    W(hst_atomic) \
    W(hst_global) \
    W(jpeg) \
    W(scp) \
    W(scp_global) \
    W(vecadd) \
    /* shoc/ */ \
    W(spmv_scalar) \
    W(spmv_vector)

/* clang-format on */

#define WORKLOAD_DECLARATION(name) extern const struct workload workload_##name;
WORKLOADS(WORKLOAD_DECLARATION)
#undef WORKLOAD_DECLARATION

#endif
