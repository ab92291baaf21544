//! The statements that explanations print: what values that are not solutions break is false as it says, and what is said to
//! contradict itself, or a fact that is not forced, does.

use super::{
    super::statements::claims::{Subject, solve},
    SLOW, generator,
    random::Random,
    setting, show,
};
use conjure_like::instance::Find;
use std::time::Instant;

/// How many models the test suite tries.
const MODELS: u64 = 100;
/// How many combinations of values are tried on each.
const COMBINATIONS: usize = 3;
/// Models with more requirements are left out where it is asked what follows.
const MOST_REQUIREMENTS: usize = 100;

/// What is said wrongly of generated models, each shown once; `check` returns how many claims it has checked.
fn faults(check: impl Fn(&Subject, &mut Random) -> Result<usize, String>) -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let mut faults = Vec::new();
    let mut checked = 0;
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let text = conjure_like::syntax::print::print_file(&model.file, 120);
        let Ok(subject) = Subject::new(&number.to_string(), &text, &model.parameters) else { continue };
        // A domain without a value has none to be spoilt.
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

/// Values of the decision variables.
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

/// Why a model has no solution; why a requirement holds in all solutions, and that a variable does not have some value.
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
