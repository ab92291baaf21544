//! The statements of explanations on random models: statements about violations are false for values that are not
//! solutions, and reported contradictions and facts that are not forced are correct.

use super::{
    super::statements::claims::{Subject, solve},
    SLOW, generator,
    random::Random,
    setting, show,
};
use conjure_like::instance::Find;
use std::time::Instant;

/// The number of models in the test suite.
const MODELS: u64 = 100;
/// The number of assignments tried on each model.
const COMBINATIONS: usize = 3;
/// Models with more requirements are skipped in the test of contradictions.
const MOST_REQUIREMENTS: usize = 100;

/// Wrong claims about generated models, one for each model. `check` returns the number of claims that it has checked.
fn faults(check: impl Fn(&Subject, &mut Random) -> Result<usize, String>) -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let mut faults = Vec::new();
    let mut checked = 0;
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let text = conjure_like::syntax::print::print_file(&model.file, 120);
        let Ok(subject) = Subject::new(&number.to_string(), &text, &model.parameters) else { continue };
        // An undefined domain has no values.
        if subject.instance.undefined_domain.is_some() {
            continue;
        }
        let begin = Instant::now();
        let result = check(&subject, &mut Random::new(seed, number));
        if begin.elapsed() > SLOW {
            eprintln!("model {number} of seed {seed} takes {:.1} s", begin.elapsed().as_secs_f64());
        }
        match result {
            Ok(claims) => checked += claims,
            Err(fault) => {
                faults.push(format!("======== model {number} of seed {seed}\n{fault}\n---- model\n{}", show(&model)))
            }
        }
    }
    eprintln!("{checked} claims");
    assert!(checked > 0 || !faults.is_empty(), "nothing has been checked");
    faults
}

/// Checks the explanations of violations by random values.
pub(crate) fn violations() -> Vec<String> {
    faults(|subject, random| {
        let mut broken = 0;
        for _ in 0..COMBINATIONS {
            let value = |find: &Find| {
                let at = random.below(40);
                Some((find.id, find.domain.members().take(at + 1).last()?))
            };
            let values: Option<Vec<_>> = subject.instance.finds.iter().map(value).collect();
            let Some(values) = values else { break };
            broken += subject.check_expectation(&values)?;
        }
        Ok(broken)
    })
}

/// Checks why a model has no solution, or why a requirement is forced, and whether a variable can differ from some
/// value.
pub(crate) fn contradictions() -> Vec<String> {
    faults(|subject, random| {
        let Some(requirements) = subject.requirements(MOST_REQUIREMENTS) else { return Ok(0) };
        let instance = &subject.instance;
        if solve(instance).is_none() {
            return subject.check_conflict().map(|()| 1);
        }
        let mut forced = 0;
        if !requirements.is_empty() {
            let fact = random.pick(&requirements);
            match subject.check_forced(fact)? {
                Some(true) => forced += 1,
                Some(false) => return Err(format!("`{fact}` is a requirement, but not forced")),
                // Members of unnamed types are called `…_1`, and cannot be mentioned in a model.
                None if fact.contains("_1") || fact.contains("_2") || fact.contains("_3") => {}
                None => return Err(format!("`{fact}` is not a constraint")),
            }
        }
        for find in &instance.finds {
            let declaration = &instance.model.declarations[find.id.0 as usize];
            let at = random.below(40);
            if let Some(value) = find.domain.members().take(at + 1).last() {
                let fact = format!("{} != {}", declaration.name, instance.names.show(&value, &declaration.ty));
                forced += usize::from(subject.check_forced(&fact)? == Some(true));
            }
        }
        Ok(forced)
    })
}
