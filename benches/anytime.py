"""Optimisation with a time limit: how good the answers of systems are, and when they find them.

The instances are those of benches/abstract: a small, a medium and a large one of each problem. Their parameter files state what is
known about the best value: `$ optimum: N`, or `$ best known: N`.
"""

import re
from dataclasses import asdict, dataclass
from pathlib import Path

from measure import run, wrong

# The goals for conjure-like: small and medium instances with a proof, large ones with a value close to the best known
# one, and a memory limit for each.
SIZES = ("small", "middle", "large")
PROVED = {"small": 20, "middle": 15}
CLOSE, NEAR = 18, 0.02
MEMORY = 6 * 1024

# A system must stop within this number of seconds after its time limit.
GRACE = 10


def conjure_like(program, limit):
    def command(instance):
        return [program, "solve", "--progress", f"--limit-time={limit:.0f}", instance.model, instance.file]

    return command


def minizinc(limit):
    def command(instance):
        model = instance.folder / "model.mzn"
        told = ["--solver", "gecode", "-a", "--time-limit", f"{1000 * limit:.0f}"]
        return ["minizinc", *told, model, instance.data] if model.exists() else None

    return command


def chuffed(modules, limit):
    def command(instance):
        model = instance.folder / "model.mzn"
        told = [modules, f"{limit:.0f}", model, instance.data]
        return ["node", Path(__file__).with_name("chuffed.mjs"), *told] if model.exists() else None

    return command


@dataclass
class Answer:
    """The run of a system: values of the objective in the order of time, with seconds from the start of its process."""

    found: list
    proved: bool
    wall: float
    processor: float
    memory: float
    wrong: str | None

    @property
    def value(self):
        return self.found[-1][1] if self.found else None


def values(lines):
    """The seconds and the value of each solution. conjure-like prints them on standard error, others in a comment or in JSON."""
    told = re.compile(r'(?:objective|\$ objective:|\s*"_objective" ?:) (-?\d+)')
    found = ((seconds, told.match(line)) for seconds, line in lines)
    return [(round(seconds, 2), int(value[1])) for seconds, value in found if value]


def asked(name, line, instance, limit, check):
    """The answer of one run; `check` returns the error in a value and the output, or nothing."""
    result = run(line, limit + GRACE, stamped=True)
    found = values(result.lines)
    if name != "conjure-like":
        proved = "==========" in result.output
    else:
        proved = bool(found) and result.exit_code == 0 and "$ not proved optimal" not in result.output
    complaint = None
    if result.exit_code not in (0, 3) and not result.late:
        complaint = f"exit code {result.exit_code}: {' '.join((result.errors or result.output).split())[:200]}"
    elif found and (not result.late or name == "conjure-like"):  # the others print each solution at once
        complaint = check(found[-1][1], result.output)
    best = instance.best
    if not complaint and found and proved and best is not None and instance.optimal and found[-1][1] != best:
        complaint = f"the optimum is {best}"
    return Answer(found, proved, result.wall, result.processor, result.memory, complaint)


def gap(answer, best):
    """The distance of the value from the best known one, relative to that; nothing without a value."""
    if answer.value is None or best is None:
        return None
    return abs(answer.value - best) / max(1, abs(best))


def beats(instance, answer):
    """True if a value is better than the best known one."""
    if answer.value is None or instance.best is None:
        return False
    maximised = re.search(r"^maximi[sz]ing", instance.model.read_text(), re.MULTILINE)
    return answer.value > instance.best if maximised else answer.value < instance.best


def cells(answer):
    if answer is None:
        return ""
    first, last = (f"{answer.found[i][0]:.1f}" if answer.found else "-" for i in (0, -1))
    proof = f"{answer.wall:.1f}" if answer.proved else "-"
    value = "-" if answer.value is None else str(answer.value)
    return f"{value:>9}{first:>7}{last:>7}{proof:>7}{answer.memory:>8.0f}"


HEADER = f"{'value':>9}{'first':>7}{'best':>7}{'proof':>7}{'MB':>8}"


def table(instances, called, options):
    """Runs all systems and prints a line for each instance; returns instance -> system -> answer."""

    def check(instance):
        return lambda value, output: wrong(options.binary, instance.model, instance.file, f"optimum {value}", output)

    print(f"{'':<29}{'best':>8}" + "".join(f"  |{name:^38}" for name in called))
    print(f"{'instance':<29}{'known':>8}" + f"  |{HEADER}" * len(called))
    answers = {}
    for instance in instances:
        lines = {name: command(instance) for name, command in called.items()}
        row = answers[instance] = {
            name: asked(name, line, instance, options.limit, check(instance)) for name, line in lines.items() if line
        }
        known = "-" if instance.best is None else f"{instance.best}{'' if instance.optimal else '?'}"
        print(f"{instance.name:<29}{known:>8}" + "".join(f"  |{cells(row.get(name)):<38}" for name in called))
        for name, answer in row.items():
            if answer.wrong:
                print(f"    {name}: {answer.wrong}")
            elif beats(instance, answer):
                print(f"    {name}: better than the best known value")
        print(end="", flush=True)
    return answers


def summary(answers, name):
    """The distance of a system from the bars."""
    rows = {size: [] for size in SIZES}
    for instance, row in answers.items():
        if name in row:
            rows[instance.file.stem].append((instance, row[name]))
    lines = []
    for size, bar in PROVED.items():
        if not rows[size]:
            continue
        proved = sum(answer.proved and not answer.wrong for _, answer in rows[size])
        lines.append(f"{name}: {size}: {proved} of {len(rows[size])} proved (bar: {bar})")
    if not rows["large"]:
        return lines
    gaps = [0 if beats(instance, answer) else gap(answer, instance.best) for instance, answer in rows["large"] if not answer.wrong]
    close = sum(one is not None and one <= NEAR for one in gaps)
    lines.append(f"{name}: large: {close} of {len(rows['large'])} within {NEAR:.0%} of the best known value (bar: {CLOSE})")
    most = max(answer.memory for _, answer in rows["large"])
    lines.append(f"{name}: large: {most:.0f} MB at most (bar: {MEMORY})")
    return lines


def compare(instances, called, options):
    """Prints the table and the summary; returns the figures, and whether an answer is wrong."""
    instances = sorted(instances, key=lambda instance: (SIZES.index(instance.file.stem), instance.name))
    answers = table(instances, called, options)
    for name in called:
        print("\n".join(summary(answers, name)))
    figures = {i.name: {name: asdict(answer) for name, answer in row.items()} for i, row in answers.items()}
    return figures, any(answer.wrong for row in answers.values() for answer in row.values())
