"""A program with type annotations as users write it: it runs, and type checkers accept it (`mypy --strict` in
tools/test-python).
"""

import enum
from dataclasses import dataclass
from typing import Dict, List, Union

import conjure_like as cl


class Day(enum.Enum):
    MON = "Monday"
    TUE = "Tuesday"


@dataclass(frozen=True)
class Cell:
    row: int
    column: int


def rota(staff: List[str], hours: Dict[str, int]) -> cl.Builder:
    m = cl.Builder("Rota")
    day, person = m.enum(Day), m.enum("person", staff)
    works = m.find("works", cl.Relation(day, person))
    most = m.letting("most", hours)
    m.require((cl.count(works(d, p) for p in person) >= 1 for d in day), name="Somebody is there each day.")
    m.require(cl.count(works(d, p) for d in day) <= most[p] for p in person)
    m.wish(works(Day.MON, "Ada"), 2, name="Ada likes Mondays.")
    m.minimise(cl.size(works))
    return m


def test_a_rota() -> None:
    m = rota(["Ada", "Bo"], {"Ada": 1, "Bo": 2})
    works = m.find["works"]
    result: cl.Result = m.solve(fix=[works(Day.TUE, "Bo")], time_limit=60.0)
    assert (Day.MON, "Ada") in result.works
    with m.session() as s:
        s.require(~works(Day.MON, "Ada"), name="A holiday.")
        answer = s.why()
        assert not s.solve() and answer.names[-1] == "A holiday."
        s.undo()
        assert len(s.solve().works) == len(result.works)


def test_parts_of_values() -> None:
    m = cl.Builder()
    D = cl.Int(1, 2)
    cell = cl.Record(row=D, column=D)
    at: cl.Expr = m.find("at", cl.Sequence(cell, size=2, injective=True))
    kind = m.find("kind", cl.Variant(number=D, truth=bool))
    turn, groups = m.find("turn", cl.Permutation(D)), m.find("groups", cl.Partition(D, num_parts=1))
    m.require(at(1) == Cell(1, 2), at(2)["row"] == 2, kind == {"number": 2}, turn(1) == 2, cl.together({1, 2}, groups))
    m.require(c["column"] == i + 1 for i, c in at if i < 2)
    m.pareto(minimise=at(2)["column"])
    found: List[cl.Solution] = list(m.solutions(number=3))
    assert [(solution.at[1].column, solution["kind"].value) for solution in found] == [(1, 2)]


def test_a_text_is_extended() -> None:
    m = cl.Builder.open("letting w be [4, 5] find x : int(1..9)")
    x, w = m.find["x"], m.letting["w"]
    known: Union[cl.Expr, List[cl.Expr]] = [x == 7, x > w[1]]
    m.require((x > 6) | (x < w[1]), name="Not in between.")
    assert m.explain(known).verdict == "extensible" and m.hint(known=x < 6).verdict
