#!/usr/bin/env python3
"""Asks MiniZinc for the objective of solutions that are written in Essence.

    benches/challenge/check.py SITE CLASS INSTANCE SOLUTION

The decision variables of the challenge's model get the values that the Essence solution says, and MiniZinc (with
Gecode) finds the rest. Symmetry breaking and redundant constraints are left out, as the abstract model knows neither.
"""

import json
import re
import sys
import tempfile
from pathlib import Path

import convert
import gecode
import values
from measure import run, split

LIMIT = 60
LEFT_OUT = [f"mzn_ignore_{kind}_constraints=true" for kind in ("symmetry_breaking", "redundant")]


def objective(instance, text):
    """The value of the objective that MiniZinc computes for the last solution, or what MiniZinc said instead."""
    solutions = split(text)
    if not solutions:
        return "no solution"
    found = values.solution(solutions[-1])
    decisions = instance.converter().decisions(values.data(instance.data), found)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "fixed.mzn"
        model.write_text(f"include {json.dumps(str(instance.minizinc))};\n{values.constraints(decisions)}")
        without = [word for assignment in LEFT_OUT for word in ("-D", assignment)]
        mode = ["--output-mode", "json", "--output-objective", "--solver", gecode.solver(Path(folder) / "gecode")]
        result = run(["minizinc", *mode, *without, model, instance.data], LIMIT)
    told = re.findall(r'"_objective" : (-?\d+)', result.output)
    if told and "==========" in result.output:
        return int(told[-1])
    return " ".join((result.output + result.errors).split())[-300:] or "no answer"


def main():
    site, group, name, file = sys.argv[1:]
    (instance,) = [one for one in convert.instances(Path(site)) if (one.group, one.name) == (group, name)]
    print(objective(instance, Path(file).read_text()))


if __name__ == "__main__":
    main()
