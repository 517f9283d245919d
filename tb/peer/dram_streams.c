/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams of tb/dram/streams.h for DRAMsim3: FOLDER/gtx480.ini has the preset's DRAM in its
 * keys, FOLDER/NUMBER.stream a line a request, its address and r or w. Prints a line a stream: its
 * name, cycles and activates without a cap and with dram.row_hit_cap = STREAM_CAP, after tabs.
 */
#include <errno.h>

#include "dram/streams.h"

static FILE *create_file(const char *folder, const char *name) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "dram_streams: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return out;
}

static void close_file(FILE *out) {
    if (ferror(out) | fclose(out)) {
        perror("dram_streams");
        exit(1);
    }
}

/* Times that DRAMsim3 derives in its own way must come out as the preset has it. */
static void check_peer_has(bool it, const char *what) {
    if (!it) {
        fprintf(stderr, "dram_streams: DRAMsim3 cannot have %s\n", what);
        exit(1);
    }
}

static void write_ini(const struct config *c, FILE *out) {
    enum { ROWS = 16384 };
    struct dram_timing t;
    unsigned burst_bytes = c->dram.bus_bytes * c->dram.burst;
    dram_timing_init(&t, c);
    check_peer_has(c->dram.beats == 4, "dram.beats other than 4, GDDR5's");
    check_peer_has(c->dram.rc == c->dram.ras + c->dram.rp, "dram.rc other than ras + rp");
    check_peer_has(c->dram.group_bits == GROUP_BITS_HIGH, "dram.group_bits = low");
    fprintf(out,
            "[dram_structure]\nprotocol = GDDR5\nbankgroups = %u\nbanks_per_group = %u\n"
            "bankgroup_enable = true\nrows = %d\ncolumns = %u\ndevice_width = %u\nBL = %u\n",
            c->dram.bank_groups, c->dram.banks / c->dram.bank_groups, ROWS,
            c->dram.row_bytes / burst_bytes, c->dram.bus_bytes * 8, c->dram.burst);
    fprintf(out,
            "[timing]\ntCK = 1\nAL = 0\nCL = %u\nCWL = %u\ntRCDRD = %u\ntRCDWR = %u\ntRP = %u\n"
            "tRAS = %u\ntRRD_S = %u\ntRRD_L = %u\ntCCD_S = %u\ntCCD_L = %u\ntRTP = %u\n"
            "tWTR_S = %u\ntWTR_L = %u\ntWR = %u\ntRTRS = 2\ntPPD = 0\n",
            t.cl, t.wl, t.rcd_read, t.rcd_write, t.rp, t.ras, t.rrd, t.rrd, t.column,
            t.column_group, t.read_to_precharge, c->dram.cdlr, c->dram.cdlr, c->dram.wr);
    fprintf(out, "tFAW = %u\nt32AW = %u\n", t.faw, t.aw32);
    /* No refresh in any run. */
    fprintf(out, "tRFC = 1\ntREFI = 2000000000\ntREFIb = 2000000000\n");
    fprintf(out,
            "[system]\nchannels = 1\nchannel_size = %u\nbus_width = %u\n"
            "address_mapping = chrarobgbaco\nqueue_structure = PER_RANK\n"
            "row_buf_policy = OPEN_PAGE\ncmd_queue_size = %u\ntrans_queue_size = 32\n"
            "unified_queue = true\n[other]\nepoch_period = 2000000000\noutput_level = 1\n",
            ROWS / 1024 * c->dram.row_bytes / 1024 * c->dram.banks, c->dram.bus_bytes * 8,
            c->dram.queue);
}

int main(int argc, char **argv) {
    struct config c = gtx480_channel();
    if (argc != 2) {
        fprintf(stderr, "usage: dram_streams FOLDER\n");
        return 2;
    }
    FILE *out = create_file(argv[1], "gtx480.ini");
    write_ini(&c, out);
    close_file(out);
    for (unsigned i = 0; i < STREAMS; i++) {
        char name[20];
        snprintf(name, sizeof name, "%u.stream", i);
        out = create_file(argv[1], name);
        for (unsigned k = 0; k < REQUESTS; k++) {
            fprintf(out, "%" PRIx64 " %c\n", streams[i].address(k),
                    stream_writes(&streams[i], k) ? 'w' : 'r');
        }
        close_file(out);
        c.dram.row_hit_cap = 0;
        struct stream_outcome plain = run_stream(&c, &streams[i]);
        c.dram.row_hit_cap = STREAM_CAP;
        struct stream_outcome capped = run_stream(&c, &streams[i]);
        printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", streams[i].name,
               plain.cycles, plain.activates, capped.cycles, capped.activates);
    }
    return 0;
}
