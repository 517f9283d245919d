// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, a thread a node, two launches a level, for warpmem capture:
//
//     warpmem-cc bfs.cu -o bfs
//     warpmem capture -o bfs.wtr -- ./bfs NODES DEGREE [GRAPH [TEST]]
//     warpmem compare bfs.wtr --preset quadro-daws --schemes gto,best-swl,daws-detected
//
// NODES have DEGREE edges each on average. GRAPH: random, both directions of each edge (default); directed, one direction; near, to one of
// 256 nodes around; skewed, half of the edges go to a hundredth of the nodes. TEST: kept, start and end of a node's list stay
// in registers (default); again, each trip loads them, as older compilers' code may.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <bool AGAIN>
__global__ void expand(int nodes, const int *first, const int *edge, char *mask, char *updating, const char *visited, int *cost) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || !mask[node]) {
        return;
    }
    mask[node] = 0;
    for (int i = first[node], end = first[node + 1]; i < (AGAIN ? first[node + 1 + (i < 0)] : end); i++) {
        int to = edge[i];
        if (!visited[to]) {
            cost[to] = cost[node] + 1;
            updating[to] = 1;
        }
    }
}

__global__ void advance(int nodes, char *mask, char *updating, char *visited, int *over) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes && updating[node]) {
        mask[node] = visited[node] = 1;
        updating[node] = 0;
        *over = 1;
    }
}

template <class T> static T *on_device(const std::vector<T> &host) {
    T *device;
    if (cudaMalloc(&device, host.size() * sizeof(T)) != cudaSuccess) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

static unsigned random_below(unsigned limit) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % limit;
}

// Lists of neighbours, one after another.
static void make_graph(int nodes, int degree, const char *graph, std::vector<int> &first, std::vector<int> &edge) {
    const bool both = strcmp(graph, "directed") != 0;
    std::vector<std::vector<int>> list(nodes);
    const long long edges = (long long)nodes * degree / (both ? 2 : 1);
    for (long long e = 0; e < edges; e++) {
        int from = e < nodes - 1 ? (int)e + 1 : random_below(nodes), to = random_below(nodes);
        if (!strcmp(graph, "near")) {
            to = from + (int)random_below(257) - 128;
            to = to < 0 ? 0 : to >= nodes ? nodes - 1 : to;
        } else if (!strcmp(graph, "skewed") && random_below(2)) {
            to = random_below(nodes / 100 + 1);
        }
        if (e < nodes - 1 && both && strcmp(graph, "near")) {
            to = random_below(from); // a tree, so that all is reached
        }
        list[from].push_back(to);
        if (both) {
            list[to].push_back(from);
        }
    }
    first.assign(1, 0);
    for (const std::vector<int> &of : list) {
        edge.insert(edge.end(), of.begin(), of.end());
        first.push_back((int)edge.size());
    }
}

static int search(int nodes, const std::vector<int> &first, const std::vector<int> &edge, std::vector<int> &cost) {
    std::vector<int> queue(1, 0);
    cost.assign(nodes, -1);
    cost[0] = 0;
    for (size_t at = 0; at < queue.size(); at++) {
        for (int i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            if (cost[edge[i]] < 0) {
                cost[edge[i]] = cost[queue[at]] + 1;
                queue.push_back(edge[i]);
            }
        }
    }
    return (int)queue.size();
}

int main(int argc, char **argv) {
    const int nodes = argc > 1 ? atoi(argv[1]) : 65536, degree = argc > 2 ? atoi(argv[2]) : 6;
    const char *graph = argc > 3 ? argv[3] : "random";
    const bool again = argc > 4 && !strcmp(argv[4], "again");
    if (nodes < 2 || degree < 2) {
        fprintf(stderr, "bfs: NODES and DEGREE must be 2 or more\n");
        return 2;
    }
    std::vector<int> first, edge, cost(nodes, -1), right;
    std::vector<char> mask(nodes), updating(nodes), visited(nodes);
    make_graph(nodes, degree, graph, first, edge);
    cost[0] = 0;
    mask[0] = visited[0] = 1;
    int *d_first = on_device(first), *d_edge = on_device(edge), *d_cost = on_device(cost);
    char *d_mask = on_device(mask), *d_updating = on_device(updating), *d_visited = on_device(visited);
    std::vector<int> over(1, 1);
    int *d_over = on_device(over), levels = 0;
    for (; over[0]; levels++) {
        over[0] = 0;
        cudaMemcpy(d_over, over.data(), sizeof(int), cudaMemcpyHostToDevice);
        (again ? expand<true> : expand<false>)<<<(nodes + 511) / 512, 512>>>(nodes, d_first, d_edge, d_mask, d_updating, d_visited, d_cost);
        advance<<<(nodes + 511) / 512, 512>>>(nodes, d_mask, d_updating, d_visited, d_over);
        cudaMemcpy(over.data(), d_over, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(cost.data(), d_cost, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    int reached = search(nodes, first, edge, right);
    if (cost != right) {
        printf("distances differ\n");
        return 1;
    }
    printf("%d nodes, %zu edges, %d levels, %d reached: right\n", nodes, edge.size(), levels, reached);
    return 0;
}
