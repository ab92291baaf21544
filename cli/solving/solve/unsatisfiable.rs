//! The message that there is no solution, with the command that explains why.

use super::SolveCommand;
use crate::inputs::roles::typed;
use conjure_like::Model;
use std::{ffi::OsString, path::Path};

impl SolveCommand {
    /// The message that an instance has no solution.
    pub(super) fn no_solutions(&self, model: &Model, parameters: Option<&Path>) -> String {
        let (what_if, said) = self.goals.without_solutions(model);
        format!("{said}\nRun `{}` to see why.", typed(self.why_words(parameters).chain(what_if.words())))
    }

    /// The message that no solution is better than the value of `--better-than`; the best solution may be worse.
    pub(super) fn no_better_solutions(&self, model: &Model, steps: Option<i64>, parameters: Option<&Path>) -> String {
        let value = steps.map_or_else(String::new, |steps| model.objective_shown(steps));
        let said = format!("No solutions found that are better than {value}.");
        if self.goals.has_wishes(model) {
            return said;
        }
        let words = self.why_words(parameters).chain(["--better".into()]).chain(self.goals.what_if.words());
        format!("{said}\nRun `{}` to see why no solution is better.", typed(words))
    }

    /// The command `why` with the inputs of an instance.
    fn why_words<'a>(&'a self, parameters: Option<&'a Path>) -> impl Iterator<Item = OsString> + use<'a> {
        ["conjure-like".into(), "why".into()].into_iter().chain(self.input_words(parameters))
    }

    /// The words for the files and statements of an instance.
    pub(super) fn input_words<'a>(&'a self, parameters: Option<&'a Path>) -> impl Iterator<Item = OsString> + use<'a> {
        let defined = self.instances.define.iter().flat_map(|text| ["-D".into(), OsString::from(text)]);
        let files = [Some(&*self.instances.model), parameters].into_iter().flatten().map(OsString::from);
        let files = files.chain(self.instances.tables().map(OsString::from));
        files.chain(defined)
    }
}
