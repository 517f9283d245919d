# SPDX-License-Identifier: Apache-2.0
"""The runs of a paper's variants, and after these ran, the result of each.

A sweep is a variant of which several candidates run and the best one counts, as its paper says:
the best for each workload, or one for all, with the best mean. It
is chosen here, from the results, and reported with the candidates.
"""
from collections import namedtuple

from repro.common import Absent, NoValue, Run
from repro.data import WORKLOAD, Sweep, members_of
from repro.metrics import METRICS, mean_of

# values: {candidate: what it was judged by}; workload None: one choice for all of the sweep's set.
Choice = namedtuple("Choice", "sweep machine workload best values")


class Plan:
    """Of one paper at one size and seed. settings: KEY=VALUE of all its machines. results: by run, once there are any."""

    def __init__(self, paper, sets, size, seed, settings=()):
        self.paper, self.sets, self.size, self.seed = paper, sets, size, seed
        self.settings = tuple(word for setting in settings for word in ("--set", setting))
        self.results = {}
        self.choices = {}  # (sweep, machine, workload or None): Choice

    def run(self, options, workload, machine):
        preset, own = self.paper.machine(machine)
        options = tuple(word.replace(WORKLOAD, workload) for word in options)
        return Run(workload, preset, own + options + self.settings + self.paper.cap(workload), self.size, self.seed)

    def sweep_members(self, sweep, workload):
        return ([workload] if sweep.best == "each" else
                [m.workload for m in members_of(self.sets, sweep.name, sweep.workloads)])

    def runs(self, name, workload, machine):
        """All runs behind the result of a variant."""
        variant = self.paper.variants[name]
        if not isinstance(variant, Sweep):
            return [self.run(variant.options, workload, machine)]
        reference = self.paper.variants[variant.reference].options
        runs = []
        for member in dict.fromkeys([workload] + self.sweep_members(variant, workload)):
            runs += [self.run(o, member, machine) for o in variant.candidates.values()]
            runs.append(self.run(reference, member, machine))
        return runs

    def result(self, name, workload, machine):
        """A result or Absent."""
        variant = self.paper.variants[name]
        if not isinstance(variant, Sweep):
            return self.results[self.run(variant.options, workload, machine)]
        choice = self.choose(variant, workload, machine)
        if choice.best is None:
            options = next(iter(variant.candidates.values()))
            first = self.results[self.run(options, workload, machine)]
            return first if isinstance(first, Absent) else Absent(f"no candidate of {name} can be judged", False)
        return self.results[self.run(variant.candidates[choice.best], workload, machine)]

    def candidates(self, name, workload, machine):
        """Results, or Absent, of all candidates of a sweep, in order."""
        sweep = self.paper.variants[name]
        return [self.results[self.run(options, workload, machine)] for options in sweep.candidates.values()]

    def choose(self, sweep, workload, machine):
        key = sweep.name, machine, workload if sweep.best == "each" else None
        if key not in self.choices:
            values = self.judge(sweep, self.sweep_members(sweep, workload), machine)
            best = max(values, key=values.get) if values else None  # the first of equals
            self.choices[key] = Choice(*key, best, values)
        return self.choices[key]

    def judge(self, sweep, workloads, machine):
        """{candidate: mean}; over those workloads only that all candidates have, so that the means
        can be compared. Of one workload: over those candidates that there are."""
        table = {label: {w: self.value(sweep, options, w, machine) for w in workloads}
                 for label, options in sweep.candidates.items()}
        if sweep.best == "each":
            return {label: of[workloads[0]] for label, of in table.items() if of[workloads[0]] is not None}
        common = [w for w in workloads if all(of[w] is not None for of in table.values())]
        if not common:
            return {}
        return {label: mean_of(sweep.mean, [of[w] for w in common], METRICS[sweep.metric].neutral)
                for label, of in table.items()}

    def value(self, sweep, options, workload, machine):
        ours = self.results[self.run(options, workload, machine)]
        reference = self.results[self.run(self.paper.variants[sweep.reference].options, workload, machine)]
        return compare(sweep.metric, ours, reference)[0]


def compare(metric, ours, reference):
    """(value, None), or (None, why there is none)."""
    for result, who in ((ours, ""), (reference, "reference: ")):
        if isinstance(result, Absent):
            return None, who + result.reason
    try:
        return METRICS[metric].function(ours, reference), None
    except NoValue as why:
        return None, str(why)


def figure_of(figure, ours, class_="-"):
    """The same of a figure of one run, of a workload of this class."""
    if isinstance(ours, Absent):
        return None, ours.reason
    try:
        return figure.function(*(ours, class_) if figure.by_class else (ours,)), None
    except NoValue as why:
        return None, str(why)
