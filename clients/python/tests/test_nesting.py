"""Randomly nested type constructors: every value that the program returns can be passed in and drawn."""

import random

import pytest

from conjure_like import Model

TYPES = "letting colour be new type enum {red, green, blue}\n"


def simple(r):
    return r.choice(["bool", "int(0..2)", "int(-1, 3)", "colour", "colour(green..blue)"])


def nested(r, depth):
    """Returns a domain of at most this depth, with few values in each collection."""
    if depth == 0:
        return simple(r)
    inner = nested(r, depth - 1)
    return r.choice(
        [
            f"set (minSize 1, maxSize 2) of {inner}",
            f"mset (minSize 1, maxSize 2) of {inner}",
            f"sequence (minSize 1, maxSize 2) of {inner}",
            f"matrix indexed by [{simple(r)}] of {inner}",
            f"matrix indexed by [bool, {simple(r)}] of {inner}",
            f"function (minSize 1, maxSize 2) {simple(r)} --> {inner}",
            f"function (minSize 1, maxSize 2) {inner} --> {simple(r)}",
            f"relation (minSize 1, maxSize 2) of ({simple(r)} * {inner})",
            f"({simple(r)}, {inner})",
            f"tuple ({inner})",
            f"record {{a : {simple(r)}, b : {inner}}}",
            f"variant {{a : {simple(r)}, b : {inner}}}",
            f"set (size 1) of partition from {simple(r)}",
            f"set (size 1) of permutation of {simple(r)}",
        ]
    )


@pytest.mark.parametrize("seed", range(40))
def test_what_comes_out_goes_in_again(seed):
    r = random.Random(seed)
    domain = nested(r, r.randint(1, 3))
    found = Model(f"{TYPES}find y : {domain}").solve(time_limit=30).solution
    assert str(found.picture("text"))
    again = Model(f"{TYPES}given x : {domain}\nfind y : {domain}\nsuch that y = x").solve(x=found.y)
    assert again["y"] == found.y
    assert hash(again["y"]) == hash(found.y)
