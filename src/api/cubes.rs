//! Instances in parts.

use super::{Count, Instance, Report, SolveOptions, stack::deep};
use crate::{
    cubes::{self, CoverFault, Cube, Fault},
    diagnostic::{Code, Diagnostic, Diagnostics},
    instance::symmetry::SymmetryDetection,
    lowering::Lowered,
    pipeline,
    solver::SolverStatus,
};

/// The space of solutions of an instance in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Cubes {
    /// The parts, the one with the most work first. Each solution is in exactly one; if the options break symmetries, at
    /// least one solution of each class is.
    pub cubes: Vec<Cube>,
    /// The number of parts that were refuted on the way: they are not among the cubes.
    pub refuted: usize,
}

impl Instance {
    /// Splits the space of solutions into about this many cubes, for one solution or for as many as the options want. The cubes
    /// can be searched one by one ([`SolveOptions::cube`]). There is always at least one: the whole space, if there is nothing to split.
    /// The inner error says which limit has ended the work.
    ///
    /// ```
    /// use conjure_like::{Count, Model, SolveOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let text = "find q : matrix indexed by [int(1..6)] of int(1..6)
    /// such that allDiff(q), allDiff([q[i] + i | i : int(1..6)]), allDiff([q[i] - i | i : int(1..6)])";
    /// let instance = Model::read(&Text::new("queens.essence", text))?.instance(&[])?;
    /// let all = SolveOptions { solutions: Count::All, ..SolveOptions::default() };
    /// let mut found = 0;
    /// for cube in instance.cubes(10, &all)?.expect("no limit").cubes {
    ///     let options = SolveOptions { cube: Some(cube), ..all.clone() };
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
    /// The instance is too large for clauses, or the build has no CaDiCaL.
    pub fn cubes(&self, count: usize, options: &SolveOptions) -> Result<Result<Cubes, SolverStatus>, Report> {
        let up_to_symmetry = options.solutions == Count::First(1) && options.symmetry != SymmetryDetection::Off;
        self.with_lowered(options, |lowered| {
            let split =
                cubes::split(&self.bound, &self.sources, lowered, up_to_symmetry, count.max(1), &options.search)?;
            Ok(Cubes { cubes: split.cubes, refuted: split.refuted })
        })
    }

    /// Proves that each solution is in exactly one of some cubes; otherwise says what is wrong. The inner error says which limit has
    /// ended the work.
    ///
    /// # Errors
    ///
    /// The cubes are of another instance, the instance is too large for clauses, or the build has no CaDiCaL.
    pub fn check_cubes(
        &self,
        cubes: &[Cube],
        options: &SolveOptions,
    ) -> Result<Result<Option<CoverFault>, SolverStatus>, Report> {
        self.with_lowered(options, |lowered| cubes::cover(&self.bound, &self.sources, lowered, cubes, &options.search))
    }

    fn with_lowered<T>(
        &self,
        options: &SolveOptions,
        run: impl FnOnce(&Lowered) -> Result<T, Fault>,
    ) -> Result<Result<T, SolverStatus>, Report> {
        let result = deep(|| -> Result<Result<T, Fault>, Report> {
            let mut diagnostics = Diagnostics::new();
            let wanted = pipeline::wanted(&self.bound, &options.representations, &mut diagnostics);
            let lowered = wanted
                .and_then(|wanted| pipeline::compile(&self.bound, &wanted, &[], &options.search, &mut diagnostics));
            let lowered = lowered.ok_or_else(|| self.report(diagnostics))?;
            Ok(lowered.map_err(Fault::Stopped).and_then(|lowered| run(&lowered)))
        })?;
        match result {
            Ok(made) => Ok(Ok(made)),
            Err(Fault::Refused(refused)) => Err(self.report(vec![*refused])),
            Err(Fault::Stopped(SolverStatus::Unknown(why))) => {
                let error = Diagnostic::error(Code::CUBES, format!("there are no cubes: {why}"));
                Err(self.report(vec![error]))
            }
            Err(Fault::Stopped(status)) => Ok(Err(status)),
        }
    }
}
