#!/usr/bin/env python3
"""Predicts the time of a campaign of cubes on more machines than there are, from the measured times of its tasks.

    speed_up.py RUNS.jsonl --alone SECONDS [--start SECONDS]

RUNS.jsonl is what `campaign results --output-format=json` prints about a campaign whose tasks are the cubes of one instance. The time of a task is the wall time of its process, so that
starting the program and translating the model count. A scheduler needs --start more seconds for each task. Workers take the tasks in
order, each the next one when it is free, as `campaign run` and schedulers do. Prints the time until the last task ends, the speed-up over
the time that one search of the whole instance takes (--alone), and the fraction of the time in which some worker is idle (the tail).
"""

import argparse
import heapq
import json

WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]


def schedule(times, workers):
    """The time at which each worker finishes if they take the tasks in this order."""
    free = [0.0] * workers
    for time in times:
        heapq.heappush(free, heapq.heappop(free) + time)
    return sorted(free)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs")
    parser.add_argument("--alone", type=float, required=True, help="seconds of one search of the whole instance")
    parser.add_argument("--start", type=float, default=0.1, help="seconds that the scheduler takes to start a task")
    arguments = parser.parse_args()
    with open(arguments.runs) as file:
        runs = sorted((json.loads(line) for line in file), key=lambda run: run["number"])
    open_ends = [run["task"] for run in runs if run["status"] not in ("unsatisfiable", "optimal", "all solutions", "satisfied")]
    if open_ends:
        parser.error(f"{len(open_ends)} tasks have no answer, such as {open_ends[0]}")
    times = [run["seconds"] + arguments.start for run in runs]
    print(f"{len(times)} tasks, {sum(times):.1f} s in all, the longest {max(times):.2f} s; alone {arguments.alone:.1f} s")
    print(f"{'workers':>8} {'seconds':>9} {'speed-up':>9} {'tail':>6}")
    for workers in WORKERS:
        ends = schedule(times, workers)
        print(f"{workers:8} {ends[-1]:9.2f} {arguments.alone / ends[-1]:9.1f} {1 - ends[0] / ends[-1]:6.0%}")


if __name__ == "__main__":
    main()
