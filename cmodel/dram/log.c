/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/log.h"

#include <inttypes.h>

void dram_log_header(FILE *out, const struct config *config) {
    fprintf(out, DRAM_LOG_MAGIC "\tchannels=%u", config->l2.partitions);
#define WRITE_KEY(key) fprintf(out, "\t" #key "=%u", config->dram.key);
    DRAM_LOG_KEYS(WRITE_KEY)
    DRAM_LOG_WINDOWS(WRITE_KEY)
#undef WRITE_KEY
    fprintf(out, "\tgroup_bits=%s\tline_order=%s\n",
            config->dram.group_bits == GROUP_BITS_HIGH ? "high" : "low",
            config->dram.line_order ? "on" : "off");
}

static void write_command(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                          uint64_t row, const struct dram_entry *column) {
    static const char *const name[] = {"activate", "read", "write", "precharge", "refresh"};
    const struct dram_channel *d = user;
    fprintf(d->log_file, "%u\t%" PRIu64 "\t%s\t%u\t%" PRIu64, d->partition, cycle, name[command],
            bank, row);
    if (column && d->line_order) {
        fprintf(d->log_file, "\t%" PRIu64 "\t%" PRIu64, column->request.local, column->number);
    }
    fputc('\n', d->log_file);
}

void dram_log_attach(struct dram_channel *d, FILE *out) {
    d->log = write_command;
    d->log_user = d;
    d->log_file = out;
}
