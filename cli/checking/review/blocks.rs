//! A review as blocks.

use crate::outputs::blocks::Block;
use conjure_like::{
    ComparedVersions, Difference, DifferenceKind, InstanceReview, InterfaceChange, ModelReview, Refusal, Report,
    data_statements,
};

/// The review as blocks.
pub(super) fn blocks(review: &ModelReview, [old, new]: &[String; 2]) -> Vec<Block> {
    let mut blocks = vec![Block::Title(format!("Review of {new} against {old}")), Block::Line(review.summary())];
    if !review.interface.is_empty() {
        blocks.push(Block::Heading("Parameters and decision variables".to_owned()));
        blocks.extend(review.interface.iter().map(InterfaceChange::says).map(Block::Item));
    }
    for instance in &review.instances {
        let name = if instance.name.is_empty() { "Solutions" } else { &instance.name };
        blocks.push(Block::Heading(name.to_owned()));
        blocks.extend(instance.made_up.as_ref().map(|data| Block::Code(data_statements(data).trim_end().to_owned())));
        instance_blocks(instance, &mut blocks);
    }
    blocks
}

fn instance_blocks(instance: &InstanceReview, blocks: &mut Vec<Block>) {
    let mut sentences = instance.compared.sentences().into_iter().map(Block::Line);
    match &instance.compared {
        ComparedVersions::Unfit(reports) => {
            for report in reports.iter().flatten() {
                blocks.extend(sentences.next());
                blocks.push(Block::Code(said(report)));
            }
        }
        ComparedVersions::Incomparable(report, _) => {
            blocks.extend(sentences.next());
            blocks.push(Block::Code(said(report)));
        }
        ComparedVersions::Reviewed(review, _) => {
            let says = [
                (&review.gained, "Gained: the new version allows this, and the old one refuses it.", "The old version"),
                (&review.lost, "Lost: the old version allows this, and the new one refuses it.", "The new version"),
                (&review.objective, "The solutions are the same, but the objective differs.", ""),
            ];
            for (difference, sentence, who) in says {
                if let Some(difference) = difference {
                    blocks.push(Block::Line(sentence.to_owned()));
                    difference_blocks(difference, who, blocks);
                }
            }
        }
    }
    blocks.extend(sentences);
}

/// A report without the line break at its end.
fn said(report: &Report) -> String {
    report.to_terminal(false).trim_end().to_owned()
}

fn difference_blocks(difference: &Difference, who: &str, blocks: &mut Vec<Block>) {
    blocks.push(Block::Code(difference.solution.trim_end().to_owned()));
    if !difference.pictures.is_empty() {
        blocks.push(Block::Pictures(difference.pictures.clone()));
    }
    if let DifferenceKind::Objective(new, old) = &difference.kind {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "no objective".to_owned());
        blocks.push(Block::Line(match new {
            Some(value) if new == old => {
                format!("Both have the value {value}, but one version minimises it, and the other maximises it.")
            }
            _ => format!("Its value is {}; before, it was {}.", value(new), value(old)),
        }));
    }
    match &difference.because {
        Some(Refusal::Requirements(answer)) => {
            blocks.push(Block::Line(format!("{who} says:")));
            blocks.push(Block::Code(answer.to_text(false).trim_end().to_owned()));
        }
        Some(Refusal::Domain(report)) => {
            blocks.push(Block::Line(format!("{who} says:")));
            blocks.push(Block::Code(said(report)));
        }
        None => {}
    }
}
