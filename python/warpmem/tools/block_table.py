# SPDX-License-Identifier: Apache-2.0
"""The table of hardware blocks, cmodel/cli/blocks.h, as the tools need it: names, and the set that area is measured of."""
import re

from warpmem.tools.house import BadInput, read

TABLE = "cmodel/cli/blocks.h"


def area_sets():
    """{block: the parameter set that `make area` measures}, in the order of the table."""
    rows = re.findall(r"^    B\((\w+), (\w+), (\w+), [A-Z]+, \"", read(TABLE), re.M)
    if not rows:
        raise BadInput(f"{TABLE}: has no row B(place, block, set, PLACE, \"sets\", ...")
    return {f"{place}/{name}": label for place, name, label in rows}
