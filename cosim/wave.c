/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstapi.h>

#include "cosim/fst_file.h"
#include "cosim/rtl_block.h"

/* One row of the picture: a port, or an element of a vector. */
struct row {
    fstHandle handle;
    unsigned bits;
    bool shown;      /* value is what the file holds */
    bool unknown;    /* the file holds x */
    uint64_t *value; /* [(bits + 63) / 64] */
};

/* The rows of one scope, in the order of the port list. */
struct scope {
    struct row *rows;
    unsigned count;
};

struct wave {
    const struct port_table *ports;
    struct wave_options options;
    void *fst;
    char *path, *temporary;
    struct scope top, in, c, rtl, differ; /* top: rests, and differs where both sides are */
    fstHandle clk, cycle;
    uint64_t *flat; /* a whole port */
    char *x;        /* as many x as the widest row has bits */
    struct before {
        bool any;
        uint64_t cycle, compared, differ;
        void *in, *c, *rtl;
    } before;   /* the last cycle before the window: the values when the window opens */
    char *text; /* the same in digits */
    bool any;
    uint64_t next; /* the cycle behind the last one in the file */
};

enum { RESTS, DIFFERS, TOP_ROWS };

static unsigned row_count(const struct port_desc *ports, unsigned count) {
    unsigned rows = 0;
    for (unsigned i = 0; i < count; i++) {
        rows += ports[i].shape == PORT_VECTOR ? ports[i].count : 1;
    }
    return rows;
}

static bool add_row(struct wave *w, struct scope *s, enum fstVarDir direction, const char *name,
                    unsigned bits) {
    char full[256];
    if (bits > 1) {
        snprintf(full, sizeof full, "%s [%u:0]", name, bits - 1);
    } else {
        snprintf(full, sizeof full, "%s", name);
    }
    struct row *row = &s->rows[s->count++];
    row->bits = bits;
    row->value = calloc((bits + 63) / 64, sizeof *row->value);
    row->handle = fstWriterCreateVar(w->fst, FST_VT_VCD_WIRE, direction, bits, full, 0);
    return row->value && row->handle;
}

static bool add_scope(struct wave *w, struct scope *s, const char *name,
                      const struct port_desc *ports, unsigned count) {
    s->rows = calloc(row_count(ports, count) + 1, sizeof *s->rows);
    if (!s->rows) {
        return false;
    }
    bool good = true;
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, name, NULL);
    for (unsigned i = 0; i < count; i++) {
        const struct port_desc *port = &ports[i];
        bool output = port->direction == PORT_OUT;
        enum fstVarDir direction = output ? FST_VD_OUTPUT : FST_VD_INPUT;
        char text[200];
        if (s == &w->differ) {
            snprintf(text, sizeof text, "%s_o", port->name);
            good &= add_row(w, s, FST_VD_OUTPUT, text, 1);
        } else if (port->shape == PORT_VECTOR) {
            for (unsigned e = 0; e < port->count; e++) {
                snprintf(text, sizeof text, "%s_%c[%u]", port->name, output ? 'o' : 'i', e);
                good &= add_row(w, s, direction, text, port->bits);
            }
        } else {
            snprintf(text, sizeof text, "%s_%c", port->name, output ? 'o' : 'i');
            good &= add_row(w, s, direction, text, port->bits);
        }
    }
    fstWriterSetUpscope(w->fst);
    return good;
}

static char *joined_text(const char *a, const char *b) {
    size_t n = strlen(a) + strlen(b) + 1;
    char *text = malloc(n);
    if (text) {
        snprintf(text, n, "%s%s", a, b);
    }
    return text;
}

static void free_scope(struct scope *s) {
    for (unsigned i = 0; i < s->count; i++) {
        free(s->rows[i].value);
    }
    free(s->rows);
}

static void wave_free(struct wave *w) {
    free_scope(&w->top);
    free_scope(&w->in);
    free_scope(&w->c);
    free_scope(&w->rtl);
    free_scope(&w->differ);
    free(w->path);
    free(w->temporary);
    free(w->flat);
    free(w->x);
    free(w->text);
    free(w->before.in);
    free(w->before.c);
    free(w->before.rtl);
    free(w);
}

static bool declare_signals(struct wave *w, const struct port_table *ports) {
    fstWriterSetPackType(w->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(w->fst, "1ns");
    fstWriterSetDate(w->fst, ""); /* the same run gives the same file */
    fstWriterSetVersion(w->fst, "warpmem");
    fstWriterSetComment(w->fst, ports->block->name);
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, "top", NULL);
    w->clk = fstWriterCreateVar(w->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "clk", 0);
    w->cycle = fstWriterCreateVar(w->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 64, "cycle [63:0]", 0);
    w->top.rows = calloc(TOP_ROWS, sizeof *w->top.rows);
    bool good = w->top.rows && add_row(w, &w->top, FST_VD_IMPLICIT, "rests", 1);
    if (good && w->options.c && w->options.rtl) {
        good = add_row(w, &w->top, FST_VD_IMPLICIT, "differs", 1);
    }
    good = good && add_scope(w, &w->in, "in", ports->in, ports->in_count);
    if (w->options.c) {
        good &= add_scope(w, &w->c, "c", ports->out, ports->out_count);
    }
    if (w->options.rtl) {
        good &= add_scope(w, &w->rtl, "rtl", ports->out, ports->out_count);
    }
    if (w->options.c && w->options.rtl) {
        good &= add_scope(w, &w->differ, "differ", ports->out, ports->out_count);
    }
    fstWriterSetUpscope(w->fst);
    return good;
}

struct wave *wave_open(const char *path, const struct port_table *ports,
                       const struct wave_options *options) {
    struct wave *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->ports = ports;
    w->options = *options;
    w->path = joined_text(path, "");
    w->temporary = joined_text(path, ".part");
    w->flat = calloc(ports->words_max + 1, sizeof *w->flat);
    w->text = malloc(64 * (size_t)ports->words_max + 1);
    w->x = malloc(64 * (size_t)ports->words_max + 1);
    w->before.in = calloc(1, ports->block->in_size);
    w->before.c = calloc(1, ports->block->out_size);
    w->before.rtl = calloc(1, ports->block->out_size);
    if (!w->path || !w->temporary || !w->flat || !w->text || !w->x || !w->before.in ||
        !w->before.c || !w->before.rtl) {
        wave_free(w);
        return NULL;
    }
    memset(w->x, 'x', 64 * (size_t)ports->words_max);
    w->fst = fstWriterCreate(w->temporary, 1);
    if (!w->fst || !declare_signals(w, ports)) {
        if (w->fst) {
            fstWriterClose(w->fst);
            remove(w->temporary);
        }
        wave_free(w);
        return NULL;
    }
    return w;
}

static void show_row(struct wave *w, struct row *row, const uint64_t *value, bool unknown) {
    size_t size = (row->bits + 63) / 64 * sizeof *value;
    if (row->shown && row->unknown == unknown &&
        (unknown || memcmp(row->value, value, size) == 0)) {
        return;
    }
    if (unknown) {
        fstWriterEmitValueChange(w->fst, row->handle, w->x);
    } else if (row->bits <= 64) {
        fstWriterEmitValueChange64(w->fst, row->handle, row->bits, *value);
        memcpy(row->value, value, size);
    } else {
        /* fstWriterEmitValueChangeVec64 loses the upper halves of its words. */
        for (unsigned b = 0; b < row->bits; b++) {
            w->text[row->bits - 1 - b] = (char)('0' + (value[b / 64] >> b % 64 & 1));
        }
        fstWriterEmitValueChange(w->fst, row->handle, w->text);
        memcpy(row->value, value, size);
    }
    row->shown = true;
    row->unknown = unknown;
}

static void show_scope(struct wave *w, struct scope *s, const struct port_desc *ports,
                       unsigned count, const void *base, uint64_t known) {
    struct row *row = s->rows;
    for (unsigned i = 0; i < count; i++) {
        const struct port_desc *port = &ports[i];
        bool unknown = port->direction == PORT_OUT && !(known >> i & 1);
        port_get(port, base, w->flat);
        if (port->shape != PORT_VECTOR) {
            show_row(w, row++, w->flat, unknown);
            continue;
        }
        for (unsigned e = 0; e < port->count; e++) {
            unsigned at = e * port->bits;
            uint64_t value = w->flat[at / 64] >> at % 64;
            if (at % 64 + port->bits > 64) {
                value |= w->flat[at / 64 + 1] << (64 - at % 64);
            }
            if (port->bits < 64) {
                value &= (UINT64_C(1) << port->bits) - 1;
            }
            show_row(w, row++, &value, unknown);
        }
    }
}

static void show_bit(struct wave *w, struct row *row, bool bit) {
    show_row(w, row, &(uint64_t){bit}, false);
}

static void show_ports(struct wave *w, const void *in, const void *c, const void *rtl,
                       uint64_t compared, uint64_t differ) {
    show_scope(w, &w->in, w->ports->in, w->ports->in_count, in, 0);
    if (w->options.c && c) {
        show_scope(w, &w->c, w->ports->out, w->ports->out_count, c, compared);
    }
    if (w->options.rtl && rtl) {
        show_scope(w, &w->rtl, w->ports->out, w->ports->out_count, rtl, compared);
    }
    for (unsigned i = 0; i < w->differ.count; i++) {
        show_bit(w, &w->differ.rows[i], differ >> i & 1);
    }
    if (w->top.count > DIFFERS) {
        show_bit(w, &w->top.rows[DIFFERS], differ);
    }
}

/* From the last cycle in the file to this one nothing called the block: its clock rests. */
static void show_rest(struct wave *w, uint64_t cycle) {
    if (cycle > w->next) {
        fstWriterEmitTimeChange(w->fst, w->next * WAVE_CYCLE);
        show_bit(w, &w->top.rows[RESTS], true);
    }
}

/* The window begins at `from`; what stands then was written in an earlier cycle, if the block is
 * not called now. */
static void open_window(struct wave *w, uint64_t cycle) {
    const struct before *b = &w->before;
    if (!w->any && b->any && cycle > w->options.from) {
        fstWriterEmitTimeChange(w->fst, w->options.from * WAVE_CYCLE);
        fstWriterEmitValueChange(w->fst, w->clk, "0");
        fstWriterEmitValueChange64(w->fst, w->cycle, 64, b->cycle);
        show_ports(w, b->in, w->options.c ? b->c : NULL, w->options.rtl ? b->rtl : NULL,
                   b->compared, b->differ);
        show_bit(w, &w->top.rows[RESTS], true);
    }
    w->next = w->any ? w->next : cycle;
    w->any = true;
}

void wave_cycle(struct wave *w, uint64_t cycle, const void *in, const void *c, const void *rtl,
                uint64_t compared, uint64_t differ) {
    if (cycle < w->options.from) {
        const struct block *block = w->ports->block;
        w->before.any = true;
        w->before.cycle = cycle;
        w->before.compared = compared;
        w->before.differ = differ;
        memcpy(w->before.in, in, block->in_size);
        if (c) {
            memcpy(w->before.c, c, block->out_size);
        }
        if (rtl) {
            memcpy(w->before.rtl, rtl, block->out_size);
        }
        return;
    }
    open_window(w, cycle);
    if (w->options.to && cycle >= w->options.to) {
        return;
    }
    show_rest(w, cycle);
    fstWriterEmitTimeChange(w->fst, cycle * WAVE_CYCLE);
    show_bit(w, &w->top.rows[RESTS], false);
    w->next = cycle + 1;
    fstWriterEmitValueChange(w->fst, w->clk, "1");
    fstWriterEmitValueChange64(w->fst, w->cycle, 64, cycle);
    show_ports(w, in, c, rtl, compared, differ);
    fstWriterEmitTimeChange(w->fst, cycle * WAVE_CYCLE + WAVE_CYCLE / 2);
    fstWriterEmitValueChange(w->fst, w->clk, "0");
}

bool wave_close(struct wave *w, uint64_t cycle) {
    if (!w) {
        return true;
    }
    if (cycle > w->options.from) {
        open_window(w, cycle);
    }
    uint64_t last = w->options.to && cycle >= w->options.to ? w->options.to - 1 : cycle;
    if (w->any) {
        show_rest(w, last + 1);
        fstWriterEmitTimeChange(w->fst, (last + 1) * WAVE_CYCLE);
    }
    fst_file_make_room(w->temporary);
    fstWriterClose(w->fst);
    bool good = fst_file_publish(w->temporary, w->path);
    wave_free(w);
    return good;
}
