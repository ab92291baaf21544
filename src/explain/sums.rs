//! Linear sums of literals whose addition gives a contradiction.
//!
//! Each sum is bounded by one requirement, or states that at most one option of a clique of pairwise exclusive options
//! holds. Linear duality, as for certificates, finds multipliers whose combination is a contradiction. The solver
//! checks each bound and each exclusion; the addition is exact.

use super::{
    cells::Cell,
    group::{SourceConstraint, constraint_of},
    propagate::{Fact, PropagationInput},
};
use crate::{
    certify::LinearRelaxation,
    halt::StopReason,
    problem::{Bool, BoolNode, Builder, Int, IntNode, Linear, SubProblem, Variable},
    reference::{PbConstraint, PbLiteral, PbNumber},
    solver::{EngineOptions, Incremental, incremental},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Limits on the options and the requirements of an instance whose sums are added up. Chosen.
const MOST_OPTIONS: usize = 2_000;
const MOST_RULES: usize = 20_000;
/// Limits on checks of pairs of options, and on candidate sums. Chosen.
const MOST_PAIRS: usize = 20_000;
const MOST_SUMS: usize = 300;
/// The limit on terms that may remain after the addition; a reader has to see that they are small. Chosen.
const MOST_LEFT: usize = 4;
/// The limit on multiplications in a search for multipliers. Chosen.
const WORK: usize = 40_000_000;

/// Sums that contradict each other when they are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SumsArgument {
    pub sums: Vec<CountedSum>,
    /// The cells for which the argument uses that they have exactly one value.
    pub cells: BTreeSet<usize>,
    /// The total of the lower bounds, and the total of the upper bounds.
    pub least: i64,
    pub most: i64,
    /// The terms that the sums with lower bounds have more than the others; their total is less than `least - most`.
    pub rest: Vec<(i64, SumTerm)>,
}

/// A sum with a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountedSum {
    pub terms: Vec<(i64, SumTerm)>,
    pub bound: SumBound,
    /// The rule that bounds the sum; `None` for a clique of exclusive options.
    pub rule: Option<usize>,
    /// The multiplier.
    pub times: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumBound {
    AtLeast(i64),
    AtMost(i64),
}

/// A cell and one of its options.
type CountedOption = (usize, usize);

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SumTerm {
    /// 1 if a cell has an option, 0 otherwise.
    Option(usize, usize),
    /// The number in a cell.
    Number(usize),
}

/// Facts that cannot hold together, and the rules that exclude them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exclusion {
    pub facts: Vec<Fact>,
    pub rules: Vec<usize>,
}

/// Returns true if a cell is a truth value: its two options are opposite and not numbers.
pub(super) fn is_truth(cell: &Cell) -> bool {
    cell.options.len() == 2 && !cell.numeric && cell.options[0].term == !cell.options[1].term
}

/// An incremental solver of the whole problem for short questions.
pub(super) struct WholeSolver<'a> {
    puzzle: &'a PropagationInput<'a>,
    solver: Box<dyn Incremental + 'a>,
    /// The rules about two cells, by their scope; `wide` has the rules about more cells.
    narrow: FxHashMap<Vec<usize>, Vec<usize>>,
    wide: Vec<usize>,
    /// The wide rules in groups that are instances of one constraint and consistent; filled when first needed.
    families: Option<Vec<Vec<usize>>>,
}

impl<'a> WholeSolver<'a> {
    pub(super) fn new(puzzle: &'a PropagationInput<'a>, rules: &[usize], engine_options: &EngineOptions) -> Self {
        let mut narrow: FxHashMap<Vec<usize>, Vec<usize>> = FxHashMap::default();
        let mut wide = Vec::new();
        for rule in rules {
            match puzzle.scopes[*rule].len() {
                // A rule about a single cell cannot exclude a pair of options.
                0 | 1 => {}
                2 => narrow.entry(puzzle.scopes[*rule].clone()).or_default().push(*rule),
                _ => wide.push(*rule),
            }
        }
        WholeSolver { puzzle, solver: incremental(puzzle.problem, engine_options), narrow, wide, families: None }
    }

    fn refutes(&mut self, rules: &[usize], facts: &[Fact]) -> Result<bool, StopReason> {
        let conditions = rules.iter().map(|rule| self.puzzle.condition(*rule));
        let terms: Vec<Bool> = conditions.chain(facts.iter().map(|fact| self.puzzle.term(*fact))).collect();
        Ok(self.solver.refute(&terms)?.is_some())
    }

    /// The rules that exclude these facts together: a single rule, or instances of one constraint.
    pub(super) fn excluding(&mut self, facts: &[Fact]) -> Result<Option<Vec<usize>>, StopReason> {
        let cells: BTreeSet<usize> = facts.iter().map(|fact| fact.cell()).collect();
        let puzzle = self.puzzle;
        let has = |rule: usize, cell: &usize| puzzle.scopes[rule].binary_search(cell).is_ok();
        let own: Vec<usize> = cells.iter().copied().collect();
        let wide = self.wide.iter().copied().filter(|rule| cells.iter().all(|cell| has(*rule, cell)));
        let about: Vec<usize> = self.narrow.get(&own).into_iter().flatten().copied().chain(wide).collect();
        for rule in about {
            if self.refutes(&[rule], facts)? {
                return Ok(Some(vec![rule]));
            }
        }
        // If no single rule excludes the pair, several may, for example two instances of a transitivity constraint.
        self.find_families()?;
        let families = self.families.take().unwrap_or_default();
        let mut found = None;
        for family in &families {
            let near = |rule: &&usize| cells.iter().any(|cell| has(**rule, cell));
            let near: Vec<usize> = family.iter().filter(near).copied().collect();
            if near.len() > 1 && self.refutes(&near, facts)? {
                found = Some(near);
                break;
            }
        }
        self.families = Some(families);
        Ok(found)
    }

    fn find_families(&mut self) -> Result<(), StopReason> {
        if self.families.is_some() {
            return Ok(());
        }
        let mut families: Vec<(SourceConstraint, Vec<usize>)> = Vec::new();
        for rule in self.wide.iter().copied().filter(|rule| *rule < self.puzzle.requirements.len()) {
            let Some(constraint) = constraint_of(&self.puzzle.requirements[rule]) else { continue };
            match families.iter_mut().find(|(known, _)| *known == constraint) {
                Some((_, family)) => family.push(rule),
                None => families.push((constraint, vec![rule])),
            }
        }
        let mut found = Vec::new();
        for (_, family) in families.into_iter().filter(|(_, family)| family.len() > 1) {
            // A contradictory family would exclude every pair.
            if !self.refutes(&family, &[])? {
                found.push(family);
            }
        }
        self.families = Some(found);
        Ok(())
    }
}

/// The least number of these truth cells that hold, by a single rule about all cells.
pub(super) fn least_count(
    puzzle: &PropagationInput,
    rules: &[usize],
    cells: &[usize],
    engine_options: &EngineOptions,
) -> Result<usize, StopReason> {
    let terms: Vec<(i64, SumTerm)> = cells.iter().map(|cell| (1, SumTerm::Option(*cell, 1))).collect();
    let mut least = 0;
    for rule in rules {
        let scope = &puzzle.scopes[*rule];
        if cells.iter().all(|cell| scope.binary_search(cell).is_ok())
            && let Some((low, _)) = range(puzzle, *rule, &terms, engine_options)?
        {
            least = least.max(low);
        }
    }
    Ok(usize::try_from(least).unwrap_or(0))
}

/// The bounds of a sum under a rule; `None` if they are unknown.
fn range(
    puzzle: &PropagationInput,
    rule: usize,
    terms: &[(i64, SumTerm)],
    engine_options: &EngineOptions,
) -> Result<Option<(i64, i64)>, StopReason> {
    let cells: Vec<usize> = terms.iter().map(|(_, term)| cell_of(*term)).collect();
    let part = part(puzzle, &[rule], &cells);
    let mut problem = Builder::from(part.problem.clone());
    let mut own = Vec::new();
    for (factor, term) in terms {
        let term = match term {
            SumTerm::Option(cell, option) => {
                part.term(puzzle.cells[*cell].options[*option].term).map(|term| problem.int_of(term))
            }
            SumTerm::Number(cell) => puzzle.cells[*cell].number.and_then(|number| part.int(number)),
        };
        let Some(term) = term else { return Ok(None) };
        own.push((*factor, term));
    }
    let Some(condition) = part.term(puzzle.condition(rule)) else { return Ok(None) };
    let sum = problem.linear(own, 0);
    let Ok(whole) = problem.finish() else { return Ok(None) };
    let (low, high) = whole.bounds(sum);
    // Returns true if the sum can have a value in this range. A binary search with it finds the exact bounds.
    let can_be = |from: i64, to: i64| -> Result<bool, StopReason> {
        let mut problem = Builder::from(whole.clone());
        let (above, below) = (!problem.at_most_constant(sum, from - 1), problem.at_most_constant(sum, to));
        let inside = problem.and([above, below]);
        let Ok(problem) = problem.finish() else { return Ok(true) };
        Ok(incremental(&problem, engine_options).refute(&[condition, inside])?.is_none())
    };
    // If the rule cannot hold at all, no bound of it makes sense.
    if !can_be(low, high)? {
        return Ok(None);
    }
    let (mut first, mut last) = (low, high);
    while first < last {
        let middle = first + (last - first) / 2;
        if can_be(low, middle)? { last = middle } else { first = middle + 1 }
    }
    let least = first;
    let (mut first, mut last) = (least, high);
    while first < last {
        let middle = last - (last - first) / 2;
        if can_be(middle, high)? { first = middle } else { last = middle - 1 }
    }
    Ok(Some((least, first)))
}

fn cell_of(term: SumTerm) -> usize {
    match term {
        SumTerm::Option(cell, _) | SumTerm::Number(cell) => cell,
    }
}

/// A constraint of the linear relaxation.
enum OptionRow {
    /// A cell has at least one, or at most one, of its options.
    OneOption(usize, SumBound),
    Sum(CountedSum, Vec<Exclusion>),
}

/// The linear relaxation with one variable for each option.
struct OptionRelaxation<'a> {
    puzzle: &'a PropagationInput<'a>,
    variables: BTreeMap<(usize, usize), i32>,
    rows: Vec<(OptionRow, PbConstraint)>,
}

impl<'a> OptionRelaxation<'a> {
    fn new(puzzle: &'a PropagationInput<'a>, cells: &BTreeSet<usize>) -> Self {
        let mut relaxation = OptionRelaxation { puzzle, variables: BTreeMap::new(), rows: Vec::new() };
        for cell in cells {
            let options = puzzle.cells[*cell].options.len();
            // Both options of a truth cell are one variable, so the cell needs no row that states that it has exactly
            // one value.
            if is_truth(&puzzle.cells[*cell]) {
                relaxation.add_variable(*cell, 1);
                continue;
            }
            (0..options).for_each(|option| relaxation.add_variable(*cell, option));
            let all: Vec<PbLiteral> = (0..options).map(|option| relaxation.literal(*cell, option)).collect();
            let row = |bound| OptionRow::OneOption(*cell, bound);
            relaxation.rows.push((row(SumBound::AtLeast(1)), PbConstraint::clause(all.iter().copied())));
            relaxation.rows.push((row(SumBound::AtMost(1)), PbConstraint::at_most_one(all)));
        }
        relaxation
    }

    fn add_variable(&mut self, cell: usize, option: usize) {
        let next = self.variables.len() as i32 + 1;
        self.variables.insert((cell, option), next);
    }

    fn literal(&self, cell: usize, option: usize) -> PbLiteral {
        match self.variables.get(&(cell, option)) {
            Some(number) => PbLiteral::numbered(*number),
            None => !PbLiteral::numbered(self.variables[&(cell, 1 - option)]),
        }
    }

    fn add(&mut self, sum: CountedSum, exclusions: Vec<Exclusion>) {
        let mut terms: Vec<(i64, PbLiteral)> = Vec::new();
        for (factor, term) in &sum.terms {
            match term {
                SumTerm::Option(cell, option) => terms.push((*factor, self.literal(*cell, *option))),
                SumTerm::Number(cell) => {
                    let options = self.puzzle.cells[*cell].options.iter().enumerate();
                    let options = options.filter_map(|(option, shown)| Some((option, shown.value?)));
                    terms.extend(options.map(|(option, value)| (factor * value, self.literal(*cell, option))));
                }
            }
        }
        let sign = if matches!(sum.bound, SumBound::AtLeast(_)) { 1 } else { -1 };
        let (SumBound::AtLeast(bound) | SumBound::AtMost(bound)) = sum.bound;
        // In pseudo-Boolean normal form, a negative coefficient becomes a positive coefficient of the opposite literal.
        let mut least = sign * bound;
        let mut normal = Vec::new();
        for (factor, literal) in terms {
            let factor = sign * factor;
            if factor < 0 {
                least -= factor;
                normal.push((PbNumber::from(-factor), !literal));
            } else if factor > 0 {
                normal.push((PbNumber::from(factor), literal));
            }
        }
        self.rows.push((OptionRow::Sum(sum, exclusions), PbConstraint::new(normal, PbNumber::from(least))));
    }

    /// Multipliers of some rows whose combination is a contradiction.
    fn multiples(&self, rows: &[usize], engine_options: &EngineOptions) -> Option<Vec<(usize, i64)>> {
        let numbered = rows.iter().map(|row| (*row as u64, &self.rows[*row].1));
        let relaxation = LinearRelaxation::new(numbered, &[], self.variables.len())?;
        let bound = relaxation.bound(PbNumber::ONE, WORK, engine_options)?;
        (bound.least >= PbNumber::ONE)
            .then(|| relaxation.multiples(&bound).map(|(row, times)| (row as usize, times)).collect())
    }
}

fn is_sum(relaxation: &OptionRelaxation, row: usize) -> bool {
    matches!(relaxation.rows[row].0, OptionRow::Sum(..))
}

/// A contradiction between the sums in the requirements, without derived facts.
pub(super) fn contradiction(
    puzzle: &PropagationInput,
    rules: &[usize],
    engine_options: &EngineOptions,
) -> Result<Option<(SumsArgument, Vec<Exclusion>)>, StopReason> {
    let cells: BTreeSet<usize> = rules.iter().flat_map(|rule| puzzle.scopes[*rule].iter().copied()).collect();
    let options: usize = cells.iter().map(|cell| puzzle.cells[*cell].options.len()).sum();
    if rules.len() > MOST_RULES || options > MOST_OPTIONS {
        return Ok(None);
    }
    let mut relaxation = OptionRelaxation::new(puzzle, &cells);
    add_bounded_sums(puzzle, rules, &mut relaxation, engine_options)?;
    add_cliques(puzzle, rules, &mut relaxation, engine_options)?;
    let Some(chosen) = fewest_rows(&relaxation, engine_options) else { return Ok(None) };
    let (mut sums, mut exclusions, mut ones) = (Vec::new(), Vec::new(), Vec::new());
    for (row, times) in chosen {
        match &relaxation.rows[row].0 {
            OptionRow::Sum(sum, own) => {
                sums.push(CountedSum { times, ..sum.clone() });
                exclusions.extend(own.iter().cloned());
            }
            OptionRow::OneOption(cell, bound) => ones.push((*cell, *bound, times)),
        }
    }
    // The relaxation has only proposed the multipliers, so the sums are added exactly.
    let SumTotal { least, most, left } = added(puzzle, &sums, &ones);
    let rest: Vec<(i64, SumTerm)> = left
        .into_iter()
        .filter(|(_, factor)| *factor > 0)
        .map(|((cell, option), factor)| (factor, SumTerm::Option(cell, option)))
        .collect();
    // The reader has to see that the remaining terms are less than the difference, so only a few may remain.
    if rest.len() > MOST_LEFT || rest.iter().map(|(factor, _)| factor).sum::<i64>() >= least - most {
        return Ok(None);
    }
    let cells = ones.into_iter().map(|(cell, ..)| cell).collect();
    Ok(Some((SumsArgument { sums, cells, least, most, rest }, exclusions)))
}

/// Adds the sums of rules whose bounds are tighter than the domains allow.
fn add_bounded_sums(
    puzzle: &PropagationInput,
    rules: &[usize],
    relaxation: &mut OptionRelaxation,
    engine_options: &EngineOptions,
) -> Result<(), StopReason> {
    let mut sums = 0;
    // Rules about two cells exclude options but bound no sums.
    for rule in rules.iter().filter(|rule| puzzle.scopes[**rule].len() > 2) {
        for terms in candidate_sums(puzzle, *rule) {
            sums += 1;
            if sums > MOST_SUMS {
                break;
            }
            let Some((low, high)) = range(puzzle, *rule, &terms, engine_options)? else { continue };
            let (least, most) = natural_bounds(puzzle, &terms);
            let sum = |bound| CountedSum { terms: terms.clone(), bound, rule: Some(*rule), times: 1 };
            // A bound that holds without the rule adds nothing.
            if low > least {
                relaxation.add(sum(SumBound::AtLeast(low)), Vec::new());
            }
            if high < most {
                relaxation.add(sum(SumBound::AtMost(high)), Vec::new());
            }
        }
    }
    Ok(())
}

/// Rows with multipliers that add up to a contradiction, without rows that can be left out; `None` if there are none.
fn fewest_rows(relaxation: &OptionRelaxation, engine_options: &EngineOptions) -> Option<Vec<(usize, i64)>> {
    let all: Vec<usize> = (0..relaxation.rows.len()).collect();
    let mut chosen = relaxation.multiples(&all, engine_options)?;
    // Rows that state that a cell has exactly one value make the argument longer, so it is tried without them.
    let sums_alone: Vec<usize> = chosen.iter().map(|(row, _)| *row).filter(|row| is_sum(relaxation, *row)).collect();
    if let Some(fewer) = relaxation.multiples(&sums_alone, engine_options) {
        chosen = fewer;
    }
    let all: Vec<usize> = match chosen.iter().all(|(row, _)| is_sum(relaxation, *row)) {
        true => chosen.iter().map(|(row, _)| *row).collect(),
        false => all,
    };
    // Every sum that is not needed is left out; after that, it stays out.
    for row in chosen.iter().map(|(row, _)| *row).filter(|row| is_sum(relaxation, *row)).collect::<Vec<_>>() {
        let rest: Vec<usize> = all
            .iter()
            .copied()
            .filter(|other| {
                *other != row && (!is_sum(relaxation, *other) || chosen.iter().any(|(one, _)| one == other))
            })
            .collect();
        if let Some(fewer) = relaxation.multiples(&rest, engine_options) {
            chosen = fewer;
        }
    }
    Some(chosen)
}

/// Adds up sums and the bounds of single options, each with its multiplier.
fn added(puzzle: &PropagationInput, sums: &[CountedSum], ones: &[(usize, SumBound, i64)]) -> SumTotal {
    let mut total = SumTotal::default();
    for sum in sums {
        for (factor, term) in &sum.terms {
            match term {
                SumTerm::Option(cell, option) => total.add(puzzle, sum.bound, sum.times * factor, (*cell, *option)),
                SumTerm::Number(cell) => {
                    for (option, shown) in puzzle.cells[*cell].options.iter().enumerate() {
                        let factor = sum.times * factor * shown.value.unwrap_or(0);
                        total.add(puzzle, sum.bound, factor, (*cell, option));
                    }
                }
            }
        }
        total.add_bound(sum.bound, sum.times);
    }
    for (cell, bound, times) in ones {
        (0..puzzle.cells[*cell].options.len()).for_each(|option| total.add(puzzle, *bound, *times, (*cell, option)));
        total.add_bound(*bound, *times);
    }
    total
}

/// The sums with lower bounds minus those with upper bounds.
#[derive(Default)]
struct SumTotal {
    least: i64,
    most: i64,
    /// The coefficient of each option in the difference.
    left: BTreeMap<(usize, usize), i64>,
}

impl SumTotal {
    fn add(&mut self, puzzle: &PropagationInput, bound: SumBound, factor: i64, (cell, option): (usize, usize)) {
        let sign = if matches!(bound, SumBound::AtLeast(_)) { 1 } else { -1 };
        if option == 0 && is_truth(&puzzle.cells[cell]) {
            // Option 0 of a truth cell is 1 minus option 1.
            *self.left.entry((cell, 1)).or_default() -= sign * factor;
            match bound {
                SumBound::AtLeast(_) => self.least -= factor,
                SumBound::AtMost(_) => self.most -= factor,
            }
        } else {
            *self.left.entry((cell, option)).or_default() += sign * factor;
        }
    }

    fn add_bound(&mut self, bound: SumBound, times: i64) {
        match bound {
            SumBound::AtLeast(bound) => self.least += times * bound,
            SumBound::AtMost(bound) => self.most += times * bound,
        }
    }
}

/// The bounds of a sum in the domains of its terms.
fn natural_bounds(puzzle: &PropagationInput, terms: &[(i64, SumTerm)]) -> (i64, i64) {
    let bounds = |(factor, term): &(i64, SumTerm)| {
        let (low, high) = match term {
            SumTerm::Option(..) => (0, 1),
            SumTerm::Number(cell) => {
                let values = || puzzle.cells[*cell].options.iter().filter_map(|option| option.value);
                (values().min().unwrap_or(0), values().max().unwrap_or(0))
            }
        };
        (factor * if *factor > 0 { low } else { high }, factor * if *factor > 0 { high } else { low })
    };
    terms.iter().map(bounds).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// The sums that a rule may bound: its linear terms, the number of its truth cells that hold, and that number for each
/// label.
fn candidate_sums(puzzle: &PropagationInput, rule: usize) -> Vec<Vec<(i64, SumTerm)>> {
    let scope = &puzzle.scopes[rule];
    let mut found: Vec<Vec<(i64, SumTerm)>> = Vec::new();
    let mut options: FxHashMap<Bool, SumTerm> = FxHashMap::default();
    let mut numbers: FxHashMap<Int, SumTerm> = FxHashMap::default();
    for cell in scope {
        let shown = &puzzle.cells[*cell];
        numbers.extend(shown.number.filter(|_| shown.numeric).map(|number| (number, SumTerm::Number(*cell))));
        for (option, own) in shown.options.iter().enumerate() {
            options.insert(own.term, SumTerm::Option(*cell, option));
        }
    }
    let mut sum = |linear: &Linear| {
        let term = |(factor, term): &(i64, Int)| {
            let of_bool = || match puzzle.problem.int_node(*term) {
                IntNode::FromBool(condition) => options.get(condition).copied(),
                _ => None,
            };
            Some((*factor, numbers.get(term).copied().or_else(of_bool)?))
        };
        let terms: Option<Vec<_>> = linear.iter().map(term).collect();
        found.extend(terms.filter(|terms| !terms.is_empty()));
    };
    puzzle.problem.visit([Variable::Bool(puzzle.condition(rule))], |part| {
        match part {
            Variable::Bool(term) => match puzzle.problem.bool_node(term.node().0) {
                BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => sum(terms),
                _ => {}
            },
            Variable::Int(term) => {
                if let IntNode::Linear(terms, _) = puzzle.problem.int_node(term) {
                    sum(terms);
                }
            }
        }
        true
    });
    let truths: Vec<usize> = scope.iter().copied().filter(|cell| is_truth(&puzzle.cells[*cell])).collect();
    let mut groups: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for cell in &truths {
        let cell_shown: &Cell = &puzzle.cells[*cell];
        // A pair of elements belongs to the groups of both elements, whatever the order of its labels.
        let is_pair = cell_shown.options[1].is.starts_with("together(");
        for (at, label) in cell_shown.labels.iter().enumerate() {
            groups.entry((if is_pair { 0 } else { at }, label)).or_default().push(*cell);
        }
    }
    let groups = groups.into_values().filter(|group| group.len() < truths.len()).chain([truths.clone()]);
    let groups = groups.filter(|group| group.len() > 1);
    found.extend(groups.map(|group| group.into_iter().map(|cell| (1, SumTerm::Option(cell, 1))).collect()));
    found.iter_mut().for_each(|terms| terms.sort_unstable_by_key(|(_, term)| *term));
    found.sort_unstable();
    found.dedup();
    found
}

/// Adds at-most-one sums for cliques of pairwise exclusive options.
fn add_cliques(
    puzzle: &PropagationInput,
    rules: &[usize],
    relaxation: &mut OptionRelaxation,
    engine_options: &EngineOptions,
) -> Result<(), StopReason> {
    let mut solver = WholeSolver::new(puzzle, rules, engine_options);
    let positive: Vec<(usize, usize)> = relaxation.variables.keys().copied().collect();
    // Two options can exclude each other only if some rule is about both cells.
    let mut near: FxHashSet<(usize, usize)> = FxHashSet::default();
    for scope in rules.iter().map(|rule| &puzzle.scopes[*rule]).filter(|scope| scope.len() <= MOST_OPTIONS) {
        near.extend(scope.iter().enumerate().flat_map(|(at, one)| scope[at + 1..].iter().map(|other| (*one, *other))));
    }
    let shares = |one: usize, other: usize| near.contains(&(one, other));
    let mut edges: BTreeMap<(CountedOption, CountedOption), Vec<usize>> = BTreeMap::new();
    let mut asked = 0;
    for (position, one) in positive.iter().enumerate() {
        for other in positive[position + 1..].iter().filter(|other| other.0 != one.0) {
            let cells = [one, other].map(|at| &puzzle.cells[at.0]);
            // Different values of two cells may exclude each other, too, but readers count cliques of a single value.
            let is_value = !is_truth(cells[0]) && !is_truth(cells[1]);
            if is_value && cells[0].options[one.1].shown != cells[1].options[other.1].shown || !shares(one.0, other.0) {
                continue;
            }
            asked += 1;
            if asked > MOST_PAIRS {
                return Ok(());
            }
            let facts = [Fact::Is(one.0, one.1), Fact::Is(other.0, other.1)];
            if let Some(rules) = solver.excluding(&facts)? {
                edges.insert((*one, *other), rules);
            }
        }
    }
    let key = |one: (usize, usize), other: (usize, usize)| (one.min(other), one.max(other));
    // A greedy edge cover: each exclusive pair is extended to a maximal clique.
    let mut covered: BTreeSet<((usize, usize), (usize, usize))> = BTreeSet::new();
    for (one, other) in edges.keys() {
        if covered.contains(&(*one, *other)) {
            continue;
        }
        let mut clique = vec![*one, *other];
        for next in &positive {
            if !clique.contains(next) && clique.iter().all(|member| edges.contains_key(&key(*member, *next))) {
                clique.push(*next);
            }
        }
        clique.sort_unstable();
        let mut exclusions = Vec::new();
        for (position, one) in clique.iter().enumerate() {
            for other in &clique[position + 1..] {
                covered.insert((*one, *other));
                let facts = vec![Fact::Is(one.0, one.1), Fact::Is(other.0, other.1)];
                exclusions.push(Exclusion { facts, rules: edges[&(*one, *other)].clone() });
            }
        }
        let terms = clique.iter().map(|(cell, option)| (1, SumTerm::Option(*cell, *option))).collect();
        relaxation.add(CountedSum { terms, bound: SumBound::AtMost(1), rule: None, times: 1 }, exclusions);
    }
    Ok(())
}

/// The subproblem of some rules and cells.
fn part(puzzle: &PropagationInput, rules: &[usize], cells: &[usize]) -> SubProblem {
    let options = cells.iter().flat_map(|cell| &puzzle.cells[*cell].options).map(|option| option.term);
    let terms: Vec<Bool> = options.chain(rules.iter().map(|rule| puzzle.condition(*rule))).collect();
    puzzle.part_of(&terms)
}
