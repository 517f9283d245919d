/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp's stream as text, for tests: "index:active" for each record, e.g. "0:ffffffff 3:0000ffff",
 * in hexadecimal.
 */
#ifndef WARPMEM_TB_KERNEL_TRACE_TEXT_H
#define WARPMEM_TB_KERNEL_TRACE_TEXT_H

#include <stdio.h>

#include "kernel/warp_stream.h"

struct trace_text {
    char text[4096];
};

static inline const char *trace_text(struct trace_text *out, const struct warp_stream *s,
                                     const struct kernel_code *code) {
    struct warp_cursor c;
    struct warp_op op;
    size_t used = 0;
    out->text[0] = '\0';
    warp_cursor_open(&c, s, code);
    while (warp_cursor_next(&c, &op) && used < sizeof out->text) {
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, "%s%x:%08x",
                                 used ? " " : "", (unsigned)(op.insn - code->insns), op.active);
    }
    return out->text;
}

#endif
