// SPDX-License-Identifier: Apache-2.0
// Searches in a tree whose nodes have 32 keys: a warp looks for one key, and its lanes compare it with a node's keys at once. Bound by the latency
// of dependent loads; upper levels hit in the caches.
//     tree_search [QUERIES, default 65536] [LEVELS, default 4]
#include "example.cuh"

enum { ORDER = 32, THREADS = 256 };

// Node i of a level begins at i * ORDER of it, and its child k is node i * ORDER + k of the next one. A key is the least of its child.
__global__ void search_tree(const unsigned *keys, unsigned levels, const unsigned *queries, unsigned count, unsigned *found) {
    const unsigned query = (blockIdx.x * THREADS + threadIdx.x) / ORDER, lane = threadIdx.x % ORDER;
    if (query >= count) {
        return;
    }
    const unsigned wanted = queries[query];
    const unsigned *level = keys;
    unsigned node = 0, nodes = 1;
    for (unsigned i = 0; i < levels; i++) {
        const unsigned lanes = __ballot_sync(0xffffffffu, level[(size_t)node * ORDER + lane] <= wanted);
        level += (size_t)nodes * ORDER;
        nodes *= ORDER;
        node = node * ORDER + (31 - __clz(lanes));
    }
    if (lane == 0) {
        found[query] = node;
    }
}

int main(int argc, char **argv) {
    const unsigned count = argument(argc, argv, 1, 1u << 16, 1, 1u << 24), levels = argument(argc, argv, 2, 4, 1, 5);
    unsigned leaves = 1, total = 0, state = 3;
    for (unsigned i = 0; i < levels; i++) {
        leaves *= ORDER;
        total += leaves;
    }
    unsigned *keys = (unsigned *)malloc(total * sizeof *keys), *at = keys;
    for (unsigned size = ORDER; size <= leaves && size; size *= ORDER) {  // a leaf's key is three times its number
        for (unsigned i = 0; i < size; i++) {
            *at++ = 3 * (i * (leaves / size));
        }
    }
    unsigned *queries = (unsigned *)malloc(count * sizeof *queries), *got = (unsigned *)malloc(count * sizeof *got);
    for (unsigned i = 0; i < count; i++) {
        queries[i] = draw(&state) % (3 * leaves);
    }
    unsigned *found = device_array<unsigned>(count);
    search_tree<<<(count * ORDER + THREADS - 1) / THREADS, THREADS>>>(device_copy(keys, total), levels, device_copy(queries, count), count, found);
    CHECK_LAUNCH();
    host_copy(got, found, count);
    unsigned long wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        wrong += got[i] != queries[i] / 3;
    }
    free(keys);
    free(queries);
    free(got);
    return verdict("tree_search", wrong);
}
