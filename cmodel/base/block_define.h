/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a struct block from a port list. The whole of cmodel/l1/mrpb_block.c:
 *
 *     #include "base/block_define.h"
 *     #include "l1/mrpb.h"
 *     BLOCK_DEFINE(l1, mrpb, MRPB)
 *
 * defines `const struct block mrpb_block`, which l1/mrpb_ports.h declares, from MRPB_PARAMS,
 * MRPB_SETS, MRPB_PORTS and the functions mrpb_init, _destroy, _comb, _step and _quiet.
 */
#ifndef WARPMEM_BASE_BLOCK_DEFINE_H
#define WARPMEM_BASE_BLOCK_DEFINE_H

#include "base/block.h"
#include "base/ports.h"

/* clang-format off */

#define PARAM_DESC(name, def, min, max, meaning) { #name, def, min, max, meaning },
#define PARAM_COUNT(name, def, min, max, meaning) + 1

/* BLOCK_VALUES: of a struct X_params, VERILOG_VALUES: of a set. */
#define SET_DESC(name, ...) { #name, (const unsigned[BLOCK_VALUES]){ __VA_ARGS__ } },
#define SET_CHECK(name, ...) \
    _Static_assert(sizeof(unsigned[]){ __VA_ARGS__ } == sizeof(unsigned[VERILOG_VALUES]), \
                   "set " #name ": one value a parameter");

#define PORT_COUNT(kind, ...) + 1
#define PORT_OUT_COUNT(kind, ...) PORT_OUT_COUNT_##kind
#define PORT_OUT_COUNT_IN
#define PORT_OUT_COUNT_IN_LATE
#define PORT_OUT_COUNT_IN_WIDE
#define PORT_OUT_COUNT_IN_VEC
#define PORT_OUT_COUNT_OUT + 1
#define PORT_OUT_COUNT_OUT_WIDE + 1
#define PORT_OUT_COUNT_OUT_VEC + 1

/* Statements that append one port; block_in and block_out are the block's structs. */
#define PORT_DESC(kind, ...) PORT_DESC_##kind(__VA_ARGS__)
#define PORT_DESC_ROW(name, meaning, direction, late, shape, bits, count, size, capacity, offset) \
    *port++ = (struct port_desc){ #name, meaning, direction, late, shape, \
                                  bits, count, size, capacity, offset };
#define PORT_DESC_IN(type, name, bits, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_IN, false, PORT_SCALAR, bits, 1, \
                  sizeof(type), 1, offsetof(block_in, name))
#define PORT_DESC_IN_LATE(type, name, bits, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_IN, true, PORT_SCALAR, bits, 1, \
                  sizeof(type), 1, offsetof(block_in, name))
#define PORT_DESC_IN_WIDE(words, name, bits, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_IN, false, PORT_WIDE, bits, 1, \
                  sizeof(uint64_t[words]), 1, offsetof(block_in, name))
#define PORT_DESC_IN_VEC(type, max, name, count, bits, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_IN, false, PORT_VECTOR, bits, count, \
                  sizeof(type), max, offsetof(block_in, name))
#define PORT_DESC_OUT(type, name, bits, when, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_OUT, false, PORT_SCALAR, bits, 1, \
                  sizeof(type), 1, offsetof(block_out, name))
#define PORT_DESC_OUT_WIDE(words, name, bits, when, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_OUT, false, PORT_WIDE, bits, 1, \
                  sizeof(uint64_t[words]), 1, offsetof(block_out, name))
#define PORT_DESC_OUT_VEC(type, max, name, count, bits, when, meaning) \
    PORT_DESC_ROW(name, meaning, PORT_OUT, false, PORT_VECTOR, bits, count, \
                  sizeof(type), max, offsetof(block_out, name))

/* Statements that append one output's bit to the mask of compared outputs. */
#define PORT_WHEN(kind, ...) PORT_WHEN_##kind(__VA_ARGS__)
#define PORT_WHEN_IN(...)
#define PORT_WHEN_IN_LATE(...)
#define PORT_WHEN_IN_WIDE(...)
#define PORT_WHEN_IN_VEC(...)
#define PORT_WHEN_ROW(when) mask |= (uint64_t)!!(when) << bit++;
#define PORT_WHEN_OUT(type, name, bits, when, meaning) PORT_WHEN_ROW(when)
#define PORT_WHEN_OUT_WIDE(words, name, bits, when, meaning) PORT_WHEN_ROW(when)
#define PORT_WHEN_OUT_VEC(type, max, name, count, bits, when, meaning) PORT_WHEN_ROW(when)

#define BLOCK_DEFINE(place, x, X) BLOCK_DEFINE_WITH(place, x, X, NULL)

/* takes: struct block's takes_in_c */
#define BLOCK_DEFINE_WITH(place, x, X, takes) \
    BLOCK_DEFINE_ALL(place, x, X, NO_C_PARAMS, takes, NULL, NULL)

/* A block with x_skip() and x_steady(). */
#define BLOCK_DEFINE_SKIPPING(place, x, X) \
    static void x##_block_skip(void *state, const void *in, uint64_t cycles) { \
        x##_skip(state, in, cycles); \
    } \
    static uint64_t x##_block_steady(void *state, const void *in) { \
        return x##_steady(state, in); \
    } \
    BLOCK_DEFINE_ALL(place, x, X, NO_C_PARAMS, NULL, x##_block_skip, x##_block_steady)

/* c_params: as in BLOCK_TYPES_WITH */
#define BLOCK_DEFINE_ALL(place, x, X, c_params, takes, skips, steadies) \
    enum { \
        VERILOG_VALUES = 0 X##_PARAMS(PARAM_COUNT), \
        BLOCK_VALUES = VERILOG_VALUES c_params(PARAM_COUNT), \
    }; \
    static const struct param_desc x##_block_params[] = { \
        X##_PARAMS(PARAM_DESC) c_params(PARAM_DESC) \
    }; \
    static const struct param_set x##_block_sets[] = { X##_SETS(SET_DESC) }; \
    _Static_assert(sizeof(struct x##_params) == sizeof(unsigned[BLOCK_VALUES]), \
                   "parameters are unsigned values in a row"); \
    _Static_assert((0 X##_PORTS(PORT_COUNT)) <= BLOCK_PORTS_MAX, "too many ports"); \
    _Static_assert((0 X##_PORTS(PORT_OUT_COUNT)) <= BLOCK_OUTPUTS_MAX, "too many outputs"); \
    \
    static void x##_block_describe(const void *params, struct port_desc *port) { \
        typedef struct x##_in block_in; \
        typedef struct x##_out block_out; \
        X##_SETS(SET_CHECK) \
        const struct x##_params *p = params; \
        (void)p; \
        X##_PORTS(PORT_DESC) \
    } \
    static uint64_t x##_block_compared(const void *params, const void *out) { \
        const struct x##_params *p = params; \
        const struct x##_out *o = out; \
        uint64_t mask = 0; \
        unsigned bit = 0; \
        (void)p; \
        (void)o; \
        X##_PORTS(PORT_WHEN) \
        (void)bit; \
        return mask; \
    } \
    static bool x##_block_init(void *state, const void *params) { \
        return x##_init(state, params); \
    } \
    static void x##_block_destroy(void *state) { \
        x##_destroy(state); \
    } \
    static void x##_block_comb(void *state, const void *in, void *out) { \
        x##_comb(state, in, out); \
    } \
    static bool x##_block_step(void *state, const void *in, const void *out) { \
        x##_step(state, in, out); \
        return true; \
    } \
    static bool x##_block_quiet(void *state, const void *in) { \
        return x##_quiet(state, in); \
    } \
    \
    const struct block x##_block = { \
        .name = #place "/" #x, \
        .params = x##_block_params, \
        .param_count = BLOCK_VALUES, \
        .c_param_count = BLOCK_VALUES - VERILOG_VALUES, \
        .takes_in_c = takes, \
        .sets = x##_block_sets, \
        .set_count = sizeof x##_block_sets / sizeof *x##_block_sets, \
        .port_count = 0 X##_PORTS(PORT_COUNT), \
        .out_count = 0 X##_PORTS(PORT_OUT_COUNT), \
        .state_size = sizeof(struct x), \
        .in_size = sizeof(struct x##_in), \
        .out_size = sizeof(struct x##_out), \
        .describe = x##_block_describe, \
        .compared = x##_block_compared, \
        .init = x##_block_init, \
        .destroy = x##_block_destroy, \
        .comb = x##_block_comb, \
        .step = x##_block_step, \
        .quiet = x##_block_quiet, \
        .skip = skips, \
        .steady = steadies, \
    };

/* clang-format on */

#endif
