# SPDX-License-Identifier: Apache-2.0
"""Verilog modules that a block is made of."""
import os
import re


def parts_of(verilog):
    """Files of the modules in the block's own place that it names, and so on; those in rtl/common are not among them."""
    place, found, ahead = os.path.dirname(verilog), [], [verilog]
    while ahead:
        with open(ahead.pop(), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for name in sorted(set(re.findall(r"\bwm_(\w+)\b", text))):
            path = os.path.join(place, f"{name}.v")
            if os.path.exists(path) and path not in (verilog, *found) and place != "rtl/common":
                found.append(path)
                ahead.append(path)
    return found
