//! Improvements of models: the improvement that was taken out of a model is found, and no proposal changes the solutions
//! where it claims not to, as trying all values shows.

use super::suite;
use crate::{Basis, Count, ImproveOptions, Improvement, Model, SolveOptions, SolverName, Text};
use std::{collections::BTreeSet, ops::ControlFlow, path::Path};

const SUITE: &str = "tests/improvements.essence";

/// The comments of a model with a key.
fn comments<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let key = format!("$ {key}: ");
    text.lines().filter_map(|line| line.strip_prefix(key.as_str())).collect()
}

fn models() -> Vec<(String, String)> {
    let suite = suite::Suite::parse(&std::fs::read_to_string(SUITE).expect(SUITE)).expect(SUITE);
    suite.sections.into_iter().map(|section| (section.name, section.text)).collect()
}

fn instances(text: &str) -> Vec<Vec<Text>> {
    let given: Vec<_> = comments(text, "with").into_iter().map(|data| vec![Text::new("data", data)]).collect();
    if given.is_empty() { vec![Vec::new()] } else { given }
}

fn improvements(name: &str, text: &str) -> (Model, Vec<Improvement>) {
    let model = Model::read(&Text::new(name, text)).unwrap_or_else(|report| panic!("{name}: {}", report.to_lines()));
    let found = model.improvements(&instances(text), &ImproveOptions::default());
    let found = found.unwrap_or_else(|report| panic!("{name}: {}", report.to_lines()));
    (model, found)
}

/// All solutions of an instance, by trying all values; `None` if there are too many values to try.
fn solutions(model: &Model, data: &[Text]) -> Option<BTreeSet<String>> {
    let model = model.without_objective().expect("a model");
    let options = SolveOptions::default().solver(SolverName::Brute).solutions(Count::All);
    let mut found = BTreeSet::new();
    let summary = model.instance(data).ok()?.solve(&options, &mut |solution| {
        found.insert(solution.to_essence(120));
        ControlFlow::Continue(())
    });
    summary.ok()?.status.is_definite().then_some(found)
}

#[test]
fn what_was_taken_out_is_found() {
    let (mut all, mut found, mut wrong) = (0, 0, Vec::new());
    for (name, text) in models() {
        let (_, proposals) = improvements(&name, &text);
        let written = |part: &str| {
            let writes = |improvement: &&Improvement| {
                improvement.text.text.lines().any(|line| line.contains(part) && !line.starts_with("$ "))
            };
            proposals.iter().filter(writes).map(|improvement| improvement.basis).collect::<Vec<_>>()
        };
        for part in comments(&text, "found") {
            let basis = match comments(&text, "basis").first() {
                Some(&"rule") => Some(Basis::Rule),
                Some(&"checked") => Some(Basis::Checked),
                Some(&"another form") => Some(Basis::OtherForm),
                Some(_) => Some(Basis::OneOfEachClass),
                None => None,
            };
            let known = written(part);
            let is_found = known.iter().any(|known| basis.is_none_or(|basis| *known == basis));
            (all, found) = (all + 1, found + usize::from(is_found));
            if !is_found {
                let says: Vec<_> = proposals.iter().map(|one| format!("{:?}: {}", one.basis, one.says)).collect();
                wrong.push(format!("{name}: no `{part}` ({known:?}) among {says:#?}"));
            }
        }
        for part in comments(&text, "missed") {
            all += 1;
            if !written(part).is_empty() {
                wrong.push(format!("{name}: `{part}` is found now"));
            }
        }
    }
    println!("found {found} of {all}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_proposal_changes_the_solutions() {
    let mut compared = 0;
    for (name, text) in models() {
        let (model, proposals) = improvements(&name, &text);
        for data in instances(&text) {
            let Some(own) = solutions(&model, &data) else { continue };
            for improvement in &proposals {
                let changed = Model::read(&improvement.text).expect("a model");
                let Some(other) = solutions(&changed, &data) else { continue };
                match improvement.basis {
                    Basis::OneOfEachClass => {
                        assert!(other.is_subset(&own), "{name}: {}", improvement.says);
                        assert_eq!(other.is_empty(), own.is_empty(), "{name}: {}", improvement.says);
                    }
                    // The values are written differently.
                    Basis::OtherForm => assert_eq!(other.len(), own.len(), "{name}: {}", improvement.says),
                    _ => assert_eq!(other, own, "{name}: {}", improvement.says),
                }
                compared += 1;
            }
        }
    }
    println!("{compared} proposals compared");
    assert!(compared > 100, "{compared}");
}

#[test]
fn improvements_are_applied_together() {
    for (name, text) in models() {
        let (model, proposals) = improvements(&name, &text);
        let certain: Vec<_> = proposals.iter().filter(|improvement| improvement.basis == Basis::Rule).collect();
        let chosen = model.compatible_improvements(&certain);
        let changed = model.with_improvements(&chosen).unwrap_or_else(|report| panic!("{name}: {}", report.to_lines()));
        assert_eq!(changed.text.matches("$ improved (for all data): ").count(), chosen.len(), "{name}");
        let changed = Model::read(&changed).expect("a model");
        for data in instances(&text) {
            if let Some(own) = solutions(&model, &data) {
                assert_eq!(solutions(&changed, &data), Some(own), "{name}: {}", changed.text().text);
            }
        }
    }
}

#[test]
fn shipped_models_keep_their_solutions() {
    for name in ["latin-square", "n-queens", "futoshiki", "seating", "tournament"] {
        let path = format!("models/{name}.essence");
        let text = suite::read(Path::new(&path)).expect("a model");
        let model = Model::read(&Text::new(path.as_str(), text)).expect("a model");
        let instances = model.small_instances(4, 1).expect("instances");
        let options = ImproveOptions::default().with_conjectures(false);
        for improvement in model.improvements(&instances, &options).expect("improvements") {
            let changed = Model::read(&improvement.text).expect("a model");
            for data in &instances {
                if let Some(own) = solutions(&model, data) {
                    assert_eq!(solutions(&changed, data), Some(own), "{name}: {}", improvement.says);
                }
            }
        }
    }
}
