"""Values of every type: each value that the package returns is accepted wherever the package takes values.

Each number stands for a type, whose constructors are nested two or three levels deep, and for a value of this type. To
run more numbers with another seed:

    PLANS=500 PLANS_SEED=2 python -m pytest tests/test_round_trips.py

`PLANS_ONLY=17` tries one number and shows its domain.
"""

import copy
import json
import os
import pickle
import random
import subprocess

import pytest

from conjure_like import EssenceError, Model, plain, to_pandas
from conjure_like.values import Matrix
from conjure_like.program import find

PLANS = int(os.environ.get("PLANS", 24))
SEED = int(os.environ.get("PLANS_SEED", 1))
ONLY = os.environ.get("PLANS_ONLY")

#: The limit on the number of values of a type.
MOST_VALUES = 300

#: The types that the domains use. The data list the members of `given_type`.
TYPES = """
letting listed be new type enum {low, mid, "very high"}
given given_type new type enum
"""

UNNAMED = "letting unnamed be new type of size 2\n"

MEMBERS = {"given_type": ["anna", "Zoë Ø"]}

SCALARS = {
    "int(1..2)": 2,
    "int(-1, 1)": 2,
    "listed": 3,
    "given_type": 2,
    "unnamed": 2,
    "bool": 2,
    "listed(low..mid)": 2,
    'listed("very high", low)': 2,
}

#: The names of fields. The last two cannot be Python attributes.
FIELDS = ("first", "class", '"odd name"')


def scalar(r):
    return r.choice(list(SCALARS))


def inner(r, depth):
    return scalar(r) if depth <= 1 else r.choice(list(CONSTRUCTORS.values()))(r, depth - 1)


#: The constructors, which the numbers use in turn.
CONSTRUCTORS = {
    "scalar": lambda r, depth: scalar(r),
    "tuple": lambda r, depth: r.choice([f"({scalar(r)}, {inner(r, depth)})", f"tuple ({inner(r, depth)})"]),
    "record": lambda r, depth: f"record {{{r.choice(FIELDS)} : {inner(r, depth)}, other : {scalar(r)}}}",
    "variant": lambda r, depth: f"variant {{{r.choice(FIELDS)} : {inner(r, depth)}, other : {scalar(r)}}}",
    "matrix": lambda r, depth: f"matrix indexed by [{scalar(r)}] of {inner(r, depth)}",
    "grid": lambda r, depth: f"matrix indexed by [{scalar(r)}, {scalar(r)}] of {inner(r, depth)}",
    "set": lambda r, depth: f"set (maxSize 2) of {inner(r, depth)}",
    "mset": lambda r, depth: f"mset (maxSize 2) of {inner(r, depth)}",
    "function": lambda r, depth: f"function {scalar(r)} --> {inner(r, depth)}",
    "function of a collection": lambda r, depth: f"function (maxSize 2) {inner(r, depth)} --> {scalar(r)}",
    "total": lambda r, depth: f"function (total) {scalar(r)} --> {inner(r, depth)}",
    "sequence": lambda r, depth: f"sequence (maxSize 2) of {inner(r, depth)}",
    "relation": lambda r, depth: f"relation (maxSize 2) of ({scalar(r)} * {inner(r, depth)})",
    "partition": lambda r, depth: f"partition from {inner(r, depth)}",
    "permutation": lambda r, depth: f"permutation of {inner(r, depth)}",
}


def in_order(data):
    """Returns JSON with all its lists sorted, because sets have no order."""
    if isinstance(data, dict):
        return {key: in_order(value) for key, value in data.items()}
    return sorted(map(in_order, data), key=json.dumps) if isinstance(data, list) else data


class Trial:
    """A type, some of its values, and one value that the checks pass around."""

    def __init__(self, number):
        r = random.Random(f"{SEED} {number}")
        constructor = list(CONSTRUCTORS.values())[number % len(CONSTRUCTORS)]
        while True:
            self.domain = constructor(r, 2 if r.random() < 0.75 else 3)
            self.types = TYPES + (UNNAMED if "unnamed" in self.domain else "")
            try:
                self.find = Model(f"{self.types}find x : {self.domain}")
                with self.find.solutions(MEMBERS, number=MOST_VALUES + 1, options=["--solver=brute", "--limit-time=10"]) as found:
                    solutions = list(found)
            except EssenceError:
                # Some domains are not allowed, and some are too large for `brute`.
                continue
            if 1 <= len(solutions) <= MOST_VALUES and found.status.complete:
                break
        self.solution = r.choice(solutions)
        self.value = self.solution["x"]
        self.other = r.choice(solutions)["x"]
        self.same = Model(f"{self.types}given x : {self.domain}\nfind y : {self.domain}\nsuch that y = x")
        self.allowing = Model(f"{self.types}given allowed : set of {self.domain}\nfind x : {self.domain}\nfind z : bool\nsuch that x in allowed, z")
        self.allowed = {"allowed": {self.other}, **MEMBERS}

    def written(self, folder, name, data):
        file = folder / name
        file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        return file

    def goes_through(self, *data, **named):
        found = self.same.solve(*data, **named)["y"]
        assert found == self.value and hash(found) == hash(self.value)

    # ---- The checks ----

    def by_name(self, folder):
        self.goes_through(x=self.value, **MEMBERS)

    def in_a_dict(self, folder):
        self.goes_through({"x": self.value, **MEMBERS})

    def in_the_solution(self, folder):
        self.goes_through({**self.solution, **MEMBERS})

    def in_json(self, folder):
        self.goes_through(self.written(folder, "data.json", {**self.solution.json, **MEMBERS}))

    def in_plain_json(self, folder):
        self.goes_through(self.written(folder, "data.json", {**self.solution.plain(), **MEMBERS}))

    def as_the_program_writes_it(self, folder):
        printed = self.printed(folder, "--json=plain").stdout
        assert in_order(json.loads(printed)["x"]) == in_order(self.solution.plain()["x"])

    def printed(self, folder, *options):
        """Returns the command line's output for the solution nearest to the value."""
        plan = self.written(folder, "plan.json", self.solution.json)
        model, (_, data) = folder / "find.essence", self.find._instance(None, MEMBERS)[0]
        model.write_text(self.find._text, encoding="utf-8")
        (folder / data.name).write_text(data.text, encoding="utf-8")
        command = [find(), "solve", model, folder / data.name, f"--near={plan}", *options]
        return subprocess.run(command, capture_output=True, encoding="utf-8")

    def in_json_dumps(self, folder):
        text = json.dumps(plain({"x": self.value, **MEMBERS}))
        assert json.loads(text)["x"] == plain(self.value) == self.solution.plain()["x"]

    def pickled(self, folder):
        for again in (pickle.loads(pickle.dumps(self.value)), copy.deepcopy(self.value), copy.copy(self.value)):
            assert again == self.value and type(again) is type(self.value)
            assert hash(again) == hash(self.value)

    def the_solution_pickled(self, folder):
        again = pickle.loads(pickle.dumps(self.solution))
        assert again == self.solution and again.json == self.solution.json
        assert in_order(again.plain()) == in_order(self.solution.plain())
        assert again.picture("text") == self.solution.picture("text")
        found = self.find.solve(MEMBERS)
        assert pickle.loads(pickle.dumps(found)) == found

    def in_a_session(self, folder):
        with self.same.session(x=self.other, **MEMBERS) as session:
            assert session.solve()["y"] == self.other
            session.set(x=self.value)
            assert session.solve()["y"] == self.value
            session.undo()
            assert session.solve()["y"] == self.other

    def in_an_app(self, folder):
        told = {**self.solution.json, **MEMBERS}
        assert self.same._given_values(told)["x"] == self.value

    def explained(self, folder):
        for known in ({**self.solution, "z": True}, {"x": self.value, "z": True}):
            answer = self.allowing.explain(known, self.allowed)
            assert answer.verdict == ("right" if self.value == self.other else "wrong")
        assert self.find.explain(self.solution, MEMBERS).verdict == "right"

    def as_a_reason(self, folder):
        impossible = Model(f"{self.types}given x : {self.domain}\nfind y : {self.domain}\nsuch that y = x, y != x")
        assert impossible.why(x=self.value, **MEMBERS).verdict == "none"

    def as_what_is_known(self, folder):
        assert self.find.hint(MEMBERS, known={"x": self.value}).verdict == "solved"
        assert self.find.hint(MEMBERS, known=self.solution).verdict == "solved"

    def as_a_known_part(self, folder):
        parts = [self.value]
        if isinstance(self.value, Matrix):
            one = len(self.value.labels) == 1
            parts.append({(index,) if one else index: element for index, element in self.value.items()})
        for part in parts:
            answer = self.allowing.explain({"x": part, "z": None}, self.allowed)
            assert answer.verdict == ("extensible" if self.value == self.other else "not extensible")

    def as_the_earlier_plan(self, folder):
        for form, data in (("json", self.solution.json), ("plain", self.solution.plain())):
            plan = self.written(folder, f"{form}.json", data)
            assert self.find.solve(MEMBERS, options=[f"--near={plan}"])["x"] == self.value
            assert self.find.solve(MEMBERS, options=[f"--start={plan}"])["x"] == self.value

    def in_a_picture(self, folder):
        for form in ("text", "svg"):
            # The text of an empty function of collections is empty.
            assert self.solution.picture(form) or not self.value

    def in_tables(self, folder):
        assert self.find.solve(MEMBERS).to_frame().shape == (1, 1)
        if not isinstance(self.value, (bool, int, str)):
            to_pandas(self.value)

    def as_a_table(self, folder):
        # Multisets are left out: their table has a column with the number of occurrences.
        kind = self.find.variables["x"].kind
        if kind in ("matrix", "set", "sequence", "relation", "function", "partition", "record"):
            self.goes_through(x=to_pandas(self.value), **MEMBERS)
        if kind == "matrix":
            self.goes_through(x=self.value.to_numpy(), **MEMBERS)

    def in_csv(self, folder):
        """The table that the program prints is accepted as the value of a parameter."""
        printed, table = self.printed(folder, "--output-format=csv"), folder / "x.csv"
        if printed.returncode == 0:
            table.write_text(printed.stdout, encoding="utf-8")
            self.goes_through({"x": table, **MEMBERS})
        else:
            # Tables cannot hold values that are nested deeper.
            assert "E0004" in printed.stderr


CHECKS = [
    Trial.in_json,
    Trial.in_json_dumps,
    Trial.as_the_program_writes_it,
    Trial.pickled,
    Trial.the_solution_pickled,
    Trial.as_the_earlier_plan,
    Trial.in_a_picture,
    Trial.in_tables,
]

#: The checks that pass values without the members of unnamed types, which the program needs.
WITH_DATA = [
    Trial.by_name,
    Trial.in_a_dict,
    Trial.in_the_solution,
    Trial.in_plain_json,
    Trial.in_a_session,
    Trial.in_an_app,
    Trial.explained,
    Trial.as_a_reason,
    Trial.as_what_is_known,
    Trial.as_a_known_part,
    Trial.as_a_table,
    Trial.in_csv,
]


@pytest.mark.parametrize("number", range(PLANS) if ONLY is None else [int(ONLY)])
def test_what_comes_out_goes_in(number, tmp_path):
    trial = Trial(number)
    if ONLY is not None:
        print(f"{trial.domain}\n{trial.value!r}")
    faults = []
    for check in CHECKS if "unnamed" in trial.domain else CHECKS + WITH_DATA:
        try:
            check(trial, tmp_path)
        except Exception as fault:
            faults.append(f"{check.__name__}: {type(fault).__name__}: {fault}")
    assert not faults, "\n\n".join([trial.domain, repr(trial.value), *faults])
