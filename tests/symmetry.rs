//! Compares the breaking of symmetries (of unnamed types, and those that a model shows) with their definition. All
//! solutions are found by trying all values, and sorted into classes of images under the permutations of the unnamed
//! types.

use conjure_like::{
    analysis::model::DeclarationKind,
    diagnostic::{Diagnostics, short},
    halt::reported,
    instance::{
        GroundInstance, SolutionValues, oracle,
        symmetry::{SymmetryBreaking, SymmetryScope, symmetries},
    },
    language::{Collection, Type, Value, value::Matrix},
    lowering,
    pipeline::{self, SolveOptions},
    problem::{Assignment, Exchange, Problem, Variable},
    solver::{BACKENDS, EngineOptions, SearchEnd, SolverName},
    source::Sources,
};
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc, sync::Mutex, thread};

const STACK: usize = 256 << 20;

/// Domains over the unnamed types `U` (three members) and `V` (two): every constructor, nested domains, and domains
/// with both types.
const DOMAINS: [&str; 50] = [
    "U",
    "(U, U)",
    "(V, U, V)",
    "record {a : U, b : V, c : bool}",
    "variant {a : U, b : bool, c : V}",
    "matrix indexed by [int(1..3)] of U",
    "matrix indexed by [U] of bool",
    "matrix indexed by [U] of U",
    "matrix indexed by [V] of U",
    "matrix indexed by [U, V] of bool",
    "matrix indexed by [V, V] of V",
    "matrix indexed by [U] of (U, V)",
    "matrix indexed by [V] of set of U",
    "set of U",
    "set (size 2) of U",
    "set (maxSize 2) of (U, V)",
    "set (size 2) of set of U",
    "set of set (maxSize 1) of U",
    "set of matrix indexed by [V] of bool",
    "set (maxSize 2) of matrix indexed by [V] of V",
    "set (maxSize 2) of variant {a : U, b : V}",
    "mset (size 3) of U",
    "mset (maxSize 2, maxOccur 2) of (V, U)",
    "mset (size 2) of set of V",
    "set (size 2) of mset (size 2) of V",
    "function U --> V",
    "function (total) U --> int(1..2)",
    "function (total) int(1..3) --> U",
    "function (injective) V --> U",
    "function (total) (V, V) --> V",
    "function (maxSize 1) set of V --> U",
    "function (total) V --> function (total) V --> V",
    "sequence (maxSize 3) of U",
    "sequence (size 2) of set of V",
    "sequence (size 2) of (U, V)",
    "relation of (V * V)",
    "relation (size 2) of (U * U)",
    "relation of (U * V)",
    "relation (maxSize 2) of (U * V * V)",
    "relation (symmetric, irreflexive) of (U * U)",
    "relation (size 2) of (set (size 1) of U * V)",
    "partition from U",
    "partition (regular) from (V, V)",
    "partition from set of V",
    "set (size 2) of partition from U",
    "permutation of U",
    "permutation of (V, V)",
    "set (size 2) of permutation of U",
    "matrix indexed by [V] of permutation of U",
    "function (total) permutation of V --> V",
];

/// Models with several decision variables, constraints and objectives.
const MODELS: [&str; 15] = [
    "find x, y, z : U",
    "find x : U find s : set of U find v : V such that x in s, |s| = 2",
    "find s : set of U find r : relation of (U * V) such that forAll u in s . exists v : V . r(u, v), |r| <= 3",
    "find f : function U --> int(0..2) such that sum([i | (_, i) <- f]) = 2",
    "find m : matrix indexed by [U, V] of int(0..2) such that forAll u : U . (sum v : V . m[u, v]) = 2",
    "find m : matrix indexed by [U, U] of bool such that forAll u : U . or([m[u, w] | w : U]) find b : bool",
    "find m : matrix indexed by [U] of int(1..3) such that allDiff(m), sum(flatten(m)) = 6 find u : U such that m[u] = 2",
    "find p : partition from U find q : partition from V such that |parts(p)| = 2",
    "find g : permutation of U find x : U such that image(g, x) != x",
    "find s : set of U find n : int(0..3) such that n = |s| maximising n",
    "find f : function (total) U --> V find n : int(0..3) such that n = |range(f)| + |`V`| - 2 minimising n",
    "find m : matrix indexed by [V, U] of int(0..1) minimising sum([m[v, u] * m[w, u] | v, w : V, u : U]) + 2 * |sum(flatten(m)) - 3|",
    "find s : mset (size 2) of (U, V) such that and([freq(toMSet([u | (u, _) <- s]), w) <= 1 | w : U])",
    "find x : U find w : W such that x = x",
    "find m : matrix indexed by [U, int(1..2)] of int(0..1) such that forAll u, w : U . u != w -> m[u, ..] != m[w, ..]",
];

const TYPES: &str = "letting U be new type of size 3 letting V be new type of size 2 letting W be new type of size 1\n";

/// The instance of a model with the unnamed types.
fn instance(statements: &str, diagnostics: &mut Diagnostics) -> Option<GroundInstance> {
    let mut sources = Sources::default();
    let source = sources.add("model", format!("{TYPES}{statements}"));
    let read = pipeline::read_model_text(&sources, source, diagnostics);
    let instance = read.and_then(|read| pipeline::read_instance(&read.model, &sources, &[], diagnostics));
    let instance = reported(instance, diagnostics);
    for diagnostic in diagnostics {
        eprintln!("{}", short::render_short(diagnostic, &sources));
    }
    instance
}

/// The unnamed types with their sizes.
fn unnamed(instance: &GroundInstance) -> Vec<(u32, i64)> {
    let declarations = (0..).zip(&instance.model.declarations);
    declarations
        .filter(|(_, declaration)| matches!(declaration.kind, DeclarationKind::Unnamed(_)))
        .map(|(id, _)| (id, instance.environment.size_of_type(id).expect("a size")))
        .collect()
}

/// All permutations of the numbers 1 to `size`.
fn arrangements(size: i64) -> Vec<Vec<i64>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in arrangements(size - 1) {
        for position in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(position, size);
            all.push(longer);
        }
    }
    all
}

/// The value with each member `i` of a type replaced by `images[i - 1]`. It follows the definition, and is written
/// independently of the library.
fn renamed(value: &Value, ty: &Type, id: u32, images: &[i64]) -> Value {
    let each = |items: &[Value], ty: &Type| items.iter().map(|item| renamed(item, ty, id, images)).collect::<Vec<_>>();
    let items = |items: &[Value], types: &[Type]| {
        Value::tuple(items.iter().zip(types).map(|(item, ty)| renamed(item, ty, id, images)).collect::<Vec<_>>())
    };
    let pair = |(from, to): &(Value, Value), types: [&Type; 2]| {
        (renamed(from, types[0], id, images), renamed(to, types[1], id, images))
    };
    match (value, ty) {
        (Value::Int(member), Type::Named(named)) if named.id == id => Value::Int(images[*member as usize - 1]),
        (Value::Tuple(parts), Type::Tuple(types)) => items(parts, types),
        (Value::Tuple(parts), Type::Record(fields)) => {
            items(parts, &fields.iter().map(|field| field.1.clone()).collect::<Vec<_>>())
        }
        (Value::Variant(which, inner), Type::Variant(fields)) => {
            Value::Variant(*which, Arc::new(renamed(inner, &fields[*which as usize].1, id, images)))
        }
        (Value::Matrix(matrix), Type::Matrix(parts)) => {
            // Renaming permutes the indices, so elements must be put back into the order of the index domain.
            let indices = each(&matrix.index.members().collect::<Vec<_>>(), &parts[0]);
            let mut placed: Vec<(Value, Value)> = indices.into_iter().zip(each(&matrix.elements, &parts[1])).collect();
            placed.sort();
            let elements = placed.into_iter().map(|(_, element)| element).collect();
            Value::Matrix(Arc::new(Matrix { index: matrix.index.clone(), elements }))
        }
        (Value::Collection(Collection::Set, members), Type::Collection(Collection::Set, inner)) => {
            Value::set(each(members, &inner[0]))
        }
        (Value::Collection(Collection::MSet, members), Type::Collection(Collection::MSet, inner)) => {
            Value::of(Collection::MSet, each(members, &inner[0])).expect("a multiset")
        }
        (Value::Collection(Collection::Sequence, members), Type::Collection(Collection::Sequence, inner)) => {
            Value::Collection(Collection::Sequence, each(members, &inner[0]).into())
        }
        (Value::Collection(Collection::Relation, tuples), Type::Collection(Collection::Relation, types)) => {
            Value::of(Collection::Relation, each(tuples, &Type::Tuple(types.clone()))).expect("a relation")
        }
        (Value::Mapping(Collection::Function, pairs), Type::Collection(Collection::Function, types)) => {
            Value::function(pairs.iter().map(|one| pair(one, [&types[0], &types[1]])).collect()).expect("a function")
        }
        (Value::Collection(Collection::Partition, parts), Type::Collection(Collection::Partition, inner)) => {
            Value::of(Collection::Partition, each(parts, &Type::Collection(Collection::Set, inner.clone())))
                .expect("a partition")
        }
        (Value::Mapping(Collection::Permutation, pairs), Type::Collection(Collection::Permutation, inner)) => {
            let mut pairs: Vec<_> = pairs.iter().map(|one| pair(one, [&inner[0], &inner[0]])).collect();
            pairs.sort();
            Value::Mapping(Collection::Permutation, pairs.into())
        }
        (value, _) => value.clone(),
    }
}

type Values = Vec<Value>;

/// The images of a solution under all permutations, including itself.
fn class(instance: &GroundInstance, solution: &Values) -> BTreeSet<Values> {
    let mut class = BTreeSet::from([solution.clone()]);
    for (id, size) in unnamed(instance) {
        let before: Vec<Values> = class.into_iter().collect();
        class = BTreeSet::new();
        for images in arrangements(size) {
            class.extend(before.iter().map(|values| {
                let renamed = |(value, find): (&Value, &conjure_like::instance::Find)| {
                    renamed(value, &instance.model.declarations[find.id.0 as usize].ty, id, &images)
                };
                values.iter().zip(&instance.finds).map(renamed).collect::<Values>()
            }));
        }
    }
    class
}

fn values(solution: &SolutionValues) -> Values {
    solution.iter().map(|(_, value)| value.clone()).collect()
}

/// The solutions found with symmetry breaking.
fn solved(instance: &GroundInstance, breaking: SymmetryBreaking, brute: bool) -> Vec<Values> {
    let options = &EngineOptions::default();
    let mut found = Vec::new();
    let mut keep = |solution: &SolutionValues| {
        found.push(values(solution));
        ControlFlow::Continue(())
    };
    // The oracle breaks symmetries by comparing values, the solvers by constraints.
    let solver = if brute { SolverName::Brute } else { SolverName::Auto };
    let asked = SolveOptions { solver, unnamed_symmetry: Some(breaking), ..SolveOptions::default() };
    let compiled = pipeline::compile(instance, &asked).expect("few symmetries");
    let end = match &compiled.lowered {
        None => pipeline::try_all(instance, &compiled.symmetries, pipeline::WantedOptima::One, options, &mut keep),
        Some(lowered) => {
            let search = pipeline::Search::new(instance, lowered, options);
            search.solutions(&mut *(BACKENDS[0].make)(), &mut |solution, _| keep(solution))
        }
    };
    end.expect("a search");
    found
}

/// The first violation of the definition by the symmetry breaking of a model.
fn check(statements: &str) -> Option<String> {
    let instance = instance(statements, &mut Diagnostics::new())?;
    let all = oracle::solutions(&instance, usize::MAX).expect("solutions");
    let all: BTreeSet<Values> = all.iter().map(values).collect();
    // A solution is least if no image precedes it; full symmetry breaking keeps exactly these.
    let least: BTreeSet<Values> =
        all.iter().filter(|solution| class(&instance, solution).first() == Some(solution)).cloned().collect();
    // If an image is not a solution, the model distinguishes members, so the classes would mean nothing.
    let images_are_solutions = least.iter().all(|solution| class(&instance, solution).is_subset(&all));
    if all.is_empty() || !images_are_solutions {
        return Some(format!("{statements}: this is no test"));
    }
    let scopes = [SymmetryScope::Consecutive, SymmetryScope::AllPairs, SymmetryScope::AllPermutations];
    for (scope, together, brute) in scopes
        .into_iter()
        .flat_map(|scope| [(scope, false, false), (scope, true, false), (scope, false, true), (scope, true, true)])
    {
        let breaking = SymmetryBreaking { scope, together };
        let found = solved(&instance, breaking, brute);
        let kept: BTreeSet<Values> = found.iter().cloned().collect();
        let report = |what: &str| {
            Some(format!(
                "{statements}: {breaking:?}, {}: {what}; {} of {} solutions, {} classes",
                if brute { "brute" } else { "solver" },
                kept.len(),
                all.len(),
                least.len()
            ))
        };
        // With an objective, only one of the best solutions is found.
        if instance.model.objective.is_some() {
            let best = found.last().cloned();
            if best.as_ref().is_none_or(|best| !all.contains(best)) {
                return report("this is not a best solution");
            }
            if breaking == SymmetryBreaking::FULL && best.as_ref().is_none_or(|best| !least.contains(best)) {
                return report("this is not the least one of its class");
            }
            continue;
        }
        if kept.len() < found.len() {
            return report("a solution is found twice");
        }
        if !kept.is_subset(&all) {
            return report("there is something that is no solution");
        }
        if !least.is_subset(&kept) {
            return report("a class is lost");
        }
        if breaking == SymmetryBreaking::FULL && kept != least {
            return report("a class has several solutions");
        }
        // A weak requirement: fast symmetry breaking may keep several solutions of a class, but it must not keep all.
        if breaking == SymmetryBreaking::FAST && all.len() > 2 * least.len() && kept == all {
            return report("nothing is left out");
        }
    }
    None
}

/// Runs on a stack as large as the program's.
fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).expect("a thread");
        thread.join().expect("no panic")
    })
}

fn check_all(models: Vec<String>) {
    let models = Mutex::new(models);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(model) = { models.lock().expect("no panic").pop() } {
            wrong.lock().expect("no panic").extend(check(&model));
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_solution_of_each_class_is_kept_in_every_domain() {
    check_all(DOMAINS.iter().map(|domain| format!("find x : {domain}")).collect());
}

#[test]
fn one_solution_of_each_class_is_kept_with_constraints_and_objectives() {
    check_all(MODELS.iter().map(|model| model.to_string()).collect());
}

/// Models that distinguish the members of `U`.
const ASYMMETRIC: [&str; 12] = [
    "find x, y : U such that x .> y",
    "find s, t : set of U such that s ~< t",
    "find m : matrix indexed by [U] of int(1..2) such that flatten(m) <lex [1, 1, 2]",
    "find m : matrix indexed by [U] of int(1..3) such that [m[u] | u : U] = [3, 2, 1]",
    "find m : matrix indexed by [U] of int(1..3) such that [m[u] | u : U][1] = 3",
    "find x : U such that x = [u | u : U][2]",
    "find f : function (total) U --> int(1..2) letting images be [i | (_, i) <- f] such that images[3] = 2",
    "find m : matrix indexed by [U, V] of int(0..1) such that table(flatten(m), [[0, 0, 0, 0, 0, 1]])",
    "find x : int(1..3) find s : set (size 2) of U such that hist(toMSet([u | u <- s]))[1][2] = x, ([u | u <- s], 1)[1][1] in s",
    "find m : matrix indexed by [U] of int(1..3) such that [2, 3, 1; U] = m",
    "find x, y : U such that [x, y] <lex [y, x]",
    "given d : U find x : U such that x = d",
];

#[test]
fn models_that_tell_members_apart_are_refused() {
    with_stack(|| {
        for model in ASYMMETRIC {
            let mut diagnostics = Diagnostics::new();
            let mut sources = Sources::default();
            let source = sources.add("model", format!("{TYPES}{model}"));
            let read = pipeline::read_model_text(&sources, source, &mut diagnostics).expect(model);
            let found = conjure_like::analysis::distinguishes_members(&read.model);
            assert!(found.is_some(), "{}", sources.get(source).text);
        }
    });
}

#[test]
fn too_many_symmetries_are_counted() {
    with_stack(|| {
        let mut diagnostics = Diagnostics::new();
        let large = "letting L be new type of size 10 find s : set of (L, U)";
        let instance = instance(large, &mut diagnostics).expect("an instance");
        let refused = symmetries(&instance, SymmetryBreaking::FULL).expect_err("too many");
        // 10! permutations of L times 3! of U.
        assert!(refused.message.contains("21772800"), "{refused:?}");
        let fast = symmetries(&instance, SymmetryBreaking::FAST).expect("few symmetries");
        assert_eq!(fast.len(), 9 + 2);
    });
}

/// Models with the number of exchanges that they show, of all solutions, and of those that remain.
const SHOWN: [(&str, usize, usize, usize); 14] = [
    // Colours are interchangeable: one solution of each class remains.
    (
        "letting C be new type enum {r, g, b} find c : function (total) int(1..4) --> C \
         such that c(1) != c(2), c(2) != c(3), c(3) != c(4)",
        2,
        24,
        4,
    ),
    // Four values are interchangeable, and so are the positions 1 and 2, and 3 and 4. There are 5 classes; 7 solutions
    // remain.
    ("find c : matrix indexed by [int(1..4)] of int(1..4) such that allDiff([c[1], c[2]])", 5, 192, 7),
    // Rows and columns. Lexicographic order leaves several solutions of some classes, because of ties.
    ("find m : matrix indexed by [int(1..3), int(1..3)] of bool", 4, 512, 45),
    ("find m : matrix indexed by [int(1..2), int(1..2)] of int(0..1) such that m[1, 1] = 1", 0, 8, 8),
    ("find s : set of int(1..4) such that |s| = 2", 3, 6, 1),
    // The solutions {1, 4} and {2, 3} are images of each other only under an exchange of two pairs at once.
    ("find s : set of int(1..4) such that |s| = 2, sum(s) % 4 = 1", 0, 2, 2),
    (
        "find r : relation of (int(1..3) * int(1..2)) such that forAll i : int(1..3) . exists j : int(1..2) . r(i, j)",
        3,
        27,
        7,
    ),
    // A domain occurs twice, so neither occurrence can be permuted alone.
    ("letting D be domain int(1..3) find f : function (total) D --> D such that forAll i : D . f(i) != i", 2, 8, 3),
    ("letting D be domain int(1..3) find e : set of (D, D) such that forAll (i, j) in e . i < j", 0, 8, 8),
    // Two variables must be permuted together.
    ("find s, t : set of int(1..3) such that s subsetEq t", 2, 27, 10),
    (
        "letting w be [1, 2, 2, 1] find x : matrix indexed by [int(1..4)] of bool \
      such that (sum i : int(1..4) . w[i] * toInt(x[i])) >= 4",
        2,
        6,
        4,
    ),
    ("find x, y : int(1..3) such that x < y", 0, 3, 3),
    ("find f : function int(1..3) --> bool such that |f| = 2", 2, 12, 3),
    ("find p : partition from int(1..3)", 0, 5, 5),
];

/// All assignments of a problem, as values of the decision variables of the original problem.
fn assignments(problem: &Problem, restored: &dyn Fn(&Assignment) -> Vec<i64>) -> BTreeSet<Vec<i64>> {
    let mut all = BTreeSet::new();
    let status = (BACKENDS[0].make)().solve(problem, &EngineOptions::default(), &mut |assignment| {
        all.insert(restored(assignment));
        ControlFlow::Continue(())
    });
    assert_eq!(status.ok(), Some(SearchEnd::Complete));
    all
}

/// The numbers of exchanges of a model, of its solutions, and of the remaining ones. Asserts that each exchange maps
/// solutions to solutions, and that a solution of each class remains.
fn shown(statements: &str) -> (usize, usize, usize) {
    let instance = instance(statements, &mut Diagnostics::new()).expect("an instance");
    let lowered = pipeline::lower_instance(&instance, &EngineOptions::default()).expect("a problem");
    let exchanges = lowering::exchanges(&instance.model, &lowered);
    let simplified = lowered.problem.simplify();
    let decisions = lowered.problem.decisions();
    let values = |assignment: &Assignment| {
        let assignment = simplified.restore(assignment);
        decisions.iter().map(|decision| lowered.problem.value(*decision, &assignment)).collect::<Vec<i64>>()
    };
    let all = assignments(&simplified.problem, &values);
    let broken = lowering::break_interchangeable(&instance.model, &lowered, &simplified);
    let kept = assignments(&broken, &values);
    assert!(kept.is_subset(&all), "{statements}");
    let image = |exchange: &Exchange, solution: &Vec<i64>| {
        let mut image = solution.clone();
        for (decision, value) in decisions.iter().zip(solution) {
            let (moved, value) = match decision {
                Variable::Bool(term) => (Variable::Bool(*exchange.bools.get(term).unwrap_or(term)), *value),
                Variable::Int(term) => {
                    let value = match exchange.values.filter(|_| exchange.valued.contains(term)) {
                        Some((one, other)) if *value == one => other,
                        Some((one, other)) if *value == other => one,
                        _ => *value,
                    };
                    (Variable::Int(*exchange.ints.get(term).unwrap_or(term)), value)
                }
            };
            let place = decisions.iter().position(|decision| *decision == moved).expect("a decision");
            image[place] = value;
        }
        image
    };
    // The exchanges generate the classes, so each class is the closure of one of its solutions.
    let mut left = all.clone();
    while let Some(solution) = left.pop_first() {
        let (mut class, mut open) = (BTreeSet::from([solution.clone()]), vec![solution]);
        while let Some(solution) = open.pop() {
            for exchange in &exchanges {
                let image = image(exchange, &solution);
                assert!(all.contains(&image), "{statements}: {solution:?} is a solution, and {image:?} is none");
                if class.insert(image.clone()) {
                    open.push(image);
                }
            }
        }
        assert!(!class.is_disjoint(&kept), "{statements}: no solution remains of {class:?}");
        left.retain(|solution| !class.contains(solution));
    }
    (exchanges.len(), all.len(), kept.len())
}

#[test]
fn one_solution_of_each_class_that_a_model_shows_remains() {
    with_stack(|| {
        let other = SHOWN.map(|(model, exchanges, solutions, kept)| {
            let found = shown(model);
            (found != (exchanges, solutions, kept)).then(|| format!("{found:?}: {model}"))
        });
        let other: Vec<String> = other.into_iter().flatten().collect();
        assert!(other.is_empty(), "{}", other.join("\n"));
        let unnamed = DOMAINS.iter().map(|domain| format!("find x : {domain}"));
        let constrained = MODELS.iter().map(|model| model.to_string()).filter(|model| !model.contains("imising"));
        let mut found = 0;
        for model in unnamed.chain(constrained) {
            found += usize::from(shown(&model).0 > 0);
        }
        assert!(found > 20, "{found}");
    });
}

/// The test fails by its time if all triples of a thousand variables are listed.
#[test]
fn the_symmetries_of_a_thousand_variables_are_found_at_once() {
    with_stack(|| {
        let finds: String = (0..1000).map(|at| format!("find x{at} : int(1..3)\n")).collect();
        let exchanges = |statements: &str| {
            let instance = instance(statements, &mut Diagnostics::new()).expect("an instance");
            let lowered = pipeline::lower_instance(&instance, &EngineOptions::default()).expect("a problem");
            lowering::exchanges(&instance.model, &lowered).len()
        };
        // Each variable takes part in two exchanges.
        assert_eq!(exchanges(&finds), 2000);
        // No variable takes part in any, so that pairs are tried until the work limit.
        let chain: Vec<String> = (1..1000).map(|at| format!("x{} <= x{at}", at - 1)).collect();
        assert_eq!(exchanges(&format!("{finds}such that {}", chain.join(", "))), 0);
    });
}

/// The sizes of the groups in each family of decision variables.
fn families(statements: &str) -> Vec<Vec<usize>> {
    let instance = instance(statements, &mut Diagnostics::new()).expect("an instance");
    let lowered = pipeline::lower_instance(&instance, &EngineOptions::default()).expect("a problem");
    let families = lowering::decision_families(&instance.model, &lowered, &lowered.problem.unsimplified());
    families.iter().map(|family| family.iter().map(Vec::len).collect()).collect()
}

#[test]
fn decisions_that_belong_together_are_families() {
    let rows_and_columns = families("find m : matrix indexed by [int(1..2), int(1..3)] of int(0..9)");
    assert_eq!(rows_and_columns, [vec![3, 3], vec![2, 2, 2]]);
    let images = families("find f : function (total) int(1..3) --> (int(0..9), bool)");
    assert_eq!(images, [vec![2, 2, 2], vec![3, 3]]);
    let members = families("find s : set (size 3) of (int(1..900), int(1..900))");
    assert_eq!(members, [vec![2, 2, 2], vec![3, 3]]);
    let components = families("find s : set (size 3) of (int(1..2), int(1..3))");
    assert_eq!(components, [vec![3, 3], vec![2, 2, 2]]);
    let columns = families("find r : relation of (int(1..2) * int(1..4))");
    assert_eq!(columns, [vec![4, 4], vec![2, 2, 2, 2]]);
    assert!(families("find x, y : int(1..3)").is_empty());
}
