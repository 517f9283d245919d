/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of a built-in workload, as `warpmem workload-data` has written them, in device memory:
 * all of them, in its order, so that they lie as far apart as there.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

struct array {
    void *at;
    size_t bytes;
    template <class T> T *of() const {
        return (T *)at;
    }
};

static std::vector<array> arrays;

static void load_arrays(const char *folder) {
    for (int n = 0;; n++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%d.bin", folder, n);
        FILE *f = fopen(path, "rb");
        if (!f) {
            break;
        }
        fseek(f, 0, SEEK_END);
        std::vector<char> bytes(ftell(f));
        rewind(f);
        array a = {NULL, bytes.size()};
        if (fread(bytes.data(), 1, bytes.size(), f) != bytes.size() ||
            cudaMalloc(&a.at, a.bytes) != cudaSuccess) {
            fprintf(stderr, "%s: cannot be loaded\n", path);
            exit(1);
        }
        cudaMemcpy(a.at, bytes.data(), a.bytes, cudaMemcpyHostToDevice);
        arrays.push_back(a);
        fclose(f);
    }
    if (arrays.empty()) {
        fprintf(stderr, "%s: has no arrays\n", folder);
        exit(1);
    }
}
