//! Data similar to examples.

use super::{Instance, Model, Report, Solution, Text, stack::deep};
use crate::{
    analysis::model::DeclarationKind,
    generation::{OpenProblem, ParameterManner, RandomWish},
    instance::GroundInstance,
    pipeline,
    rewriting::parameter_generator::GeneratorOptions,
    solver::EngineOptions,
};
use std::num::NonZeroUsize;

/// The range of sizes without examples, before it is scaled. Chosen.
const SIZES: (i64, i64) = (2, 5);
/// The largest integers and sizes of collections without examples, before they are scaled. Chosen.
const MOST: i64 = 8;
/// The number of members of an enumerated type whose members are data, before it is scaled. Chosen.
const MEMBERS: i64 = 3;
/// A domain with larger numbers would not be listed value by value, so a random value could not be drawn. Chosen.
const MOST_NUMBER: i64 = 999;

with_setters! {
    /// Options for generating data.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct DataWish {
        /// The factor by which the sizes in the examples are multiplied.
        pub scale: f64,
        /// The share of the possible members of collections that are present; if `None`, each value is as likely as any
        /// other.
        pub density: Option<f64>,
        /// The seed.
        pub seed: u64,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

impl Default for DataWish {
    fn default() -> Self {
        DataWish { scale: 1.0, density: None, seed: 1, search: EngineOptions::default() }
    }
}

impl Model {
    /// Returns the manner of each parameter: the properties that its values share in some examples, each of which is
    /// the data of an instance. Without examples, only the kinds of the parameters are known.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "given s : set of int(1..10)\nfind x : int(1..9)"))?;
    /// let manner = model.manner(&[vec![Text::new("1.param", "letting s be {2, 4, 7}")]])?;
    /// assert_eq!((manner[0].members, manner[0].numbers), (Some((3, 3)), Some((2, 7))));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the examples do not fit the model.
    pub fn manner(&self, examples: &[Vec<Text>]) -> Result<Vec<ParameterManner>, Report> {
        let instances = examples.iter().map(|data| self.instance(data)).collect::<Result<Vec<Instance>, _>>()?;
        let instances: Vec<&GroundInstance> = instances.iter().map(|instance| &**instance.bound.as_ref()).collect();
        let declarations = self.typed().declarations.iter();
        let manner = declarations.enumerate().filter_map(|(position, declared)| match declared.kind {
            DeclarationKind::Given(_) => Some(ParameterManner::of(&declared.name, &declared.ty, &instances)),
            DeclarationKind::GivenEnum => Some(ParameterManner::of_type(&declared.name, position, &instances)),
            _ => None,
        });
        Ok(manner.collect())
    }

    /// Returns random data with the properties in `manner` that fit the domains of the parameters and each `where`;
    /// `None` if there are no data of the chosen sizes.
    ///
    /// # Errors
    ///
    /// Returns an error if the domains of the parameters depend on each other, so that no data can be generated.
    pub fn random_data(&self, manner: &[ParameterManner], wish: &DataWish) -> Result<Option<String>, Report> {
        let mut random = fastrand::Rng::with_seed(wish.seed);
        let sizes = manner.iter().filter(|parameter| parameter.is_integer).map(|parameter| {
            let (least, most) = parameter.numbers.unwrap_or(SIZES);
            let [least, most] = [least, most].map(|end| scaled(end, wish.scale));
            (parameter.name.as_str(), random.i64(least..=most.max(least)))
        });
        let sizes: Vec<(&str, i64)> = sizes.collect();
        let (types, others): (Vec<&ParameterManner>, Vec<&ParameterManner>) =
            manner.iter().filter(|parameter| !parameter.is_integer).partition(|parameter| parameter.is_type);
        let learnt = others.iter().filter_map(|parameter| parameter.numbers);
        let least = learnt.clone().map(|(least, _)| least).min().unwrap_or(0).min(0);
        let largest_size = sizes.iter().map(|(_, size)| *size).max().unwrap_or(0);
        let scaled_members = |parameter: &&ParameterManner| Some(scaled(parameter.members?.1 as i64, wish.scale));
        let largest = others.iter().filter_map(scaled_members).chain(learnt.map(|(_, most)| most)).max();
        let members = types.iter().filter_map(scaled_members).max().unwrap_or(scaled(MEMBERS, wish.scale));
        let options = GeneratorOptions {
            least,
            most: largest.unwrap_or(scaled(MOST, wish.scale)).max(largest_size).clamp(least, MOST_NUMBER),
            members: members.clamp(1, MOST_NUMBER) as u32,
            clipped: false,
        };
        let decided: String = sizes.iter().map(|(name, size)| format!("letting {name} be {size}\n")).collect();
        let decided = Text::new("the sizes", decided);
        // The chosen sizes may not fit together. The second generator chooses sizes itself, unless a domain needs them
        // first.
        let generators = [
            self.parameter_generator(std::slice::from_ref(&decided), options, 1_000),
            self.parameter_generator(&[], options, 1_000),
        ];
        let [first, second] = generators;
        for generator in [Some(first?), second.ok()].into_iter().flatten() {
            let generator = Model::read(&Text::new(self.text().name, generator))?.instance(&[])?;
            let found = generator.random_solutions(&[wish.density], &wish.search, &mut random)?;
            let data = found.first().map(statements_of);
            // If domains depend on each other, the generator may produce data that they exclude.
            let data = data.filter(|data| self.instance(&[Text::new("", data.as_str())]).is_ok());
            if data.is_some() {
                return Ok(data);
            }
        }
        Ok(None)
    }
}

impl Instance {
    /// Returns the random solutions that are found, at most one for each of these densities. A density is the share of
    /// the possible members of collections that are present.
    pub(super) fn random_solutions(
        &self,
        densities: &[Option<f64>],
        search: &EngineOptions,
        random: &mut fastrand::Rng,
    ) -> Result<Vec<Solution>, Report> {
        // A repeatable search with one thread makes the same data for the same seed.
        let search = search.clone().threads(NonZeroUsize::new(1)).repeatable(true);
        deep(|| {
            let found = pipeline::lower_instance(&self.bound, &search).and_then(|lowered| {
                let problem = OpenProblem::new(&self.bound, &lowered, &self.sources, &[], &search)?;
                let mut solutions = Vec::new();
                for density in densities {
                    let wish = RandomWish { empty: &[], density: *density };
                    let found = problem.random_solution(&mut *problem.solver(), wish, random)?;
                    solutions.extend(found.map(|found| Solution::new(self.bound.clone(), problem.values(&found))));
                }
                Ok(solutions)
            });
            match found {
                Ok(found) => Ok(found),
                Err(halt) => self.limit(halt).map(|_| Vec::new()),
            }
        })
    }
}

/// The statements of a solution that are data.
pub(super) fn statements_of(solution: &Solution) -> String {
    let text = solution.to_essence(120);
    let is_statement = |line: &&str| !line.starts_with("language") && !line.starts_with('$') && !line.is_empty();
    text.lines().filter(is_statement).map(|line| format!("{line}\n")).collect()
}

fn scaled(number: i64, scale: f64) -> i64 {
    (number as f64 * scale).round() as i64
}
