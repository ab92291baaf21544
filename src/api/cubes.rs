//! Splits instances into cubes.

use super::{Count, Instance, Report, SolveOptions, stack::deep};
use crate::{
    cubes::{self, CoverFault},
    diagnostic::{Code, Diagnostic},
    halt::{Halt, StopReason},
    instance::symmetry::SymmetryDetection,
    lowering::{self, Lowered, representations},
    pipeline::Cube,
};

/// The space of solutions of an instance, split into cubes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cubes {
    /// The cubes, the one with the most work first. Each solution is in exactly one cube; if the options break
    /// symmetries, at least one solution of each class is.
    pub cubes: Vec<Cube>,
    /// The number of cubes that were refuted while splitting; they are not in the list.
    pub refuted: usize,
}

impl Instance {
    /// Splits the space of solutions into about `count` cubes, for one solution or for as many as the options request.
    /// The cubes can be searched separately ([`SolveOptions::cube`]). There is always at least one: the whole space, if
    /// there is nothing to split. The inner error is the limit that ended the work.
    ///
    /// ```
    /// use conjure_like::{Count, Model, SolveOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let text = "find q : matrix indexed by [int(1..6)] of int(1..6)
    /// such that allDiff(q), allDiff([q[i] + i | i : int(1..6)]), allDiff([q[i] - i | i : int(1..6)])";
    /// let instance = Model::read(&Text::new("queens.essence", text))?.instance(&[])?;
    /// let all = SolveOptions::default().solutions(Count::All);
    /// let mut found = 0;
    /// for cube in instance.cubes(10, &all)?.expect("no limit").cubes {
    ///     let options = all.clone().cube(Some(cube));
    ///     instance.solve(&options, &mut |_| {
    ///         found += 1;
    ///         ControlFlow::Continue(())
    ///     })?;
    /// }
    /// assert_eq!(found, 4);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large for clauses, or if the build has no CaDiCaL.
    pub fn cubes(&self, count: usize, options: &SolveOptions) -> Result<Result<Cubes, StopReason>, Report> {
        // Cubes that leave out symmetric solutions would lose some of several solutions.
        let up_to_symmetry = options.solutions == Count::First(1) && options.symmetry != SymmetryDetection::Off;
        self.with_lowered(options, |lowered| {
            let split =
                cubes::split(&self.bound, &self.sources, lowered, up_to_symmetry, count.max(1), &options.search)?;
            Ok(Cubes { cubes: split.cubes, refuted: split.refuted })
        })
    }

    /// Proves that each solution is in exactly one of the cubes, and returns the fault otherwise. The inner error is
    /// the limit that ended the work.
    ///
    /// # Errors
    ///
    /// Returns an error if the cubes belong to another instance, if the instance is too large for clauses, or if the
    /// build has no CaDiCaL.
    pub fn check_cubes(
        &self,
        cubes: &[Cube],
        options: &SolveOptions,
    ) -> Result<Result<Option<CoverFault>, StopReason>, Report> {
        self.with_lowered(options, |lowered| cubes::cover(&self.bound, &self.sources, lowered, cubes, &options.search))
    }

    fn with_lowered<T>(
        &self,
        options: &SolveOptions,
        run: impl FnOnce(&Lowered) -> Result<T, Halt>,
    ) -> Result<Result<T, StopReason>, Report> {
        let made = deep(|| {
            // A cube refers to variables of the problem, so it is valid only for the same representations.
            let wanted = representations::wanted_representations(&self.bound, &options.representations)?;
            run(&lowering::lower(&self.bound.environment, &wanted, options.search.limits.clone())?)
        });
        match made {
            Ok(made) => Ok(Ok(made)),
            Err(Halt::Stopped(StopReason::Unknown(why))) => {
                let error = Diagnostic::error(Code::CUBES, format!("there are no cubes: {why}"));
                Err(self.report(vec![error]))
            }
            Err(halt) => self.limit(halt).map(Err),
        }
    }
}
