# SPDX-License-Identifier: Apache-2.0
"""The variables that change what make and its scripts do, given on the command line or in the
environment. tb/scripts/goals_test.py compares them with what the makefiles and scripts read.
"""

# These change the result, or its extent.
DECIDING = ("AR", "BLOCK", "CACTI", "CC", "CFLAGS", "CLAIM", "COUNT", "CXX", "CXXFLAGS_RTL", "CYCLES", "DESTDIR", "DIR", "DRY", "ENGINE", "FAMILY",
            "FIGURE", "FROM", "FUZZ_SECONDS", "GATE", "GHZ", "KEEP", "LAUNCH", "LD", "LDFLAGS", "LIBERTY", "LIBERTY_FAST",
            "LIBERTY_SLOW", "LIMITS", "MINUTES", "MUTANTS", "MUTANTS_SOME", "MUTANT_CYCLES", "NODE", "OPT", "PAPER", "PEER", "POINT",
            "POINTS", "PREFIX", "REPLAY", "REPRO_DIR", "RTL", "RTL_COVERAGE", "RUNS", "SANITIZE", "SEED", "SET", "SIDE", "SIZE", "SPEED",
            "SOURCE_DATE_EPOCH", "TARGET", "TIMEOUT", "TSV")
# Those of them that name files, whose contents count.
FILES = ("CACTI", "LIBERTY", "LIBERTY_FAST", "LIBERTY_SLOW", "LIMITS", "REPLAY")
# These change only the place, the number of jobs, the verbosity, and the use of cached results.
NO_MATTER = ("AGAIN", "BUILD", "CCACHE", "COSIM_TMP", "JOBS", "V")
# These one makefile or script of ours gives another each time that it calls it, so nobody else's reach it.
HANDED_ON = ("ARCHIVE", "COVERAGE", "HEADERS", "LIBRARY", "MAKE_MUTANT", "MUTANT_DIR", "MUTANT_SET", "MUTANT_VERILOG", "ONLY",
             "OUT", "POINTS_DIR", "PORTS", "SETS_H", "TABLE", "VERILOG")
# In these make tells makes below it what it was told.
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MAKE_TERMOUT", "MAKE_TERMERR", "GNUMAKEFLAGS", "MAKEFILES")
