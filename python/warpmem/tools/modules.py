# SPDX-License-Identifier: Apache-2.0
"""Verilog modules that a block is made of."""
import glob
import os
import re


def parts_of(verilog):
    """Files of the modules that it names, and so on: of a block those in its own place, of one in rtl/top those in any; those in
    rtl/common are not among them."""
    place, found, ahead = os.path.dirname(verilog), [], [verilog]
    places = glob.glob(os.path.join(os.path.dirname(place), "*")) if os.path.basename(place) == "top" else [place]
    while ahead:
        with open(ahead.pop(), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for name in sorted(set(re.findall(r"\bwm_(\w+)\b", text))):
            for path in (os.path.join(folder, f"{name}.v") for folder in sorted(places) if os.path.basename(folder) != "common"):
                if os.path.exists(path) and path not in (verilog, *found):
                    found.append(path)
                    ahead.append(path)
    return found
