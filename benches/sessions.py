#!/usr/bin/env python3
"""Measures sessions: how long each solve after the first one takes, compared with a new search.

The roster of `models/duty-roster.essence` and the timetable of `models/timetable.essence`, with their tables, are changed at
random: a person is away on a day on which they should work, a course may not be at its time or not in its room, and now and then the
last change is undone. The seed determines the changes. Each answer is compared with the answer of `solve --fix`, whose time
counts from the start of the program to its end.

    benches/sessions.py [--program PROGRAM] [--filter TEXT] [--steps N] [--seed N]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import time

from measure import ROOT

ROSTER = """models/duty-roster.essence
person=params/duty-roster/staff.csv:name hours=params/duty-roster/staff.csv:name,hours wage=params/duty-roster/staff.csv:name,wage
shift=params/duty-roster/shifts.csv:shift begins=params/duty-roster/shifts.csv:shift,from@time
length=params/duty-roster/shifts.csv:shift,hours needed=params/duty-roster/needed.csv
away=params/duty-roster/away.csv:who,date@date=2026-11-02 leads=params/duty-roster/leads.csv""".split()

TIMETABLE = """models/timetable.essence course=params/university/courses.csv:course
taught_by=params/university/courses.csv:course,teacher teacher=params/university/courses.csv:teacher
room=params/university/rooms.csv:room seats=params/university/rooms.csv:room,seats student=params/university/students.csv:student
attends=params/university/students.csv:student,course is_absent=params/university/absent.csv""".split() + ["-Dletting times be 12"]


def name(text):
    """A name in Essence."""
    return text if text.isidentifier() else json.dumps(text, ensure_ascii=False)


def absence(solution, chosen):
    """A person cannot work on a day of the plan."""
    (person, day), _ = chosen.choice(solution["roster"])
    return f"!(({name(person)}, {day}) in defined(roster))"


def move(solution, chosen):
    """A course leaves its time or its room."""
    course, (hour, room) = chosen.choice(sorted(solution["lesson"].items()))
    return chosen.choice([f"lesson({name(course)})[1] != {hour}", f"lesson({name(course)})[2] != {name(room)}"])


CASES = {"timetable": (TIMETABLE, move, 20), "roster": (ROSTER, absence, 6)}


def measure(program, arguments, change, steps, seed):
    chosen = random.Random(seed)
    session = subprocess.Popen(
        [program, "session", *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def ask(request):
        start = time.monotonic()
        session.stdin.write(json.dumps(request) + "\n")
        session.stdin.flush()
        answer, solution = json.loads(session.stdout.readline()), None
        while answer["type"] == "solution":
            answer, solution = json.loads(session.stdout.readline()), answer
        assert answer["type"] == "result", answer
        return answer | {"solution": solution}, time.monotonic() - start

    last, first = ask({"solve": {}})
    print(f"  first solve in the session: {first:.2f} s ({last['status']})")
    required, ratios = [], []
    for _ in range(steps):
        if required and chosen.random() < 0.25:
            what = "undo " + required.pop()
            _, spent = ask({"steps": [{"undo": 1}]})
        else:
            what = change(last["solution"]["json"], chosen)
            required.append(what)
            _, spent = ask({"steps": [{"require": what}]})
        answer, solving = ask({"solve": {}})
        start = time.monotonic()
        fixed = [f"--fix={requirement}" for requirement in required]
        command = [program, "solve", *arguments, *fixed, "--output-format=jsonstream", "--exit-status"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        anew = time.monotonic() - start
        status = {10: "satisfied", 20: "unsatisfiable", 30: "optimal"}.get(done.returncode, done.stderr)
        assert status == answer["status"], (status, answer["status"], required)
        if status == "unsatisfiable":
            # The next change is made to the last satisfiable state.
            ask({"steps": [{"undo": 1}]})
            required.pop()
        else:
            objective = json.loads(done.stdout.splitlines()[-1]).get("$objective")
            found = answer["solution"]["objective"]
            assert objective == found, (objective, found, required)
            last = answer
        ratios.append(anew / (spent + solving))
        print(f"  {spent + solving:8.3f} s, anew {anew:7.2f} s: {ratios[-1]:6.1f} times as fast  {what}", flush=True)
    session.stdin.close()
    session.wait()
    return ratios


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=os.path.join(ROOT, "target/release/conjure-like"))
    options.add_argument("--filter", default="")
    options.add_argument("--steps", type=int)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    for case, (arguments, change, steps) in CASES.items():
        if options.filter in case:
            print(case)
            ratios = measure(options.program, arguments, change, options.steps or steps, options.seed)
            print(f"  {statistics.median(ratios):.1f} times as fast in the median of {len(ratios)} (at least {min(ratios):.1f})")


if __name__ == "__main__":
    main()
