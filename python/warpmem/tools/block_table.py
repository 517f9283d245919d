# SPDX-License-Identifier: Apache-2.0
"""The table of hardware blocks, cmodel/cli/blocks.h, as the tools need it: names, and the set that area is measured of."""
import re

from warpmem.tools.block_tests import blocks_with, lines_of
from warpmem.tools.house import BadInput, read

TABLE = "cmodel/cli/blocks.h"


def area_sets():
    """{block: the parameter set that `make area` measures}, in the order of the table."""
    rows = re.findall(r"^    B\((\w+), (\w+), (\w+), [A-Z]+, \"", read(TABLE), re.M)
    if not rows:
        raise BadInput(f"{TABLE}: has no row B(place, block, set, PLACE, \"sets\", ...")
    return {f"{place}/{name}": label for place, name, label in rows}


def tops():
    """The same of the modules in rtl/top: their tests have the sets, of which the first is measured."""
    return {top: lines_of(top, "sets")[0][1].split()[0] for top in blocks_with("sets")}
