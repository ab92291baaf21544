"""Values that are passed to the program come back unchanged."""

import enum
import json
from collections import Counter, namedtuple
from dataclasses import dataclass
from decimal import Decimal

import pytest

from conjure_like import DataError, EssenceError, Model, Multiset, to_pandas
from conjure_like.values import Function, Matrix, Permutation, Relation, Variant

TYPES = "letting colour be new type enum {red, green, blue}\n"

Record = namedtuple("Record", "a b")


class Colour(enum.Enum):
    red = 1
    green = 2


@dataclass
class Point:
    a: int
    b: str


def through(domain, value):
    """Passes a value as a parameter and returns it from a decision variable."""
    model = Model(f"{TYPES}given x : {domain}\nfind y : {domain}\nsuch that y = x")
    return model.solve(x=value)["y"]


@pytest.mark.parametrize(
    "domain, value, expected",
    [
        ("bool", True, True),
        ("int(-5..5)", -3, -3),
        ("colour", "green", "green"),
        ("colour", Colour.green, "green"),
        ("(int(1..3), bool)", (2, True), (2, True)),
        ("tuple (int(1..3))", (2,), (2,)),
        ("record {a : int(1..3), b : colour}", {"a": 1, "b": "red"}, (1, "red")),
        ("record {a : int(1..3), b : colour}", Record(1, "red"), (1, "red")),
        ("record {a : int(1..3), b : colour}", Point(1, "red"), (1, "red")),
        ("variant {n : int(1..3), c : colour}", {"c": "red"}, Variant("c", "red")),
        ("variant {n : int(1..3), c : colour}", Variant("n", 2), Variant("n", 2)),
        ("set of int(0..9)", {1, 2}, frozenset({1, 2})),
        ("set of int(0..9)", [], frozenset()),
        ("set of int(0..9)", range(3), frozenset({0, 1, 2})),
        ("mset (maxSize 4) of int(0..9)", Counter({1: 2, 3: 1}), Multiset([1, 1, 3])),
        ("mset (maxSize 4) of int(0..9)", [3, 1, 1], Multiset([1, 1, 3])),
        ("sequence (maxSize 4) of int(0..9)", [3, 1, 1], (3, 1, 1)),
        ("function int(0..9) --> bool", {1: True, 5: False}, {1: True, 5: False}),
        ("function bool --> int(0..9)", {True: 1}, {True: 1}),
        ("function colour --> int(0..9)", {"red": 1}, {"red": 1}),
        ("function colour --> int(0..9)", [("red", 1)], {"red": 1}),
        ("function (int(0..3), colour) --> int(0..9)", {(1, "red"): 7}, {(1, "red"): 7}),
        ("partition from int(1..3)", [{1, 2}, {3}], {frozenset({1, 2}), frozenset({3})}),
        ("permutation of int(1..4)", {1: 2, 2: 1, 3: 3}, {1: 2, 2: 1}),
        ("permutation of int(1..4)", [[1, 3, 2]], {1: 3, 3: 2, 2: 1}),
        ("matrix indexed by [int(1..3)] of int(0..9)", [4, 5, 6], [4, 5, 6]),
        ("matrix indexed by [int(0..2)] of int(0..9)", (4, 5, 6), Matrix([(0, 1, 2)], [4, 5, 6])),
        ("matrix indexed by [int(0..1)] of int(0..9)", {1: 5, 0: 4}, Matrix([(0, 1)], [4, 5])),
        ("matrix indexed by [colour] of int(0..9)", {"blue": 3, "red": 1, "green": 2}, Matrix([("red", "green", "blue")], [1, 2, 3])),
        ("matrix indexed by [colour(green..blue)] of int(0..9)", [1, 2], Matrix([("green", "blue")], [1, 2])),
        ("matrix indexed by [colour(green..blue)] of int(0..9)", {"blue": 1, "green": 2}, Matrix([("green", "blue")], [2, 1])),
        ("matrix indexed by [colour(..green)] of int(0..9)", {"red": 1, "green": 2}, Matrix([("red", "green")], [1, 2])),
        ("matrix indexed by [colour(blue, red)] of int(0..9)", {"blue": 1, "red": 2}, Matrix([("red", "blue")], [2, 1])),
        ("matrix indexed by [bool] of int(0..9)", {True: 1, False: 2}, Matrix([(False, True)], [2, 1])),
        ("matrix indexed by [int(0..1), bool] of int(0..9)", [[1, 2], [3, 4]], Matrix([(0, 1), (False, True)], [[1, 2], [3, 4]])),
        (
            "matrix indexed by [bool] of matrix indexed by [int(5..6)] of colour",
            [["red", "blue"], ["blue", "red"]],
            Matrix([(False, True), (5, 6)], [["red", "blue"], ["blue", "red"]]),
        ),
        ("set of set of int(0..3)", [{1}, {2, 3}], {frozenset({1}), frozenset({2, 3})}),
        ("set (maxSize 2) of function int(1..2) --> colour", [{1: "red"}], {Function({1: "red"})}),
        ("set (maxSize 2) of mset (maxSize 2) of int(1..2)", [[1, 1]], {Multiset([1, 1])}),
        ("set (maxSize 2) of partition from int(1..2)", [[[1], [2]]], {frozenset({frozenset({1}), frozenset({2})})}),
        ("set (maxSize 2) of matrix indexed by [bool] of int(0..1)", [[0, 1]], {Matrix([(False, True)], [0, 1])}),
        ("set (maxSize 2) of record {a : bool, b : (int(0..1), bool)}", [{"a": True, "b": (1, False)}], {(True, (1, False))}),
        ("set (maxSize 2) of sequence (maxSize 2) of int(0..1)", [(0, 1)], {(0, 1)}),
        ("function int(1..2) --> set of colour", {1: {"red"}}, {1: frozenset({"red"})}),
        ("function set (size 1) of int(1..2) --> variant {p : bool, q : int(1..2)}", [[{1}, {"q": 2}]], {frozenset({1}): ("q", 2)}),
        ("matrix indexed by [int(1..2)] of function bool --> bool", [{True: False}, {}], [{True: False}, {}]),
        ("set (maxSize 1) of permutation of int(1..2)", [[[1, 2]]], {Permutation({1: 2, 2: 1})}),
    ],
)
def test_a_value_comes_back(domain, value, expected):
    assert through(domain, value) == expected


def test_what_comes_back_can_be_sent_again():
    domain = "matrix indexed by [int(0..1)] of set (maxSize 2) of function bool --> colour"
    once = through(domain, [[{True: "red"}], []])
    assert through(domain, once) == once


def test_relations():
    model = Model(f"{TYPES}given x : relation of (colour * int)\nfind y : relation of (colour * int(1..3))\nsuch that y = x")
    result = model.solve(x={("red", 1), ("blue", 3)})["y"]
    assert result == {("red", 1), ("blue", 3)}
    assert isinstance(result, Relation)


def test_records_have_fields_and_variants_a_tag():
    model = Model("find r : record {a : int(3..3), class : bool} find v : variant {p : int(1..1)}")
    solution = model.solve().solution
    assert solution.r.a == 3
    assert solution.v.tag == "p" and solution.v.value == 1


def test_unnamed_types():
    model = Model(
        """
        letting person be new type of size 2
        find p : partition from person
        find m : matrix indexed by [person] of int(1..1)
        such that forAll q, r : person . q != r -> apart({q, r}, p)
        """
    )
    solution = model.solve().solution
    assert solution.p == {frozenset({"person_1"}), frozenset({"person_2"})}
    assert solution.m["person_2"] == 1
    assert "person" not in solution


@pytest.mark.parametrize("members", [["tom", "eva"], Colour])
def test_an_enumerated_type_as_a_parameter(members):
    model = Model("given t new type enum given age : matrix indexed by [t] of int find m : matrix indexed by [t] of int(1..9) such that m = age")
    names = [getattr(m, "name", m) for m in members]
    m = model.solve(t=members, age={names[1]: 5, names[0]: 4})["m"]
    assert m.labels == (tuple(names),)
    assert m.tolist() == [4, 5]


@pytest.mark.parametrize(
    "name, text",
    [("a.param", "letting t be new type enum {tom, eva}"), ("a.json", '{"t": ["tom", "eva"]}')],
)
def test_a_parameter_file(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    model = Model("given t new type enum find m : matrix indexed by [t] of int(1..1)")
    assert model.solve(tmp_path / name)["m"]["eva"] == 1


@pytest.mark.parametrize(
    "domain, value",
    [
        ("bool", 2),
        ("int", True),
        ("int", 1.5),
        ("int", "1"),
        ("colour", 1),
        ("set of int", {"a": 1}),
        ("set of int", "abc"),
        ("set of int", 3),
        ("(int, int)", (1, 2, 3)),
        ("(int, int)", {1, 2}),
        ("record {a : int, b : int}", {"a": 1}),
        ("variant {a : int, b : int}", {"c": 1}),
        ("function int --> int", [1, 2]),
        ("permutation of int(1..3)", {1: 2}),
        ("matrix indexed by [int(1..2)] of int", {1, 2}),
        ("matrix indexed by [colour] of int", {"pink": 2}),
    ],
)
def test_a_value_that_does_not_fit(domain, value):
    with pytest.raises(DataError, match="`x"):
        Model(f"{TYPES}given x : {domain}").solve(x=value)


def test_a_matrix_knows_its_indices():
    m = Matrix([(0, 1), ("a", "b", "c")], [[1, 2, 3], [4, 5, 6]])
    assert m[1, "b"] == 5
    assert m[1]["b"] == 5
    assert m.shape == (2, 3)
    assert dict(m.items())[0, "c"] == 3
    with pytest.raises(KeyError):
        m[2]
    with pytest.raises(ValueError):
        Matrix([(0, 1)], [1])


def test_values_as_arrays_and_tables():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    assert Matrix([("a", "b")], [1, 2]).to_frame()["b"] == 2
    table = Matrix([(0, 1), ("a", "b", "c")], [[1, 2, 3], [4, 5, 6]])
    assert table.to_numpy().shape == (2, 3)
    assert table.to_frame().loc[1, "c"] == 6
    relation = Relation([("red", 1), ("blue", 3)])
    assert relation.to_frame(["who", "what"]).values.tolist() == [["blue", 3], ["red", 1]]
    cube = Matrix([(0, 1), (1,), (5, 6)], [[[1, 2]], [[3, 4]]])
    assert cube.to_frame()[1, 1, 6] == 4
    assert isinstance(cube.to_frame().index, pandas.MultiIndex)
    sets = Matrix([(1, 2)], [(1, 2), (3,)])
    assert sets.to_numpy()[0] == (1, 2)
    assert numpy.asarray(Matrix([(1, 2)], [3, 4])).sum() == 7


def test_numpy():
    numpy = pytest.importorskip("numpy")
    assert through("int(0..9)", numpy.int64(4)) == 4
    assert through("bool", numpy.bool_(True)) is True
    assert through("matrix indexed by [int(1..2), int(0..1)] of int(0..9)", numpy.array([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    assert through("set of int(0..9)", numpy.array([1, 2])) == {1, 2}
    assert through("relation of (int(0..9) * int(0..9))", numpy.array([[1, 2]])) == {(1, 2)}


def test_values_as_tables():
    pandas = pytest.importorskip("pandas")
    found = Model("""
        find m : matrix indexed by [int(1..2), int(0..1)] of int(5..5)
        find s : set (size 2) of int(2..3)
        find pairs : set (size 2) of (int(1..2), int(7..7))
        find f : function (total) (int(1..2), bool) --> int(4..4)
        find e : function (maxSize 0) int(1..2) --> int(4..4)
        find q : sequence (size 2) of int(6..6)
        find ms : mset (size 3, maxOccur 3) of int(1..1)
        find r : relation (size 1) of (int(1..1) * int(9..9))
        find p : partition (numParts 1) from int(1..2)
        find c : record {a : int(1..1), b : int(2..2)}
    """).solve().solution
    tables = {name: to_pandas(value) for name, value in found.items()}
    assert [name for name, table in tables.items() if isinstance(table, pandas.DataFrame)] == ["m", "pairs", "r"]
    assert tables["m"].loc[2, 0] == 5
    assert tables["s"].tolist() == [2, 3]
    assert tables["pairs"].to_dict("records") == [{1: 1, 2: 7}, {1: 2, 2: 7}]
    assert tables["f"][1, False] == 4 and tables["f"].sum() == 16
    assert tables["e"].empty
    assert tables["q"].to_dict() == {1: 6, 2: 6}
    assert tables["ms"].to_dict() == {1: 3}
    assert tables["r"].values.tolist() == [[1, 9]]
    assert tables["p"].tolist() == [frozenset({1, 2})]
    assert tables["c"].to_dict() == {"a": 1, "b": 2}
    assert pandas.DataFrame([found.plain()])["s"][0] == [2, 3]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"who": ["red", "blue"], "count": [1, 3]})
    model = Model(f"{TYPES}given x : relation of (colour * int)\nfind y : relation of (colour * int(1..3))\nsuch that y = x")
    assert model.solve(x=frame)["y"] == {("red", 1), ("blue", 3)}
    assert through("set of record {who : colour, count : int(1..3)}", frame) == {("red", 1), ("blue", 3)}
    assert through("sequence (maxSize 2) of record {who : colour, count : int(1..3)}", frame) == (("red", 1), ("blue", 3))
    labelled = pandas.Series([3, 1, 2], index=["blue", "red", "green"])
    assert through("matrix indexed by [colour] of int(0..9)", labelled).tolist() == [1, 2, 3]
    assert through("function colour --> int(0..9)", labelled) == {"blue": 3, "red": 1, "green": 2}
    assert through("sequence (maxSize 3) of int(0..9)", labelled) == (3, 1, 2)
    table = pandas.DataFrame([[1, 2], [3, 4]], index=["blue", "green"], columns=[True, False])
    assert through("function (colour, bool) --> int(0..9)", table)["green", True] == 3
    assert through("matrix indexed by [colour(green..blue), bool] of int(0..9)", table).tolist() == [[4, 3], [2, 1]]
    positional = pandas.DataFrame([[1, 2], [3, 4]])
    assert through("matrix indexed by [int(5..6), int(1..2)] of int(0..9)", positional)[6, 1] == 3


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_edge("red", "green", weight=4)
    graph.add_edge("green", "blue", weight=5)
    edges = Model(f"{TYPES}given x : relation of (colour * colour)\nfind y : relation of (colour * colour)\nsuch that y = x")
    assert edges.solve(x=graph)["y"] == {("red", "green"), ("green", "blue")}
    weighted = Model(f"{TYPES}given x : relation of (colour * colour * int)\nfind n : int(0..9)\nsuch that n = |x|")
    assert weighted.solve(x=graph)["n"] == 2
    assert through("set of set (size 2) of colour", graph) == {frozenset({"red", "green"}), frozenset({"green", "blue"})}
    assert through("function (colour, colour) --> int(1..9)", graph)["red", "green"] == 4
    assert through("function colour --> set of colour", graph)["green"] == {"red", "blue"}
    assert through("matrix indexed by [colour, colour] of bool", graph)["red", "blue"] is False
    assert through("matrix indexed by [colour, colour] of int(0..9)", graph)["blue", "green"] == 5
    numbers = networkx.MultiDiGraph([(3, 1), (1, 2)])
    assert through("matrix indexed by [int(1..3), int(1..3)] of bool", numbers)[3, 1] is True
    assert through("matrix indexed by [int(1..3), int(1..3)] of int(0..9)", numbers).tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert through("set of (int(1..3), int(1..3))", numbers) == {(3, 1), (1, 2)}


def test_a_table_that_counts_from_0_gets_a_hint():
    pandas = pytest.importorskip("pandas")
    prices = pandas.Series([3, 5, 4])
    by_colour = Model(TYPES + "given price : function (total) colour --> int find y : int(3..3)")
    with pytest.raises(DataError, match="counts its rows from 0, but the indices are members of `colour`.*set_index"):
        by_colour.solve(price=prices)
    by_number = Model("given price : function (total) int(1..3) --> int find y : int(0..9) such that y = price(3)")
    with pytest.raises(DataError, match="numbers from 1; give it labels with .*set_index"):
        by_number.solve(price=prices)
    table = pandas.DataFrame({"item": [1, 2, 3], "price": [3, 5, 4]})
    assert by_number.solve(price=table.set_index("item")["price"])["y"] == 4
    assert by_number.solve(price=prices.set_axis([1, 2, 3]))["y"] == 4
    from_zero = Model("given n : int given price : function (total) int(0..n) --> int find y : int(0..9) such that y = price(2)")
    assert from_zero.solve(n=2, price=prices)["y"] == 4
    # Without labels, a matrix takes elements in the order of its indices; with labels, by index.
    rows = Model("given m : matrix indexed by [int(1..3)] of int find y : int(0..9) such that y = m[3]")
    assert rows.solve(m=prices)["y"] == 4
    with pytest.raises(DataError, match="set_index"):
        rows.solve(m=prices.set_axis([0, 1, 2]))


@pytest.mark.parametrize("value", [Decimal("96.48"), Decimal("10.00"), 96.48, 10, Decimal("46116860184273879.03")])
def test_numbers_with_units_come_back_as_decimals(value):
    model = Model(
        "given x : int(0..4611686018427387903) find y : int(0..4611686018427387903)\n"
        "$ unit x, y, objective: 0.01\nsuch that y = x minimising y"
    )
    result = model.solve(x=value)
    assert isinstance(result["y"], Decimal) and result["y"] == result.objective == Decimal(str(value))
    # The result is accepted as a value again.
    assert model.solve(x=result["y"])["y"] == result["y"]
    assert json.loads(json.dumps(result.solution.plain()))["y"] in (float(value), str(value))
    assert result.solution.picture("text")


def test_numbers_between_two_steps_are_refused():
    with pytest.raises(EssenceError, match="not a multiple of 0.01"):
        Model("given x : int(0..999) find y : bool $ unit x: 0.01").solve(x=Decimal("1.005"))


@pytest.mark.parametrize(
    "domain, value",
    [
        ("function (maxSize 2) sequence (maxSize 2) of int(1..2) --> int(1..2)", "function(sequence(1) --> 2, sequence(1, 2) --> 1)"),
        ("function (maxSize 2) (bool, matrix indexed by [int(1..2)] of int(1..2)) --> int(1..2)", "function((true, [1, 2]) --> 2, (true, [2, 2]) --> 1)"),
    ],
)
def test_functions_of_sequences_and_matrices_are_tables(domain, value):
    solution = Model(f"find f : {domain} such that f = {value}").solve().solution
    again = Model(f"given f : {domain} find g : {domain} such that g = f").solve(f=to_pandas(solution.f))
    assert again["g"] == solution.f
