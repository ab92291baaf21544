//! Options that change the model for one run.

use crate::runtime::numbers::whole_number;
use clap::Args;
use conjure_like::{Model, Report};
use std::ffi::OsString;

#[derive(Args, Clone, Debug)]
pub(crate) struct WhatIfOptions {
    /// Add this requirement without changing the model: --fix 'x[1] = 3'
    #[allow(rustdoc::broken_intra_doc_links, reason = "this is the help, and not a link")]
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub fix: Vec<String>,
    /// Leave out the constraints that start on these lines, without changing the model: --relax 7,9
    #[arg(long, value_name = "LINES", value_delimiter = ',', value_parser = whole_number::<usize>(1..))]
    #[arg(allow_negative_numbers = true)]
    pub relax: Vec<usize>,
}

impl WhatIfOptions {
    /// True if the options change nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.fix.is_empty() && self.relax.is_empty()
    }

    /// The model with the additional requirements, without the constraints on the given lines.
    pub(crate) fn applied(&self, mut model: Model) -> Result<Model, Report> {
        // Lines refer to the original model, so constraints are removed before others are added.
        if !self.relax.is_empty() {
            model = model.relaxing(&self.relax)?;
        }
        if !self.fix.is_empty() {
            model = model.requiring(&self.fix)?;
        }
        Ok(model)
    }

    /// The options as words of a command line.
    pub(crate) fn words(&self) -> impl Iterator<Item = OsString> {
        let fixed = self.fix.iter().flat_map(|text| ["--fix".into(), OsString::from(text)]);
        let lines: Vec<String> = self.relax.iter().map(usize::to_string).collect();
        let relaxed = (!lines.is_empty()).then(|| ["--relax".into(), lines.join(",").into()]);
        fixed.chain(relaxed.into_iter().flatten())
    }
}
