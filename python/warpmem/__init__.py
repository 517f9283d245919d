# SPDX-License-Identifier: Apache-2.0
"""warpmem from Python: runs the program and returns its results as objects and tables.

    import warpmem
    result = warpmem.run("atax", size="tiny", scheme="mrpb", sets={"l1.ways": 8})
    result.cycles, result["l1.read_hits"], result["l1_hit_rate"]
    table = warpmem.compare(["atax", "mvt"], schemes=["baseline", "mrpb"], size="tiny")
    table["speedup"]

Nothing is simulated here: each function is a call of the program, with the options of its command line. The program is the one
that `program=` names, else that of the environment variable WARPMEM, else `warpmem` of PATH, else that of the source tree which
the package lies in. Only the standard library is needed; pandas and matplotlib take the tables as they are.
"""
from warpmem.program import Error, Program
from warpmem.results import Result, compare, listed, run, sweep
from warpmem.table import Table

__version__ = "0.1.0"
__all__ = ["Error", "Program", "Result", "Table", "compare", "listed", "run", "sweep"]
