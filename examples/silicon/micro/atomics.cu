// SPDX-License-Identifier: Apache-2.0
// Atomics of all multiprocessors, threads a cycle: on one word; on one line, a word a lane; each thread on a word of its own.
//     atomics [MULTIPROCESSORS, default the device's]
#include "measure.cuh"

enum { THREADS = 256, NEAR = 4, FAR = 12 };  // atomics of a thread in a pair's launches

__global__ void add_to_word(unsigned *word, unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        atomicAdd(word, i + 1);
    }
}

__global__ void add_to_line(unsigned *line, unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        atomicAdd(line + threadIdx.x % 32, i + 1);
    }
}

__global__ void add_to_own(unsigned *words, unsigned times) {
    unsigned *own = words + blockIdx.x * THREADS + threadIdx.x;
    for (unsigned i = 0; i < times; i++) {
        atomicAdd(own, i + 1);
    }
}

int main(int argc, char **argv) {
    const unsigned all = multiprocessors(argc, argv), threads = all * THREADS;
    unsigned *words = device_array<unsigned>(threads), first, *got = (unsigned *)malloc(threads * sizeof *got);
    const double more = (double)threads * (FAR - NEAR);
    CHECK(cudaMemset(words, 0, threads * sizeof *words));
    add_to_word<<<all, THREADS>>>(words, NEAR);
    first = launch_number();
    add_to_word<<<all, THREADS>>>(words, FAR);
    measure("atomic_word", "a cycle", more, first, launch_number());
    host_copy(got, words, 1);
    unsigned long wrong = got[0] != threads * (NEAR * (NEAR + 1) / 2 + FAR * (FAR + 1) / 2);
    add_to_line<<<all, THREADS>>>(words, NEAR);
    first = launch_number();
    add_to_line<<<all, THREADS>>>(words, FAR);
    measure("atomic_line", "a cycle", more, first, launch_number());
    CHECK(cudaMemset(words, 0, threads * sizeof *words));
    add_to_own<<<all, THREADS>>>(words, NEAR);
    first = launch_number();
    add_to_own<<<all, THREADS>>>(words, FAR);
    measure("atomic_own", "a cycle", more, first, launch_number());
    host_copy(got, words, threads);
    for (unsigned i = 0; i < threads; i++) {
        wrong += got[i] != NEAR * (NEAR + 1) / 2 + FAR * (FAR + 1) / 2;
    }
    free(got);
    return verdict("atomics", wrong);
}
