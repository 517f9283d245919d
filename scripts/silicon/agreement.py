# SPDX-License-Identifier: Apache-2.0
"""Agreement of two sets of counts: errors and correlations."""
import math
import statistics


def error_of(ours, theirs):
    """Relative, signed."""
    return ours / theirs - 1


def pearson(xs, ys):
    """None: fewer than three points, or one side does not vary."""
    if len(xs) < 3 or len(set(xs)) == 1 or len(set(ys)) == 1:
        return None
    return statistics.correlation(xs, ys)


def ranks(values):
    """From 1; equal values have the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, at = [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for place in order[at:end + 1]:
            found[place] = (at + end) / 2 + 1
        at = end + 1
    return found


def spearman(xs, ys):
    return pearson(ranks(xs), ranks(ys))


def agreement(pairs):
    """Of [(ours, theirs)], theirs above 0: {points, error: mean absolute, bias: geometric mean of the ratios, worst: largest absolute
    error, logs: Pearson's correlation of the logarithms, ranks: Spearman's}. A zero of ours counts in error and ranks alone."""
    errors = [abs(error_of(*pair)) for pair in pairs]
    both = [(math.log(ours), math.log(theirs)) for ours, theirs in pairs if ours > 0]
    return {"points": len(pairs), "error": statistics.fmean(errors), "worst": max(errors),
            "bias": math.exp(statistics.fmean(ours - theirs for ours, theirs in both)) if both else None,
            "logs": pearson(*zip(*both)) if both else None, "ranks": spearman(*zip(*pairs))}
