// SPDX-License-Identifier: Apache-2.0
//
// One block's Verilated class with one parameter set, as a struct rtl_block. Compiled once a set
// with
//   MODEL          Verilator's class               Vmrpb_small
//   MODEL_H        its header                      "Vmrpb_small.h"
//   PORTS_H        the port list                   "l1/mrpb_ports.h"
//   BLOCK, LIST    C name and the lists' prefix    mrpb, MRPB
//   SET            the parameter set               small
// and everything about ports comes from the list. The only C++ of the project.
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "verilated.h"
#include MODEL_H
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include PORTS_H
#include "cosim/rtl_block.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

using params_t = struct JOIN(BLOCK, _params);
using in_t = struct JOIN(BLOCK, _in);
using out_t = struct JOIN(BLOCK, _out);

namespace {

// The values of this set, known to the compiler so that widths and loops fold.
// Parameters that the C block alone has are 0.
#define SET_PARAMS(name, ...) [[maybe_unused]] constexpr params_t params_##name{__VA_ARGS__};
#define SET_VALUES(name, ...) \
    [[maybe_unused]] const unsigned values_##name[sizeof(params_t) / sizeof(unsigned)] = {__VA_ARGS__};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
JOIN(LIST, _SETS)
(SET_PARAMS) JOIN(LIST, _SETS)(SET_VALUES)
#pragma GCC diagnostic pop

    // Scalars: Verilator's CData to QData and the list's C type hold the same number.
    template <class To, class From>
    void put_scalar(To &to, From from) {
    to = static_cast<To>(from);
}
template <class To, class From> void get_scalar(const From &from, To &to) {
    to = static_cast<To>(from);
}

// Wide ports: VlWide in words of 32 bits, or CData to QData if the parameters make them narrow.
template <std::size_t N> void put_wide(VlWide<N> &to, const std::uint64_t *from, unsigned) {
    for (std::size_t i = 0; i < N; i++) {
        to[i] = static_cast<EData>(from[i / 2] >> 32 * (i % 2));
    }
}
template <class To> void put_wide(To &to, const std::uint64_t *from, unsigned) {
    to = static_cast<To>(*from);
}
template <std::size_t N> void get_wide(const VlWide<N> &from, std::uint64_t *to, unsigned words) {
    for (unsigned i = 0; i < words; i++) {
        std::uint64_t high = 2 * i + 1 < N ? from[2 * i + 1] : 0;
        to[i] = 2 * i < N ? from[2 * i] | high << 32 : 0;
    }
}
template <class From> void get_wide(const From &from, std::uint64_t *to, unsigned words) {
    std::memset(to, 0, words * sizeof *to);
    *to = from;
}

// Vectors: flat in Verilog, element 0 lowest.
template <class Flat, class Element>
void put_vector(Flat &to, const Element *from, unsigned count, unsigned bits) {
    constexpr unsigned words = (sizeof(Flat) + 7) / 8;
    std::uint64_t flat[words + 1] = {};
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i * bits;
        std::uint64_t value = from[i];
        flat[at / 64] |= value << at % 64;
        if (at % 64 + bits > 64) {
            flat[at / 64 + 1] |= value >> (64 - at % 64);
        }
    }
    put_wide(to, flat, words);
}
template <class Flat, class Element>
void get_vector(const Flat &from, Element *to, unsigned count, unsigned bits) {
    constexpr unsigned words = (sizeof(Flat) + 7) / 8;
    std::uint64_t flat[words + 1] = {};
    get_wide(from, flat, words);
    std::uint64_t mask = bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i * bits;
        std::uint64_t value = flat[at / 64] >> at % 64;
        if (at % 64 + bits > 64) {
            value |= flat[at / 64 + 1] << (64 - at % 64);
        }
        to[i] = static_cast<Element>(value & mask);
    }
}

// A combinational block has no clk_i.
template <class Model> auto put_clock(Model &m, int level, int) -> decltype(m.clk_i, void()) {
    m.clk_i = static_cast<CData>(level);
}
template <class Model> void put_clock(Model &, int, long) {}

#define PUT(kind, ...) PUT_##kind(__VA_ARGS__)
#define PUT_IN(type, name, bits, meaning) put_scalar(m.name##_i, in->name);
#define PUT_IN_LATE(type, name, bits, meaning) put_scalar(m.name##_i, in->name);
#define PUT_IN_WIDE(words, name, bits, meaning) put_wide(m.name##_i, in->name, words);
#define PUT_IN_VEC(type, max, name, count, bits, meaning) \
    put_vector(m.name##_i, in->name, count, bits);
#define PUT_OUT(type, name, bits, when, meaning)
#define PUT_OUT_WIDE(words, name, bits, when, meaning)
#define PUT_OUT_VEC(type, max, name, count, bits, when, meaning)

#define GET(kind, ...) GET_##kind(__VA_ARGS__)
#define GET_IN(type, name, bits, meaning)
#define GET_IN_LATE(type, name, bits, meaning)
#define GET_IN_WIDE(words, name, bits, meaning)
#define GET_IN_VEC(type, max, name, count, bits, meaning)
#define GET_OUT(type, name, bits, when, meaning) get_scalar(m.name##_o, out->name);
#define GET_OUT_WIDE(words, name, bits, when, meaning) \
    get_wide(m.name##_o, out->name, ((bits) + 63) / 64);
#define GET_OUT_VEC(type, max, name, count, bits, when, meaning) \
    get_vector(m.name##_o, out->name, count, bits);

struct Instance {
    VerilatedContext context;
    std::unique_ptr<MODEL> model;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave;
#endif
};

// Between two calls of comb the clock is high, so that an inner dump rises where a cycle begins.
void *create(std::uint64_t seed) {
    std::unique_ptr<Instance> s{new (std::nothrow) Instance};
    if (!s) {
        return nullptr;
    }
    s->context.randReset(2);
    s->context.randSeed(static_cast<int>((seed ^ seed >> 31) & 0x7fffffff) | 1);
#if VM_TRACE
    s->context.traceEverOn(true);
#endif
    s->model.reset(new (std::nothrow) MODEL{&s->context, "rtl"});
    if (!s->model) {
        return nullptr;
    }
    put_clock(*s->model, 1, 0);
    s->model->eval();
    return s.release();
}

void destroy(void *self) {
    auto *s = static_cast<Instance *>(self);
    if (s) {
        s->model->final();
    }
    delete s;
}

void comb(void *self, const void *input, void *output) {
    MODEL &m = *static_cast<Instance *>(self)->model;
    [[maybe_unused]] const params_t *p = &JOIN(params_, SET);
    const auto *in = static_cast<const in_t *>(input);
    auto *out = static_cast<out_t *>(output);
    JOIN(LIST, _PORTS)(PUT) m.eval();
    JOIN(LIST, _PORTS)(GET)
}

#if VM_TRACE
void edge(void *self, std::uint64_t cycle) {
    auto *s = static_cast<Instance *>(self);
    if (s->wave) {
        s->wave->dump(cycle * WAVE_CYCLE);
    }
    put_clock(*s->model, 0, 0);
    s->model->eval();
    if (s->wave) {
        s->wave->dump(cycle * WAVE_CYCLE + WAVE_CYCLE / 2);
    }
    put_clock(*s->model, 1, 0);
    s->model->eval();
}

void wave_close(void *self) {
    auto *s = static_cast<Instance *>(self);
    if (s->wave) {
        s->wave->close();
        s->wave.reset();
    }
}

bool wave_open(void *self, const char *path) {
    auto *s = static_cast<Instance *>(self);
    wave_close(self);
    s->wave.reset(new (std::nothrow) VerilatedFstC);
    if (!s->wave) {
        return false;
    }
    s->context.timeunit(-9);
    s->context.timeprecision(-9);
    s->model->trace(s->wave.get(), 99);
    s->wave->open(path);
    if (!s->wave->isOpen()) {
        s->wave.reset();
        return false;
    }
    return true;
}
#else
void edge(void *self, std::uint64_t) {
    auto *s = static_cast<Instance *>(self);
    put_clock(*s->model, 0, 0);
    s->model->eval();
    put_clock(*s->model, 1, 0);
    s->model->eval();
}
void wave_close(void *) {}
bool wave_open(void *, const char *) {
    return false;
}
#endif

bool coverage_write(void *self, const char *path) {
#if VM_COVERAGE
    static_cast<Instance *>(self)->context.coveragep()->write(path);
    return true;
#else
    (void)self;
    (void)path;
    return false;
#endif
}

const struct param_set this_set = {TEXT(SET), JOIN(values_, SET)};

} // namespace

extern "C" {
extern const struct rtl_block JOIN(JOIN(JOIN(rtl_, BLOCK), _), SET);
const struct rtl_block JOIN(JOIN(JOIN(rtl_, BLOCK), _), SET) = {
    &JOIN(BLOCK, _block), &this_set,      create, destroy, comb, edge, wave_open,
    wave_close,           coverage_write,
};
}
