/* SPDX-License-Identifier: Apache-2.0
 * Waves on a disk without room: whole or not at all, and reported. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "cosim/fst_file.h"
#include "cosim/lockstep.h"
#include "cosim/sample_stimulus.h"
#include "cosim/shell.h"

static enum lockstep_status record_waves(const char *ports, const char *inside) {
    struct lockstep_options options = {.seed = 5,
                                       .cycles = 3000,
                                       .exact = true,
                                       .wave = ports,
                                       .rtl_wave = inside,
                                       .out = tmpfile()};
    enum lockstep_status status =
        lockstep_run(sample_rtl("wide"), &sample_stimulus, &options).status;
    fclose(options.out);
    return status;
}

static long file_bytes(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

TEST(a_wave_cut_anywhere_is_not_whole) {
    FREED char *path = scratch_path("cut.fst");
    assert_int_equal(record_waves(path, NULL), LOCKSTEP_PASS);
    assert_true(fst_file_is_whole(path));
    for (long length = file_bytes(path) - 1; length >= 0; length -= length < 400 ? 1 : 37) {
        assert_int_equal(truncate(path, length), 0);
        assert_false(fst_file_is_whole(path));
    }
    assert_false(fst_file_is_whole("/nowhere/wave.fst"));
}

TEST(a_damaged_wave_does_not_replace_the_one_before) {
    FREED char *path = scratch_path("kept.fst"), *damaged = scratch_path("kept.fst.part");
    assert_int_equal(record_waves(path, NULL), LOCKSTEP_PASS);
    FILE *part = fopen(damaged, "wb");
    fputs("no wave", part);
    fclose(part);
    assert_false(fst_file_publish(damaged, path));
    assert_int_equal(file_bytes(damaged), -1);
    assert_true(fst_file_is_whole(path));
}

TEST(a_disk_without_room_is_seen_before_a_wave_is_opened) {
    assert_true(fst_file_has_room("wave.fst", 1));
    assert_false(fst_file_has_room("wave.fst", UINT64_MAX));
    assert_false(fst_file_has_room("/tmp/wave.fst", UINT64_MAX));
}

/* A limit on the size of files stands for the full disk. */
TEST(a_wave_that_cannot_be_written_fails_the_run_and_leaves_no_file) {
    FREED char *ports = scratch_path("limit_ports.fst"), *inside = scratch_path("limit_inside.fst");
    const char *const waves[][2] = {{ports, NULL}, {NULL, inside}};
    struct rlimit before, limit = {4096, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    for (unsigned i = 0; i < 2; i++) {
        setrlimit(RLIMIT_FSIZE, &limit);
        enum lockstep_status status = record_waves(waves[i][0], waves[i][1]);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, LOCKSTEP_ERROR);
        assert_int_equal(file_bytes(waves[i][i]), -1);
        FREED char *part = scratch_path(i ? "limit_inside.fst.part" : "limit_ports.fst.part");
        assert_int_equal(file_bytes(part), -1);
    }
    signal(SIGXFSZ, SIG_DFL);
}
