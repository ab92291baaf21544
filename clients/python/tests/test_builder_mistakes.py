"""Mistakes of Python users: each is refused at its line in plain words with a fix. None is accepted silently."""

import linecache
import math
import random
import sys

import pytest

import conjure_like as cl

np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")

#: The code, the message, and the fix.
MISTAKES = [
    (
        "m.require(x > 1 and y > 1)",
        "`and` needs the truth value of `x > 1`, which is known only when the model is solved",
        "write `(x > 1) & (y > 1)`; mind the parentheses around comparisons",
    ),
    (
        "m.require(x == y and not b and x not in s)",
        "`and` needs the truth value of `x == y`, which is known only when the model is solved",
        "write `(x == y) & ~b & ~cl.member(x, s)`; mind the parentheses around comparisons",
    ),
    (
        "m.require(b or c)",
        "`or` needs the truth value of `b`, which is known only when the model is solved",
        "write `b | c`; mind the parentheses around comparisons",
    ),
    (
        "m.require(not b)",
        "`not` needs the truth value of `b`, which is known only when the model is solved",
        "write `~b`",
    ),
    (
        "m.require(x in s)",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member(x, s)`",
    ),
    (
        "m.require(x not in s)",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `~cl.member(x, s)`",
    ),
    (
        "m.require(1 < x < 5)",
        "Python joins the parts of a chain of comparisons with `and`",
        "write `(1 < x) & (x < 5)`",
    ),
    (
        "m.require(x == y == 3)",
        "Python joins the parts of a chain of comparisons with `and`",
        "write `(x == y) & (y == 3)`",
    ),
    (
        "if x > 3: m.require(y > 3)",
        "`if` needs the truth value of `x > 3`, which is known only when the model is solved",
        "write a requirement with `cl.implies(x > 3, …)`; to test a solution, use its value",
    ),
    (
        "while x > 3: break",
        "`while` needs the truth value of `x > 3`, which is known only when the model is solved",
        "write a requirement with `cl.implies(x > 3, …)`; to test a solution, use its value",
    ),
    (
        "m.require((x if b else y) > 3)",
        "`if` needs the truth value of `b`, which is known only when the model is solved",
        "write `cl.if_else(b, x, y)`",
    ),
    (
        "assert x == 3",
        "`assert` needs the truth value of `x == 3`, which is known only when the model is solved",
        "write `require(x == 3)`, or use the value in a solution",
    ),
    (
        "m.require(len(s) == 3)",
        "`len` needs a number that is known only when the model is solved",
        "write `cl.size(s)`",
    ),
    (
        "m.require(max(x, y) > 3)",
        "Python's `max` needs values, which are known only when the model is solved",
        "write `cl.max(x, y)`",
    ),
    (
        "m.require(min(a) > 3)",
        "Python's `min` needs values, which are known only when the model is solved",
        "write `cl.min(a)`",
    ),
    (
        "m.require(sum(i for i in s) > 3)",
        "Python's `sum` needs values, which are known only when the model is solved",
        "write `cl.sum(i for i in s)`",
    ),
    (
        "m.require(sum(s) > 3)",
        "Python's `sum` needs values, which are known only when the model is solved",
        "write `cl.sum(s)`",
    ),
    (
        "m.require(all(i > 3 for i in s))",
        "Python's `all` needs values, which are known only when the model is solved",
        "write `cl.all(i > 3 for i in s)`",
    ),
    (
        "m.require(any(i > 3 for i in s))",
        "Python's `any` needs values, which are known only when the model is solved",
        "write `cl.any(i > 3 for i in s)`",
    ),
    (
        "m.require(sum(a) > 3)",
        "Python's `sum` needs values, which are known only when the model is solved",
        "write `cl.sum(a)`",
    ),
    (
        "for i in D: m.require(i < 3)",
        "a `for` statement needs the members of `D`, which are known only when the model is solved",
        "write a generator, as in `require(… for i in D)`",
    ),
    (
        "m.require(cl.all([i > 2 for i in s]))",
        "Python builds this collection immediately, but the members of `s` are known only when the model is solved",
        "leave out the brackets and give the generator to a function, as in `cl.all_different(x for x in s)`; `cl.listing(x for x in s)` is a list, `cl.to_set(x for x in s)` a set",
    ),
    (
        "m.require(cl.sum(list(s)) > 2)",
        "Python's `list` needs values, which are known only when the model is solved",
        "write `cl.listing(s)`",
    ),
    (
        "m.require(cl.all(i > 2 for i, e in enumerate(s)))",
        "Python's `enumerate` needs values, which are known only when the model is solved",
        "range over the indices, as in `… for i in D`, and write `s[i]` for the element",
    ),
    (
        "m.require(cl.all(i > e for i, e in zip(s, t)))",
        "Python's `zip` needs values, which are known only when the model is solved",
        "range over the indices, as in `… for i in D`, and write `s[i]` for the element",
    ),
    (
        "m.require(sorted(s) == [1, 2])",
        "Python's `sorted` needs values, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(weights[x] > 3)",
        "Python cannot look up position `x` of a list, because it is known only when the model is solved",
        'make the list a part of the model, as in `values = m.letting("values", values)`, and write `values[x]` with the result; its indices count from 1, or are the values of a domain, as in `cl.matrix(values, cl.Int(0, 9))`',
    ),
    (
        "m.require(prices[x] > 3)",
        "Python cannot look up `x` in a `dict`, because its value is known only when the model is solved",
        'make the `dict` a part of the model, as in `prices = m.letting("prices", prices)`, and write `prices[x]` with the result',
    ),
    (
        "m.require(prices.get(x) > 3)",
        "Python cannot look up `x` in a `dict`, because its value is known only when the model is solved",
        'make the `dict` a part of the model, as in `prices = m.letting("prices", prices)`, and write `prices[x]` with the result',
    ),
    (
        "m.require(np.array(weights)[x] > 3)",
        "Python cannot look up position `x` of a list, because it is known only when the model is solved",
        'make the list a part of the model, as in `values = m.letting("values", values)`, and write `values[x]` with the result; its indices count from 1, or are the values of a domain, as in `cl.matrix(values, cl.Int(0, 9))`',
    ),
    (
        "for i in range(n): m.require(a[i] > 3)",
        "`range` needs a number, but `n` is known only when the model is solved",
        "write `cl.Int(0, n - 1)` for `range(n)`, or give Python the number itself",
    ),
    (
        "m.require(x in {1, 2, 3})",
        "Python cannot look for `x`, because its value is known only when the model is solved",
        "write `cl.member(x, {1, 2, 3})`",
    ),
    (
        "m.require({x, y} == {1, 2})",
        "a Python set compares its members immediately, but the value of `x` is known only when the model is solved",
        "write `cl.set([x, y])`",
    ),
    (
        "m.require({x: y})",
        "a Python `dict` compares its keys immediately, but the value of `x` is known only when the model is solved",
        "write `cl.function([(x, y)])`",
    ),
    (
        "m.require(x == 1 & y == 2)",
        "`&` joins conditions, but `1` is a number",
        "`&` binds tighter than comparisons in Python: put parentheses around them, as in `(x == 1) & (y == 2)`",
    ),
    (
        "m.require(x > 1 | y > 2)",
        "`|` joins conditions, but `1` is a number",
        "`|` binds tighter than comparisons in Python: put parentheses around them, as in `(x == 1) | (y == 2)`",
    ),
    (
        "m.require(x > 1 & b)",
        "`&` joins conditions, but `1` is a number",
        "`&` binds tighter than comparisons in Python: put parentheses around them, as in `(x == 1) & (y == 2)`",
    ),
    (
        "m.require(~x > 3)",
        "`~` negates a condition, but `x` is a number",
        "write `-x` for the number with the other sign",
    ),
    (
        "m.require(x / 2 > 1)",
        "`/` divides without rounding in Python, and all numbers in a model are integers",
        "write `x // 2`, which rounds down, or multiply the other side",
    ),
    (
        "m.require(x + b > 1)",
        "`+` takes numbers, but `b` is true or false",
        "write `cl.to_int(b)`, which is 1 or 0",
    ),
    (
        "m.require(b * 3 > 1)",
        "`*` takes numbers, but `b` is true or false",
        "write `cl.to_int(b)`, which is 1 or 0",
    ),
    (
        "m.require(cl.sum(b for i in s) > 1)",
        "`sum` takes numbers, but `b` is true or false",
        "write `cl.count(…)` for how many hold, or `cl.to_int(b)`",
    ),
    (
        "m.require(x == b)",
        "`==` compares `x` with `b`, but one is a number and the other is true or false",
        "write `cl.to_int(b)` for a number; mind the parentheses around comparisons beside `&` and `|`",
    ),
    (
        "m.require(s == 3)",
        "`==` compares `s` with `3`, but one is a set and the other is a number",
        "write `cl.size(s)` for the number of its members, or `cl.member(x, s)`",
    ),
    (
        "m.require(s + t == t)",
        "`+` is for numbers",
        "write `s | t` for the union",
    ),
    (
        "m.require(x == 2.5)",
        "2.5 is not an integer, and all numbers in a model are integers",
        "count in smaller units, such as cents for euros",
    ),
    (
        "m.require(x == None)",
        "`None` is not a value of a model, so `x` is never equal to it",
        "leave the requirement out if nothing is known",
    ),
    (
        "m.require(x = 3)",
        "`=` passes an argument in Python",
        "write `x == 3`",
    ),
    (
        "m.require(a[0] > 3)",
        "`a` has no index 0; its indices are `int(1..5)`",
        "the indices are the values of this domain: the first one is 1; a list has other indices as `cl.matrix(values, cl.Int(0, 4))`",
    ),
    (
        "m.require(a[-1] > 3)",
        "`a` has no index -1; its indices are `int(1..5)`",
        "the indices are the values of this domain: write the last one itself, `5`",
    ),
    (
        "m.require(a[6] > 3)",
        "`a` has no index 6; its indices are `int(1..5)`",
        "the indices are the values of this domain",
    ),
    (
        "m.require(a[1:3] == [1, 2])",
        "a slice excludes its end in Python, but a model includes it and has no steps",
        "write the first and the last index, as in `row[cl.Int(2, 5)]`",
    ),
    (
        "m.require(a(1) > 3)",
        "`a` is a matrix",
        "write brackets, as in `a[i]`",
    ),
    (
        "m.require(a[1, 2] > 3)",
        "`a` has 1 index, not 2",
        "its domain is `matrix indexed by [int(1..5)] of int(1..9)`",
    ),
    (
        "m.require(q[0] > 3)",
        "`q` is a sequence, whose positions count from 1, while Python's brackets count from 0",
        "write `q(1)`, in which positions count from 1",
    ),
    (
        "m.require(x[1] > 3)",
        "`x` has no elements with indices: it is a number",
        'for several values, declare a matrix, as in `m.find("a", cl.Matrix(D, of=cl.Int(1, 9)))`',
    ),
    (
        "m.require(x(3) > 3)",
        "`x` cannot be applied: it is a number",
        "write `*` for a product",
    ),
    (
        "m.require(tup[2] > 1)",
        "`tup` has 2 components, but no component 2",
        "components of tuples count from 0, as in Python",
    ),
    (
        "u, v, w = tup",
        "`tup` has 2 components, not 3",
        "its type is `(int(1..3), bool)`",
    ),
    (
        "u, v = s",
        "Python unpacks `s` into 2 values, but the number of its values is known only when the model is solved",
        "only tuples can be unpacked; range over other collections in a generator",
    ),
    (
        'm.require(rec["mid"] > 1)',
        "`rec` has no component `mid`",
        "its components are lo, hi",
    ),
    (
        'm.require(k == "read")',
        "`read` is a text, and no enumerated type of the model has such a member",
        "did you mean `red`?",
    ),
    (
        "m.require(k == colour.purple)",
        "`purple` is not a member of `colour`",
        "its members are red, green, blue",
    ),
    (
        "m.require(k == 1)",
        "`==` compares `k` with `1`, but one is a member of `colour` and the other is a number",
        "its values are members of `colour`, such as `'red'`",
    ),
    (
        "m.require(x)",
        "`x` is of type `int(1..9)`, so it is neither true nor false",
        "a requirement is a condition, such as `x + y == 3`",
    ),
    (
        "m.require(x + y)",
        "`x + y` is of type `int`, so it is neither true nor false",
        "a requirement is a condition, such as `x + y == 3`",
    ),
    (
        "m.require()",
        "the requirement is missing",
        "write the requirement between the parentheses",
    ),
    (
        "m.require(cl.all_different(g))",
        "`g` has several dimensions: should its rows differ, or its elements?",
        "write `cl.all_different(cl.flatten(g))` for the elements, or a generator of rows",
    ),
    (
        "m.require(a < [1, 2, 3, 4, 5])",
        "`<` works on single values, but `a` is a matrix",
        'write `cl.all(a[i] < v[i] for i in cl.Int(1, 5))` for each element, where `v = m.letting("v", [1, 2, 3, 4, 5])`, or `cl.lex_less(a, [1, 2, 3, 4, 5])` for the lexicographic order',
    ),
    (
        "m.require(a * 2 == a)",
        "`*` works on single values, but `a` is a matrix",
        "write a generator, as in `cl.sum(a[i] * 2 for i in cl.Int(1, 5))`",
    ),
    (
        'm.find("z", cl.Int(range(5)))',
        "range(0, 5) is not a bound",
        "write `cl.Int(values=…)` for single values",
    ),
    (
        'm.find("z", range(5))',
        "`range` is not a domain",
        "write `cl.Int(0, 4)`: the last value is included",
    ),
    (
        'm.find("z", cl.Matrix(5, of=bool))',
        "5 is not the domain of indices",
        "write `cl.Int(1, 5)`, or `cl.Int(0, 4)` to count from 0",
    ),
    (
        'm.find("z", ["red", "green"])',
        "`['red', 'green']` is not a domain",
        'declare names with `m.enum("colour", ["red", "green"])`, numbers with `cl.Int(values=[1, 3])`',
    ),
    (
        'm.find("x", bool)',
        "`x` is already declared",
        "names must be unique in a model; in a notebook, first run the cell with `cl.Builder(…)` again",
    ),
    (
        'm.find("size", bool)',
        "`size` is a word of Essence, so nothing can have this name",
        "call it `size_`",
    ),
    (
        'm.find("z", cl.Set(cl.Int(1, 3), size=True))',
        "`size` needs a number",
        "write `size=2`",
    ),
    (
        'm.find("z", x)',
        "`x` is an expression, not a domain",
        "write a domain such as `cl.Int(1, n)`, or `cl.Int(values=s)` for its members",
    ),
    (
        'm.find("z", cl.Int(1.5, 3))',
        "1.5 is not an integer",
        "all numbers in a model are integers; count in smaller units",
    ),
    (
        'm.find("z", cl.Set(cl.Int()))',
        "the domain of a decision variable must be finite",
        "write two bounds, such as `cl.Int(1, 9)`",
    ),
    (
        "x = x + 1; a[1] = 3",
        "a model has no assignments",
        "write `m.require(a[1] == 3)`",
    ),
    (
        "a[1] == 3",
        "the condition `a[1] == 3` has no effect",
        "write `m.require(a[1] == 3)`",
    ),
    (
        "m.require(x == int(y))",
        "`y` has no value before the model is solved",
        "a Boolean is a number as `cl.to_int(y)`; the value is known only in a solution",
    ),
    (
        "m.require(cl.all(i > 2 or i < 1 for i in s))",
        "Python needs the truth value of `i > 2` to choose what this generator yields",
        "write `(i > 2) | (i < 1)` for `i > 2 or i < 1`",
    ),
    (
        "m.require(cl.sum(i for i in weights if x == i) > 1)",
        "the members are Python values, but the condition is known only when the model is solved",
        "make the condition part of what is counted or required, as in `cl.implies(condition, …)` or `cl.to_int(condition)`, or range over a domain of the model",
    ),
    (
        "g1 = (i > 2 for i in s); m.require(g1); m.require(g1)",
        "this generator has already been used",
        "write the generator where it is used; a list can be used several times",
    ),
    (
        "m.require(x >> 1)",
        "`>>` shifts bits in Python",
        "write `(x).implies(…)`",
    ),
    (
        "m.require(cl.implies)",
        "`implies` is a Python function, not a value",
        "call it, as in `implies(…)`",
    ),
    (
        "m.minimise(b)",
        "a goal is a number, but `b` is true or false",
        "write `cl.to_int(b)`, or `require` it",
    ),
    (
        "m.minimise(x); m.minimise(y)",
        "the model already has a goal",
        "give several goals in one call, most important first, as in `m.minimise(a, b)`",
    ),
    (
        "m.require(cl.member(x, D))",
        "`<Domain: D>` is a domain, but `member` takes a collection",
        "compare with the bounds, as in `(x >= 1) & (x <= n)`",
    ),
    (
        "m.require(x in D)",
        "Python tests if a value is in this domain, but the domain may depend on the data",
        "compare with the bounds, as in `(x >= 1) & (x <= n)`",
    ),
    (
        "m.require(len(D) > 2)",
        "`len` needs a number that is known only when the model is solved",
        "write `cl.size(D)`",
    ),
    (
        "m.require(cl.abs(s) > 3)",
        "`abs` takes numbers, but `s` is a set",
        "write `cl.size(s)` for its number of members",
    ),
    (
        "m.require(cl.size(x) > 3)",
        "`x` has no members",
        "write `abs(x)` for the absolute value",
    ),
    (
        "m.require(cl.to_int(x) > 3)",
        "`x` is already a number",
        "leave out `cl.to_int`",
    ),
    (
        "keep = []; m.require(cl.all([keep.append(i), i > 1][1] for i in s)); m.require(keep[0] > 3)",
        "`i` ranges over values in a generator, and is used outside of it",
        "use it only inside of the generator that introduces it",
    ),
    (
        "m.require(i == 1 for i in n)",
        "`n` has no members: it is of type `int(1..9)`",
        "to range over the numbers up to it, write `cl.Int(1, n)`",
    ),
    (
        "m.require(p == {1, 2})",
        "`==` compares `p` with `{1, 2}`, but one is a partition and the other is a set",
        "compare it with a partition, such as `cl.partition([{1, 2}, {3}])`",
    ),
    (
        "m.require(k < 3)",
        "`<` compares `k` with `3`, but one is a member of `colour` and the other is a number",
        "its values are members of `colour`, such as `'red'`",
    ),
    (
        'm.require("red" in s)',
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member('red', s)`",
    ),
    (
        'm.require(f[1] == "x")',
        "`==` compares `f(1)` with the text `'x'`, but `f(1)` is a number",
        "compare it with a number, such as `3`",
    ),
    (
        "m.require(set(s) == {1})",
        "Python's `set` needs values, which are known only when the model is solved",
        "write `cl.to_set(s)`",
    ),
    (
        "m.require(np.sum([x, y]) > 3, np.max([x, y]) > 2)",
        "Python's `np.max` needs values, which are known only when the model is solved",
        "write `cl.max([x, y])`",
    ),
    (
        "m.require(sum(x == 3 for i in range(3)) > 1)",
        "`+` takes numbers, but `x == 3` is true or false",
        "write `cl.to_int(x == 3)`, which is 1 or 0",
    ),
    (
        "m.require(a[i] > j for i, j in enumerate(D))",
        "Python's `enumerate` needs values, which are known only when the model is solved",
        "range over the indices, as in `… for i in D`, and write `s[i]` for the element",
    ),
    (
        "m.require(i < j for i, j in zip(D, D))",
        "Python's `zip` needs values, which are known only when the model is solved",
        "range over the indices, as in `… for i in D`, and write `s[i]` for the element",
    ),
    (
        "m.require(i > 0 for i in map(abs, D))",
        "Python's `map` needs values, which are known only when the model is solved",
        "write a generator with `for` and `if`, as in `cl.all(p(x) for x in s if q(x))`",
    ),
    (
        "import itertools; m.require(i < j for i, j in itertools.product(D, D))",
        "Python needs the members of `D`, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(cl.sum([*s]) > 3)",
        "Python needs the members of `s`, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(cl.sum(sorted(D)) > 3)",
        "Python's `sorted` needs values, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(cl.all(i > 1 for i in reversed(D)))",
        "Python's `reversed` needs values, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(x in range(3))",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member(x, range(3))`",
    ),
    (
        "m.require(cl.all(p > 3 for p in cl.combinations(s, 1)))",
        "`combinations` needs a size of at least 2",
        "range over the collection itself",
    ),
    (
        "m.require(cl.sum(sum(i for i in s) for j in D) > 3)",
        "Python's `sum` needs values, which are known only when the model is solved",
        "write `cl.sum(i for i in s)`",
    ),
    (
        "m.require((x, y) == (1, 2))",
        "Python compares two tuples or lists member by member, but the members are known only when the model is solved",
        "write `cl.constant((x, y)) == (1, 2)`",
    ),
    (
        "m.require([x, y] < [1, 2])",
        "Python compares two tuples or lists member by member, but the members are known only when the model is solved",
        "write `cl.constant([x, y]) < [1, 2]`",
    ),
    (
        "m.require(x == [1, 2])",
        "`==` works on single values, but `[1, 2]` is a matrix",
        'write `cl.all(x == v[i] for i in cl.Int(1, 2))` if it holds for each element, where `v = m.letting("v", [1, 2])`, or `cl.count(…)` for how many',
    ),
    (
        "m.require(s <= [1, 2])",
        "`<=` joins two collections, but `[1, 2]` is a list",
        "write `{1, 2}` for a set",
    ),
    (
        "m.require(s == [1, 2])",
        "`==` compares `s` with `[1, 2]`, but one is a set and the other is a list",
        "write `{1, 2}` for a set",
    ),
    (
        'm.require(k == "red" or k == "green")',
        "`or` needs the truth value of `k == 'red'`, which is known only when the model is solved",
        "write `(k == 'red') | (k == 'green')`; mind the parentheses around comparisons",
    ),
    (
        "m.require(abs(s) > 3)",
        "`abs` takes numbers, but `s` is a set",
        "write `cl.size(s)` for its number of members",
    ),
    (
        "m.require(round(x) > 3)",
        "all numbers in a model are integers, so there is nothing to round",
        "leave out `round`: write `x`",
    ),
    (
        "m.require(divmod(x, 2) == 1)",
        "`divmod` has two results, but an expression has one value",
        "write `x // y` and `x % y`",
    ),
    (
        "m.require(x @ y > 3)",
        "a model has no matrix product",
        "write a sum of products, as in `cl.sum(a[i] * b[i] for i in D)`",
    ),
    (
        "m.require(-b)",
        "`-` takes numbers, but `b` is true or false",
        "write `~b` for the opposite",
    ),
    (
        'other = cl.Builder(); z = other.find("x", cl.Int(1, 3)); m.require(z > 1)',
        "`x` belongs to another model",
        "an expression is a part of one model only: declare it in this model, too; in a copy of a model, write `m.find['x']`",
    ),
    (
        "m += x > 3",
        "nothing can be added to a model with `+=`",
        "write `m.require(x > 3)`",
    ),
    (
        "m.add(x > 3)",
        "a model has no `add`",
        "write `m.require(…)`",
    ),
    (
        "m.require(cl.AllDifferent(a))",
        "there is no `cl.AllDifferent`",
        "write `cl.all_different(…)`",
    ),
    (
        "z = cl.intvar(1, 9)",
        "there is no `cl.intvar`",
        'declare a decision variable, as in `x = m.find("x", cl.Int(1, 9))`',
    ),
    (
        "m.require(a != [1, 2, 3, 4, 5])",
        "`!=` could mean that all elements of `a` differ from others, or that one does",
        'write `cl.all(a[i] != v[i] for i in cl.Int(1, 5))` if all differ, where `v = m.letting("v", [1, 2, 3, 4, 5])`, or `~(a == [1, 2, 3, 4, 5])` if one does',
    ),
    (
        "m.require(a == 3)",
        "`==` works on single values, but `a` is a matrix",
        "write `cl.all(a[i] == 3 for i in cl.Int(1, 5))` if it holds for each element, or `cl.count(…)` for how many",
    ),
    (
        "m.require(g + g == g)",
        "`+` works on single values, but `g` is a matrix",
        "write a generator, as in `cl.sum(g[i, j] + g[i, j] for i in cl.Int(1, 5) for j in cl.Int(1, 5))`",
    ),
    (
        "m.require(-a == a)",
        "`-` works on single values, but `a` is a matrix",
        "write a generator, as in `cl.sum(-a[i] for i in cl.Int(1, 5))`",
    ),
    (
        "m.require(a.sum() > 3)",
        "`a` has no attribute `sum`: it is an expression, whose value is known only when the model is solved",
        "write `cl.sum(a)`",
    ),
    (
        "m.require(g.T[1, 1] > 3)",
        "`g` has no attribute `T`: it is an expression, whose value is known only when the model is solved",
        "swap the indices, as in `g[j, i]`",
    ),
    (
        "print(x.value())",
        "`x` has no attribute `value`: it is an expression, whose value is known only when the model is solved",
        "the value is a part of a solution, as in `m.solve().x`",
    ),
    (
        "s.add(3)",
        "`s` has no attribute `add`: it is an expression, whose value is known only when the model is solved",
        "a model has no assignments: write a requirement, as in `m.require(s == …)`, or `cl.member(…, s)` for a member",
    ),
    (
        "m.require(rec.lo > 1)",
        "`rec` has no attribute `lo`: it is an expression, whose value is known only when the model is solved",
        'write `rec["lo"]`',
    ),
    (
        "m.require(v > 1 for k, v in f.items())",
        "`f` has no attribute `items`: it is an expression, whose value is known only when the model is solved",
        "range over it, as in `… for argument, image in f`",
    ),
    (
        'm.find("z", cl.Set(cl.Int(1, 9), 3))',
        "`cl.Set` takes 1 argument without a name, not 2",
        "write `cl.Set(of, size=…, min_size=…, max_size=…)`",
    ),
    (
        'm.find("z", cl.Matrix(D, D, D))',
        "`cl.Matrix` needs the argument `of`",
        "write `cl.Matrix(indices, …, of=…)`",
    ),
    (
        'm.find("z", cl.Int(lb=1, ub=9))',
        "`cl.Int` has no argument `lb`",
        "write `cl.Int(low=…, high=…, values=…, tag=…)`",
    ),
    (
        'm.find("z", cl.Int(9, 1))',
        "`int(9..1)` has no values",
        "write the smaller bound first, as in `cl.Int(1, 9)`",
    ),
    (
        'm.find("z")',
        "`m.find` needs the argument `of`",
        "write `m.find(name, of, about=…, unit=…, picture=…)`",
    ),
    (
        'm.find(cl.Int(1, 9), "z")',
        "<Domain: int(1..9)> is not a name",
        'write the name first, as in `m.find("x", cl.Int(1, 9))`',
    ),
    (
        "m.require(x is not None)",
        "`is not` compares Python objects, not their values: it is `True` here",
        "leave it out: a decision variable always has a value",
    ),
    (
        'm.require(str(x) == "3")',
        "this is the Python value `False`, which does not depend on the model",
        "compare expressions of the model; test data with `if` or `assert`, or write `cl.constant(False)` if you mean that",
    ),
    (
        "m.require(x.implies(y))",
        "`implies` joins conditions, but `x` is a number",
        "write conditions, as in `(x == 1).implies(y == 2)`",
    ),
    (
        "m.require(b == 1)",
        "`==` compares `b` with `1`, but one is true or false and the other is a number",
        "write `cl.to_int(b)` for a number; mind the parentheses around comparisons beside `&` and `|`",
    ),
    (
        "m.require(s < 3)",
        "`<` compares `s` with `3`, but one is a set and the other is a number",
        "write `cl.size(s)` for the number of its members, or `cl.member(x, s)`",
    ),
    (
        "m.require(f(1, 2) == 3)",
        "`f` takes one argument of the domain `int(1..5)`, not 2",
        "write `f(1)`; the domain of a function of pairs is `cl.Function((D, E), F)`",
    ),
    (
        "m.require(r(1))",
        "`r` has 2 columns, but 1 value is given",
        "write `r(1, ...)`; `...` stands for a column that may have any value",
    ),
    (
        "m.require((1, 2) in r)",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member((1, 2), r)`",
    ),
    (
        'm.require(x > 3, "large enough")',
        "'large enough' is a text, which would be read as Essence",
        "write `name='large enough'` for the name",
    ),
    (
        "m.maximise(s)",
        "a goal is a number, but `s` is a set",
        "write `cl.sum(s)` or `cl.size(s)`; for several goals, write the most important first, as in `m.minimise(a, b)`",
    ),
    (
        'm.wish(x > 3, "a large number")',
        "'a large number' is not a price",
        "write `name='a large number'` for the name of the wish",
    ),
    (
        "m.require(a[[1, 3]] == [1, 2])",
        "an index of `a` is one value, not several",
        "write a list, as in `cl.constant([a[1], a[3]])`",
    ),
    (
        "m.require(x ** 0.5 > 2)",
        "0.5 is not an integer, and all numbers in a model are integers",
        "count in smaller units, such as cents for euros",
    ),
    (
        "m.require(cl.any(x == 1, 2))",
        "`cl.any` takes conditions, but `2` is a number",
        "write a condition, as in `cl.any(x == 1, x == 2)`",
    ),
    (
        "m.require(cl.member(s, x))",
        "`x` has no members: it is a number",
        "write `cl.member(x, s)`",
    ),
    (
        "m.require(cl.count(a, 3) > 1)",
        "`cl.count` takes 1 argument without a name, not 2",
        "write `cl.freq(a, 3)` for how often a value occurs, or conditions, as in `cl.count(a[i] == 3 for i in D)`",
    ),
    (
        "m.minimise = x + y",
        "`minimise` is a method of the model, so it cannot be set",
        "write `m.minimise(x + y)`",
    ),
    (
        "cl.all_different(a)",
        "the condition `cl.all_different(a)` has no effect",
        "write `m.require(cl.all_different(a))`",
    ),
    (
        "m.require(math.sqrt(x) > 2)",
        "Python's `math.sqrt` needs a number, but the value of `x` is known only when the model is solved",
        "write it with `+`, `-`, `*`, `//`, `%`, `**` and the functions of `cl`; a function of a few values can be a table, as in `cl.constant({1: 1, 4: 2, 9: 3})(x)`",
    ),
    (
        "b & c",
        "the condition `b & c` has no effect",
        "write `m.require(b & c)`",
    ),
    (
        "b.implies(c)",
        "the condition `cl.implies(b, c)` has no effect",
        "write `m.require(cl.implies(b, c))`",
    ),
    (
        "m.require(cl.sum(a, 3) > 3)",
        "`sum` takes numbers, but `a` is a matrix",
        "write `cl.sum(a)` instead",
    ),
    (
        "m.require(x > y.value)",
        "`y` has no attribute `value`: it is an expression, whose value is known only when the model is solved",
        "the value is a part of a solution, as in `m.solve().x`",
    ),
    (
        "m.require(abs(a) > 3)",
        "`abs` works on single values, but `a` is a matrix",
        "write a generator, as in `cl.sum(abs(a[i]) for i in cl.Int(1, 5))`",
    ),
    (
        "m.require(a + 1 == a)",
        "`+` works on single values, but `a` is a matrix",
        "write a generator, as in `cl.sum(a[i] + 1 for i in cl.Int(1, 5))`",
    ),
    (
        "m.require(np.array([1, 2, 3, 4, 5]) + a == a)",
        "`+` works on single values, but `[1, 2, 3, 4, 5]` is a matrix",
        'write a generator, as in `cl.sum(v[i] + a[i] for i in cl.Int(1, 5))`, where `v = m.letting("v", [1, 2, 3, 4, 5])`',
    ),
    (
        "m.require(np.array([1, 2, 3, 4, 5]) @ a > 3)",
        "a model has no matrix product",
        "write a sum of products, as in `cl.sum(a[i] * b[i] for i in D)`",
    ),
    (
        "m.require(np.dot([1, 2, 3, 4, 5], a) > 3)",
        "NumPy's `dot` needs values, but the value of `a` is known only when the model is solved",
        "write a sum of products, as in `cl.sum(a[i] * b[i] for i in D)`",
    ),
    (
        "m.require(np.all(a > 3))",
        "`>` works on single values, but `a` is a matrix",
        "write `cl.all(a[i] > 3 for i in cl.Int(1, 5))` if it holds for each element, or `cl.count(…)` for how many",
    ),
    (
        "m.require(a[a > 3] == 2)",
        "`>` works on single values, but `a` is a matrix",
        "write `cl.all(a[i] > 3 for i in cl.Int(1, 5))` if it holds for each element, or `cl.count(…)` for how many",
    ),
    (
        "m.require(a[1][2] > 3)",
        "`a[1]` has no elements with indices: it is a number",
        "leave out the last index: `a[1]` is already a number",
    ),
    (
        'm.require(x == float("inf"))',
        "inf is not an integer, and all numbers in a model are integers",
        "leave the bound out, or write a number that is large enough",
    ),
    (
        'm.require(x == "3")',
        "`==` compares `x` with the text `'3'`, but `x` is a number",
        "write `3` without quotation marks",
    ),
    (
        "m.require(cl.if_else(x > 3, s, 1) == s)",
        "`if_else` chooses between `s` and `1`, but one is a set and the other is a number",
        "write `cl.size(s)` for the number of its members, or `cl.member(x, s)`",
    ),
    (
        "m.require(cl.all_different(a, except_=0))",
        "`cl.all_different` has no argument `except_`",
        "write `cl.all_different(values, …)`",
    ),
    (
        "m.require(cl.forall(D, lambda i: a[i] > 1))",
        "there is no `cl.forall`",
        "write `cl.all(… for i in D)`",
    ),
    (
        "m.required(x > 3)",
        "a model has no `required`",
        "did you mean `m.require`?",
    ),
    (
        "z = cl.int(1, 9)",
        "there is no `cl.int`",
        "write `cl.Int(1, 9)` for a domain, `cl.to_int(c)` for a condition as 1 or 0",
    ),
    (
        'm.find("z", int)',
        "the domain of a decision variable must be finite",
        "write two bounds, such as `cl.Int(1, 9)`",
    ),
    (
        'm.find("z", cl.Int(1, x))',
        "a domain cannot depend on a decision variable",
        "use a larger domain, and add a constraint that excludes the values that you do not want",
    ),
    (
        'm.enum("c2", ["u", "u"])',
        "`u` occurs twice among the members of `c2`",
        "leave one `u` out",
    ),
    (
        'm.find("z", cl.Function(D))',
        "`cl.Function` needs the argument `image`",
        "write `cl.Function(argument, image, total=…, injective=…, surjective=…, bijective=…, size=…, min_size=…, max_size=…)`",
    ),
    (
        'm.require(m["x"] > 3)',
        "a model cannot be indexed",
        "write `m.find['x']`, or `m.given['x']` for a parameter",
    ),
    (
        "m.objective = x",
        "a model has no attribute `objective` that can be set",
        "write `m.minimise(…)` or `m.maximise(…)`",
    ),
    (
        "m.require(pow(x, 2, 3) == 1)",
        "`pow` takes two arguments in a model",
        "write `x ** 2 % 3`",
    ),
    (
        "m.require(pd.Series([1, 2, 3])[x] == 1)",
        "Python cannot look up `x` in a column, because its value is known only when the model is solved",
        'make the column a part of the model, as in `values = m.letting("values", pd.Series([1, 2, 3]))`, and write `values[x]` with the result',
    ),
    (
        "m.require(math.gcd(x, y) == 1)",
        "Python's `math.gcd` needs a number, but the value of `x` is known only when the model is solved",
        "write it with `+`, `-`, `*`, `//`, `%`, `**` and the functions of `cl`; a function of a few values can be a table, as in `cl.constant({1: 1, 4: 2, 9: 3})(x)`",
    ),
    (
        "m.require(s.issubset(t))",
        "`s` has no attribute `issubset`: it is an expression, whose value is known only when the model is solved",
        "write `s <= t`",
    ),
    (
        "m.require(s == [])",
        "`==` compares `s` with `[]`, but one is a set and the other is a list",
        "write `set()` for a set",
    ),
    (
        'm.require(f"{x} > {y} and {y} > 1")',
        "`and` is not an operator of Essence",
        "write `x > y /\\ y > 1`",
    ),
    (
        'm.require("x > 3 and y > 3")',
        "`and` is not an operator of Essence",
        "write `x > 3 /\\ y > 3`",
    ),
    (
        "m.require([x > 3 for i in range(5) if i == x])",
        "the members are Python values, but the condition is known only when the model is solved",
        "make the condition part of what is counted or required, as in `cl.implies(condition, …)` or `cl.to_int(condition)`, or range over a domain of the model",
    ),
    (
        "m.require(cl.max(s, 3) > 2)",
        "`max` takes numbers, but `s` is a set",
        "write `cl.max(s)` instead",
    ),
    (
        "m.require(s | 3 == t)",
        "`|` joins two collections, but `3` is a number",
        "write `{3}` for a set",
    ),
    (
        "m.require(f[0] == 1)",
        "`f` is never defined at 0: its arguments are `int(1..5)`",
        "the arguments are the values of this domain",
    ),
    (
        "m.require(r[1, 2, 3])",
        "`r` has 2 columns, but 3 values are given",
        "write `r(1, 2)`",
    ),
    (
        "m.require(sorted(weights, key=lambda w: w * x)[0] > 3)",
        "Python's `sorted` needs values, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(print(x))",
        "`None` is not a value of a model",
        "leave the requirement out if nothing is known",
    ),
    (
        "m.require(x == 3 if b else True)",
        "`if` needs the truth value of `b`, which is known only when the model is solved",
        "write `cl.if_else(b, x == 3, True)`",
    ),
    (
        "m.require(x.between(1, 3))",
        "`x` has no attribute `between`: it is an expression, whose value is known only when the model is solved",
        "write `(1 <= x) & (x <= 3)`",
    ),
    (
        "m.require(a[1:] == [1, 2, 3, 4])",
        "a slice excludes its end in Python, but a model includes it and has no steps",
        "write the first and the last index, as in `row[cl.Int(2, 5)]`",
    ),
    (
        "m.require(a.shape == (5,))",
        "`a` has no attribute `shape`: it is an expression, whose value is known only when the model is solved",
        "use the domain of the indices, such as `D.size`",
    ),
    (
        "m.require(random.choice(s) == 1)",
        "Python's `random.choice` needs the members of `s`, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(cl.table([x, y], [1, 2]))",
        "the rows of `[1, 2]` are numbers, not lists",
        "write a list of lists, as in `[[1, 2]]`",
    ),
    (
        "m.require(cl.Int(1, 9)[x] > 3)",
        "`int(1..9)` has no members with names",
        'range over a domain, as in `… for i in D`; a list of values is a `m.letting("c", [5, 7, 9])`',
    ),
    (
        "m.require(cl.all_different([s, x]))",
        "the elements of a matrix must have one type, not both `set of int` and `int`",
        "write `cl.all_different([cl.sum(s), x])`",
    ),
    (
        "m.maximise(a)",
        "a goal is a number, but `a` is a matrix",
        "write `cl.sum(a)` or `cl.size(a)`; for several goals, write the most important first, as in `m.minimise(a, b)`",
    ),
    (
        "m.minimise(cl.min(x))",
        "`x` is one number, not a collection",
        "give a generator, a list or several values to `cl.min`",
    ),
    (
        "m.require(p[1] == {1, 2})",
        "`p` has no elements with indices: it is a partition",
        "its parts have no order: range over them, as in `… for part in cl.parts(p)`",
    ),
    (
        "m.require(cl.parts(p)[0] == {1, 2})",
        "`cl.parts(p)` has no elements with indices: it is a set",
        "its members have no order: range over them, as in `… for x in cl.parts(p)`, or write `cl.min(cl.parts(p))`",
    ),
    (
        "m.require(cl.size(p) == 2, len(cl.parts(p)) == 2)",
        "`len` needs a number that is known only when the model is solved",
        "write `cl.size(cl.parts(p))`",
    ),
    (
        "m.require(q[1] == 2)",
        "`q` is a sequence, whose positions count from 1, while Python's brackets count from 0",
        "write `q(2)`, in which positions count from 1",
    ),
    (
        "m.require(len(q) == 2)",
        "`len` needs a number that is known only when the model is solved",
        "write `cl.size(q)`",
    ),
    (
        "m.require(q + [1] == q)",
        "`+` works on single values, but `[1]` is a matrix",
        'write a generator, as in `cl.sum(q + v[i] for i in cl.Int(1, 1))`, where `v = m.letting("v", [1])`',
    ),
    (
        'm.require(k in ["red", "green"])',
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member(k, ['red', 'green'])`",
    ),
    (
        'm.require(k < "grey")',
        "`grey` is a text, and no enumerated type of the model has such a member",
        "did you mean `green`?",
    ),
    (
        'm.require(k + 1 == "green")',
        "`+` takes numbers, but `k` is a member of `colour`",
        "write `cl.succ(k)` or `cl.pred(k)` for its neighbours",
    ),
    (
        "m.require(i for i in colour)",
        "`i` is of type `colour`, so it is neither true nor false",
        "a requirement is a condition, such as `x + y == 3`",
    ),
    (
        'm.require(x.name == "x")',
        "this is the Python value `True`, which does not depend on the model",
        "compare expressions of the model; test data with `if` or `assert`, or write `cl.constant(False)` if you mean that",
    ),
    (
        "m.require(tup.x == 1)",
        "`tup` has no attribute `x`: it is an expression, whose value is known only when the model is solved",
        "write `tup[0]` for a component",
    ),
    (
        "m.require(tup == (1,))",
        "`=` does not accept `(int, bool)` and `tuple (int)`",
        "both sides of `==` must have the same type",
    ),
    (
        'm.require(rec == {"low": 1, "hi": 2})',
        "`==` compares `rec` with `{'low': 1, 'hi': 2}`, but one is a record and the other is a function",
        "write `cl.record(lo=…, hi=…)`",
    ),
    (
        "m.require(rec == (1, 2))",
        "`==` compares `rec` with `(1, 2)`, but one is a record and the other is a tuple",
        "write `cl.record(lo=…, hi=…)`",
    ),
    (
        "m.require(x == y if x > 3 else y)",
        "`if` needs the truth value of `x > 3`, which is known only when the model is solved",
        "write `cl.if_else(x > 3, x == y, y)`",
    ),
    (
        "m.pareto(x, y)",
        "`m.pareto` takes 0 arguments without a name, not 2",
        "write `m.pareto(minimise=…, maximise=…, about=…)`",
    ),
    (
        "m.require(x > 3, level=2)",
        "`m.require` has no argument `level`",
        "write `m.wish(…, level=2)`",
    ),
    (
        "m.where(x > 3)",
        "a `where` statement cannot depend on a decision variable",
        "write `m.require(…)`",
    ),
    (
        'm.letting("x", 3)',
        "`x` is already declared",
        "names must be unique in a model; in a notebook, first run the cell with `cl.Builder(…)` again",
    ),
    (
        'm.letting(3, "c1")',
        "3 is not a name",
        'write the name first, as in `m.letting("x", [5, 7, 9])`',
    ),
    (
        'm.given("z", 3)',
        "`3` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.domain("E", 3)',
        "`3` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.unnamed("u", ["a", "b"])',
        "the members of `u` have no names",
        "write their number, or `m.enum('u', ['a', 'b'])` for named ones",
    ),
    (
        'm.branching("x")',
        "`x` is a text, and a text is a member of an enumerated type",
        "write the variable itself, without quotation marks, or `m.find['x']`",
    ),
    (
        'm.heuristic("fast")',
        "there is no heuristic `fast`",
        "write one of 'static', 'sdf', 'conflict', 'srf', 'ldf', 'wdeg', 'domoverwdeg'",
    ),
    (
        'm.solve(n=3, fix={"x": 3})',
        "`fix` takes requirements, not values",
        "write `fix=[x == 3]`",
    ),
    (
        'm.find("z", cl.Set(D, size=x))',
        "a domain cannot depend on a decision variable",
        "use a larger domain, and add a constraint that excludes the values that you do not want",
    ),
    (
        'm.find("z", cl.Set(cl.Int(1, 3), minsize=2))',
        "`cl.Set` has no argument `minsize`",
        "did you mean `min_size`?",
    ),
    (
        'm.find("z", cl.Partition(D, parts=3))',
        "`cl.Partition` has no argument `parts`",
        "did you mean `part_size`?",
    ),
    (
        'm.find("z", cl.Relation(cl.Int(1,3)), size=3)',
        "`m.find` has no argument `size`",
        "write `m.find(name, of, about=…, unit=…, picture=…)`",
    ),
    (
        'm.find("z", "int(1..9)")',
        "'int(1..9)' is a text, not a domain",
        "write a domain such as `cl.Int(1, 9)`, or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.find("z", cl.Int("1", "9"))',
        "'1' is a text, not a bound",
        "write `1` without quotation marks",
    ),
    (
        'm.find("z", cl.Int(1, weights))',
        "[3, 5, 7] is not a bound",
        "write `cl.Int(values=…)` for single values",
    ),
    (
        'm.find("z", cl.Tuple([cl.Int(1, 3), bool]))',
        "a list is not a domain",
        "write a tuple of domains, as in `(cl.Int(1, 3), bool)`, or `cl.Sequence(cl.Int(1, 3))`",
    ),
    (
        'm.find("z", cl.Set(list))',
        "`<class 'list'>` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.find("z", cl.Set(str))',
        "a model has no texts, and its names belong to a type",
        'declare them, as in `colour = m.enum("colour", ["red", "green"])`',
    ),
    (
        'm.find("z", cl.Function(str, int))',
        "a model has no texts, and its names belong to a type",
        'declare them, as in `colour = m.enum("colour", ["red", "green"])`',
    ),
    (
        'm.find("z", cl.Matrix([1, 2, 3], of=bool))',
        "`[1, 2, 3]` is not a domain",
        'declare names with `m.enum("colour", ["red", "green"])`, numbers with `cl.Int(values=[1, 3])`',
    ),
    (
        'm.find("z", cl.Int(values=weights + [x]))',
        "a domain cannot depend on a decision variable",
        "use a larger domain, and add a constraint that excludes the values that you do not want",
    ),
    (
        "m.require(i > 2 for i in q)",
        "`>` compares `i` with `2`, but one is a tuple and the other is a number",
        "the members of `q` are pairs: write `… for position, value in q`, or `… for i in cl.range_of(q)` for its values",
    ),
    (
        "m.require(i + 1 > 2 for i in f)",
        "`+` takes numbers, but `i` is a tuple",
        "the members of `f` are pairs: write `… for argument, value in f`, or `… for i in cl.range_of(f)` for its values",
    ),
    (
        "m.require(f(i) > 2 for i in f)",
        "`i` is a pair, but the arguments of `f` are `int(1..5)`",
        "the members of `f` are pairs: write `… for argument, value in f`, or `… for i in cl.range_of(f)` for its values",
    ),
    (
        "m.require(cl.sum(f) > 3)",
        "the members of `f` are pairs of an argument and its image",
        "write `cl.sum(value for _, value in f)`",
    ),
    (
        "m.require(cl.max(q) > 3)",
        "the members of `q` are pairs of a position and its element",
        "write `cl.max(value for _, value in q)`",
    ),
    (
        "m.require(cl.all_different(q))",
        "the members of `q` are pairs of a position and its element",
        "write `cl.all_different(value for _, value in q)`",
    ),
    (
        "m.require(cl.all_different(f))",
        "the members of `f` are pairs of an argument and its image",
        "write `cl.all_different(value for _, value in f)`",
    ),
    (
        "m.require(cl.all_different(s))",
        "the members of a set are always different",
        "leave it out",
    ),
    (
        "m.require(cl.member(3, q))",
        "the members of `q` are pairs, but `3` is a number",
        "write `cl.member(3, cl.range_of(q))` for its values",
    ),
    (
        "m.require(cl.member(3, f))",
        "the members of `f` are pairs, but `3` is a number",
        "write `cl.member(3, cl.range_of(f))` for its values, or `cl.member(3, cl.defined(f))` for its arguments",
    ),
    (
        "m.require(cl.freq(q, 3) == 1)",
        "the members of `q` are pairs of a position and its element",
        "write `cl.freq((value for _, value in q), …)`",
    ),
    (
        "m.require(cl.freq(s, 3) == 1)",
        "a value occurs in the set `s` once or not at all",
        "write `cl.member(3, s)`",
    ),
    (
        "m.require(~pi == pi)",
        "`~` negates a condition, but `pi` is a permutation",
        "write `cl.permutation_inverse(pi)` for its inverse",
    ),
    (
        "m.require(pi * pi == pi)",
        "`*` takes numbers, but `pi` is a permutation",
        "write `cl.compose(pi, pi)`",
    ),
    (
        "m.require(pi ** 2 == pi)",
        "`**` takes numbers, but `pi` is a permutation",
        "write `cl.compose(pi, pi)`",
    ),
    (
        "m.require(q[-1] == 2)",
        "`q` is a sequence, whose positions count from 1, while Python's brackets count from 0",
        "write `q(cl.size(q))`",
    ),
    (
        "m.require(q[-2] == 2)",
        "`q` is a sequence, whose positions count from 1, while Python's brackets count from 0",
        "write `q(cl.size(q) - 1)`",
    ),
    (
        "m.require(q[1:] == [1, 2])",
        "`q` is a sequence, whose positions count from 1, while Python's brackets count from 0",
        "a part of a sequence is not an expression: range over positions, as in `… q(i), q(i + 1) … for i in D if i < cl.size(q)`",
    ),
    (
        'm.require(cl.active("number", v))',
        "the variant comes first, then the name of the alternative",
        "write `cl.active(v, 'number')`",
    ),
    (
        'm.require(cl.active(v, "numbers"))',
        "`v` has no alternative `numbers`",
        "its alternatives are number, truth",
    ),
    (
        'm.require(v == {"nomber": 3})',
        "`==` compares `v` with `{'nomber': 3}`, but one is a variant and the other is a function",
        "write `cl.variant(number=…)`",
    ),
    (
        "m.require(cl.sum(h(i, j) for j in D) > 1 for i in D)",
        "`sum` takes numbers, but `h(i, j)` is true or false",
        "write `cl.count(…)` for how many hold, or `cl.to_int(h(i, j))`",
    ),
    (
        'm.enum("city", ["Oslo", "s"])',
        "`s` is already declared",
        "names of members must differ from all other names of the model",
    ),
    (
        "m.wish(x > 3, 2.5)",
        "2.5 is not a price",
        "the price of a wish is a whole number that is not negative",
    ),
    (
        "m.require(cl.subset({1, 2}, s))",
        "there is no `cl.subset`",
        "write `s <= t`",
    ),
    (
        "m.require(cl.union(s, t) == {1})",
        "there is no `cl.union`",
        "write `s | t`",
    ),
    (
        "m.require(cl.Increasing(a))",
        "there is no `cl.Increasing`",
        "write `cl.all(x[i] <= x[i + 1] for i in cl.Int(1, n - 1))`",
    ),
    (
        "m.require(cl.NValue(a) == 3)",
        "there is no `cl.NValue`",
        "write `cl.size(cl.to_set(x))`",
    ),
    (
        "m.require(cl.cumulative([x, y], [1, 2], [1, 1], 3))",
        "there is no `cl.cumulative`",
        "write the sum over the jobs that run at each time, as in `cl.sum(need[j] for j in Job if start[j] <= t and t < start[j] + time[j])`",
    ),
    (
        "m.require(np.max(a) > 3)",
        "NumPy's `max` needs values, but the value of `a` is known only when the model is solved",
        "write `cl.max(a)`",
    ),
    (
        "m.require(np.array([x, y]) == np.array([1, 2]))",
        "Python compares the members of `np.array([x, y])` and `np.array([1, 2])` immediately, but they are known only when the model is solved",
        "write `cl.constant(np.array([x, y])) == cl.constant(np.array([1, 2]))`",
    ),
    (
        "m.require([x, y] == weights[:2])",
        "Python compares the members of `[x, y]` and `weights[:2]` immediately, but they are known only when the model is solved",
        "write `cl.constant([x, y]) == cl.constant(weights[:2])`",
    ),
    (
        'm.letting("w", np.array([1.0, 2.5]))',
        "this array has numbers of the type `float64`, and all numbers in a model are integers",
        "count in smaller units, as in `(array * 100).round().astype(int)`",
    ),
    (
        'm.letting("w", pd.Series([1.0, 2.0]))',
        "this column has numbers of the type `float64`, and all numbers in a model are integers",
        "write `column.astype(int)`",
    ),
    (
        'm.letting("w", pd.Series([1, None]))',
        "a value is missing in this column, but a model needs all of them",
        "write `column.fillna(0).astype(int)`, or `column.dropna()`",
    ),
    (
        'm.require(cl.member({"lo": 1}, cl.set([rec])))',
        "`lo` is a text, and no enumerated type of the model has such a member",
        "there are red, green, blue",
    ),
    (
        "m.require(rec.lo == 1)",
        "`rec` has no attribute `lo`: it is an expression, whose value is known only when the model is solved",
        'write `rec["lo"]`',
    ),
    (
        "m.require(tup.lo == 1)",
        "`tup` has no attribute `lo`: it is an expression, whose value is known only when the model is solved",
        "write `tup[0]` for a component",
    ),
    (
        "m.require(rec[0] == 1)",
        "`rec` has no component `0`",
        "its components are lo, hi",
    ),
    (
        "m.require(x is y)",
        "`is` compares Python objects, not their values: it is `False` here",
        "write `x == y`",
    ),
    (
        "m.require(s == x)",
        "`==` compares `s` with `x`, but one is a set and the other is a number",
        "write `cl.size(s)` for the number of its members, or `cl.member(x, s)`",
    ),
    (
        "m.require(cl.size(x) == 3)",
        "`x` has no members",
        "write `abs(x)` for the absolute value",
    ),
    (
        "m.require(a == s)",
        "`==` compares `a` with `s`, but one is a matrix and the other is a set",
        "compare it with a matrix, such as `[1, 2]`",
    ),
    (
        "m.require(cl.if_else(x > 3, x, b) == 3)",
        "`if_else` chooses between `x` and `b`, but one is a number and the other is true or false",
        "write `cl.to_int(b)` for a number; mind the parentheses around comparisons beside `&` and `|`",
    ),
    (
        "m.require(cl.sum(x, b))",
        "`sum` takes numbers, but `b` is true or false",
        "write `cl.count(…)` for how many hold, or `cl.to_int(b)`",
    ),
    (
        "m.require(a[1, 2] == 3)",
        "`a` has 1 index, not 2",
        "its domain is `matrix indexed by [int(1..5)] of int(1..9)`",
    ),
    (
        "m.require(g[1][2][3] == 3)",
        "`g[1][2]` has no elements with indices: it is a number",
        "leave out the last index: `g[1][2]` is already a number",
    ),
    (
        "m.require(r(1) == 3)",
        "`r` has 2 columns, but 1 value is given",
        "write `r(1, ...)`; `...` stands for a column that may have any value",
    ),
    (
        "m.require(p[0] == {1})",
        "`p` has no elements with indices: it is a partition",
        "its parts have no order: range over them, as in `… for part in cl.parts(p)`",
    ),
    (
        "m.require(cl.parts(p)[0] == {1})",
        "`cl.parts(p)` has no elements with indices: it is a set",
        "its members have no order: range over them, as in `… for x in cl.parts(p)`, or write `cl.min(cl.parts(p))`",
    ),
    (
        "m.require(lambda: x > 3)",
        "`<lambda>` is a Python function, not a value",
        "call it, as in `<lambda>(…)`",
    ),
    (
        'm.require(x > 3, "x is large")',
        "'x is large' is a text, which would be read as Essence",
        "write `name='x is large'` for the name",
    ),
    (
        'm.require("x is large")',
        "`is` is not an operator of Essence",
        "write `x = large`",
    ),
    (
        "m.require(x > 3 if n > 3 else y > 3)",
        "`if` needs the truth value of `n > 3`, which is known only when the model is solved",
        "write `cl.if_else(n > 3, x > 3, y > 3)`",
    ),
    (
        "m.require(x.value() == 3)",
        "`x` has no attribute `value`: it is an expression, whose value is known only when the model is solved",
        "the value is a part of a solution, as in `m.solve().x`",
    ),
    (
        "m.maximise(x, y > 3)",
        "a goal is a number, but `y > 3` is true or false",
        "write `cl.to_int(y > 3)`, or `require` it",
    ),
    (
        "m.maximise(x > 3)",
        "a goal is a number, but `x > 3` is true or false",
        "write `cl.to_int(x > 3)`, or `require` it",
    ),
    (
        "m.maximise()",
        "the goal is missing",
        "write it between the parentheses, as in `m.maximise(cost)`",
    ),
    (
        'm.solve(fix={"x": 3})',
        "`fix` takes requirements, not values",
        "write `fix=[x == 3]`",
    ),
    (
        "m.solve(n=x)",
        "Python's `m.solve` needs a number, but the value of `x` is known only when the model is solved",
        "write it with `+`, `-`, `*`, `//`, `%`, `**` and the functions of `cl`; a function of a few values can be a table, as in `cl.constant({1: 1, 4: 2, 9: 3})(x)`",
    ),
    (
        'm.find("x", cl.Int(1, 9))',
        "`x` is already declared",
        "names must be unique in a model; in a notebook, first run the cell with `cl.Builder(…)` again",
    ),
    (
        'm.find("y z", cl.Int(9, 1))',
        "`int(9..1)` has no values",
        "write the smaller bound first, as in `cl.Int(1, 9)`",
    ),
    (
        'm.find("int", cl.Int(1, 9))',
        "`int` is a word of Essence, so nothing can have this name",
        "call it `int_`",
    ),
    (
        'm.find("w", cl.Int(10))',
        "the domain of a decision variable must be finite",
        "write two bounds, such as `cl.Int(1, 9)`",
    ),
    (
        'm.find("w", cl.Int())',
        "the domain of a decision variable must be finite",
        "write two bounds, such as `cl.Int(1, 9)`",
    ),
    (
        'm.find("w", cl.Set())',
        "`cl.Set` needs the argument `of`",
        "write `cl.Set(of, size=…, min_size=…, max_size=…)`",
    ),
    (
        'm.find("w", cl.Set(cl.Int(1, 3), minSize=3))',
        "`cl.Set` has no argument `minSize`",
        "did you mean `min_size`?",
    ),
    (
        'm.find("w", cl.Set(int))',
        "the domain of a decision variable must be finite",
        "write two bounds, such as `cl.Int(1, 9)`",
    ),
    (
        'm.find("w", range(10))',
        "`range` is not a domain",
        "write `cl.Int(0, 9)`: the last value is included",
    ),
    (
        'm.find("w", [1, 2, 3])',
        "`[1, 2, 3]` is not a domain",
        'declare names with `m.enum("colour", ["red", "green"])`, numbers with `cl.Int(values=[1, 3])`',
    ),
    (
        'm.find("w", {1, 2, 3})',
        "`{1, 2, 3}` is not a domain",
        'declare names with `m.enum("colour", ["red", "green"])`, numbers with `cl.Int(values=[1, 3])`',
    ),
    (
        'm.find("w", cl.Matrix(3, of=cl.Int(1, 3)))',
        "3 is not the domain of indices",
        "write `cl.Int(1, 3)`, or `cl.Int(0, 2)` to count from 0",
    ),
    (
        'm.find("w", cl.Matrix(D))',
        "`cl.Matrix` needs the argument `of`",
        "write `cl.Matrix(indices, …, of=…)`",
    ),
    (
        'm.find("w", cl.Function(D, D, D))',
        "`cl.Function` takes 2 arguments without a name, not 3",
        "write `cl.Function(argument, image, total=…, injective=…, surjective=…, bijective=…, size=…, min_size=…, max_size=…)`",
    ),
    (
        'm.find("w", (1, 9))',
        "`1` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.find("w", float)',
        "`<class 'float'>` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.find("w", cl.Int(1, x))',
        "a domain cannot depend on a decision variable",
        "use a larger domain, and add a constraint that excludes the values that you do not want",
    ),
    (
        'm.given("w")',
        "`m.given` needs the argument `of`",
        "write `m.given(name, of, about=…, unit=…, picture=…)`",
    ),
    (
        'm.letting("w")',
        "`m.letting` needs the argument `value`",
        "write `m.letting(name, value, about=…)`",
    ),
    (
        'm.domain("E")',
        "`m.domain` needs the argument `of`",
        "write `m.domain(name, of, about=…)`",
    ),
    (
        "m.require(all(a[i] > 3 for i in D))",
        "Python's `all` needs values, which are known only when the model is solved",
        "write `cl.all(a[i] > 3 for i in D)`",
    ),
    (
        "m.require(a[i] > 3 for i in range(n))",
        "`range` needs a number, but `n` is known only when the model is solved",
        "write `cl.Int(0, n - 1)` for `range(n)`, or give Python the number itself",
    ),
    (
        "m.require(a.T == a)",
        "`a` has no attribute `T`: it is an expression, whose value is known only when the model is solved",
        "swap the indices, as in `a[j, i]`",
    ),
    (
        "m.require(x << 2)",
        "`<<` shifts bits in Python",
        "write `x * 2 ** 2`",
    ),
    (
        "m.require(x and y)",
        "`and` needs the truth value of `x`, which is known only when the model is solved",
        "write `x & y`; mind the parentheses around comparisons",
    ),
    (
        "m.require(not s)",
        "`not` needs the truth value of `s`, which is known only when the model is solved",
        "write `cl.size(s) == 0`",
    ),
    (
        "m.require(x ^ y)",
        "`^` joins conditions, but `x` is a number",
        "`^` binds tighter than comparisons in Python: put parentheses around them, as in `(x == 1) ^ (y == 2)`",
    ),
    (
        "m.require(s ^ t)",
        "`^` of two sets has no operator in a model",
        "write `(a - b) | (b - a)`",
    ),
    (
        "m.require(s + t == {1})",
        "`+` is for numbers",
        "write `s | t` for the union",
    ),
    (
        "m.require(s * 2 == {1})",
        "`*` is for numbers",
        "write `cl.size(s)` for the number of members, `cl.sum(s)` for their sum",
    ),
    (
        "m.require(3 in s)",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member(3, s)`",
    ),
    (
        "m.require({x} <= s)",
        "a Python set compares its members immediately, but the value of `x` is known only when the model is solved",
        "write `cl.set([x])`",
    ),
    (
        "m.require((x, y) in r)",
        "Python's `in` compares with one member after the other, but they are known only when the model is solved",
        "write `cl.member((x, y), r)`",
    ),
    (
        "m.require(r[1, 2] == 3)",
        "`==` compares `r(1, 2)` with `3`, but one is true or false and the other is a number",
        "write `cl.to_int(r(1, 2))` for a number; mind the parentheses around comparisons beside `&` and `|`",
    ),
    (
        'm.require(k == "redd")',
        "`redd` is a text, and no enumerated type of the model has such a member",
        "did you mean `red`?",
    ),
    (
        "m.require(k == colour.redd)",
        "`redd` is not a member of `colour`",
        "did you mean `red`?",
    ),
    (
        "m.require(k + 1 == colour.red)",
        "`+` takes numbers, but `k` is a member of `colour`",
        "write `cl.succ(k)` or `cl.pred(k)` for its neighbours",
    ),
    (
        "m.require(colour[0] == k)",
        "`0` is not a member of `colour`",
        "its members are red, green, blue",
    ),
    (
        "m.require(x == 3.0)",
        "3.0 is not an integer, and all numbers in a model are integers",
        "write 3",
    ),
    (
        "m.require(x / 2 == 3)",
        "`/` divides without rounding in Python, and all numbers in a model are integers",
        "write `x // 2`, which rounds down, or multiply the other side",
    ),
    (
        "m.require(math.sqrt(x) == 3)",
        "Python's `math.sqrt` needs a number, but the value of `x` is known only when the model is solved",
        "write it with `+`, `-`, `*`, `//`, `%`, `**` and the functions of `cl`; a function of a few values can be a table, as in `cl.constant({1: 1, 4: 2, 9: 3})(x)`",
    ),
    (
        "m.require(random.choice(s) == 3)",
        "Python's `random.choice` needs the members of `s`, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(sorted([x, y]) == [1, 2])",
        "Python's `sorted` needs values, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        'm.require(f"{x}" == "3")',
        "this is the Python value `False`, which does not depend on the model",
        "compare expressions of the model; test data with `if` or `assert`, or write `cl.constant(False)` if you mean that",
    ),
    (
        "m.require(x != None)",
        "`None` is not a value of a model, so `x` is never equal to it",
        "leave the requirement out if nothing is known",
    ),
    (
        "x == 3",
        "the condition `x == 3` has no effect",
        "write `m.require(x == 3)`",
    ),
    (
        "x.implies(b)",
        "`implies` joins conditions, but `x` is a number",
        "write conditions, as in `(x == 1).implies(y == 2)`",
    ),
    (
        "m.require = x",
        "`require` is a method of the model, so it cannot be set",
        "write `m.require(x)`",
    ),
    (
        "a[1] = 3",
        "a model has no assignments",
        "write `m.require(a[1] == 3)`",
    ),
    (
        "x += 1; m.require(x)",
        "`x + 1` is of type `int`, so it is neither true nor false",
        "a requirement is a condition, such as `x + y == 3`",
    ),
    (
        "f.update({1: 2})",
        "`f` has no attribute `update`: it is an expression, whose value is known only when the model is solved",
        "a model has no assignments: write a requirement, as in `m.require(f == …)`, or `cl.member(…, f)` for a member",
    ),
    (
        "m.require(cl.implies(b))",
        "`cl.implies` needs the argument `other`",
        "write `cl.implies(condition, other)`",
    ),
    (
        "m.require(cl.local_find(cl.Int(1, 3), x > 3))",
        "`x > 3` is an expression, not a function",
        "write a function of its names, as in `lambda i: …`",
    ),
    (
        "m.dominance(s < t); m.dominance(s < t)",
        "the model already has a goal",
        "join the conditions with `&` or `|`",
    ),
    (
        "m.minimise(x); m.pareto(minimise=[x])",
        "the model already has a goal",
        "give all goals at once, as in `m.pareto(minimise=[a], maximise=[b])`",
    ),
    (
        "m.count(fix=3)",
        "`3` is of type `int`, so it is neither true nor false",
        "a requirement is a condition, such as `x + y == 3`",
    ),
    (
        "m.save()",
        "`m.save` needs the argument `file`",
        "write `m.save(file)`",
    ),
    (
        'm.find["z"]',
        "the model has no `find` of this name",
        "there are x, y, b, c, s, t, a, g, f, q, r, p, k, tup, rec, pi, v, h",
    ),
    (
        "m.x",
        "a model has no attribute `x`",
        "write `m.find['x']`",
    ),
    (
        "print(m.z)",
        "a model has no `z`",
        "`help(m)` lists all names",
    ),
    (
        "m.require(cl.all(cl.all(i != j for j in s) for i in s if i is not x))",
        "`is not` compares Python objects, not their values",
        "write `i != x`",
    ),
    (
        "m.require(cl.size(i & j) == 1 for i in cl.parts(p) for j in cl.parts(p) if i is not j)",
        "`is not` compares Python objects, not their values",
        "write `i != j`",
    ),
    (
        "m.require(cl.count(i in j for j in cl.parts(p)) == 1 for i in D)",
        "Python needs the truth value of `cl.member(i, j)` to choose what this generator yields",
        "write `cl.member(i, j)` for `i in j`",
    ),
    (
        "m.require(1 < i < 5 for i in s)",
        "Python needs the truth value of `i > 1` to choose what this generator yields",
        "write `(1 < i) & (i < 5)` for `1 < i < 5`",
    ),
    (
        "m.require(not b for i in D)",
        "Python needs the truth value of `b` to choose what this generator yields",
        "write `~b` for `not b`",
    ),
    (
        "m.require(cl.exactly_one(b, c))",
        "there is no `cl.exactly_one`",
        "write `cl.count(…) == 1`",
    ),
    (
        "m.require(cl.exists_one(i > 3 for i in s))",
        "there is no `cl.exists_one`",
        "write `cl.count(…) == 1`",
    ),
    (
        'm.letting["E"]',
        "the model has no `letting` of this name",
        "there are D, colour",
    ),
    (
        'm.find["E"]',
        "the model has no `find` of this name",
        "there are x, y, b, c, s, t, a, g, f, q, r, p, k, tup, rec, pi, v, h",
    ),
    (
        'm.given["x"]',
        "the model has no `given` of this name",
        "there are n",
    ),
    (
        'cl.Builder("model.essence")',
        "`cl.Builder` takes a title",
        "write `cl.Builder.open('model.essence')` for a file or a text in Essence",
    ),
    (
        'cl.Builder("find z : int(1..3)")',
        "`cl.Builder` takes a title",
        "write `cl.Builder.open('find z : int(1..3)')` for a file or a text in Essence",
    ),
    (
        'cl.open("model.essence")',
        "there is no `cl.open`",
        "write `m = cl.Builder.open(file)` to extend a model, `cl.Model(file)` to solve it",
    ),
    (
        "m.require(m.x > 3)",
        "a model has no attribute `x`",
        "write `m.find['x']`",
    ),
    (
        "m.require(cl.injective(f))",
        "there is no `cl.injective`",
        "write `cl.attribute('injective', f)`; in a domain it is an argument, as in `cl.Function(D, E, injective=True)`",
    ),
    (
        "m.require(np.where(b, x, y) > 3)",
        "NumPy's `where` needs values, but the value of `b` is known only when the model is solved",
        "write `cl.if_else(c, x, y)`",
    ),
    (
        "m.require(np.diff(a) > 3)",
        "NumPy's `diff` needs values, but the value of `a` is known only when the model is solved",
        "write neighbours, as in `a[i + 1] - a[i]`",
    ),
    (
        "m.require(x != [1, 2])",
        "`!=` works on single values, but `[1, 2]` is a matrix",
        'write `cl.all(x != v[i] for i in cl.Int(1, 2))` if it holds for each element, where `v = m.letting("v", [1, 2])`, or `cl.count(…)` for how many',
    ),
    (
        'm.find("z", cl.Set(cl.Int(1, 3), size=x))',
        "a domain cannot depend on a decision variable",
        "use a larger domain, and add a constraint that excludes the values that you do not want",
    ),
    (
        "m.require(cl.sum(w * x for w in np.array([0.5, 1.5])) > 3)",
        "0.5 is not an integer, and all numbers in a model are integers",
        "count in smaller units, such as cents for euros",
    ),
    (
        'm.given("w", list)',
        "`<class 'list'>` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        'm.find("w", dict)',
        "`<class 'dict'>` is not a domain",
        "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`",
    ),
    (
        "m.require(cl.if_else(b, x))",
        "`cl.if_else` needs the argument `other`",
        "write `cl.if_else(condition, value, other)`",
    ),
    (
        "m.require(cl.member(s, s))",
        "`in` does not accept `set of int` and `set of int`",
        "write `s <= s`",
    ),
    (
        "m.require(f[0] == 3)",
        "`f` is never defined at 0: its arguments are `int(1..5)`",
        "the arguments are the values of this domain",
    ),
    (
        "m.require(cl.parts(s) == {1})",
        "`cl.parts` takes a partition, but `s` is a set",
        "declare the operand as `cl.Partition(D)`",
    ),
    (
        "m.require(cl.together(1, p))",
        "`1` is one value, not several",
        "write a set, as in `{1, …}`",
    ),
    (
        "m.require(cl.apart(1, 2, p))",
        "`cl.apart` takes 2 arguments without a name, not 3",
        "write `cl.apart(members, p)`",
    ),
    (
        "m.require(cl.size() == 3)",
        "`cl.size` needs the argument `collection`",
        "write `cl.size(collection)`",
    ),
    (
        "m.require(cl.Int(1, 3) == x)",
        "`int(1..3)` is a domain, not a value",
        "range over it, as in `(… for x in int(1..3))`; its number of values is `int(1..3).size`",
    ),
    (
        "m.require(x == D)",
        "`D` is a domain, not a value",
        "range over it, as in `(… for x in D)`; its number of values is `D.size`",
    ),
    (
        "m.require(cl.flatten(s) == 3)",
        "`==` works on single values, but `cl.flatten(s)` is a matrix",
        "write `cl.all((cl.flatten(s))[i] == 3 for i in D)` if it holds for each element, or `cl.count(…)` for how many",
    ),
    (
        "m.require(cl.defined(a) == {1})",
        "`cl.defined` takes a function, but `a` is a matrix",
        "declare the operand as `cl.Function(D, E)`",
    ),
    (
        "m.require(cl.range_of(s) == {1})",
        "`cl.range_of` takes a function, but `s` is a set",
        "declare the operand as `cl.Function(D, E)`",
    ),
    (
        "m.require(cl.pre_image(1, f) == {1})",
        "`cl.pre_image` takes a function, but `1` is a number",
        "write `cl.pre_image(f, 1)`",
    ),
    (
        "m.require(cl.inverse(f))",
        "`cl.inverse` needs the argument `g`",
        "write `cl.inverse(f, g)`",
    ),
    (
        "m.require(cl.min(s, default=0) == 3)",
        "`cl.min` has no argument `default`",
        "write `cl.min(values, …)`",
    ),
    (
        "m.require(cl.max(s, key=lambda i: -i) == 3)",
        "`cl.max` has no argument `key`",
        "write `cl.max(values, …)`",
    ),
    (
        "m.require(cl.sum(s, start=3) == 3)",
        "`cl.sum` has no argument `start`",
        "write `cl.sum(values, …)`",
    ),
    (
        "m.require(cl.sum(s, 3) == 3)",
        "`sum` takes numbers, but `s` is a set",
        "write `cl.sum(s)` instead",
    ),
    (
        "m.require(cl.all(s))",
        "`s` is not a list of conditions",
        "write a generator, as in `cl.all(x > 0 for x in s)`",
    ),
    (
        "m.require(cl.any(a))",
        "`a` is not a list of conditions",
        "write a generator, as in `cl.all(x > 0 for x in s)`",
    ),
    (
        "m.require(cl.count(s) == 2)",
        "Python needs the members of `s`, which are known only when the model is solved",
        "give a generator to a function of conjure_like, as in `cl.sum(x for x in s)`",
    ),
    (
        "m.require(cl.count(a == 3) == 2)",
        "`==` works on single values, but `a` is a matrix",
        "write `cl.all(a[i] == 3 for i in cl.Int(1, 5))` if it holds for each element, or `cl.count(…)` for how many",
    ),
    (
        "m.require(cl.product(a, 2) == 2)",
        "`product` takes numbers, but `a` is a matrix",
        "write `cl.product(a)` instead",
    ),
    (
        "m.require(cl.from_solution(x) == 3)",
        "`fromSolution` belongs in a dominance relation",
        "write a statement `dominance relation …` that says when a solution is better than another",
    ),
    (
        "m.require(cl.dominance(s))",
        "there is no `cl.dominance`",
        "`help(cl.builder)` lists all names",
    ),
    (
        'm.find("z", colour.between("blue", "red"))',
        "no member of `colour` is between these two",
        "write the earlier one first, as in `colour.between('red', 'blue')`",
    ),
    (
        'm.find("z", colour.between("red", "blu"))',
        "`blu` is not a member of `colour`",
        "did you mean `blue`?",
    ),
    (
        "m.require(k != i for i in [j for j in colour])",
        "`colour` stands for all its members together; `colour.names` lists them",
        "write `… for name in colour.names`, or `len(colour.names)`",
    ),
    (
        "m.require(k != i for i in list(colour))",
        "`colour` stands for all its members together; `colour.names` lists them",
        "write `… for name in colour.names`, or `len(colour.names)`",
    ),
    (
        "m.require(len(colour) == 3)",
        "`colour` stands for all its members together; `colour.names` lists them",
        "write `… for name in colour.names`, or `len(colour.names)`",
    ),
    (
        "m.require(x > range(D))",
        "`D` is a domain, not a number",
        "range over it, as in `… for i in D`; its number of values is `D.size`",
    ),
    (
        'm.find("z", cl.Int(1, 3) | cl.Int(5, 9))',
        "`int(1..3)` is a domain, and domains have no operators",
        "several ranges are `cl.Int(values=[(1, 3), (5, 9)])`; conditions exclude values",
    ),
    (
        'm.find("", cl.Int(1, 3))',
        "'' is not a name",
        'write the name first, as in `m.find("x", cl.Int(1, 9))`',
    ),
    (
        'm.enum("empty", ["", "a1"])',
        "a member has no name",
        "leave the empty text out",
    ),
    (
        "m.require(x > 1 for i in colour if i)",
        "`i` is neither true nor false",
        "write a condition, as in `… if x[i] == 3`",
    ),
    (
        "m.require(x > i for i in D if a)",
        "`a` is neither true nor false",
        "write a condition, as in `… if x[i] == 3`",
    ),
    (
        "m.require(x > i for i in D if rec)",
        "`rec` is neither true nor false",
        "write a condition, as in `… if x[i] == 3`",
    ),
    (
        "m.require(x > len(str(i)) for i in D)",
        "`str(i)` is the text of an expression, not of the values of `i`",
        "make a table of the values, as in `cl.constant({1: 5, 2: 7})(i)`",
    ),
    (
        'm.require(x > 3 for i in D if str(i) == "1")',
        "`str(i)` is the text of an expression, not of the values of `i`",
        "make a table of the values, as in `cl.constant({1: 5, 2: 7})(i)`",
    ),
    (
        "m.require(a[i] > (2 if i > 2 else 1) for i in D)",
        "Python needs the truth value of `i > 2` to choose what this generator yields",
        "write `a[i] > cl.if_else(i > 2, 2, 1)` for `a[i] > (2 if i > 2 else 1)`",
    ),
    (
        "m.require((i, a[i]) != (1, 2) for i in D)",
        "Python needs the truth value of `a[i] == 2` to choose what this generator yields",
        "write `cl.constant((i, a[i])) != (1, 2)` for `(i, a[i]) != (1, 2)`",
    ),
    (
        "m.require(x > {1: 2}[i] for i in D)",
        "Python cannot look up `i` in a `dict`, because its value is known only when the model is solved",
        'make the `dict` a part of the model, as in `values = m.letting("values", {1: 2})`, and write `values[i]` with the result',
    ),
    (
        "m.require(i in {1, 2} for i in s)",
        "Python cannot look for `i`, because its value is known only when the model is solved",
        "write `cl.member(i, {1, 2})`",
    ),
    (
        "m.require(x == i for i in s if i in {1, 2})",
        "Python cannot look for `i`, because its value is known only when the model is solved",
        "write `cl.member(i, {1, 2})`",
    ),
    (
        "m.require(x == i for i in D if i == None)",
        "`None` is not a value of a model, so `i` is never equal to it",
        "leave the requirement out if nothing is known",
    ),
]


def names():
    """A model with decision variables of many types."""
    m = cl.Builder("t")
    n = m.given("n", cl.Int(1, 9))
    D = m.domain("D", cl.Int(1, n))
    colour = m.enum("colour", ["red", "green", "blue"])
    x, y = m.find("x", cl.Int(1, 9)), m.find("y", cl.Int(1, 9))
    b, c = m.find("b", bool), m.find("c", bool)
    s, t = m.find("s", cl.Set(cl.Int(1, 9))), m.find("t", cl.Set(cl.Int(1, 9)))
    a = m.find("a", cl.Matrix(cl.Int(1, 5), of=cl.Int(1, 9)))
    g = m.find("g", cl.Matrix(cl.Int(1, 5), cl.Int(1, 5), of=cl.Int(1, 9)))
    f = m.find("f", cl.Function(cl.Int(1, 5), cl.Int(1, 9)))
    q = m.find("q", cl.Sequence(cl.Int(1, 9), max_size=4))
    r = m.find("r", cl.Relation(cl.Int(1, 5), cl.Int(1, 5)))
    p = m.find("p", cl.Partition(cl.Int(1, 6)))
    k = m.find("k", colour)
    tup = m.find("tup", cl.Tuple(cl.Int(1, 3), bool))
    rec = m.find("rec", cl.Record(lo=cl.Int(1, 3), hi=cl.Int(1, 3)))
    pi = m.find("pi", cl.Permutation(cl.Int(1, 6)))
    v = m.find("v", cl.Variant(number=cl.Int(1, 3), truth=bool))
    h = m.find("h", cl.Function((cl.Int(1, 3), cl.Int(1, 3)), bool))
    weights, prices = [3, 5, 7], {1: 10, 2: 20}
    return {**locals(), "cl": cl, "np": np, "pd": pd, "math": math, "random": random}


def test_there_are_many_mistakes():
    assert len(MISTAKES) >= 400


@pytest.mark.parametrize("code, message, help", MISTAKES, ids=[code.replace("\n", " ") for code, _, _ in MISTAKES])
def test_a_mistake_is_refused_at_its_line(code, message, help):
    file = f"<{code}>"
    # Three lines come before the mistake.
    text = "\n\n\n" + code + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    here = names()
    with pytest.raises((cl.ModellingError, cl.EssenceError)) as caught:
        exec(compile(text, file, "exec"), here)
        here["m"].solve(n=3)
    error = caught.value
    assert (error.file, error.line) == (file, 4)
    # Before Python 3.11, only the line is known, so the message may name another expression on it.
    if sys.version_info < (3, 11):
        return
    assert error.message == message
    fix = error.help if isinstance(error, cl.ModellingError) else error.diagnostics[0].help[0]
    assert fix == help != ""
    assert code.splitlines()[0] in str(error)


def test_a_mistake_without_its_source_is_refused_in_general_words():
    here = names()
    with pytest.raises(cl.ModellingError) as caught:
        exec("m.require(x > 1 and y > 1)", here)
    assert "needs the truth value of `x > 1`" in caught.value.message and "`&`" in caught.value.help
