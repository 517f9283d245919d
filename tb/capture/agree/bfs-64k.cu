// SPDX-License-Identifier: Apache-2.0
// The workload bfs-64k: two launches a level, a thread a node.
#include "arrays.h"

enum { NODE, EDGE, MASK, UPDATING, VISITED, COST, OVER };
struct node {
    int first, count;
};

__global__ void bfs_expand(const node *nodes, const int *edges, bool *mask, bool *updating, const bool *visited, int *cost, int count) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count && mask[t]) {
        mask[t] = false;
        for (int i = nodes[t].first; i < nodes[t].count + nodes[t].first; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[t] + 1;
                updating[id] = true;
            }
        }
    }
}

__global__ void bfs_advance(bool *mask, bool *updating, bool *visited, bool *over, int count) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count && updating[t]) {
        mask[t] = true;
        visited[t] = true;
        *over = true;
        updating[t] = false;
    }
}

int main(int, char **argv) {
    load_arrays(argv[1]);
    int count = (int)arrays[MASK].bytes, ctas = (count + 511) / 512;
    for (bool over = true; over;) {
        over = false;
        cudaMemcpy(arrays[OVER].at, &over, sizeof over, cudaMemcpyHostToDevice);
        bfs_expand<<<ctas, 512>>>(arrays[NODE].of<node>(), arrays[EDGE].of<int>(), arrays[MASK].of<bool>(), arrays[UPDATING].of<bool>(),
                                  arrays[VISITED].of<bool>(), arrays[COST].of<int>(), count);
        bfs_advance<<<ctas, 512>>>(arrays[MASK].of<bool>(), arrays[UPDATING].of<bool>(), arrays[VISITED].of<bool>(), arrays[OVER].of<bool>(),
                                   count);
        cudaMemcpy(&over, arrays[OVER].at, sizeof over, cudaMemcpyDeviceToHost);
    }
    return cudaDeviceSynchronize();
}
