/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/log.h"

#include <inttypes.h>

void dram_log_header(FILE *out, const struct config *config) {
    fprintf(out, DRAM_LOG_MAGIC "\tchannels=%u", config->l2.partitions);
#define WRITE_KEY(key) fprintf(out, "\t" #key "=%u", config->dram.key);
    DRAM_LOG_KEYS(WRITE_KEY)
    DRAM_LOG_WINDOWS(WRITE_KEY)
#undef WRITE_KEY
    fprintf(out, "\tgroup_bits=%s\n", config->dram.group_bits == GROUP_BITS_HIGH ? "high" : "low");
}

static void write_command(void *user, uint64_t cycle, enum dram_command command, unsigned bank,
                          uint64_t row) {
    static const char *const name[] = {"activate", "read", "write", "precharge", "refresh"};
    const struct dram_channel *d = user;
    fprintf(d->log_file, "%u\t%" PRIu64 "\t%s\t%u\t%" PRIu64 "\n", d->partition, cycle,
            name[command], bank, row);
}

void dram_log_attach(struct dram_channel *d, FILE *out) {
    d->log = write_command;
    d->log_user = d;
    d->log_file = out;
}
