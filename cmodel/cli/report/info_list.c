/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/info_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "trace/accelsim_kernel.h"
#include "trace/accelsim_list.h"

/* A kernel's file as its header describes it. */
struct described {
    struct accelsim_header head;
    const char *file; /* without its folder */
    uint64_t bytes;
};

static void print_list_heading(FILE *out) {
    fprintf(out, "%6s  %-20s %-14s %-11s %5s %7s %6s %12s  %s\n", "launch", "kernel", "grid",
            "block", "regs", "shared", "tracer", "bytes", "file");
}

static void print_kernel(FILE *out, const struct described *d, unsigned number) {
    const struct accelsim_header *h = &d->head;
    char grid[40], block[40], name[256], file[TEXT_SHOWN];
    snprintf(grid, sizeof grid, "%u,%u,%u", h->grid[0], h->grid[1], h->grid[2]);
    snprintf(block, sizeof block, "%u,%u,%u", h->block[0], h->block[1], h->block[2]);
    fprintf(out, "%6u  %-20s %-14s %-11s %5u %7u %6u %12" PRIu64 "  %s\n", number,
            text_shown(name, sizeof name, h->name), grid, block, h->registers, h->shared_bytes,
            h->version, d->bytes, text_shown(file, sizeof file, d->file));
}

static json_t *list_kernel_json(const struct described *d) {
    const struct accelsim_header *h = &d->head;
    return json_pack("{s:s, s:s, s:[i,i,i], s:[i,i,i], s:i, s:i, s:i, s:I}", "kind", "launch",
                     "kernel", h->name, "grid", (int)h->grid[0], (int)h->grid[1], (int)h->grid[2],
                     "block", (int)h->block[0], (int)h->block[1], (int)h->block[2], "registers",
                     (int)h->registers, "shared_bytes", (int)h->shared_bytes, "tracer_version",
                     (int)h->version, "file_bytes", (json_int_t)d->bytes);
}

static int describe_kernel(const char *path, unsigned number, FILE *out, json_t *items) {
    char error[TEXT_LINES_ERROR];
    struct stat st;
    struct text_lines *lines = text_lines_open(path, error);
    if (!lines) {
        return cli_error(CLI_BAD_INPUT, "%s", error);
    }
    const char *slash = strrchr(path, '/');
    struct described *d = calloc(1, sizeof *d);
    int status = CLI_OK;
    if (!d) {
        status = cli_error(CLI_FAILED, "out of memory");
    } else if (!accelsim_header_read(&d->head, lines)) {
        status = cli_error(CLI_BAD_INPUT, "%s", text_lines_error(lines));
    } else {
        d->file = slash ? slash + 1 : path;
        d->bytes = stat(path, &st) ? 0 : (uint64_t)st.st_size;
        if (items) {
            json_array_append_new(items, list_kernel_json(d));
        } else {
            print_kernel(out, d, number);
        }
    }
    free(d);
    text_lines_close(lines);
    return status;
}

static void describe_copy(const struct accelsim_command *c, FILE *out, json_t *items) {
    if (items) {
        json_array_append_new(items,
                              json_pack("{s:s, s:I, s:I}", "kind", "copy", "address",
                                        (json_int_t)c->address, "bytes", (json_int_t)c->bytes));
    } else {
        fprintf(out, "%6s  from the host to 0x%" PRIx64 ": %" PRIu64 " bytes\n", "copy", c->address,
                c->bytes);
    }
}

static int describe_kernel_list(const char *path, FILE *out, json_t *items) {
    char error[TEXT_LINES_ERROR];
    struct accelsim_command command;
    unsigned launches = 0;
    int status = CLI_OK;
    struct text_lines *list = text_lines_open(path, error);
    if (!list) {
        return cli_error(CLI_BAD_INPUT, "%s", error);
    }
    while (status == CLI_OK && accelsim_list_next(list, path, &command)) {
        launches += command.kernel;
        if (command.kernel) {
            status = describe_kernel(command.path, launches, out, items);
        } else {
            describe_copy(&command, out, items);
        }
    }
    if (status == CLI_OK && text_lines_error(list)) {
        status = cli_error(CLI_BAD_INPUT, "%s", text_lines_error(list));
    }
    text_lines_close(list);
    return status;
}

int info_list(const char *path, json_t *items) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    print_list_heading(out);
    int status = describe_kernel_list(path, out, items);
    if (fclose(out) && status == CLI_OK) {
        status = cli_error(CLI_FAILED, "out of memory");
    }
    if (status == CLI_OK && !items) { /* nothing for a bad list */
        fputs(text, stdout);
    }
    free(text);
    return status;
}
