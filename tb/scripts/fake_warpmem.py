#!/usr/bin/python3 -ES
# SPDX-License-Identifier: Apache-2.0
"""Stands for warpmem in the tests of scripts/repro: its lists, configurations and results, and how
they go wrong. It runs nothing; cycles come from `plan.json` beside it, which may hold:
  workloads  names that it has              cycles   {"WORKLOAD PRESET OPTIONS": cycles}
  stats      {the same: {name: count}}      wrong    {the same: what to do instead}
  refused    words that are no option here
Each run is added to `calls`, a line each.
"""
import hashlib
import json
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = {"noc.reply_packets": 100, "l1.read_misses": 50, "l1.write_misses": 0,
          "l1.read_bypasses": 0, "l1.misses_intra_warp": 30, "l1.misses_cross_warp": 15,
          "l1.misses_cross_block": 5}
with open(os.path.join(HERE, "plan.json"), encoding="utf-8") as plan_file:
    PLAN = json.load(plan_file)


def config_hash(preset, options):
    return hashlib.sha256(" ".join([preset] + options).encode()).hexdigest()[:16]


def without_sweep(options):
    at = options.index("--swl-limits") if "--swl-limits" in options else len(options)
    return options[:at] + options[at + 2:]


def refuse(options):
    for word in options:
        if word in PLAN.get("refused", []):
            print(f"warpmem: --set: {word}: no such key", file=sys.stderr)
            sys.exit(2)


def run(words):
    end = words.index("--size")
    workload, preset, options = words[0], words[2], words[3:end]
    name = " ".join([workload, preset] + options)
    with open(os.path.join(HERE, "calls"), "a", encoding="utf-8") as calls:
        calls.write(name + "\n")
    wrong = PLAN.get("wrong", {}).get(name)
    if wrong == "fail":
        print("warpmem: the machine is stuck", file=sys.stderr)
        sys.exit(1)
    if wrong == "sleep":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        time.sleep(60)
    if wrong == "shout":
        print("not JSON")
        sys.exit(0)
    result = {
        "schema": "warpmem.run", "version": 1, "workload": workload, "size": words[end + 1],
        "seed": int(words[end + 3]), "preset": preset, "scheme": "-",
        "config_hash": config_hash(preset, without_sweep(options)),
        "complete": wrong != "incomplete", "cycles": PLAN.get("cycles", {}).get(name, 1000),
        "thread_instructions": 5000, "stats": dict(COUNTS, **PLAN.get("stats", {}).get(name, {}))}
    json.dump(result, sys.stdout)


def main(words):
    if words == ["list", "workloads"]:
        for workload in PLAN["workloads"]:
            print(f"{workload:<20} suite: text\n{'':20} sizes")
    elif words[:2] == ["config", "show"]:
        refuse(words[3:])
        print(f"; {words[2]}\n; scheme -, config {config_hash(words[2], words[3:])}")
    elif words[0] == "run":
        run(words[1:])
    else:
        sys.exit(f"fake: {words}")


main(sys.argv[1:])
