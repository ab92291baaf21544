//! Explanations of values that are not solutions: every statement that is printed must be false as it says.

use super::{super::statements::claims::Subject, generator, random::Random, setting, show};

/// How many models the test suite tries, and how many combinations of values on each.
const MODELS: u64 = 100;
const COMBINATIONS: usize = 3;

/// What is said wrongly of generated models, each shown once.
pub(crate) fn run() -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let mut faults = Vec::new();
    let mut broken = 0;
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let text = conjure_like::syntax::print::file(&model.file, 120);
        let Ok(subject) = Subject::new(&number.to_string(), &text, &model.parameters) else { continue };
        // A domain without a value has none to be spoilt.
        if subject.instance.undefined_domain.is_some() {
            continue;
        }
        let mut random = Random::new(seed, number);
        for _ in 0..COMBINATIONS {
            let value = |find: &conjure_like::instance::Find| {
                let at = random.below(40);
                Some((find.id, find.domain.members().take(at + 1).last()?))
            };
            let values: Option<Vec<_>> = subject.instance.finds.iter().map(value).collect();
            let Some(values) = values else { break };
            match subject.check_expectation(&values) {
                Ok(found) => broken += found,
                Err(fault) => {
                    faults
                        .push(format!("======== model {number} of seed {seed}\n{fault}\n---- model\n{}", show(&model)));
                    break;
                }
            }
        }
    }
    eprintln!("{broken} violations");
    faults
}
