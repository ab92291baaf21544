//! Generates small data for a model.

use super::{Count, Model, Report, SolveOptions, Text, stack::deep};
use crate::{
    rewriting::parameter_generator::GeneratorOptions,
    solver::{AssumptionResult, EngineOptions, incremental},
};
use std::{collections::BTreeSet, num::NonZeroUsize, ops::ControlFlow};

/// The largest numbers and sizes in generated data, unless the model requires larger ones.
const MOST_SIZE: i64 = 8;

/// The number of candidates for each requested instance, to find enough instances with a solution.
const CANDIDATES: usize = 3;

/// The budget for deciding if data have a solution, in the units of
/// [`Incremental::allow`](crate::solver::Incremental::allow).
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
        // The data that each size adds.
        let mut by_size: Vec<Vec<String>> = Vec::new();
        let mut reason = None;
        for most in 1..=MOST_SIZE {
            // Data of a smaller size occur again at each larger size, so ask for as many more.
            let wanted = CANDIDATES * number + known.len();
            // A condition on the data may want larger numbers.
            let found = match self.data_of_size(most, false, wanted, seed) {
                Ok(found) if !found.is_empty() => Ok(found),
                _ => self.data_of_size(most, true, wanted, seed),
            };
            let mut found = match found {
                Ok(found) => found,
                Err(report) => {
                    reason = Some(report);
                    continue;
                }
            };
            found.retain(|text| known.insert(text.clone()));
            by_size.push(found);
        }
        // Take the first data of each size, then the second, and so on, so that all sizes are represented.
        let rounds = 0..CANDIDATES * number;
        let round =
            |round: usize| by_size.iter().enumerate().filter_map(move |(size, found)| Some((size, found.get(round)?)));
        let candidates = rounds.flat_map(round).take(CANDIDATES * number.max(MOST_SIZE as usize));
        let (mut chosen, mut others) = (Vec::new(), Vec::new());
        for (size, text) in candidates {
            let list = if self.has_solution(text) { &mut chosen } else { &mut others };
            list.push((size, text));
            if chosen.len() == number {
                break;
            }
        }
        // Too few data have a solution: fill up with the others, which may still show an error.
        chosen.extend(others);
        chosen.truncate(number);
        chosen.sort_by_key(|(size, text)| (*size, text.len()));
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

    /// Data whose numbers and sizes are at most this large, where the model does not want more. If they are not
    /// clipped, this is about domains without an end.
    fn data_of_size(&self, most: i64, clipped: bool, number: usize, seed: u32) -> Result<Vec<String>, Report> {
        let options = GeneratorOptions { least: 0, most, members: most.clamp(1, 4) as u32, clipped };
        // If a domain depends on integers, the generator needs their values first.
        let sizes: Vec<String> = self.integer_givens().map(|name| format!("letting {name} be {most}")).collect();
        let decided = Text::new("", sizes.join("\n"));
        let generator = self
            .parameter_generator(&[], options, 1_000)
            .or_else(|_| self.parameter_generator(std::slice::from_ref(&decided), options, 1_000))?;
        // One thread and a fixed seed, so that the same model always gets the same data.
        let search = EngineOptions::default().seed(Some(seed)).threads(NonZeroUsize::new(1)).repeatable(true);
        let options = SolveOptions { solutions: Count::First(number), search, ..SolveOptions::default() };
        let mut found = Vec::new();
        Model::read(&Text::new("", generator))?.instance(&[])?.solve(&options, &mut |solution| {
            found.push(solution.to_essence(120));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    fn integer_givens(&self) -> impl Iterator<Item = &str> {
        self.givens().filter(|name| self.type_of(name).as_deref() == Some("int"))
    }
}
