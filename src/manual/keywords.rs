//! The words that are neither operators nor attributes: statements, domains, quantifiers, and the operators that the
//! type checker handles itself.

use super::{
    WordExample::{self, *},
    WordKind, WordMeaning, sentence,
};

/// A keyword with its meaning.
pub(super) struct Keyword {
    pub word: &'static str,
    /// The notation.
    form: &'static str,
    summary: &'static str,
    example: WordExample,
}

impl Keyword {
    pub(crate) fn meaning(&self) -> WordMeaning {
        WordMeaning {
            kind: WordKind::Keyword,
            form: self.form.to_owned(),
            sentence: sentence(self.summary),
            binding: None,
            example: self.example,
        }
    }
}

const fn keyword(word: &'static str, form: &'static str, summary: &'static str, example: WordExample) -> Keyword {
    Keyword { word, form, summary, example }
}

/// The keywords in the order of the manual.
pub(super) static KEYWORDS: &[Keyword] = &[
    keyword(
        "language",
        "language Essence 1.3",
        "names the language and its version in the first line of a model; it may be left out",
        Statements("language Essence 1.3 find x : bool"),
    ),
    keyword(
        "given",
        "given name : domain",
        "declares a parameter, which gets its value from the data",
        Statements("given n : int(1..9)"),
    ),
    keyword(
        "find",
        "find name : domain",
        "declares a decision variable, whose value the solver looks for",
        Statements("find x : int(1..9)"),
    ),
    keyword(
        "letting",
        "letting name be expression",
        "gives a name to a value, a domain or a new type",
        Statements("letting n be 9 find x : int(1..n)"),
    ),
    keyword(
        "be domain",
        "letting name be domain domain",
        "gives a name to a domain",
        Statements("letting Digit be domain int(0..9) find x : Digit"),
    ),
    keyword(
        "new type enum",
        "letting name be new type enum {member, …}",
        "declares a type by the names of its members, which are ordered as they are listed",
        Statements("letting Colour be new type enum {red, green} find c : Colour"),
    ),
    keyword(
        "new type of size",
        "letting name be new type of size n",
        "declares a type of n members that have neither names nor an order",
        Statements("letting Player be new type of size 4 find team : set of Player"),
    ),
    keyword(
        "where",
        "where condition, …",
        "says what the parameters must satisfy",
        Statements("given n : int where n > 0"),
    ),
    keyword(
        "such that",
        "such that constraint, …",
        "says what every solution must satisfy",
        Statements("find x : int(1..9) such that x * x = 49"),
    ),
    keyword(
        "minimising",
        "minimising expression",
        "asks for a solution in which the expression is as small as possible",
        Statements("find x : int(1..9) minimising (x - 4) ** 2"),
    ),
    keyword(
        "pareto",
        "minimising pareto(expression, expression)",
        "asks for all trade-offs: solutions in which no goal can be better unless another is worse",
        Statements("find x, y : int(0..3) such that x + y >= 3 minimising pareto(x, y)"),
    ),
    keyword(
        "dominance relation",
        "dominance relation pareto(minimising expression, maximising expression)",
        "asks for all trade-offs between goals, each with its own direction",
        Statements("find x, y : int(0..3) such that x >= y dominance relation pareto(minimising x, maximising y)"),
    ),
    keyword(
        "dominance relation",
        "dominance relation condition",
        "asks for all solutions that no other one dominates: the condition says that a solution dominates the other \
        one, whose values are `fromSolution(…)`",
        Statements("find s : set of int(1..3) such that |s| > 1 dominance relation s subset fromSolution(s)"),
    ),
    keyword(
        "dominance_relation",
        "dominance_relation condition",
        "asks for all solutions that no other one dominates: the condition says that the other one, whose values are \
        `fromSolution(…)`, does not dominate the solution",
        Statements("find s : set of int(1..3) such that |s| > 1 dominance_relation !(fromSolution(s) subset s)"),
    ),
    keyword(
        "fromSolution",
        "fromSolution(expression)",
        "the value of the expression in the other solution of a dominance relation",
        Statements("find x : int(1..9) dominance relation x < fromSolution(x) /\\ x % 3 = fromSolution(x) % 3"),
    ),
    keyword(
        "incomparability_function",
        "incomparability_function ascending expression",
        "says in which order the solutions of a dominance relation are searched for, also `descending`: solutions that \
        dominate others should come first",
        Statements(
            "find s : set of int(1..3) such that |s| > 1 dominance_relation !(fromSolution(s) subset s) \
            incomparability_function ascending |s|",
        ),
    ),
    keyword(
        "maximising",
        "maximising expression",
        "asks for a solution in which the expression is as large as possible",
        Statements("find x : int(1..9) maximising x % 5"),
    ),
    keyword(
        "branching on",
        "branching on [variable, …]",
        "says on which variables the solver branches first; it does not change the solutions",
        Statements("find x, y : int(1..9) branching on [y, x]"),
    ),
    keyword(
        "heuristic",
        "heuristic name",
        "names a search heuristic: static, sdf, conflict, srf, ldf, wdeg or domoverwdeg; it does not change the \
        solutions",
        Statements("find x : int(1..9) heuristic sdf"),
    ),
    keyword("bool", "bool", "the domain of `false` and `true`", Value("|`bool`|", "2")),
    keyword(
        "false",
        "false",
        "the Boolean that does not hold; it is smaller than `true`",
        Value("false < true", "true"),
    ),
    keyword("true", "true", "the Boolean that holds", Value("toInt(true)", "1")),
    keyword(
        "int",
        "int(range, …)",
        "the domain of the integers in these ranges: `1..9`, single values, or `1..` without an end",
        Value("|`int(1..3, 7)`|", "4"),
    ),
    keyword(
        "tuple",
        "tuple (domain, …)",
        "the domain of tuples; the word is only needed for a tuple with one component",
        Value("|`tuple (bool, int(1..3))`|", "6"),
    ),
    keyword(
        "record",
        "record {name : domain, …}",
        "the domain of records, whose components have names",
        Value("|`record {row : int(1..3), column : int(1..3)}`|", "9"),
    ),
    keyword(
        "variant",
        "variant {name : domain, …}",
        "the domain of values of one of several alternatives",
        Value("|`variant {whole : int(1..3), truth : bool}`|", "5"),
    ),
    keyword(
        "matrix indexed by",
        "matrix indexed by [domain, …] of domain",
        "the domain of matrices, which have an element for each index",
        Value("|`matrix indexed by [int(1..2), bool] of int(0..1)`|", "16"),
    ),
    keyword("set", "set (attribute, …) of domain", "the domain of sets", Value("|`set of int(1..3)`|", "8")),
    keyword(
        "mset",
        "mset (attribute, …) of domain",
        "the domain of multisets, in which a value can occur several times",
        Value("|`mset (size 2) of int(1..3)`|", "6"),
    ),
    keyword(
        "function",
        "function (attribute, …) domain --> domain",
        "the domain of functions, which may be partial",
        Value("|`function int(1..2) --> int(1..3)`|", "16"),
    ),
    keyword(
        "sequence",
        "sequence (attribute, …) of domain",
        "the domain of sequences, whose length may vary",
        Value("|`sequence (maxSize 2) of bool`|", "7"),
    ),
    keyword(
        "relation",
        "relation (attribute, …) of (domain * …)",
        "the domain of relations, which are sets of tuples",
        Value("|`relation of (bool * bool)`|", "16"),
    ),
    keyword(
        "partition from",
        "partition (attribute, …) from domain",
        "the domain of partitions, which divide the values of a domain into parts",
        Value("|`partition from int(1..3)`|", "5"),
    ),
    keyword(
        "permutation",
        "permutation (attribute, …) of domain",
        "the domain of permutations of the values of a domain",
        Value("|`permutation of int(1..3)`|", "6"),
    ),
    keyword(
        "forAll",
        "forAll name : domain . condition",
        "the condition holds for every value of the domain, or for every member after `in`",
        Value("forAll x : int(1..3) . x < 4", "true"),
    ),
    keyword(
        "exists",
        "exists name : domain . condition",
        "the condition holds for at least one value of the domain, or for one member after `in`",
        Value("exists x in {1, 2, 3} . x > 3", "false"),
    ),
    keyword(
        "sum",
        "sum name : domain . expression",
        "the sum of the expression's values for all values of the domain, or all members after `in`",
        Value("sum x : int(1..3) . x * x", "14"),
    ),
    keyword(
        "product",
        "product name : domain . expression",
        "the product of the expression's values for all values of the domain, or all members after `in`",
        Value("product x : int(1..4) . x", "24"),
    ),
    keyword(
        "<-",
        "[expression | name <- collection, condition, …]",
        "ranges over the members of a collection in a comprehension; `name : domain` ranges over a domain",
        Value("[x * x | x <- [1, 2, 3], x != 2]", "[1, 9]"),
    ),
];
