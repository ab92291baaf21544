//! `--statistics`: how much there was to do, and how long it took.

use conjure_like::lowering::Lowered;
use std::time::Instant;

/// Measures the phases of a run; says nothing if not asked to.
pub struct Stopwatch {
    asked: bool,
    started: Instant,
}

impl Stopwatch {
    pub fn start(asked: bool) -> Self {
        Stopwatch { asked, started: Instant::now() }
    }

    /// Says how long the phase took that ends here, and what came of it.
    pub fn lap(&mut self, phase: &str, what: impl FnOnce() -> String) {
        if self.asked {
            eprintln!("{phase}: {:.3} s, {}", self.started.elapsed().as_secs_f64(), what());
            self.started = Instant::now();
        }
    }
}

pub fn size(lowered: &Lowered) -> String {
    let problem = &lowered.problem;
    format!(
        "{} decision variables, {} Boolean and {} integer terms, {} constraints",
        problem.decisions().len(),
        problem.bool_count(),
        problem.int_count(),
        problem.constraints().len()
    )
}
