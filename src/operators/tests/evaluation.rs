//! Results of each operator: `symbol operand … = result`, by family. Members of enumerated types are written as their
//! positions, as values hold them.

use super::{reader::ValueReader, *};
use crate::language::Stop;
use std::collections::BTreeSet;

const LOGIC: &str = r"
    /\ true true = true
    /\ true false = false
    \/ false true = true
    \/ false false = false
    -> true false = false
    -> false false = true
    <-> false false = true
    <-> true false = false
    ! true = false
    true 7 = true
    makeTable false = false
";

const ARITHMETIC: &str = "
    + 2 3 = 5
    + 4611686018427387903 1 = E0406
    - 2 3 = -1
    - -4611686018427387903 1 = E0406
    * 4 -3 = -12
    * 4611686018427387903 4611686018427387903 = E0406
    * 2147483648 2147483648 = E0406
    / 7 2 = 3
    / 7 -2 = -4
    / -7 2 = -4
    / -7 -2 = 3
    / 6 -2 = -3
    / 1 0 = undefined
    % 7 2 = 1
    % 7 -2 = -1
    % -7 2 = 1
    % -7 -2 = -1
    % -6 2 = 0
    % 1 0 = undefined
    ** 2 9 = 512
    ** -2 3 = -8
    ** 0 0 = 1
    ** 5 0 = 1
    ** 2 -1 = undefined
    ** 1 -1 = undefined
    ** 1 4611686018427387903 = 1
    ** -1 4611686018427387903 = -1
    ** 0 4611686018427387903 = 0
    ** 2 61 = 2305843009213693952
    ** 2 62 = E0406
    ** 10 4611686018427387903 = E0406
    - 5 = -5
    | -5 = 5
    ! 5 = 120
    ! 0 = 1
    ! -3 = 1
    ! 20 = 2432902008176640000
    ! 21 = E0406
    factorial 3 = 6
    toInt true = 1
    toInt false = 0
";

const COMPARISON: &str = "
    = {1,2} {2,1} = true
    = [1,2] [1,2; int(0..1)] = false
    = mset(1,1) mset(1) = false
    != (1,true) (1,false) = true
    != 3 3 = false
    < 1 2 = true
    < false true = true
    < 2 2 = false
    <= 2 2 = true
    <= 3 2 = false
    > 3 2 = true
    > 2 2 = false
    >= 2 2 = true
    >= true false = true
";

const AGGREGATES: &str = "
    and [] = true
    and [true,false] = false
    and mset(true,true) = true
    or [] = false
    or [true,false] = true
    xor [true,true,true] = true
    xor mset(true,true) = false
    sum [] = 0
    sum [1,2,2] = 5
    sum {1,2,2} = 3
    sum mset(1,2,2) = 5
    sum [4611686018427387903,1] = E0406
    sum [4611686018427387903,1,-2] = 4611686018427387902
    product [] = 1
    product [2,3; int(0..1)] = 6
    product mset(2,2) = 4
    product [4611686018427387903,4611686018427387903,0] = 0
    product [4611686018427387903,2] = E0406
    min [3,1,2] = 1
    min {} = undefined
    min mset(4,4) = 4
    max [3,1,2] = 3
    max [] = undefined
    max {2,5} = 5
    allDiff [1,2,3] = true
    allDiff [1,2,1] = false
    allDiff [] = true
    allDiff [{1},{2},{1}] = false
    alldifferent_except [0,1,0,2] 0 = true
    alldifferent_except [0,1,0,1] 0 = false
    gcc [1,2,1,5] [1,2,3] [2,1,0] = true
    gcc [1,2,1] [1,2] [1,1] = false
    atleast [1,2,1] [2,1] [1,2] = true
    atleast [1,2,1] [3] [1] = false
    atmost [1,2,1] [2,0] [1,3] = true
    atmost [1,2,1] [1] [1] = false
    table [1,2] [[2,1],[1,2]] = true
    table [1,2; int(4..5)] [[2,1],[1,2]] = true
    table [1,3] [[2,1],[1,2]] = false
";

const MATRICES: &str = "
    index [7,8,9] 2 = 8
    index [7,8,9] 0 = undefined
    index [7,8,9] 4 = undefined
    index [7,8,9; int(1,3..4)] 3 = 8
    index [7,8,9; int(1,3..4)] 2 = undefined
    index [7,8; bool] true = 8
    index [[1,2],[3,4]] 2 = [3,4]
    elementId [7,8,9] 2 = 8
    elementId [7,8,9] 4 = 4
    flatten [[1,2],[3,4]] = [1,2,3,4]
    flatten [[[1],[2]],[[3],[4]]] = [1,2,3,4]
    flatten [1,2; int(0..1)] = [1,2]
    flatten 1 [[[1],[2]],[[3],[4]]] = [[1],[2],[3],[4]]
    flatten 1 [[1,2]; int(5)] = [1,2]
    flatten 0 [[1,2]; int(5)] = [[1,2]]
    concatenate [[1,2],[],[3]] = [1,2,3]
    concatenate [[[1]],[[2]]] = [[1],[2]]
    in 3 [1,3; int(0..1)] = true
    in 2 [1,3] = false
    | [5,5,6] = 3
    toSet [2,1,2] = {1,2}
    toMSet [2,1,2] = mset(1,2,2)
    freq [2,1,2] 2 = 2
    hist [2,1,2] = [(1,1),(2,2)]
    hist [] = []
";

const ALGEBRA: &str = "
    union {1,3} {2,3} = {1,2,3}
    union {} {1} = {1}
    union mset(1,1,2) mset(1,3) = mset(1,1,2,3)
    union function(1-->2) function(1-->2, 3-->4) = function(1-->2, 3-->4)
    union function(1-->2) function(1-->3) = undefined
    union relation((1,2)) relation((0,2)) = relation((0,2),(1,2))
    intersect {1,2,3} {2,3,4} = {2,3}
    intersect mset(1,1,2) mset(1,1,1,3) = mset(1,1)
    intersect function(1-->2, 2-->3) function(1-->2, 2-->4) = function(1-->2)
    intersect relation((1,2)) relation((0,2)) = relation()
    - {1,2,3} {2,4} = {1,3}
    - mset(1,1,2) mset(1,2,2) = mset(1)
    - function(1-->2, 2-->3) function(1-->2, 2-->4) = function(2-->3)
    - relation((1,2),(0,2)) relation((0,2)) = relation((1,2))
    subset {1} {1,2} = true
    subset {1} {1} = false
    subset mset(1) mset(1,1) = true
    subset {3} {1,2} = false
    subsetEq {1} {1} = true
    subsetEq {} {} = true
    subsetEq {0} {1,2} = false
    subsetEq mset(1,1) mset(1,2) = false
    subsetEq function(1-->2) function(1-->2, 2-->2) = true
    subsetEq function(1-->2) function(1-->3, 2-->2) = false
    subsetEq relation((1,2)) relation((0,2)) = false
    supset {1,2} {1} = true
    supset {1} {1} = false
    supsetEq {1} {1} = true
    supsetEq {1} {1,2} = false
";

const SETS: &str = "
    in 1 {1,2} = true
    in 3 {1,2} = false
    in {1} {{1},{2}} = true
    | {1,1,2} = 2
    powerSet {1,2} = {{},{1},{2},{1,2}}
    powerSet {} = {{}}
    powerSet {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35} = E0501
    toMSet {1,2} = mset(1,2)
";

const MULTISETS: &str = "
    in 1 mset(1,1) = true
    in 2 mset(1,3) = false
    | mset(1,1,2) = 3
    freq mset(1,1,2) 1 = 2
    freq mset(1,1,2) 3 = 0
    hist mset(1,1,2) = [(1,2),(2,1)]
    toSet mset(1,1,2) = {1,2}
    toMSet mset(1,1) = mset(1,1)
";

const FUNCTIONS: &str = "
    image function(1-->2, 3-->4) 3 = 4
    image function(1-->2) 2 = undefined
    image function((1,2)-->true) (1,2) = true
    imageSet function(1-->2) 1 = {2}
    imageSet function(1-->2) 2 = {}
    preImage function(1-->2, 3-->2, 4-->5) 2 = {1,3}
    preImage function(1-->2) 1 = {}
    defined function(3-->2, 1-->2) = {1,3}
    range function(3-->2, 1-->2) = {2}
    inverse function(1-->2, 2-->3) function(3-->2, 2-->1) = true
    inverse function(1-->2, 2-->2) function(2-->1) = false
    inverse function() function() = true
    inverse function() function(1-->1) = false
    restrict function(1-->2, 3-->4) `int(2..5)` = function(3-->4)
    restrict function((1,true)-->2, (1,false)-->4) `(int(1),bool)` = function((1,true)-->2, (1,false)-->4)
    restrict function({1}-->2, {2}-->4) `set of int(1)` = function({1}-->2)
    toRelation function(1-->2, 3-->4) = relation((1,2),(3,4))
    toSet function(1-->2) = {(1,2)}
    toMSet function(1-->2) = mset((1,2))
    in (1,2) function(1-->2) = true
    in (1,3) function(1-->2) = false
    | function(1-->2, 3-->4) = 2
";

const SEQUENCES: &str = "
    image sequence(5,6) 2 = 6
    image sequence(5,6) 0 = undefined
    image sequence(5,6) 3 = undefined
    image sequence(5,6) -1 = undefined
    imageSet sequence(5,6) 1 = {5}
    imageSet sequence(5,6) 3 = {}
    preImage sequence(5,6,5) 5 = {1,3}
    defined sequence(5,6) = {1,2}
    defined sequence() = {}
    range sequence(5,6,5) = {5,6}
    | sequence(5,5) = 2
    in (2,6) sequence(5,6) = true
    in (1,6) sequence(5,6) = false
    in (3,6) sequence(5,6) = false
    subsequence sequence(1,3) sequence(1,2,3) = true
    subsequence sequence(3,1) sequence(1,2,3) = false
    subsequence sequence(1,1) sequence(1,2) = false
    subsequence sequence() sequence() = true
    substring sequence(2,3) sequence(1,2,3) = true
    substring sequence(1,3) sequence(1,2,3) = false
    substring sequence() sequence() = true
    substring sequence(1,2) sequence(1) = false
    = sequence(1,2) [1,2] = true
    = sequence(1,2) [1,2; int(0..1)] = false
    = sequence(1,2) [1] = false
    = sequence() [] = true
    != sequence(1,2) [2,1] = true
    != sequence(1,2) [1,2] = false
";

const RELATIONS: &str = "
    image relation((1,2)) (1,2) = true
    image relation((1,2)) (2,1) = false
    in (1,2) relation((1,2),(2,2)) = true
    in (1,1) relation((1,2),(2,2)) = false
    | relation((1,2),(2,2)) = 2
    toSet relation((1,2)) = {(1,2)}
    toMSet relation((1,2)) = mset((1,2))
";

const PARTITIONS: &str = "
    parts partition({1,2},{3}) = {{1,2},{3}}
    participants partition({1,3},{2}) = {1,2,3}
    party 3 partition({1,3},{2}) = {1,3}
    party 4 partition({1,3},{2}) = {}
    together {1,3} partition({1,3},{2}) = true
    together {1,2} partition({1,3},{2}) = false
    together {1,4} partition({1,3},{2}) = false
    together {} partition({1}) = true
    together {} partition() = false
    apart {1,2} partition({1,3},{2}) = true
    apart {1,3} partition({1,3},{2}) = false
    apart {1,4} partition({1,3},{2}) = false
    apart {} partition() = true
    | partition({1,3},{2}) = 3
    in {1,3} partition({1,3},{2}) = true
    in {1} partition({1,3},{2}) = false
";

const PERMUTATIONS: &str = "
    image permutation((1,2,3)) 3 = 1
    image permutation((1,2,3)) 4 = 4
    compose permutation((1,2)) permutation((2,3)) = permutation((1,2,3))
    compose permutation((1,2)) permutation((1,2)) = permutation()
    permInverse permutation((1,2,3)) = permutation((1,3,2))
    inverse permutation((1,2,3)) permutation((1,3,2)) = true
    inverse permutation((1,2,3)) permutation((1,2,3)) = false
    defined permutation((1,3)) = {1,3}
    | permutation((1,2),(3,4,5)) = 5
    in (1,2) permutation((1,2)) = true
    in (3,3) permutation((1,2)) = false
    toSet permutation((1,2)) = {(1,2),(2,1)}
";

const DOMAINS: &str = "
    pred 3 = 2
    pred true = false
    pred false = false
    succ 3 = 4
    succ false = true
    succ true = false
    pred 2 `int(1..3)` = 1
    pred 1 `int(1..3)` = undefined
    succ 2 `int(1..3)` = 3
    succ 3 `int(1..3)` = undefined
    | `int(1..3,5)` = 4
    | `bool` = 2
    | `(bool,int(1..3))` = 6
    | `set of int(1..100)` = E0406
    min `int(2..3,5)` = 2
    min `int()` = undefined
    max `int(2..3,5)` = 5
    max `bool` = true
";

const ORDER: &str = "
    <lex (1,2) (1,3) = true
    <lex {1} {1,2} = true
    <lex [1,2] [1,3] = true
    <lex [1,2] [1,2] = false
    <lex [1] [1,0] = true
    <lex [2,0; int(1..2)] [1,5; int(0..1)] = false
    <lex sequence(1) sequence(2) = true
    <=lex [1,2] [1,2] = true
    <=lex [2] [1,2] = false
    >lex [2] [1,2] = true
    >=lex [1] [1] = true
    .< {1} {1,2} = true
    .< {1,2} {1,3} = true
    .< {2} {1,3} = false
    .< [5] [1,2] = false
    .<= {1} {1} = true
    .> {2} {1,3} = true
    .>= {1} {1,2} = false
    ~< {1} {1,2} = true
    ~< {2} {1,3} = true
    ~< {1,2} {1,3} = false
    ~< {} {1} = true
    ~< mset(1,2) mset(1,1) = true
    ~< mset(1,1) mset(1,2) = false
    ~< ({1,2},1) ({1,3},0) = false
    ~< (1,{2}) (1,{1}) = true
    ~< {{1,2}} {{1,3}} = true
    ~< function(1-->2) function(1-->1) = true
    ~< relation((1,2)) relation((1,1)) = true
    ~< partition({1,2}) partition({1},{2}) = true
    ~< 1 2 = true
    ~< false true = true
    ~<= {1} {1} = true
    ~<= {1,2} {1,3} = false
    ~> {1,2} {1,3} = true
    ~>= {1} {1} = true
";

/// `eval` never gets undefined operands.
const SPECIAL: &str = "
    catchUndef 3 4 = 3
";

/// The number of operands of a row.
fn arity(row: &Operator) -> usize {
    let operands = row.signature.rsplit_once(" -> ").expect("a result").0;
    let mut depth = 0;
    let commas = operands.chars().filter(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        *c == ',' && depth == 1
    });
    commas.count() + 1
}

/// Checks the evaluations of a family, and that they cover it.
fn check(family: &str, evaluations: &str) {
    let rows = families().find(|(title, _)| *title == family).expect("a family").1;
    let mut covered = BTreeSet::new();
    for line in evaluations.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (application, expected) = line.rsplit_once(" = ").expect("a result");
        let mut reader = ValueReader::new(application);
        let symbol = reader.word();
        let mut operands = Vec::new();
        while !reader.is_at_end() {
            operands.push(reader.value());
        }
        let row = rows
            .iter()
            .find(|row| row.symbol.text == symbol && arity(row) == operands.len())
            .unwrap_or_else(|| panic!("no operator fits {line}"));
        covered.insert((symbol, operands.len()));
        match (row.eval)(&operands) {
            Ok(value) => assert_eq!(value, ValueReader::new(expected).value(), "{line}"),
            Err(Stop::Undefined) => assert_eq!(expected, "undefined", "{line}"),
            Err(Stop::Fault(fault)) => assert_eq!(expected, fault.code.to_string(), "{line}"),
        }
    }
    for row in rows.iter().filter(|row| row.form.is_none()) {
        assert!(covered.contains(&(row.symbol.text, arity(row))), "{row:?} has no evaluation here");
    }
}

macro_rules! families {
    ($($name:ident: $title:literal, $evaluations:ident;)*) => {
        $(#[test]
        fn $name() {
            check($title, $evaluations);
        })*

        #[test]
        fn every_family_is_evaluated() {
            let tested = [$($title),*];
            assert!(families().all(|(title, _)| tested.contains(&title)));
        }
    };
}

families! {
    logic: "logic", LOGIC;
    arithmetic: "arithmetic", ARITHMETIC;
    comparison: "comparison", COMPARISON;
    aggregates: "aggregates", AGGREGATES;
    matrices: "matrices and lists", MATRICES;
    algebra: "set algebra", ALGEBRA;
    sets: "sets", SETS;
    multisets: "multisets", MULTISETS;
    functions: "functions", FUNCTIONS;
    sequences: "sequences", SEQUENCES;
    relations: "relations", RELATIONS;
    partitions: "partitions", PARTITIONS;
    permutations: "permutations", PERMUTATIONS;
    domains: "enumerations and domains", DOMAINS;
    order: "order", ORDER;
    special: "special forms", SPECIAL;
}
