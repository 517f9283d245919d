/* SPDX-License-Identifier: Apache-2.0
 * A recorded stimulus must repeat a run exactly, and a damaged file must be refused in one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/record.h"
#include "cosim/sample.h"
#include "cosim/sample_stimulus.h"
#include "cosim/shell.h"

static struct lockstep_result run_recorded(const char *set, const char *record,
                                           const char *replay) {
    struct lockstep_options options = {.seed = 5,
                                       .cycles = replay ? 0 : 20000,
                                       .exact = true,
                                       .record = record,
                                       .replay = replay,
                                       .out = tmpfile()};
    struct lockstep_result r =
        lockstep_run(sample_rtl(set), replay ? NULL : &sample_stimulus, &options);
    fclose(options.out);
    return r;
}

static unsigned char *load_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

static void save_file(const char *path, const unsigned char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* Reads a whole file as the block's; the number of records, or -1 with the message in error. */
static int64_t read_all_records(const char *path, const char *set, char *error, size_t size) {
    struct port_table ports;
    struct sample_in in;
    uint64_t cycle;
    int64_t records = 0;
    int more;
    error[0] = '\0';
    assert_true(port_table_init(&ports, sample_rtl(set)->block, sample_rtl(set)->set->values));
    struct stimulus_reader *r = stimulus_reader_open(path, &ports, error, size);
    if (!r) {
        return -1;
    }
    while ((more = stimulus_read(r, &cycle, &in, error, size)) > 0) {
        records++;
    }
    stimulus_reader_close(r);
    return more < 0 ? -1 : records;
}

TEST(a_recording_repeats_the_run) {
    FREED char *path = scratch_path("sample.stim"), *again = scratch_path("again.stim");
    struct lockstep_result a = run_recorded("wide", path, NULL);
    assert_int_equal(a.status, LOCKSTEP_PASS);
    struct lockstep_result b = run_recorded("wide", again, path);
    assert_int_equal(b.status, LOCKSTEP_PASS);
    assert_int_equal(a.cycles, b.cycles);
    assert_int_equal(a.compared, b.compared);
    size_t na, nb;
    unsigned char *da = load_file(path, &na), *db = load_file(again, &nb);
    assert_int_equal(na, nb);
    assert_memory_equal(da, db, na);
    free(da);
    free(db);
}

TEST(cycles_without_a_call_keep_their_numbers) {
    static const uint64_t cycles[] = {0, 1, 2, 200, 201, 70000, UINT64_C(1) << 40};
    enum { N = sizeof cycles / sizeof *cycles };
    char error[512], *path = scratch_path("gaps.stim");
    struct port_table ports;
    assert_true(
        port_table_init(&ports, sample_rtl("wide")->block, sample_rtl("wide")->set->values));
    struct stimulus_writer *w = stimulus_writer_open(path, &ports, error, sizeof error);
    assert_non_null(w);
    struct sample_in in = {0}, back;
    for (unsigned i = 0; i < N; i++) {
        in.add_lane[12] = (uint16_t)(i * 300);
        in.add_word[2] = i & 1;
        in.sum_ready = i & 1;
        assert_true(stimulus_write(w, cycles[i], &in));
    }
    assert_true(stimulus_writer_close(w, error, sizeof error));

    struct stimulus_reader *r = stimulus_reader_open(path, &ports, error, sizeof error);
    assert_non_null(r);
    for (unsigned i = 0; i < N; i++) {
        uint64_t cycle;
        assert_int_equal(stimulus_read(r, &cycle, &back, error, sizeof error), 1);
        assert_int_equal(cycle, cycles[i]);
        assert_int_equal(back.add_lane[12], i * 300 & 0x7ff);
        assert_int_equal(back.add_word[2], i & 1);
        assert_int_equal(back.sum_ready, i & 1);
    }
    uint64_t cycle;
    assert_int_equal(stimulus_read(r, &cycle, &back, error, sizeof error), 0);
    stimulus_reader_close(r);
    free(path);
}

TEST(another_blocks_or_sets_file_is_refused) {
    char error[512], *path = scratch_path("other.stim");
    assert_int_equal(run_recorded("wide", path, NULL).status, LOCKSTEP_PASS);
    assert_int_equal(read_all_records(path, "plain", error, sizeof error), -1);
    assert_non_null(strstr(error, "it has \"param LANES 13\", this block has \"param LANES 4\""));
    assert_int_equal(run_recorded("plain", NULL, path).status, LOCKSTEP_ERROR);

    unsigned params[64];
    struct block other = *sample_rtl("wide")->block;
    assert_true(stimulus_file_params(path, &other, params, error, sizeof error));
    assert_int_equal(params[0], 13);
    assert_int_equal(params[2], 129);
    other.name = "l1/other";
    assert_false(stimulus_file_params(path, &other, params, error, sizeof error));
    assert_non_null(strstr(error, "recorded from cosim/sample, not from l1/other"));
    free(path);
}

TEST(every_cut_off_file_is_refused) {
    char error[512], *path = scratch_path("whole.stim"), *cut = scratch_path("cut.stim");
    assert_int_equal(run_recorded("tiny", path, NULL).status, LOCKSTEP_PASS);
    size_t size;
    unsigned char *data = load_file(path, &size);
    for (size_t n = 0; n < size; n += n < 400 || size - n < 40 ? 1 : 97) {
        save_file(cut, data, n);
        assert_int_equal(read_all_records(cut, "tiny", error, sizeof error), -1);
        assert_true(strlen(error) > strlen(cut));
        assert_null(strchr(error, '\n'));
    }
    assert_int_equal(read_all_records(path, "tiny", error, sizeof error), 20000);
    free(data);
    free(path);
    free(cut);
}

TEST(every_changed_byte_is_noticed) {
    char error[512], *path = scratch_path("whole2.stim"), *bad = scratch_path("bad.stim");
    assert_int_equal(run_recorded("tiny", path, NULL).status, LOCKSTEP_PASS);
    size_t size;
    unsigned char *data = load_file(path, &size);
    for (size_t n = 0; n < size; n += n < 400 || size - n < 40 ? 1 : 97) {
        for (unsigned flip = 1; flip < 256; flip = flip << 1 | (flip == 1 ? 0 : 1)) {
            data[n] ^= (unsigned char)flip;
            save_file(bad, data, size);
            assert_int_equal(read_all_records(bad, "tiny", error, sizeof error), -1);
            data[n] ^= (unsigned char)flip;
        }
    }
    data[size] = 0;
    save_file(bad, data, size + 1); /* something after the end */
    assert_int_equal(read_all_records(bad, "tiny", error, sizeof error), -1);
    free(data);
    free(path);
    free(bad);
}

TEST(a_file_that_cannot_be_written_or_read_is_an_error) {
    FREED char *absent = scratch_path("absent/x.stim");
    char error[512];
    assert_int_equal(run_recorded("tiny", absent, NULL).status, LOCKSTEP_ERROR);
    assert_int_equal(run_recorded("tiny", NULL, absent).status, LOCKSTEP_ERROR);
    assert_int_equal(read_all_records(absent, "tiny", error, sizeof error), -1);
    assert_memory_equal(error, absent, strlen(absent));
    assert_string_equal(error + strlen(absent), ": cannot read: No such file or directory");
}
