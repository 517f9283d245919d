/* SPDX-License-Identifier: Apache-2.0
 *
 * dramcheck FILE checks that a DRAM command log is legal. Exit status 0: legal; 1: prints the first
 * illegal pair; 2: not a log.
 */
#include <errno.h>

#include "cosim/dramcheck.h"

int main(int argc, char **argv) {
    if (argc != 2 || !strcmp(argv[1], "--help")) {
        fprintf(argc == 2 ? stdout : stderr,
                "usage: dramcheck FILE\n"
                "Checks the DRAM commands that `warpmem run --dram-log FILE` has written.\n"
                "Exit status: 0 legal, 1 illegal, 2 not a command log.\n");
        return argc == 2 ? 0 : 2;
    }
    FILE *in = fopen(argv[1], "r");
    if (!in) {
        fprintf(stderr, "dramcheck: %s: %s\n", argv[1], strerror(errno));
        return DRAMCHECK_BAD_FILE;
    }
    int status = dramcheck_log(in, argv[1], stdout, stderr);
    fclose(in);
    return status;
}
