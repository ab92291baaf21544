//! Contradictions by counting: more cells than values, more hours than a window has, more pairs than exist.
//!
//! Propagation takes one requirement at a time and cannot count: to show that seven pigeons do not fit six holes, it
//! needs thousands of cases. A counting argument is one step. It consists of small claims, such as that two cells
//! cannot have the same value, and of a number that they add up to. The solver checks each claim; the count is exact.

use super::{
    cells::Cell,
    propagate::{Fact, Knowledge, PropagationInput, Single, Singles},
    sums::{self, Exclusion, SumsArgument, is_truth},
};
use crate::{
    halt::StopReason,
    problem::{Bool, Builder},
    solver::{EngineOptions, incremental},
};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of cells of a requirement whose cells are compared in pairs. Chosen.
const MOST_CELLS: usize = 64;
/// The limit on checks of pairs of options. Chosen.
const MOST_QUESTIONS: usize = 40_000;
/// The limit on searches during one refutation; most are for suppositions. Chosen.
pub(super) const MOST_SEARCHES: usize = 2_000;

/// A counting argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counting {
    pub argument: CountingArgument,
    /// The exclusions of options that the argument uses.
    pub exclusions: Vec<Exclusion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CountingArgument {
    /// All-different cells, and the values that remain for them, which are fewer.
    Values(Vec<usize>, Vec<String>),
    /// Cells that are apart by their lengths, and the two bounds of a window that is too short for them.
    Lengths(Vec<(usize, i64)>, i64, i64),
    /// Sets (their cells and minimum sizes) of which no two share two members, and the number of possible members.
    Pairs(Vec<(Vec<usize>, usize)>, usize),
    /// Linear sums whose addition gives a contradiction.
    Sums(SumsArgument),
}

/// A counting argument with the rules and the facts that it uses.
pub(crate) struct CountedContradiction {
    pub counting: Counting,
    pub rules: BTreeSet<usize>,
    pub premises: BTreeSet<Fact>,
}

/// Options of two cells with the same value, and the rule that excludes the two together.
type EqualOptions = (usize, usize, usize);

/// Cells with their lengths, and the bounds of the window that is too short for them.
type CrowdedWindow = (Vec<(usize, i64)>, i64, i64);

/// Searches for counting arguments among some rules.
pub(crate) struct Counter<'a> {
    puzzle: &'a PropagationInput<'a>,
    engine_options: &'a EngineOptions,
    rules: Vec<usize>,
    /// For two cells, the pairs of equal options that exclude each other.
    differing: BTreeMap<(usize, usize), Vec<EqualOptions>>,
    /// For two cells, the least distance if the first is less, the least distance if the second is less, and the rule.
    apart: BTreeMap<(usize, usize), (i64, i64, usize)>,
    /// The arguments that use no known facts; searched once.
    pairs: Option<Option<Counting>>,
    sums: Option<Option<Counting>>,
    searches: usize,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(
        puzzle: &'a PropagationInput<'a>,
        rules: &[usize],
        singles: &mut Singles,
        engine_options: &'a EngineOptions,
    ) -> Result<Self, StopReason> {
        let mut counter = Counter {
            puzzle,
            engine_options,
            rules: rules.to_vec(),
            differing: BTreeMap::new(),
            apart: BTreeMap::new(),
            pairs: None,
            sums: None,
            searches: 0,
        };
        counter.compare(singles)?;
        Ok(counter)
    }

    /// Finds the pairs of cells that differ or are apart.
    fn compare(&mut self, singles: &mut Singles) -> Result<(), StopReason> {
        let puzzle = self.puzzle;
        let mut asked = 0;
        for rule in self.rules.clone() {
            let scope = &puzzle.scopes[rule];
            if !(2..=MOST_CELLS).contains(&scope.len()) {
                continue;
            }
            for (position, one) in scope.iter().enumerate() {
                for other in &scope[position + 1..] {
                    let mut excludes = |left: usize, right: usize| -> Result<bool, StopReason> {
                        asked += 1;
                        let facts = [Fact::Is(*one, left), Fact::Is(*other, right)];
                        let answer = singles.ask(rule, &facts, Some(puzzle.condition(rule)))?;
                        Ok(matches!(answer, Single::Refuted(_)))
                    };
                    let cells = [one, other].map(|cell| &puzzle.cells[*cell]);
                    let mut found = Vec::new();
                    // A rule makes two cells different only if it excludes every value that both can have.
                    for (left, right) in equal_options(cells) {
                        if !excludes(left, right)? {
                            found.clear();
                            break;
                        }
                        found.push((left, right, rule));
                    }
                    let is_new = !found.is_empty();
                    if is_new {
                        self.differing.entry((*one, *other)).or_insert(found);
                    }
                    if is_new && scope.len() == 2 {
                        self.measure(rule, (*one, *other), &mut excludes)?;
                    }
                    if asked > MOST_QUESTIONS {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the least distances between two cells that a rule about these two requires.
    fn measure(
        &mut self,
        rule: usize,
        (one, other): (usize, usize),
        excludes: &mut dyn FnMut(usize, usize) -> Result<bool, StopReason>,
    ) -> Result<(), StopReason> {
        let cells = [one, other].map(|cell| &self.puzzle.cells[cell]);
        let [Some(numbers), Some(others)] = cells.map(numbers) else { return Ok(()) };
        // The distances are read off the smallest number of each cell; [`Counter::is_apart`] checks all other numbers.
        let mut distance = |first: &[i64], second: &[i64], turned: bool| -> Result<i64, StopReason> {
            for (at, number) in second.iter().enumerate().filter(|(_, number)| **number >= first[0]) {
                let excluded = if turned { excludes(at, 0)? } else { excludes(0, at)? };
                if !excluded {
                    return Ok(number - first[0]);
                }
            }
            Ok(second.last().map_or(0, |last| last - first[0] + 1).max(0))
        };
        let (after_one, after_other) = (distance(&numbers, &others, false)?, distance(&others, &numbers, true)?);
        // If both distances are 1, the cells merely have different values, which `values` handles.
        if after_one.max(after_other) < 2 || after_one.min(after_other) < 1 {
            return Ok(());
        }
        if self.is_apart(rule, cells, after_one, after_other)? {
            self.apart.insert((one, other), (after_one, after_other, rule));
        }
        Ok(())
    }

    /// Returns true if a rule requires these distances for all values of the two cells.
    fn is_apart(&self, rule: usize, cells: [&Cell; 2], after_one: i64, after_other: i64) -> Result<bool, StopReason> {
        let options = cells.iter().flat_map(|cell| &cell.options);
        let terms: Vec<Bool> = options.map(|option| option.term).chain([self.puzzle.condition(rule)]).collect();
        let part = self.puzzle.part_of(&terms);
        let mut problem = Builder::from(part.problem.clone());
        let [Some(one), Some(other)] = cells.map(|cell| part.int(cell.number?)) else { return Ok(false) };
        let difference = problem.linear([(1, other), (-1, one)], 0);
        let below = problem.at_most_constant(difference, after_one - 1);
        let above = !problem.at_most_constant(difference, -after_other);
        let near = problem.and([below, above]);
        let Some(condition) = part.term(self.puzzle.condition(rule)) else { return Ok(false) };
        let Ok(problem) = problem.finish() else { return Ok(false) };
        Ok(incremental(&problem, self.engine_options).refute(&[condition, near])?.is_some())
    }

    /// A counting argument under the known facts; linear sums are added up only if `sums` is set.
    pub(crate) fn contradiction(
        &mut self,
        knowledge: &Knowledge,
        sums: bool,
    ) -> Result<Option<CountedContradiction>, StopReason> {
        self.searches += 1;
        if self.searches > MOST_SEARCHES {
            return Ok(None);
        }
        if let Some(counted) = self.values(knowledge) {
            return Ok(Some(counted));
        }
        if let Some(counted) = self.lengths(knowledge) {
            return Ok(Some(counted));
        }
        // Neither pairs nor sums depend on what propagation has found, so all stages share them.
        if self.pairs.is_none() {
            self.pairs = Some(self.pairs()?);
        }
        if sums && self.sums.is_none() {
            self.sums = Some(self.sums()?);
        }
        let known = [&self.pairs, &self.sums].into_iter().find_map(|found| found.clone().flatten());
        Ok(known.map(|counting| {
            let sums = match &counting.argument {
                CountingArgument::Sums(argument) => argument.sums.iter().filter_map(|sum| sum.rule).collect(),
                _ => BTreeSet::new(),
            };
            self.counted(counting, sums, BTreeSet::new())
        }))
    }

    fn counted(&self, counting: Counting, more: BTreeSet<usize>, premises: BTreeSet<Fact>) -> CountedContradiction {
        let rules = counting.exclusions.iter().flat_map(|exclusion| exclusion.rules.iter().copied()).chain(more);
        // Positions beyond the requirements belong to rules of domains, which an answer does not cite.
        let rules = rules.filter(|rule| *rule < self.puzzle.requirements.len()).collect();
        CountedContradiction { counting, rules, premises }
    }

    /// The exclusions of the common values that two cells still have; `None` if one of these is not excluded.
    fn excluded(&self, knowledge: &Knowledge, one: usize, other: usize) -> Option<Vec<(usize, usize, usize)>> {
        let (one, other) = (one.min(other), one.max(other));
        let excluded = self.differing.get(&(one, other));
        let open = |cell: usize, option: usize| !knowledge.knows(Fact::Not(cell, option));
        let cells = [one, other].map(|cell| &self.puzzle.cells[cell]);
        let mut found = Vec::new();
        for (left, right) in equal_options(cells) {
            if open(one, left) && open(other, right) {
                // If both cells can still have some common value, they need not differ, and `?` returns `None`.
                found.push(*excluded?.iter().find(|(first, second, _)| (*first, *second) == (left, right))?);
            }
        }
        Some(found)
    }

    /// Greedy cliques of the relation, one from each cell.
    fn cliques(
        &self,
        cells: &BTreeSet<usize>,
        is_edge: &dyn Fn(usize, usize) -> bool,
        size: &dyn Fn(usize) -> usize,
    ) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        for start in cells {
            let mut near: Vec<usize> =
                cells.iter().copied().filter(|cell| cell != start && is_edge(*start, *cell)).collect();
            // Cells with few options, and then cells with many neighbours, are likely members of a crowded clique.
            let degree = |cell: &usize| near.iter().filter(|other| *other != cell && is_edge(*cell, **other)).count();
            let degrees: BTreeMap<usize, usize> = near.iter().map(|cell| (*cell, degree(cell))).collect();
            near.sort_by_key(|cell| (size(*cell), std::cmp::Reverse(degrees[cell]), *cell));
            let mut clique = vec![*start];
            for cell in near {
                if clique.iter().all(|other| is_edge(*other, cell)) {
                    clique.push(cell);
                }
            }
            // The same clique may be found from different cells, and sorted cliques compare as equal.
            clique.sort_unstable();
            if !found.contains(&clique) {
                found.push(clique);
            }
        }
        found
    }

    /// All-different cells that have too few values.
    fn values(&self, knowledge: &Knowledge) -> Option<CountedContradiction> {
        // Several cells can be undefined at the same time, so a cell that may be undefined belongs to no clique.
        let has_value = |cell: &usize| {
            let options = &self.puzzle.cells[*cell].options;
            knowledge.open(*cell).all(|option| !options[option].is_undefined())
        };
        let cells = self.differing.keys().flat_map(|(one, other)| [*one, *other]).filter(has_value);
        let cells: BTreeSet<usize> = cells.collect();
        // Propagation handles two cells that differ.
        if cells.len() < 3 {
            return None;
        }
        let edges: BTreeSet<(usize, usize)> = self
            .differing
            .keys()
            .copied()
            .filter(|(one, other)| cells.contains(one) && cells.contains(other))
            .filter(|(one, other)| self.excluded(knowledge, *one, *other).is_some())
            .collect();
        let is_edge = |one: usize, other: usize| edges.contains(&(one.min(other), one.max(other)));
        let size = |cell: usize| knowledge.open(cell).count();
        let mut best: Option<Vec<usize>> = None;
        for clique in self.cliques(&cells, &is_edge, &size) {
            let left: Vec<Vec<&str>> = clique
                .iter()
                .map(|cell| {
                    knowledge.open(*cell).map(|option| &*self.puzzle.cells[*cell].options[option].shown).collect()
                })
                .collect();
            // A part of a crowded clique is enough: a set that violates Hall's condition is contradictory by itself.
            if let Some(few) = without_matching(&left) {
                let few: Vec<usize> = few.into_iter().map(|position| clique[position]).collect();
                if best.as_ref().is_none_or(|best| few.len() < best.len()) {
                    best = Some(few);
                }
            }
        }
        // Propagation handles two cells with a single value.
        let cells = best.filter(|best| best.len() > 2)?;
        let (mut values, mut premises, mut exclusions): (Vec<String>, _, _) = (Vec::new(), BTreeSet::new(), Vec::new());
        for cell in &cells {
            for option in knowledge.open(*cell) {
                let shown = &self.puzzle.cells[*cell].options[option].shown;
                if !values.contains(shown) {
                    values.push(shown.clone());
                }
            }
        }
        for cell in &cells {
            let excluded = self.puzzle.cells[*cell].options.iter().enumerate();
            let excluded = excluded.filter(|(_, option)| !values.contains(&option.shown)).map(|(option, _)| option);
            premises.extend(recorded(knowledge, *cell, &excluded.collect::<Vec<_>>()));
        }
        for (position, one) in cells.iter().enumerate() {
            for other in &cells[position + 1..] {
                let (one, other) = (*one.min(other), *one.max(other));
                // Under the premises, the two cells have only the counted values left.
                for (left, right, rule) in self.differing.get(&(one, other)).into_iter().flatten() {
                    // The premises exclude all values that are not counted.
                    if values.contains(&self.puzzle.cells[one].options[*left].shown) {
                        let facts = vec![Fact::Is(one, *left), Fact::Is(other, *right)];
                        exclusions.push(Exclusion { facts, rules: vec![*rule] });
                    }
                }
            }
        }
        let argument = CountingArgument::Values(cells, values);
        Some(self.counted(Counting { argument, exclusions }, BTreeSet::new(), premises))
    }

    /// Cells that are apart and do not fit into a window.
    fn lengths(&self, knowledge: &Knowledge) -> Option<CountedContradiction> {
        let cells: BTreeSet<usize> = self.apart.keys().flat_map(|(one, other)| [*one, *other]).collect();
        let is_edge = |one: usize, other: usize| self.apart.contains_key(&(one.min(other), one.max(other)));
        let mut best: Option<CrowdedWindow> = None;
        for clique in self.cliques(&cells, &is_edge, &|_| 0) {
            // The length of a cell is its smallest distance to any later cell in the clique. So all cells but the last
            // one, with their lengths, must end before `to`.
            let length = |cell: &usize| {
                let others = clique.iter().filter(|other| *other != cell);
                let after = others.map(|other| match self.apart[&(*cell.min(other), *cell.max(other))] {
                    (after, _, _) if cell < other => after,
                    // The two directions have different distances; the first number applies if the earlier cell comes
                    // first.
                    (_, after, _) => after,
                });
                after.min().unwrap_or(0)
            };
            let window = |cell: &usize| {
                let numbers = numbers(&self.puzzle.cells[*cell])?;
                let open: Vec<i64> = knowledge.open(*cell).map(|option| numbers[option]).collect();
                Some((*cell, length(cell), *open.first()?, *open.last()?))
            };
            let windows: Vec<(usize, i64, i64, i64)> = clique.iter().filter_map(window).collect();
            // A window that starts or ends elsewhere contains no further cells.
            for (_, _, from, _) in &windows {
                for to in windows.iter().map(|(_, length, _, last)| last + length) {
                    let inside: Vec<_> = windows
                        .iter()
                        .filter(|(_, length, first, last)| first >= from && last + length <= to)
                        .map(|(cell, length, ..)| (*cell, *length))
                        .collect();
                    let needed: i64 = inside.iter().map(|(_, length)| length).sum();
                    let is_better = best.as_ref().is_none_or(|(best, _, _)| inside.len() < best.len());
                    if needed > to - from && is_better {
                        best = Some((inside, *from, to));
                    }
                }
            }
        }
        let (mut inside, from, to) = best?;
        // Fewer cells give a shorter sentence, so the longest are taken first, until they do not fit.
        inside.sort_by_key(|(cell, length)| (std::cmp::Reverse(*length), *cell));
        let mut needed = 0;
        let enough = inside.iter().take_while(|(_, length)| {
            let goes_on = needed <= to - from;
            needed += length;
            goes_on
        });
        let mut inside: Vec<(usize, i64)> = enough.copied().collect();
        inside.sort_unstable();
        let mut premises = BTreeSet::new();
        for (cell, length) in &inside {
            let numbers = numbers(&self.puzzle.cells[*cell])?;
            let outside = numbers.iter().enumerate().filter(|(_, number)| **number < from || **number + length > to);
            premises.extend(recorded(knowledge, *cell, &outside.map(|(option, _)| option).collect::<Vec<_>>()));
        }
        let pairs = inside.iter().flat_map(|one| inside.iter().map(move |other| (one.0, other.0)));
        let rules = pairs.filter_map(|pair| self.apart.get(&pair)).map(|(_, _, rule)| *rule).collect();
        let counting = Counting { argument: CountingArgument::Lengths(inside, from, to), exclusions: Vec::new() };
        Some(self.counted(counting, rules, premises))
    }

    /// Linear sums that contradict each other.
    fn sums(&self) -> Result<Option<Counting>, StopReason> {
        let found = sums::contradiction(self.puzzle, &self.rules, self.engine_options)?;
        Ok(found.map(|(sums, exclusions)| Counting { argument: CountingArgument::Sums(sums), exclusions }))
    }

    /// Sets that together have more pairs of members than exist, although no two sets share a pair.
    fn pairs(&self) -> Result<Option<Counting>, StopReason> {
        let mut sets: Vec<MemberSet> = Vec::new();
        for scope in self.rules.iter().map(|rule| &self.puzzle.scopes[*rule]) {
            sets.extend(MemberSet::of(self.puzzle, scope));
        }
        // Several rules may be about the same cells, but each set counts only once.
        sets.sort_by(|one, other| one.cells.cmp(&other.cells));
        sets.dedup_by(|one, other| one.cells == other.cells);
        let mut alike: Vec<Vec<MemberSet>> = Vec::new();
        for set in sets {
            match alike.iter_mut().find(|sets| sets[0].members == set.members && sets[0].variable == set.variable) {
                Some(sets) => sets.push(set),
                None => alike.push(vec![set]),
            }
        }
        // Two sets with at most one common member can never exceed the pairs on their own.
        for mut sets in alike.into_iter().filter(|sets| sets.len() > 2) {
            let members = sets[0].members.len();
            for set in &mut sets {
                set.least = sums::least_count(self.puzzle, &self.rules, &set.cells, self.engine_options)?;
            }
            let choose_two = |count: usize| count * count.saturating_sub(1) / 2;
            // Fewer sets give a shorter sentence, so the largest are taken first, until they exceed the pairs.
            sets.sort_by_key(|set| std::cmp::Reverse(set.least));
            let mut count = 0;
            let needed = sets.iter().take_while(|set| {
                let goes_on = count <= choose_two(members);
                count += choose_two(set.least);
                goes_on
            });
            let needed: Vec<&MemberSet> = needed.collect();
            if count <= choose_two(members) {
                continue;
            }
            let mut exclusions = Vec::new();
            // The sentence claims each exclusion, so each of them is proved separately.
            let mut solver = sums::WholeSolver::new(self.puzzle, &self.rules, self.engine_options);
            let mut holds = true;
            'sets: for (position, one) in needed.iter().enumerate() {
                for other in &needed[position + 1..] {
                    // Two sets must not have two members in common, so rules must exclude each such quadruple.
                    for (first, second) in (0..members).flat_map(|first| (0..first).map(move |second| (first, second)))
                    {
                        let cells = [one.cells[first], one.cells[second], other.cells[first], other.cells[second]];
                        let facts: Vec<Fact> = cells.iter().map(|cell| Fact::Is(*cell, 1)).collect();
                        let Some(rules) = solver.excluding(&facts)? else {
                            holds = false;
                            break 'sets;
                        };
                        exclusions.push(Exclusion { facts, rules });
                    }
                }
            }
            if holds {
                let mut sets: Vec<_> = needed.iter().map(|set| (set.cells.clone(), set.least)).collect();
                sets.sort_unstable();
                return Ok(Some(Counting { argument: CountingArgument::Pairs(sets, members), exclusions }));
            }
        }
        Ok(None)
    }
}

/// The truth cells for the members of a set.
struct MemberSet {
    variable: crate::language::Name,
    /// The labels of the members, in the order of the cells.
    members: Vec<Vec<String>>,
    cells: Vec<usize>,
    least: usize,
}

impl MemberSet {
    fn of(puzzle: &PropagationInput, scope: &[usize]) -> Option<Self> {
        let cells: Vec<&Cell> = scope.iter().map(|cell| &puzzle.cells[*cell]).collect();
        let first = *cells.first()?;
        let is_set = |cell: &&Cell| {
            is_truth(cell)
                && cell.options[1].shown == cell.options[1].is
                && cell.variable == first.variable
                && cell.labels.len() == first.labels.len()
        };
        // With two members, there is only one pair; sets need three members to share one.
        if !(3..=MOST_CELLS).contains(&cells.len()) || !cells.iter().all(is_set) || first.labels.is_empty() {
            return None;
        }
        // The labels that all cells have in common identify the set, and the remaining ones identify the member.
        let common = (0..first.labels.len())
            .take_while(|at| cells.iter().all(|cell| cell.labels[*at] == first.labels[*at]))
            .count();
        let members = cells.iter().map(|cell| cell.labels[common..].to_vec()).collect();
        Some(MemberSet { variable: first.variable.clone(), members, cells: scope.to_vec(), least: 0 })
    }
}

/// The known facts that exclude these options of a cell.
fn recorded(knowledge: &Knowledge, cell: usize, options: &[usize]) -> Vec<Fact> {
    if options.is_empty() {
        return Vec::new();
    }
    match &knowledge.fixed[cell] {
        Some((fixed, _)) => vec![Fact::Is(cell, *fixed)],
        None => options.iter().map(|option| Fact::Not(cell, *option)).collect(),
    }
}

/// The options of two cells with the same value.
fn equal_options(cells: [&Cell; 2]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (left, option) in cells[0].options.iter().enumerate().filter(|(_, option)| !option.is_undefined()) {
        let same = cells[1].options.iter().position(|other| other.shown == option.shown);
        found.extend(same.map(|right| (left, right)));
    }
    found
}

/// The numbers of the options of a numeric cell, ascending.
fn numbers(cell: &Cell) -> Option<Vec<i64>> {
    cell.number.filter(|_| cell.numeric)?;
    cell.options.iter().map(|option| option.value).collect()
}

/// The positions of items that together have fewer values than items (a Hall violator); `None` if there is a matching.
fn without_matching(left: &[Vec<&str>]) -> Option<Vec<usize>> {
    fn place<'v>(
        item: usize,
        left: &[Vec<&'v str>],
        taken: &mut BTreeMap<&'v str, usize>,
        seen: &mut BTreeSet<&'v str>,
    ) -> bool {
        // Bipartite matching by augmenting paths; with `seen`, each search visits a value at most once.
        for value in &left[item] {
            if seen.insert(value) {
                // A value without an entry is free. Otherwise, the item that has it tries to get another value.
                let other = taken.get(value).copied();
                if other.is_none_or(|other| place(other, left, taken, seen)) {
                    taken.insert(value, item);
                    return true;
                }
            }
        }
        false
    }
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    let mut best: Option<Vec<usize>> = None;
    for item in 0..left.len() {
        let mut seen = BTreeSet::new();
        if !place(item, left, &mut taken, &mut seen) {
            // The failed search has reached only taken values, and exactly these items have them.
            let mut items: Vec<usize> = seen.iter().map(|value| taken[value]).chain([item]).collect();
            items.sort_unstable();
            // A smaller violator gives a shorter sentence.
            if best.as_ref().is_none_or(|best| items.len() < best.len()) {
                best = Some(items);
            }
        }
    }
    best
}
