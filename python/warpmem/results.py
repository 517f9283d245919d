# SPDX-License-Identifier: Apache-2.0
"""Runs, and tables of runs."""
import csv
import os
import tempfile
import warnings

from warpmem.program import Error, program_of
from warpmem.table import Table

RUN, COMPARE, VERSION = "warpmem.run", "warpmem.compare", 2


def word(value):
    """A value in the command line's form: True is on."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def listing(value):
    """One or several, as a list."""
    return [] if value is None else [value] if isinstance(value, (str, os.PathLike)) else list(value)


def joined(value):
    return ",".join(word(one) for one in listing(value))


def machine_words(preset, config, sets, plugins):
    words = ["--preset", preset] if preset else []
    for path in listing(config):
        words += ["--config", os.fspath(path)]
    for path in listing(plugins):
        words += ["--plugin", os.fspath(path)]
    for key, value in (sets or {}).items():
        words += ["--set", f"{key}={word(value)}"]
    return words


def option_words(options):
    """{"max_cycles": 1000, "poll": True} as --max-cycles 1000 --poll."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={joined(value) if isinstance(value, (list, tuple)) else value}")
    return words


def check_schema(json, schema):
    if (json.get("schema"), json.get("version")) != (schema, VERSION):
        raise Error(f"the program's result is {json.get('schema')} version {json.get('version')}: must be {schema} version "
                    f"{VERSION}: program and package must be of one release")


class Result:
    """A run. Members of its JSON (docs/result_json.md) are attributes: cycles, ipc, machine, scheme, config, complete...

    result["l1.read_hits"] is a counter, result["l1_hit_rate"] a figure. `kernels` is a table; `series` one too, or None
    without series=True.
    """

    def __init__(self, json, series=None):
        check_schema(json, RUN)
        self.json, self.series = json, series
        self.kernels = Table(json["kernels"])

    def __getattr__(self, name):
        json = self.__dict__.get("json", {})
        if name in json:
            return json[name]
        raise AttributeError(f"{name}: a result has " + ", ".join(sorted(json)))

    def __getitem__(self, name):
        for part in ("stats", "figures"):
            if name in self.json[part]:
                return self.json[part][name]
        if name in self.json:
            return self.json[name]
        raise KeyError(f"{name}: no such counter or figure of {self.json['machine']}; warpmem.listed('stats') has them")

    def __contains__(self, name):
        return name in self.json["stats"] or name in self.json["figures"] or name in self.json

    def __repr__(self):
        return (f"<warpmem result: {self.json['workload']} {self.json['size']} on {self.json['machine']}, {self.json['scheme']}: "
                f"{self.json['cycles']} cycles{'' if self.json['complete'] else ', incomplete'}>")


def read_series(path):
    """A file of --series as a table of numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    def number(text):
        try:
            return int(text)
        except ValueError:
            return float(text) if text not in ("", "-") else None
    return Table([{name: number(text) for name, text in row.items()} for row in csv.DictReader(lines)])


def run(workload, *, preset=None, scheme=None, sets=None, size=None, seed=None, config=None, plugins=(), series=False,
        interval=None, progress=False, program=None, **options):
    """Runs a workload, or a trace file, once.

    sets: {"l1.ways": 8}; config, plugins: paths, one or several; series: rates and queue lengths over time, a row each
    `interval` core cycles. options: further ones of `warpmem run` by name, as in max_cycles=1000, profile="gc.profile".
    Return: a Result. An Error tells what was refused or went wrong.
    """
    words = ["run", os.fspath(workload), *machine_words(preset, config, sets, plugins), "--json", "-"]
    words += option_words({"scheme": scheme, "size": size, "seed": seed, "series_interval": interval, **options})
    words += [] if progress else ["--no-progress"]
    if not series:
        return Result(program_of(program).json(words, progress)[0])
    with tempfile.TemporaryDirectory(prefix="warpmem_") as folder:
        path = os.path.join(folder, "series.csv")
        json, _ = program_of(program).json([*words, "--series", path], progress)
        return Result(json, read_series(path))


def row_of(row, columns):
    """A row of compare's JSON as a row of the table."""
    json = row.get("result")
    flat = {"workload": row["workload"], "size": row["size"], "machine": row["machine"], "scheme": row["scheme"], **row.get("point", {})}
    if json is None:
        return {**flat, "speedup": None, "failed": row["failed"]}
    result = Result(json)
    return {**flat, "cycles": json["cycles"], "ipc": json["ipc"], "speedup": row["speedup"], "complete": json["complete"],
            **{name: result[name] if name in result else None for name in columns}, "result": result}


def compare(workloads=(), *, suite=None, presets=None, preset=None, schemes=None, sweep=None, sets=None, size=None, seed=None,
            config=None, plugins=(), stats=(), mean="geometric", keep=None, jobs=None, progress=False, program=None, **options):
    """Runs every workload on every machine under every scheme, at every value of the swept keys, on all cores.

    workloads: a name or several; suite: a set of them; sweep: {"l1.ways": [2, 4, 8]}; stats: counters and figures that get a
    column; keep: a folder of results, which do not run again.
    Return: a Table, a row a run, whose Result is row["result"]; its `means` is a Table of the mean speedups. A run that
    failed is a row with a reason in column `failed`, and a warning.
    """
    words = ["compare", *(os.fspath(name) for name in listing(workloads)), *machine_words(preset, config, sets, plugins)]
    for key, values in (sweep or {}).items():
        words += ["--sweep", f"{key}={joined(values)}"]
    words += option_words({"suite": suite, "presets": joined(presets) or None, "schemes": joined(schemes) or None, "size": size,
                           "seed": seed, "mean": mean, "keep": keep, "jobs": jobs, **options})
    words += ["--json", "-"] + ([] if progress else ["--no-progress"])
    json, said = program_of(program).json(words, progress, partly=True)
    check_schema(json, COMPARE)
    rows = [row_of(row, listing(stats)) for row in json["rows"]]
    table = Table(rows, dict.fromkeys(name for row in rows for name in row if name != "result"))
    table.means = Table([{**{name: value for name, value in row.items() if name != "point"}, **row.get("point", {})}
                         for row in json.get("means", [])])
    if "failed" in table.columns:
        warnings.warn(said or "some runs failed", stacklevel=2)
    return table


def sweep(workloads, keys, **more):
    """compare() over values of keys: sweep("atax", {"l1.ways": [2, 4, 8]}, schemes=["baseline"], size="tiny")."""
    return compare(workloads, sweep=keys, **{"schemes": ["baseline"], **more})


def listed(what, program=None):
    """A list of `warpmem list`: workloads, suites, schemes, presets, keys, stats (only counters) or blocks."""
    json, _ = program_of(program).json(["list", what, "--json", "-"])
    return Table(json["counters" if what == "stats" else what])
