// SPDX-License-Identifier: Apache-2.0
// The workload kmeans-global: each point to the nearest centre, all in global memory. Its addresses do not depend on data, so the
// centres stay where they are.
#include "arrays.h"

#include <cfloat>
#include <cmath>

enum { FEATURES, MEMBERSHIP, CENTRES };

__global__ void kmeans_point(const float *features, int *membership, const float *centres, int points, int clusters, int count) {
    int p = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x, nearest = -1;
    float least = FLT_MAX;
    if (p < points) {
        for (int c = 0; c < clusters; c++) {
            float distance = 0;
            for (int f = 0; f < count; f++) {
                float difference = features[p * count + f] - centres[c * count + f];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        membership[p] = nearest;
    }
}

int main(int argc, char **argv) {
    load_arrays(argv[1]);
    const int clusters = 5, count = (int)(arrays[CENTRES].bytes / 4 / clusters), points = (int)(arrays[MEMBERSHIP].bytes / 4);
    const int side = (int)ceil(sqrt((points + 255) / 256));
    for (int launches = argc > 2 ? atoi(argv[2]) : 1; launches; launches--) {
        kmeans_point<<<dim3(side, side), 256>>>(arrays[FEATURES].of<float>(), arrays[MEMBERSHIP].of<int>(), arrays[CENTRES].of<float>(), points,
                                                clusters, count);
    }
    return cudaDeviceSynchronize();
}
