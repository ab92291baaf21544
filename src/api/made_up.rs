//! Generates small data for a model.

use super::{Count, Instance, Model, Report, Solution, SolveOptions, Text, stack::deep};
use crate::{
    rewriting::parameter_generator::GeneratorOptions,
    solver::{AssumptionResult, EngineOptions, incremental},
};
use rustc_hash::FxHashSet;
use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
    ops::ControlFlow,
};

/// The largest numbers and sizes in generated data, unless the model requires larger ones. Chosen: people read these
/// data.
const MOST_SIZE: i64 = 8;

/// Larger data are generated only if too few data up to this size have a solution. Chosen.
const USUAL_SIZE: i64 = 4;

/// The shares of the possible members of collections that are present, one for each random text of a size. The solver's
/// own data have hardly any members, or nearly all. Chosen.
const DENSITIES: [Option<f64>; 4] = [Some(0.2), Some(0.5), Some(0.3), Some(0.7)];

/// The number of candidates for each requested instance, to find enough instances with a solution. Chosen.
const CANDIDATES: usize = 3;

/// The budget for deciding whether data have a solution, in the units of
/// [`Incremental::allow`](crate::solver::Incremental::allow). Chosen.
const WORK: u64 = 5_000;

impl Model {
    /// Generates small data for this model, as parameter files: at most `number`, all different, of different sizes,
    /// the smallest first. Data with a solution are preferred. A model without parameters has one instance, without
    /// data.
    ///
    /// # Errors
    ///
    /// Returns an error if the domains of the parameters depend on each other, so that no data can be generated.
    pub fn small_instances(&self, number: usize, seed: u32) -> Result<Vec<Vec<Text>>, Report> {
        if self.givens().next().is_none() {
            return Ok(vec![Vec::new()]);
        }
        let mut known: BTreeSet<String> = BTreeSet::new();
        let mut candidates = Candidates { model: self, by_size: Vec::new(), solvable: BTreeMap::new() };
        let mut reason = None;
        let mut chosen = Vec::new();
        for most in 1..=MOST_SIZE {
            // Data of a smaller size are found again at each larger size, so correspondingly more are requested.
            let wanted = CANDIDATES * number + known.len();
            // A condition on the data may hold only for larger numbers.
            let any_solvable = candidates.solvable.values().any(|solvable| *solvable);
            let found = match self.data_of_size(most, true, wanted, any_solvable, seed) {
                Ok(found) if !found.is_empty() => Ok(found),
                _ => self.data_of_size(most, false, wanted, any_solvable, seed),
            };
            match found {
                Ok(found) => {
                    candidates.by_size.push(found.into_iter().filter(|text| known.insert(text.clone())).collect())
                }
                Err(report) => reason = Some(report),
            }
            if most >= USUAL_SIZE || most == MOST_SIZE {
                chosen = candidates.chosen(number);
                if chosen.len() == number && chosen.iter().all(|(_, text)| candidates.has_solution(text)) {
                    break;
                }
            }
        }
        match reason {
            Some(report) if chosen.is_empty() => Err(report),
            _ => {
                let texts = chosen.into_iter().enumerate();
                Ok(texts
                    .map(|(at, (_, text))| vec![Text::new(format!("instance {}", at + 1), text.as_str())])
                    .collect())
            }
        }
    }

    /// Returns true if a solution for these data was found within the budget.
    fn has_solution(&self, data: &str) -> bool {
        deep(|| {
            let search = EngineOptions::default().threads(NonZeroUsize::new(1));
            let options = SolveOptions { search, ..SolveOptions::default() };
            let instance = self.without_objective().and_then(|model| model.instance(&[Text::new("", data)]));
            let Ok(compiled) = instance.and_then(|instance| instance.compile(&options)) else { return false };
            let Some(lowered) = compiled.lowered() else { return false };
            let mut solver = incremental(&lowered.problem, &options.search);
            solver.allow(Some(WORK));
            matches!(solver.check(&[]), Ok(AssumptionResult::Satisfiable(_)))
        })
    }

    /// Data whose numbers and sizes are at most this large, unless the model requires larger ones: random data and the
    /// first data in the solver's order, in turn. Without `clipped`, the limit is only for domains without an end.
    fn data_of_size(
        &self,
        most: i64,
        clipped: bool,
        number: usize,
        any_solvable: bool,
        seed: u32,
    ) -> Result<Vec<String>, Report> {
        // If a type has more members, instances are harder, so this is tried only if fewer members give no solution.
        let members = if any_solvable { most.min(USUAL_SIZE) } else { most };
        let options = GeneratorOptions { least: 0, most, members: members.max(1) as u32, clipped };
        // If a domain depends on integers, the generator needs values for them first.
        let decided = self.decided(most);
        let generator = self
            .parameter_generator(&[], options, 1_000)
            .or_else(|_| self.parameter_generator(std::slice::from_ref(&decided), options, 1_000))?;
        let generator = Model::read(&Text::new("", generator))?.instance(&[])?;
        // With one thread and a fixed seed, the same model always gets the same data.
        let search = EngineOptions::default().seed(Some(seed)).threads(NonZeroUsize::new(1)).repeatable(true);
        let mut random = fastrand::Rng::with_seed(u64::from(seed) * MOST_SIZE as u64 + most as u64);
        let random_ones = self.random_data_of_size(options, &generator, any_solvable, &search, &mut random)?;
        let mut random_ones = random_ones.into_iter();
        let options = SolveOptions { solutions: Count::First(number), search, ..SolveOptions::default() };
        let mut found = Vec::new();
        generator.solve(&options, &mut |solution| {
            found.extend(random_ones.next());
            found.push(solution.to_essence(120));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Random data, one text for each density. If none of them has a solution, data and a solution are searched
    /// together.
    fn random_data_of_size(
        &self,
        options: GeneratorOptions,
        generator: &Instance,
        any_solvable: bool,
        search: &EngineOptions,
        random: &mut fastrand::Rng,
    ) -> Result<Vec<String>, Report> {
        let found = generator.random_solutions(&DENSITIES, search, random)?;
        let found: Vec<String> = found.iter().map(|data| data.to_essence(120)).collect();
        // Larger data are only a reserve and do not justify a search for data together with a solution.
        if any_solvable && options.most > USUAL_SIZE || found.iter().any(|data| self.has_solution(data)) {
            return Ok(found);
        }
        let mut solvable = |decided: Text| -> Result<Vec<String>, Report> {
            let is_decided = |name: &str| decided.text.contains(&format!("letting {name} be "));
            let (open, _) = self.with_open_givens(is_decided, options)?;
            let solutions =
                open.instance(std::slice::from_ref(&decided))?.random_solutions(&DENSITIES, search, random)?;
            let givens: Vec<String> = self.givens().map(str::to_owned).collect();
            let whole = |solution: Solution| {
                format!("{}\n{}", solution.showing(&givens).to_essence(120).trim_end(), decided.text)
            };
            Ok(solutions.into_iter().map(whole).collect())
        };
        // If a domain depends on integers, these get their values first.
        let both = solvable(Text::new("", "")).or_else(|_| solvable(self.decided(options.most)));
        Ok(both.unwrap_or_default().into_iter().chain(found).collect())
    }

    /// The integers among the parameters, all with this value.
    fn decided(&self, value: i64) -> Text {
        let lines = self.integer_givens().map(|name| format!("letting {name} be {value}\n"));
        Text::new("", lines.collect::<String>())
    }

    /// The model in which only the fixed parameters are still parameters and all others are decision variables, and the
    /// names of the fixed ones.
    ///
    /// # Errors
    ///
    /// Returns an error if a domain depends on a parameter that becomes a decision variable.
    fn with_open_givens(
        &self,
        is_fixed: impl Fn(&str) -> bool,
        options: GeneratorOptions,
    ) -> Result<(Model, Vec<String>), Report> {
        let fixed: Vec<String> = self.givens().filter(|name| is_fixed(name)).map(str::to_owned).collect();
        let names: FxHashSet<_> = fixed.iter().map(|name| name.as_str().into()).collect();
        Ok((self.without_objective()?.with_open_parameters(&names, options)?, fixed))
    }

    /// The model in which all parameters are decision variables except numbers and members of types, because domains
    /// depend on these; and the names of the exceptions.
    ///
    /// # Errors
    ///
    /// Returns an error if a domain depends on a further parameter.
    pub(crate) fn with_open_collections(&self) -> Result<(Model, Vec<String>), Report> {
        let is_fixed = |name: &str| self.type_of(name).is_none_or(|ty| ty == "int" || ty == name);
        let options = GeneratorOptions { least: 0, most: USUAL_SIZE, members: USUAL_SIZE as u32, clipped: true };
        self.with_open_givens(is_fixed, options)
    }

    fn integer_givens(&self) -> impl Iterator<Item = &str> {
        self.givens().filter(|name| self.type_of(name).as_deref() == Some("int"))
    }
}

/// Generated data by size.
struct Candidates<'a> {
    model: &'a Model,
    /// The data that each size adds.
    by_size: Vec<Vec<String>>,
    /// The data that have a solution, and those that have none.
    solvable: BTreeMap<String, bool>,
}

impl Candidates<'_> {
    fn has_solution(&mut self, data: &str) -> bool {
        let model = self.model;
        *self.solvable.entry(data.to_owned()).or_insert_with(|| model.has_solution(data))
    }

    /// Some data of each size, the smallest first, preferably data with a solution.
    fn chosen(&mut self, number: usize) -> Vec<(usize, String)> {
        // The first data of each size are taken, then the second ones, and so on, so that all sizes occur.
        let by_size = &self.by_size;
        let round = |round: usize| {
            by_size.iter().enumerate().filter_map(move |(size, found)| Some((size, found.get(round)?.clone())))
        };
        let all: Vec<(usize, String)> =
            (0..CANDIDATES * number).flat_map(round).take(CANDIDATES * number.max(MOST_SIZE as usize)).collect();
        let (mut chosen, mut others) = (Vec::new(), Vec::new());
        for (size, text) in all {
            let list = if self.has_solution(&text) { &mut chosen } else { &mut others };
            list.push((size, text));
            if chosen.len() == number {
                break;
            }
        }
        // If too few data have a solution, others are added, which may still show an error.
        chosen.extend(others);
        chosen.truncate(number);
        chosen.sort_by_key(|(size, text)| (*size, text.len()));
        chosen
    }
}
