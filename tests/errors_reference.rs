//! `docs/errors.md` has a section for every code, and its mistakes cause the errors that they stand under.

use conjure_like::{
    diagnostic::{Code, Diagnostics},
    pipeline,
    source::Sources,
};

/// The code blocks of a section that open with the given words.
fn blocks<'a>(section: &'a str, opening: &'a str) -> impl Iterator<Item = &'a str> {
    let fence = "```";
    section.split(fence).skip(1).step_by(2).filter_map(move |block| {
        let (first, text) = block.split_once('\n')?;
        (first == opening).then_some(text)
    })
}

/// The codes of the errors of a model, all phases through.
fn errors(text: &str) -> Vec<Code> {
    let mut sources = Sources::default();
    let source = sources.add("example.essence", text);
    let mut diagnostics = Diagnostics::new();
    if let Some(model) = pipeline::model(&sources, source, &mut diagnostics)
        && let Some(instance) = pipeline::instance(&model, &sources, &[], &mut diagnostics)
    {
        pipeline::lower(&instance, &Default::default(), &mut diagnostics);
    }
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_code_has_a_section_with_its_title() {
    for code in Code::ALL {
        let heading = format!("{code}: {}\n", code.title);
        assert!(code.explanation().starts_with(&heading), "docs/errors.md has no section `## {}`", heading.trim_end());
    }
}

#[test]
fn mistakes_cause_the_errors_that_they_stand_under() {
    let mut count = 0;
    for code in Code::ALL {
        for mistake in blocks(&code.explanation(), "essence mistake") {
            assert!(errors(mistake).contains(code), "{code} is not caused by\n{mistake}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} examples of mistakes are too few to have been found");
}

#[test]
fn corrected_examples_have_no_errors() {
    for code in Code::ALL {
        for example in blocks(&code.explanation(), "essence") {
            assert!(errors(example).is_empty(), "under {code} there are errors in\n{example}");
        }
    }
}
