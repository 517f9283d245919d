/* SPDX-License-Identifier: Apache-2.0
 *
 * Port lists: the one place where a hardware block's parameters and ports are written down.
 *
 * A block lists its parameters and ports once, as X-macros, in X_ports.h. From that list come the C
 * structs, the glue to the Verilated class, the comparison of lockstep, the names in waveforms and
 * the check against the Verilog.
 *
 *   #define X_PARAMS(P)  P(NAME, default, min, max, "meaning") ...
 *   #define X_SETS(S)    S(name, value of the first parameter, of the second, ...) ...
 *   #define X_PORTS(X)   X(kind, ...) ...
 *
 * Sets are the parameter values that are built as Verilog, linked and compared. Kinds of ports:
 *
 *   X(IN,       type, name, bits, "meaning")                    outputs may depend on it at once
 *   X(IN_LATE,  type, name, bits, "meaning")                    no output depends on it this cycle
 *   X(IN_WIDE,  words, name, bits, "meaning")                   uint64_t name[words]
 *   X(IN_VEC,   type, max, name, count, bits, "meaning")        count elements of bits each
 *   X(OUT,      type, name, bits, when, "meaning")              compared while `when` holds
 *   X(OUT_WIDE, words, name, bits, when, "meaning")
 *   X(OUT_VEC,  type, max, name, count, bits, when, "meaning")
 *
 * In Verilog _i or _o is appended, a vector is flat with element 0 lowest, clk_i is implicit, and
 * rst_i is an ordinary input.
 *
 * bits, count and when are C expressions that see the parameters as p->NAME; when sees the C
 * outputs as o->name too. Bits above a port's width are zero: the driver of an input masks it. At
 * most 64 outputs a block. Scalars are bool or uint8_t to uint64_t. Every name in X_PARAMS is a
 * parameter of the Verilog module with the same default. base/block_define.h turns the lists into
 * data.
 */
#ifndef WARPMEM_BASE_PORTS_H
#define WARPMEM_BASE_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of a number with n states, at least 1: Verilog's $clog2, but no port is empty. */
static inline unsigned clog2(unsigned n) {
    unsigned bits = 0;
    while (bits < 31 && (1u << bits) < n) {
        bits++;
    }
    return bits ? bits : 1;
}

/* A `when` that is always true. */
#define ALWAYS true

/* clang-format off */

/* A port list ends with one of these: the block's structs, and the lists and functions as data
 * (base/block.h). @c_params: a list as X_PARAMS of the parameters that the C block alone has, which
 * are 0 in every set; the Verilog is refused where one is not. @more: members of struct x_out that
 * are not ports. */
#define BLOCK_TYPES(x, X) BLOCK_TYPES_WITH(x, X, NO_C_PARAMS, )
#define BLOCK_TYPES_WITH(x, X, c_params, more) \
    struct x##_params { X##_PARAMS(PARAM_MEMBER) c_params(PARAM_MEMBER) }; \
    struct x##_in { X##_PORTS(PORT_IN_MEMBER) }; \
    struct x##_out { X##_PORTS(PORT_OUT_MEMBER) more }; \
    extern const struct block x##_block;
struct block;

#define NO_C_PARAMS(P)

/* clang-format on */

#define PARAM_MEMBER(name, def, min, max, meaning) unsigned name;

#define PORT_IN_MEMBER(kind, ...) PORT_IN_MEMBER_##kind(__VA_ARGS__)
#define PORT_IN_MEMBER_IN(type, name, bits, meaning) type name;
#define PORT_IN_MEMBER_IN_LATE(type, name, bits, meaning) type name;
#define PORT_IN_MEMBER_IN_WIDE(words, name, bits, meaning) uint64_t name[words];
#define PORT_IN_MEMBER_IN_VEC(type, max, name, count, bits, meaning) type name[max];
#define PORT_IN_MEMBER_OUT(type, name, bits, when, meaning)
#define PORT_IN_MEMBER_OUT_WIDE(words, name, bits, when, meaning)
#define PORT_IN_MEMBER_OUT_VEC(type, max, name, count, bits, when, meaning)

#define PORT_OUT_MEMBER(kind, ...) PORT_OUT_MEMBER_##kind(__VA_ARGS__)
#define PORT_OUT_MEMBER_IN(type, name, bits, meaning)
#define PORT_OUT_MEMBER_IN_LATE(type, name, bits, meaning)
#define PORT_OUT_MEMBER_IN_WIDE(words, name, bits, meaning)
#define PORT_OUT_MEMBER_IN_VEC(type, max, name, count, bits, meaning)
#define PORT_OUT_MEMBER_OUT(type, name, bits, when, meaning) type name;
#define PORT_OUT_MEMBER_OUT_WIDE(words, name, bits, when, meaning) uint64_t name[words];
#define PORT_OUT_MEMBER_OUT_VEC(type, max, name, count, bits, when, meaning) type name[max];

#endif
