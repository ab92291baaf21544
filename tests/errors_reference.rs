//! `docs/errors.md` and `docs/warnings.md` have a section for every code, and each example of a mistake causes the code
//! of its section.

use conjure_like::{Code, ExamineOptions, Model, Report, Severity, Text};
use std::ops::ControlFlow;

/// The code blocks of a section whose fence has this info string.
fn blocks<'a>(section: &'a str, opening: &'a str) -> impl Iterator<Item = &'a str> {
    let fence = "```";
    section.split(fence).skip(1).step_by(2).filter_map(move |block| {
        let (first, text) = block.split_once('\n')?;
        (first == opening).then_some(text)
    })
}

/// The codes of the errors and warnings of a model in all phases. Missing data count only in the section about them.
fn codes(text: &str, deep: bool, about: Code) -> Vec<Code> {
    let mut found = Vec::new();
    let mut note = |report: Report| found.extend(report.diagnostics.iter().map(|diagnostic| diagnostic.code));
    if let Err(report) = through(text, deep, &mut note) {
        note(report);
    }
    found.retain(|code| *code != Code::MISSING_PARAMETER || about == Code::MISSING_PARAMETER);
    found
}

fn through(text: &str, deep: bool, note: &mut dyn FnMut(Report)) -> Result<(), Report> {
    let model = Model::read(&Text::new("example.essence", text))?;
    note(model.warnings());
    let instance = model.instance(&[])?;
    note(instance.warnings());
    note(instance.compile(&Default::default())?.warnings());
    note(model.examine(&[instance], &ExamineOptions::default().deep(deep)));
    Ok(())
}

#[test]
fn every_code_has_a_section_with_its_title() {
    for code in Code::ALL {
        let heading = format!("{code}: {}\n", code.title);
        assert!(code.explanation().starts_with(&heading), "there is no section `## {}`", heading.trim_end());
    }
}

#[test]
fn mistakes_cause_what_they_stand_under() {
    let mut count = 0;
    for code in Code::ALL {
        for (opening, deep) in [("essence mistake", false), ("essence deep", true)] {
            for mistake in blocks(&code.explanation(), opening) {
                let found = codes(mistake, deep, *code);
                assert!(found.contains(code), "{code} is not caused by\n{mistake}but {found:?}");
                if code.severity == Severity::Warning {
                    assert_eq!(found, [*code], "in\n{mistake}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 25, "{count} examples of mistakes are too few to have been found");
}

#[test]
fn corrected_examples_are_right() {
    for code in Code::ALL {
        for example in blocks(&code.explanation(), "essence") {
            let found = codes(example, false, *code);
            // A corrected example of an error may still cause warnings, because it shows only a part of a model.
            let are_expected =
                found.iter().all(|found| code.severity == Severity::Error && found.severity == Severity::Warning);
            assert!(are_expected, "under {code} there is {found:?} in\n{example}");
        }
    }
}

/// A warning never prevents a model from being solved.
#[test]
fn models_with_warnings_can_be_solved() {
    for code in Code::ALL.iter().filter(|code| code.severity == Severity::Warning) {
        for mistake in blocks(&code.explanation(), "essence mistake") {
            let model = Model::read(&Text::new("example.essence", mistake)).expect("a legal model");
            if model.givens().next().is_none() {
                let instance = model.instance(&[]).expect("an instance");
                let solved = instance.solve(&Default::default(), &mut |_| ControlFlow::Break(()));
                assert!(solved.is_ok(), "{mistake}");
            }
        }
    }
}
