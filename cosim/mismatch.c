/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/mismatch.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CELL = 96, NAME = 128 };

bool history_init(struct history *h, const struct block *block) {
    memset(h, 0, sizeof *h);
    for (unsigned i = 0; i < HISTORY_CYCLES; i++) {
        h->in[i] = calloc(1, block->in_size);
        h->c[i] = calloc(1, block->out_size);
        h->rtl[i] = calloc(1, block->out_size);
        if (!h->in[i] || !h->c[i] || !h->rtl[i]) {
            history_destroy(h);
            return false;
        }
    }
    return true;
}

void history_destroy(struct history *h) {
    for (unsigned i = 0; i < HISTORY_CYCLES; i++) {
        free(h->in[i]);
        free(h->c[i]);
        free(h->rtl[i]);
    }
    memset(h, 0, sizeof *h);
}

/* An output in one cell: its value, "rtl!=c", or "-" if it is not compared. */
static void output_cell(const struct history *h, unsigned slot, const struct port_desc *port,
                        unsigned i, char *cell) {
    char rtl[CELL], c[CELL];
    if (!(h->compared[slot] >> i & 1)) {
        snprintf(cell, CELL, "-");
        return;
    }
    port_text(port, h->c[slot], c, sizeof c);
    if (h->differ[slot] >> i & 1) {
        port_text(port, h->rtl[slot], rtl, sizeof rtl);
        snprintf(cell, CELL, "%.45s!=%.45s", rtl, c);
    } else {
        snprintf(cell, CELL, "%s", c);
    }
}

static void history_column(const struct history *h, const struct port_table *t, unsigned column,
                           char cells[HISTORY_CYCLES][CELL], char *name) {
    bool input = column < t->in_count;
    unsigned i = input ? column : column - t->in_count;
    const struct port_desc *port = input ? &t->in[i] : &t->out[i];
    snprintf(name, NAME, "%s_%c", port->name, input ? 'i' : 'o');
    for (unsigned n = 0; n < HISTORY_CYCLES && n < h->count; n++) {
        unsigned slot = (unsigned)((h->count - 1 - n) % HISTORY_CYCLES);
        if (input) {
            port_text(port, h->in[slot], cells[slot], CELL);
        } else {
            output_cell(h, slot, port, i, cells[slot]);
        }
    }
}

/* A table: a column a port, a line a cycle. */
static void history_write(FILE *file, const struct history *h, const struct port_table *t) {
    unsigned columns = t->in_count + t->out_count;
    unsigned kept = h->count < HISTORY_CYCLES ? (unsigned)h->count : HISTORY_CYCLES;
    char(*cells)[HISTORY_CYCLES][CELL] = calloc(columns, sizeof *cells);
    char(*names)[NAME] = calloc(columns, sizeof *names);
    if (cells && names) {
        int width[BLOCK_PORTS_MAX];
        fprintf(file, "%-10s", "cycle");
        for (unsigned k = 0; k < columns; k++) {
            history_column(h, t, k, cells[k], names[k]);
            size_t w = strlen(names[k]);
            for (unsigned n = 0; n < HISTORY_CYCLES; n++) {
                size_t length = strlen(cells[k][n]);
                w = length > w ? length : w;
            }
            width[k] = (int)w;
            fprintf(file, "%s  %-*s", k == t->in_count ? "  |" : "", width[k], names[k]);
        }
        fprintf(file, "\n");
        for (unsigned n = kept; n-- > 0;) {
            unsigned slot = (unsigned)((h->count - 1 - n) % HISTORY_CYCLES);
            fprintf(file, "%-10" PRIu64, h->cycle[slot]);
            for (unsigned k = 0; k < columns; k++) {
                fprintf(file, "%s  %-*s", k == t->in_count ? "  |" : "", width[k], cells[k][slot]);
            }
            fprintf(file, "\n");
        }
    }
    free(cells);
    free(names);
}

static void make_directories(const char *path) {
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(part, 0777);
        *slash = '/';
    }
    (void)mkdir(part, 0777);
}

const char *mismatch_path(char *path, size_t size, const char *dir, const char *block,
                          const char *instance, const char *ending) {
    size_t name = strlen(dir) + 1;
    snprintf(path, size, "%s/%s%s%s%s", dir, block, instance ? "_" : "", instance ? instance : "",
             ending);
    for (char *c = path; *c; c++) {
        if (*c == '/' && (size_t)(c - path) >= name) {
            *c = '_';
        }
    }
    return path;
}

void mismatch_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    }
    fputc('\'', out);
}

static void write_history_file(FILE *out, const struct mismatch *m) {
    char path[PATH_MAX];
    mismatch_path(path, sizeof path, m->dir, m->ports->block->name, m->instance, ".txt");
    make_directories(m->dir);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(out, "  last %d cycles    cannot write %s: %s\n", HISTORY_CYCLES, path,
                strerror(errno));
        return;
    }
    char params[1024];
    fprintf(file, "%s  %s  %s\n\n", m->ports->block->name, m->context,
            block_params_text(m->ports->block, m->ports->params, params, sizeof params));
    history_write(file, m->history, m->ports);
    fclose(file);
    fprintf(out, "  last %d cycles    %s\n", HISTORY_CYCLES, path);
}

static void print_outputs(FILE *out, const struct mismatch *m) {
    const struct port_table *t = m->ports;
    unsigned equal = 0, hidden = 0;
    int value = 9;
    char left[1024], right[1024], name[NAME];
    for (unsigned i = 0; i < t->out_count; i++) {
        if (m->differ >> i & 1) {
            int l = (int)strlen(port_text(&t->out[i], m->a, left, sizeof left));
            int r = (int)strlen(port_text(&t->out[i], m->b, right, sizeof right));
            value = l > value ? l : value;
            value = r > value ? r : value;
        }
    }
    fprintf(out, "  %-17s %-*s  %s\n", "output", value, m->left, m->right);
    const char *mark = "<- first wrong cycle";
    for (unsigned i = 0; i < t->out_count; i++) {
        snprintf(name, sizeof name, "%s_o", t->out[i].name);
        bool raw = ports_differ(t, m->a, m->b, UINT64_C(1) << i) != 0;
        if (m->differ >> i & 1) {
            fprintf(out, "  %-17s %-*s  %-*s  %s\n", name, value,
                    port_text(&t->out[i], m->a, left, sizeof left), value,
                    port_text(&t->out[i], m->b, right, sizeof right), mark);
            mark = "";
        } else if (m->compared >> i & 1) {
            equal++;
        } else if (raw && port_bits(&t->out[i]) <= 64) {
            fprintf(out, "  %-17s %-*s  %-*s  (not compared in this cycle)\n", name, value,
                    port_text(&t->out[i], m->a, left, sizeof left), value, "-");
        } else {
            hidden++;
        }
    }
    fprintf(out, "  %u other output%s equal", equal, equal == 1 ? "" : "s");
    if (hidden) {
        fprintf(out, ", %u not compared in this cycle", hidden);
    }
    fprintf(out, "\n");
}

void mismatch_report(FILE *out, const struct mismatch *m) {
    char text[2048];
    fprintf(out, "%s %s  cycle %" PRIu64 "  %s  %s\n\n", m->title, m->ports->block->name, m->cycle,
            m->context, block_params_text(m->ports->block, m->ports->params, text, sizeof text));
    print_outputs(out, m);
    fprintf(out, "  %-17s", "inputs");
    for (unsigned i = 0; i < m->ports->in_count; i++) {
        fprintf(out, " %s_i=%s", m->ports->in[i].name,
                port_text(&m->ports->in[i], m->in, text, sizeof text));
    }
    fprintf(out, "\n");
    if (m->note) {
        fprintf(out, "  %-17s %s\n", "why", m->note);
    }
    write_history_file(out, m);
    if (m->waves) {
        fprintf(out, "  %-17s %s\n", "waves", m->waves);
    }
    if (m->replay) {
        fprintf(out, "  %-17s %s\n", "replay", m->replay);
    }
    if (m->again) {
        fprintf(out, "  %-17s %s\n", "again", m->again);
    }
    fflush(out);
}
