#!/usr/bin/env python3
"""Measures campaigns: the number of runs per second, and the memory for a million results.

    campaign.py [--program PROGRAM] [--runs N] [--results N]

The runs are tiny (one variable). The results are generated; the memory is the peak of the process that reads them.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time


def peak(command, folder):
    """Runs a command; returns its seconds and its peak memory in megabytes."""
    started = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, command
    return time.monotonic() - started, usage.ru_maxrss / 1024


def plan(folder, instances, seeds):
    with open(f"{folder}/plan.toml", "w") as file:
        file.write(f"time = 10\nseeds = [{', '.join(map(str, range(seeds)))}]\n\n")
        file.write('[[instances]]\nmodel = "tiny.essence"\nparameters = "data/*.param"\n\n')
        file.write('[settings]\none = "--solver=cadical"\ntwo = "--solver=batsat"\n')
    with open(f"{folder}/tiny.essence", "w") as file:
        file.write("given n : int\nfind x : int(1..9)\nsuch that x > n\n")
    os.makedirs(f"{folder}/data", exist_ok=True)
    for number in range(instances):
        with open(f"{folder}/data/{number:06}.param", "w") as file:
            file.write(f"letting n be {number % 9}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="conjure-like")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program) if os.sep in arguments.program else arguments.program

    with tempfile.TemporaryDirectory() as folder:
        plan(folder, 100, arguments.runs // 200)
        seconds, memory = peak([program, "campaign", "run", "plan.toml"], folder)
        print(f"run: {arguments.runs} runs in {seconds:.1f} s, {arguments.runs / seconds:.0f} a second; {memory:.0f} MB")

    for instances in (1000, arguments.results // 2):
        with tempfile.TemporaryDirectory() as folder:
            seeds = arguments.results // (2 * instances)
            plan(folder, instances, seeds)
            os.makedirs(f"{folder}/plan.results")
            with open(f"{folder}/plan.results/runs.jsonl", "w") as file:
                number = 0
                for instance in range(instances):
                    for setting in ("one", "two"):
                        for seed in range(seeds):
                            number += 1
                            parameters = f"data/{instance:06}.param"
                            run = {"number": number, "task": f"tiny.essence {parameters} [{setting}] seed {seed}"}
                            run |= {"family": "tiny", "model": "tiny.essence", "parameters": parameters, "setting": setting}
                            run |= {"seed": seed, "repeat": 0, "status": "satisfied", "solutions": 1, "objective": None}
                            run |= {"seconds": number % 1000 / 1000 + 0.001, "memory": 1, "message": None}
                            file.write(json.dumps(run) + "\n")
            for command in (["status"], ["report"], ["results"], ["run"]):
                seconds, memory = peak([program, "campaign", *command, "plan.toml"], folder)
                print(f"{instances} instances, {number} results, {command[0]}: {seconds:.1f} s, {memory:.0f} MB")


if __name__ == "__main__":
    main()
