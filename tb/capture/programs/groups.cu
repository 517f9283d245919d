// SPDX-License-Identifier: Apache-2.0
// Cooperative groups of a CTA and its warps: each kernel's results are compared with those that the host computes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <functional>
#include <vector>

namespace cg = cooperative_groups;

static int wrong;
typedef std::vector<int> Ints;

// A kernel of 2 CTAs of 16 x 6 threads, three warps each: VALUES numbers a thread.
enum { THREADS = 96, CTAS = 2, VALUES = 20 };
static void expect(const char *name, void (*kernel)(const int *, int *), const std::function<int(const Ints &, int, int, int)> &want,
                   int values) {
    const int count = THREADS * CTAS * VALUES;
    Ints in(THREADS * CTAS), got(count);
    int *from, *to;
    for (int i = 0; i < (int)in.size(); i++) {
        in[i] = i * i % 23 - 4;
    }
    cudaMalloc(&from, in.size() * sizeof(int));
    cudaMalloc(&to, count * sizeof(int));
    cudaMemcpy(from, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(to, 0, count * sizeof(int));
    kernel<<<CTAS, dim3(16, 6)>>>(from, to);
    cudaMemcpy(got.data(), to, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    for (int t = 0; t < THREADS * CTAS; t++) {
        for (int v = 0; v < values; v++) {
            const int should = want(in, t / THREADS, t % THREADS, v), is = got[t * VALUES + v];
            if (is != should) {
                printf("%s: thread %d, value %d: %d, and not %d\n", name, t, v, is, should);
                wrong = 1;
                return;
            }
        }
    }
}

static __device__ int thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x); }

// A CTA, as itself and as any group.
static __device__ int turn(const cg::thread_group &g, int *shared, int v) {
    const int rank = (int)g.thread_rank(), size = (int)g.size();
    shared[rank] = v;
    g.sync();
    const int other = shared[size - 1 - rank];
    g.sync();
    return other;
}
__global__ void whole(const int *in, int *out) {
    __shared__ int shared[THREADS];
    cg::thread_block cta = cg::this_thread_block();
    int t = thread(), *o = out + t * VALUES;
    o[0] = cta.thread_rank();
    o[1] = cta.size() + 1000 * cta.num_threads();
    o[2] = cta.group_index().x;
    o[3] = cta.thread_index().x + 100 * cta.thread_index().y;
    o[4] = cta.group_dim().x + 100 * cta.dim_threads().y;
    o[5] = turn(cta, shared, in[t]);
    shared[THREADS - 1 - o[0]] = in[t];
    cg::sync(cta);
    o[6] = shared[o[0]];
    cta.barrier_wait(cta.barrier_arrive());
    o[7] = (int)cg::thread_rank(cta) + (int)cg::group_size(cta) + cg::is_valid(cta);
}
static int whole_want(const Ints &in, int cta, int t, int v) {
    const int other = in[cta * THREADS + THREADS - 1 - t];
    const int want[] = {t, THREADS * 1001, cta, t % 16 + t / 16 * 100, 16 + 600, other, other, t + THREADS + 1};
    return want[v];
}

// Tiles of a fixed size.
template <int SIZE> __global__ void tiles(const int *in, int *out) {
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    cg::thread_block_tile<SIZE> plain = tile;
    int t = thread(), *o = out + t * VALUES, v = in[t], all;
    o[0] = tile.thread_rank() + 100 * tile.size() + 10000 * plain.num_threads();
    o[1] = tile.meta_group_rank() + 100 * tile.meta_group_size();
    o[2] = tile.shfl(v, SIZE / 2);
    o[3] = tile.shfl_up(v, 1);
    o[4] = tile.shfl_down(v, 2);
    o[5] = plain.shfl_xor(v, SIZE / 2);
    o[6] = tile.any(v == 3) + 2 * tile.all(v > -4) + 4 * plain.any(v > 100);
    o[7] = (int)tile.ballot(v & 1);
    o[8] = (int)tile.match_any(v & 3);
    o[9] = (int)tile.match_all(v > 100, all) + all;
    o[10] = (int)plain.match_all(v & 3, all) + all;
    tile.sync();
    const double half = tile.shfl(v + 0.5, 0);
    o[11] = (int)(2 * half);
    const char letter = tile.shfl((char)('a' + t % SIZE % 20), SIZE - 1);
    const float4 four = tile.shfl(make_float4(v, t, 2, 3), 0);
    o[12] = letter + 1000 * (int)(four.x + four.y + four.w);
}
template <int SIZE> static int tiles_want(const Ints &in, int cta, int t, int v) {
    const int first = t / SIZE * SIZE, rank = t % SIZE, *tile = &in[cta * THREADS + first];
    int any = 0, all = 1;
    unsigned odd = 0, same = 0, mask = SIZE == 32 ? 0xffffffffu : (1u << SIZE) - 1;
    for (int i = 0; i < SIZE; i++) {
        any |= tile[i] == 3;
        all &= tile[i] > -4;
        odd |= (unsigned)(tile[i] & 1) << i;
        same |= (unsigned)((tile[i] & 3) == (tile[rank] & 3)) << i;
    }
    const int want[] = {rank + 100 * SIZE + 10000 * SIZE,
                        t / SIZE + 100 * (THREADS / SIZE),
                        tile[SIZE / 2],
                        tile[rank ? rank - 1 : 0],
                        tile[rank + 2 < SIZE ? rank + 2 : rank],
                        tile[rank ^ SIZE / 2],
                        any + 2 * all,
                        (int)odd,
                        (int)same,
                        (int)(mask + 1),
                        same == mask ? (int)(mask + 1) : 0,
                        2 * tile[0] + 1,
                        'a' + (SIZE - 1) % 20 + 1000 * (tile[0] + cta * THREADS + first + 3)};
    return want[v];
}

// Tiles of tiles, and of a size that is known at run time.
__global__ void nested(const int *in, int *out) {
    auto cta = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(cta);
    auto part = cg::tiled_partition<4>(cg::tiled_partition<16>(warp));
    int t = thread(), *o = out + t * VALUES;
    o[0] = part.thread_rank() + 100 * part.meta_group_rank() + 1000 * part.meta_group_size() + 10000 * part.shfl(t, 0);
    cg::thread_group run = cg::tiled_partition(cta, in[THREADS - 1] + 3), deep = cg::tiled_partition(run, 2);
    o[1] = (int)run.thread_rank() + 100 * (int)run.num_threads();
    run.sync();
    o[2] = (int)deep.thread_rank() + 100 * (int)deep.size();
    cg::thread_group any = warp;
    o[3] = (int)any.thread_rank() + 100 * (int)any.size();
    any.sync();
}
static int nested_want(const Ints &in, int cta, int t, int v) {
    const int size = in[THREADS - 1] + 3, global = cta * THREADS + t;
    const int want[] = {t % 4 + 100 * (t % 16 / 4) + 4000 + 10000 * (global / 4 * 4), t % size + 100 * size, t % 2 + 200, t % 32 + 3200};
    return want[v];
}

// The lanes that a branch leaves together: in it, in a loop that they leave one after another, behind both.
__global__ void together(const int *in, int *out) {
    int t = thread(), *o = out + t * VALUES, v = in[t], all;
    if (v % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        o[0] = g.thread_rank() + 100 * g.size() + 10000 * g.num_threads() + 1000000 * g.meta_group_size() + g.meta_group_rank();
        o[1] = g.shfl(v, 1);
        o[2] = g.shfl_up(v, 1);
        o[3] = g.shfl_down(v, 2);
        o[4] = g.any(v == 3) + 2 * g.all(v > -4);
        o[5] = (int)g.ballot(v & 1);
        o[6] = (int)g.match_any(v & 3) + 7 * (int)g.match_all(1, all) + all;
        g.sync();
        cg::coalesced_group four = cg::tiled_partition(g, 4);
        o[7] = four.thread_rank() + 100 * four.size() + 1000 * four.meta_group_rank() + 10000 * four.meta_group_size();
        cg::thread_group any = g;
        o[8] = (int)any.thread_rank() + 100 * (int)any.size();
    } else {
        o[9] = cg::coalesced_threads().size();
    }
    int sum = 0;
    for (int i = 0; i < t % 5; i++) {
        sum += cg::coalesced_threads().size() << 6 * i;
    }
    o[10] = sum;
    o[11] = cg::coalesced_threads().size();
}
static int together_want(const Ints &in, int cta, int t, int v) {
    const int *warp = &in[cta * THREADS + t / 32 * 32], own = warp[t % 32];
    Ints chosen;
    int rank = 0, sum = 0;
    for (int i = 0; i < 32; i++) {
        if (warp[i] % 3 == 0) {
            rank += i < t % 32;
            chosen.push_back(warp[i]);
        }
    }
    for (int i = 0; i < (cta * THREADS + t) % 5; i++) {
        for (int l = 0; l < 32; l++) {
            sum += (int)((cta * THREADS + t / 32 * 32 + l) % 5 > i) << 6 * i;
        }
    }
    if (v == 10 || v == 11) {
        return v == 10 ? sum : 32;
    }
    const int size = (int)chosen.size();
    if (own % 3 != 0) {
        return v == 9 ? 32 - size : 0;
    }
    int any = 0, all = 1, odd = 0, same = 0;
    for (int i = 0; i < size; i++) {
        any |= chosen[i] == 3;
        all &= chosen[i] > -4;
        odd |= (chosen[i] & 1) << i;
        same |= ((chosen[i] & 3) == (own & 3)) << i;
    }
    const int four = rank / 4, of_four = size - four * 4 < 4 ? size - four * 4 : 4;
    const int want[] = {rank + 10100 * size + 1000000,
                        chosen[1],
                        chosen[rank ? rank - 1 : 0],
                        chosen[rank + 2 < size ? rank + 2 : rank],
                        any + 2 * all,
                        odd,
                        same + 7 * ((1 << size) - 1) + 1,
                        rank % 4 + 100 * of_four + 1000 * four + 10000 * ((size + 3) / 4),
                        rank + 100 * size,
                        0};
    return want[v];
}

// Parts by a value.
__global__ void parts(const int *in, int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    int t = thread(), *o = out + t * VALUES, v = in[t];
    cg::coalesced_group by_label = cg::labeled_partition(warp, v % 4), by_bit = cg::binary_partition(half, v > 5);
    o[0] = by_label.thread_rank() + 100 * by_label.size();
    o[1] = by_bit.thread_rank() + 100 * by_bit.size() + 1000 * by_bit.meta_group_size();
    o[2] = cg::binary_partition(by_label, v > 5).size() + 100 * cg::labeled_partition(by_bit, (long long)v & 1).size();
    o[3] = cg::reduce(by_label, v, cg::plus<int>());
}
static int parts_want(const Ints &in, int cta, int t, int v) {
    const int *all = &in[cta * THREADS], own = all[t];
    int label = 0, label_rank = 0, bit = 0, bit_rank = 0, label_bit = 0, bit_label = 0, sum = 0;
    for (int i = 0; i < THREADS; i++) {
        const bool same_label = i / 32 == t / 32 && all[i] % 4 == own % 4, same_bit = (all[i] > 5) == (own > 5);
        label += same_label;
        sum += same_label ? all[i] : 0;
        label_rank += same_label && i < t;
        label_bit += same_label && same_bit;
        const bool same_half = i / 16 == t / 16 && same_bit;
        bit += same_half;
        bit_rank += same_half && i < t;
        bit_label += same_half && (all[i] & 1) == (own & 1);
    }
    const int want[] = {label_rank + 100 * label, bit_rank + 100 * bit + 2000, label_bit + 100 * bit_label, sum};
    return want[v];
}

// Reductions and scans, over tiles and over lanes of a branch.
struct Pair {
    int most, count;
};
template <class G> static __device__ void combine(const G &g, int v, int *o) {
    o[0] = cg::reduce(g, v, cg::plus<int>());
    o[1] = cg::reduce(g, v, cg::less<int>()) + 100 * cg::reduce(g, v, cg::greater<int>());
    o[2] = cg::reduce(g, v + 8, cg::bit_and<int>()) + 100 * cg::reduce(g, v + 8, cg::bit_or<int>()) +
           10000 * cg::reduce(g, v + 8, cg::bit_xor<int>());
    o[3] = cg::inclusive_scan(g, v) + 1000 * cg::exclusive_scan(g, v);
    o[4] = cg::inclusive_scan(g, v, cg::greater<int>());
    const int before = cg::exclusive_scan(g, v, cg::less<int>());
    o[5] = before == 0x7fffffff ? 77 : before;
    const Pair p = cg::reduce(g, Pair{v, 1}, [](Pair a, Pair b) {
        return Pair{a.most > b.most ? a.most : b.most, a.most == b.most ? a.count + b.count : a.most > b.most ? a.count : b.count};
    });
    o[6] = p.most + 100 * p.count;
    o[7] = (int)(2 * cg::reduce(g, v + 0.25, cg::plus<double>()));
}
__global__ void combined(const int *in, int *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = thread(), v = in[t], *o = out + t * VALUES;
    combine(tile, v, o);
    if (v % 3 == 0) {
        combine(cg::coalesced_threads(), v, o + 8);
    }
}
static int combined_want(const Ints &in, int cta, int t, int v) {
    const int *all = &in[cta * THREADS];
    Ints of;
    int rank = 0;
    for (int i = 0; i < THREADS; i++) {
        if (v < 8 ? i / 8 == t / 8 : i / 32 == t / 32 && all[i] % 3 == 0) {
            rank += i < t;
            of.push_back(all[i]);
        }
    }
    if (v >= 8 && all[t] % 3 != 0) {
        return 0;
    }
    int sum = 0, least = 1000, most = -1000, bits_and = -1, bits_or = 0, bits_xor = 0, count = 0, before = 0, most_to = -1000, least_before = 77;
    for (int i = 0; i < (int)of.size(); i++) {
        sum += of[i];
        before += i < rank ? of[i] : 0;
        least = of[i] < least ? of[i] : least;
        least_before = i < rank && of[i] < least_before ? of[i] : least_before;
        most_to = i <= rank && of[i] > most_to ? of[i] : most_to;
        count = of[i] > most ? 1 : count + (of[i] == most);
        most = of[i] > most ? of[i] : most;
        bits_and &= of[i] + 8;
        bits_or |= of[i] + 8;
        bits_xor ^= of[i] + 8;
    }
    const int want[] = {sum, least + 100 * most, bits_and + 100 * bits_or + 10000 * bits_xor, before + all[t] + 1000 * before, most_to,
                        least_before, most + 100 * count, (int)(2 * (sum + 0.25 * (double)of.size()))};
    return want[v % 8];
}

// Copies by a CTA and by tiles, in pieces of 16, 4 and 1 bytes.
__global__ void copies(const int *in, int *out) {
    __shared__ __align__(16) int shared[3 * THREADS];
    auto cta = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(cta);
    const int t = thread(), rank = cta.thread_rank(), first = rank / 16 * 16;
    const int *from = in + blockIdx.x * THREADS;
    cg::memcpy_async(cta, shared, from, sizeof(int) * THREADS);
    cg::memcpy_async(tile, shared + THREADS + first, 15, from + first + 1, 20);
    cg::wait_prior<1>(cta);
    cg::memcpy_async(cta, (char *)(shared + 2 * THREADS) + 1, (const char *)from + 1, 4 * THREADS - 2);
    cg::wait(cta);
    int *o = out + t * VALUES;
    o[0] = shared[(rank + 5) % THREADS];
    o[1] = rank % 16 < 15 ? shared[THREADS + rank] : 0;
    o[2] = rank > 0 && rank < THREADS - 1 ? shared[2 * THREADS + rank] : 0;
    cg::invoke_one(tile, [&] { o[3] = 7; });
    o[4] = cg::invoke_one_broadcast(tile, [&](int add) { return rank + add; }, 3);
}
static int copies_want(const Ints &in, int cta, int t, int v) {
    const int *from = &in[cta * THREADS];
    const int want[] = {from[(t + 5) % THREADS], t % 16 < 15 ? from[t + 1] : 0, t > 0 && t < THREADS - 1 ? from[t] : 0, t % 16 ? 0 : 7, t / 16 * 16 + 3};
    return want[v];
}

// Tiles of several warps; the second half of the CTA meets more often than the first.
enum { MANY = 256 };
template <int SIZE> __global__ void warps(const int *in, int *out) {
    __shared__ cg::block_tile_memory<MANY> memory;
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block(memory));
    const int t = threadIdx.x, v = in[t];
    int *o = out + 8 * t;
    o[0] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
    o[1] = cg::reduce(tile, v, cg::plus<int>());
    o[2] = tile.any(v == 18) + 2 * tile.all(v > -5);
    o[3] = tile.shfl(v, SIZE - 3);
    for (int i = 0; i < 2 * tile.meta_group_rank(); i++) {
        o[4] += cg::reduce(tile, v + i, cg::greater<int>());
    }
    cg::thread_group any = tile;
    any.sync();
    o[5] = (int)any.thread_rank() + 1000 * (int)any.size();
    o[6] = cg::reduce(cg::tiled_partition<SIZE / 2>(tile), v, cg::plus<int>());
}
template <int SIZE> static void try_warps() {
    Ints in(MANY), got(8 * MANY), want(8 * MANY);
    int *from, *to;
    for (int t = 0; t < MANY; t++) {
        in[t] = t * t % 23 - 4;
    }
    cudaMalloc(&from, MANY * sizeof(int));
    cudaMalloc(&to, 8 * MANY * sizeof(int));
    cudaMemcpy(from, in.data(), MANY * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(to, 0, 8 * MANY * sizeof(int));
    warps<SIZE><<<1, MANY>>>(from, to);
    cudaMemcpy(got.data(), to, 8 * MANY * sizeof(int), cudaMemcpyDeviceToHost);
    for (int t = 0; t < MANY; t++) {
        const int first = t / SIZE * SIZE, turns = 2 * (t / SIZE);
        int *w = &want[8 * t], most = -100, any = 0, all = 1;
        for (int i = first; i < first + SIZE; i++) {
            w[1] += in[i];
            w[6] += i / (SIZE / 2) == t / (SIZE / 2) ? in[i] : 0;
            any |= in[i] == 18;
            all &= in[i] > -5;
            most = in[i] > most ? in[i] : most;
        }
        w[0] = t % SIZE + 1000 * (t / SIZE) + 10000 * (MANY / SIZE);
        w[2] = any + 2 * all;
        w[3] = in[first + SIZE - 3];
        w[4] = turns * most + turns * (turns - 1) / 2;
        w[5] = t % SIZE + 1000 * SIZE;
    }
    for (int i = 0; i < 8 * MANY && !wrong; i++) {
        if (got[i] != want[i]) {
            printf("warps<%d>: thread %d, value %d: %d, and not %d\n", SIZE, i / 8, i % 8, got[i], want[i]);
            wrong = 1;
        }
    }
}

// Sums by shuffles over lanes of which a part is not there.
__global__ void partial(const int *in, int *out) {
    const int t = threadIdx.x;
    out[2 * t] = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), in[t], cg::plus<int>());
    if (t < 5) {
        int sum = in[t];
        for (int offset = 16; offset; offset /= 2) {
            sum += __shfl_down_sync(0x1f, sum, offset);
        }
        out[2 * t + 1] = sum;
    }
}
static void try_partial() {
    Ints in(12), got(24);
    int *from, *to, all = 0, five = 0;
    for (int t = 0; t < 12; t++) {
        in[t] = t * t + 1;
        all += in[t];
        five += t < 5 ? in[t] : 0;
    }
    cudaMalloc(&from, 12 * sizeof(int));
    cudaMalloc(&to, 24 * sizeof(int));
    cudaMemcpy(from, in.data(), 12 * sizeof(int), cudaMemcpyHostToDevice);
    partial<<<1, 12>>>(from, to);
    cudaMemcpy(got.data(), to, 24 * sizeof(int), cudaMemcpyDeviceToHost);
    if (got[0] != all || got[1] != five) {
        printf("partial: %d, %d, and not %d, %d\n", got[0], got[1], all, five);
        wrong = 1;
    }
}

int main() {
    expect("whole", whole, whole_want, 8);
    expect("tiles<32>", tiles<32>, tiles_want<32>, 13);
    expect("tiles<8>", tiles<8>, tiles_want<8>, 13);
    expect("tiles<4>", tiles<4>, tiles_want<4>, 13);
    expect("nested", nested, nested_want, 4);
    expect("together", together, together_want, 12);
    expect("parts", parts, parts_want, 4);
    expect("combined", combined, combined_want, 16);
    expect("copies", copies, copies_want, 5);
    try_warps<64>();
    try_warps<256>();
    try_partial();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
