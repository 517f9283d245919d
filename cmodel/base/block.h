/* SPDX-License-Identifier: Apache-2.0
 *
 * The common interface of all hardware blocks: a block's port list as data, and its C functions
 * behind one table. Lockstep, waves, recordings, reports and the machine use this;
 * base/block_define.h makes it from X_ports.h in one line.
 */
#ifndef WARPMEM_BASE_BLOCK_H
#define WARPMEM_BASE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build.h"

struct param_desc {
    const char *name;
    unsigned def, min, max;
    const char *meaning;
};

enum port_direction { PORT_IN, PORT_OUT };
enum port_shape { PORT_SCALAR, PORT_WIDE, PORT_VECTOR };

/**
 * struct port_desc - a port, for given parameters.
 * @name:      without _i or _o
 * @late:      no output depends on this input in the same cycle
 * @bits:      width; for a vector the width of one element. In Verilog a vector has bits * count
 *             bits, element 0 lowest
 * @count:     elements of a vector that exist, else 1
 * @type_size: bytes of the C type; for a vector of one element, for a wide port of all words
 * @capacity:  elements of the C array of a vector, else 1
 * @offset:    in struct X_in or X_out
 */
struct port_desc {
    const char *name;
    const char *meaning;
    enum port_direction direction;
    bool late;
    enum port_shape shape;
    unsigned bits;
    unsigned count;
    size_t type_size;
    unsigned capacity;
    size_t offset;
};

/** struct param_set - a named set of parameter values that is built as Verilog and compared. */
struct param_set {
    const char *name;
    const unsigned *values; /* [param_count], in the order of the list: a struct X_params */
};

enum { BLOCK_PORTS_MAX = 128, BLOCK_OUTPUTS_MAX = 64 };

/**
 * struct block - one hardware block: its port list as data and its C twin.
 * @name:     place and name, "l1/mrpb"; the Verilog module is wm_mrpb in rtl/l1/mrpb.v
 * @c_param_count: so many parameters, the last ones, exist in C alone; in a set they are 0
 * @takes_in_c: values outside a parameter's range that the C block accepts; the Verilog does not,
 *              and no set has them. NULL: none
 * @describe: fill ports[port_count], in the order of the list
 * @compared: mask of the outputs that are compared in this cycle; bit i is the i-th output
 * @init:     make a state of state_size bytes; false: out of memory
 * @comb:     this cycle's outputs; late inputs are not read
 * @step:     the clock edge, with the outputs that comb gave for the same input
 * @quiet:    with these inputs held, neither state nor outputs ever change
 * @skip:     that many edges with these inputs held; NULL: only step
 * @steady:   least number of cycles, with this one, in which the outputs keep their values while
 *            these inputs are held; NULL: one
 *
 * comb and quiet change nothing. Their state is not const because an instance calls them directly,
 * and an instance in Verilog evaluates its model.
 *
 * Parameters are a struct X_params, which is param_count unsigned values in a row.
 */
struct block {
    const char *name;
    const struct param_desc *params;
    unsigned param_count, c_param_count;
    bool (*takes_in_c)(unsigned param, unsigned value);
    const struct param_set *sets;
    unsigned set_count;
    unsigned port_count, out_count;
    size_t state_size, in_size, out_size;
    void (*describe)(const void *params, struct port_desc *ports);
    uint64_t (*compared)(const void *params, const void *out);
    bool (*init)(void *state, const void *params);
    void (*destroy)(void *state);
    void (*comb)(void *state, const void *in, void *out);
    bool (*step)(void *state, const void *in, const void *out);
    bool (*quiet)(void *state, const void *in);
    void (*skip)(void *state, const void *in, uint64_t cycles);
    uint64_t (*steady)(void *state, const void *in);
};

/** block_param_value() - value number i of a struct X_params. */
static inline unsigned block_param_value(const void *params, unsigned i) {
    return ((const unsigned *)params)[i];
}

/** block_verilog_params() - parameters that the Verilog has, the first ones of the list. */
static inline unsigned block_verilog_params(const struct block *block) {
    return block->param_count - block->c_param_count;
}

/** block_set_matching() - the set with these values, or NULL. */
const struct param_set *block_set_matching(const struct block *block, const void *params);
/** block_params_error() - the first parameter whose value the C block does not accept, or NULL. */
const struct param_desc *block_params_error(const struct block *block, const void *params);
/** block_params_text() - "QUEUES=48 DEPTH=8"; returns text. */
const char *block_params_text(const struct block *block, const void *params, char *text,
                              size_t size);

/**
 * struct block_instance - one instance of a block in a core: the C block, its Verilog, or both.
 *
 * comb, quiet, skip and steady as in struct block. step returns false when a block in lockstep
 * differed; its report is then written, and the run ends. Verilog has no skip. in and out are the
 * block's own structs. Waves and reports take their times from the cycle counter that was given
 * when the instance was made.
 */
struct block_instance {
    void *self;
    void (*comb)(void *self, const void *in, void *out);
    bool (*step)(void *self, const void *in, const void *out);
    bool (*quiet)(void *self, const void *in);
    void (*destroy)(void *self);
    void (*skip)(void *self, const void *in, uint64_t cycles);
    uint64_t (*steady)(void *self, const void *in);
};

/**
 * struct block_factory - makes instances for a machine; the first member of the maker's own struct.
 * @make: fill *instance; build->factory is the factory. params: struct X_params. where: "sm0".
 *        cycle: the clock in which the instance is stepped; each call reads it, so it must outlive
 *        the instance. False: refused; build->error has the reason in one line.
 * @names: does it make some instances of the block other than the C block? NULL: of no block
 * @in_time: some of its instances are in the L2 or the DRAM, and are not the C blocks
 */
struct block_factory {
    bool (*make)(const struct build *build, const struct block *block, const void *params,
                 const char *where, const uint64_t *cycle, struct block_instance *instance);
    bool (*names)(const struct block_factory *factory, const struct block *block);
    bool in_time;
};

/**
 * block_make() - make an instance: with the build's factory, or the C block if there is none.
 *
 *     struct block_instance mrpb;
 *     if (!block_make(build, &mrpb_block, &params, "sm0", &core->cycle, &mrpb))
 *         return false;
 *     ...
 *     mrpb.comb(mrpb.self, &in, &out);
 *     in.deq_ready = l1_takes_it;
 *     if (!mrpb.quiet(mrpb.self, &in) && !mrpb.step(mrpb.self, &in, &out))
 *         return GPU_BLOCK_FAILED;
 *     ...
 *     block_unmake(&mrpb);
 */
bool block_make(const struct build *build, const struct block *block, const void *params,
                const char *where, const uint64_t *cycle, struct block_instance *instance);
/** block_is_named() - must the block have an instance, because some of them are not in C? Else a
 * unit may do the same without the block. */
bool block_is_named(const struct build *build, const struct block *block);
/** block_make_in_c() - make the C block, for parameters that block_params_error() accepts. */
bool block_make_in_c(const struct build *build, const struct block *block, const void *params,
                     struct block_instance *instance);
/**
 * block_pass() - run up to @cycles cycles with these inputs held, while the outputs keep the values
 * @out that comb gave for these inputs; then compute the outputs again. Each edge moves *cycle.
 * Return: false when step returned false.
 */
bool block_pass(struct block_instance *instance, const void *in, void *out, uint64_t cycles,
                uint64_t *cycle);
/** block_unmake() - end an instance; does nothing on a zeroed one. */
void block_unmake(struct block_instance *instance);

#endif
