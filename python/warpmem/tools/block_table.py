# SPDX-License-Identifier: Apache-2.0
"""The table of hardware blocks, cmodel/cli/blocks.h, as the tools need it: names, and the set that area is measured of."""
import glob
import os
import re

from warpmem.tools.house import BadInput, read

TABLE = "cmodel/cli/blocks.h"


def area_sets():
    """{block: the parameter set that `make area` measures}, in the order of the table."""
    rows = re.findall(r"^    B\((\w+), (\w+), (\w+), [A-Z]+, \"", read(TABLE), re.M)
    if not rows:
        raise BadInput(f"{TABLE}: has no row B(place, block, set, PLACE, \"sets\", ...")
    return {f"{place}/{name}": label for place, name, label in rows}


def tops():
    """The same of the assemblies in rtl/top that have tests; these have the sets, and the first one is measured."""
    found = {path.removeprefix("tb/").removesuffix(".tests") for path in glob.glob("tb/top/*.tests")}
    return {top: re.search(r"^\[sets\]\n(?:#.*\n)*(\w+)", read(f"tb/{top}.tests"), re.M)[1]
            for top in sorted(found) if os.path.exists(f"rtl/{top}.v") and "\n[sets]\n" in read(f"tb/{top}.tests")}
