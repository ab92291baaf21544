//! Symmetries of a model: maps of one decision variable that send solutions to solutions, checked on the instances,
//! each with a requirement that leaves the least solution of each class.
//!
//! The maps are reversals of an index, exchanges of two indices or two values, transpositions, and the maps that
//! comments `$ symmetry: x = …` declare. If all indices, or all values, are interchangeable, two maps generate all
//! permutations. All requirements choose a least solution in the same order, so they are compatible (Flener and others:
//! Breaking row and column symmetries in matrix models, CP 2002).

use super::{
    Basis, EditProposal, ImprovementKind,
    check::{Confirmation, ConjectureChecker},
    edits::ModelEdit,
    view::ModelView,
};
use crate::{
    api::{Model, Text},
    syntax::{
        ast::{DomainKind, DomainTree},
        tokens::{TokenKind, tokens_from},
    },
};

/// A symmetry that a model may have.
struct SymmetryCandidate {
    name: String,
    says: String,
    /// The requirements that define the image of the original values. The image has the name of the variable.
    links: Vec<String>,
    /// The requirement that keeps one solution of each class.
    breaking: String,
}

/// The name of the variable with the original values; the image keeps the variable's name.
const ORIGINAL: &str = "original";

/// The symmetries of a model with the requirements that break them.
pub(super) fn propose(view: &ModelView, checker: &ConjectureChecker) -> Vec<EditProposal> {
    let mut proposals = Vec::new();
    for candidate in candidates(view) {
        if checker.is_over() {
            break;
        }
        if !is_symmetry(view, checker, &candidate) {
            continue;
        }
        proposals.push(EditProposal {
            kind: ImprovementKind::Symmetry,
            says: format!("{}: `{}` leaves one solution of each class", candidate.says, candidate.breaking),
            because: format!(
                "the map sends solutions to solutions on {}; other data may differ",
                crate::diagnostic::counted(checker.instances.len(), "instance")
            ),
            basis: Basis::OneOfEachClass,
            edits: vec![ModelEdit::Require(candidate.breaking)],
        });
    }
    proposals
}

/// True if the images of all solutions are solutions with the same value of the objective.
fn is_symmetry(view: &ModelView, checker: &ConjectureChecker, candidate: &SymmetryCandidate) -> bool {
    let original = fresh(view, ORIGINAL);
    let is_name = |text: &str| text == candidate.name;
    let Some(domain) = view.variables.get(candidate.name.as_str()) else { return false };
    let domain = view.shown_domain(domain);
    candidate.links.iter().all(|link| {
        let mut text = String::new();
        let mut at = 0;
        for token in tokens_from(view.text, 0).filter(|token| token.kind == TokenKind::Word) {
            if is_name(&view.text[token.start..token.end]) {
                text += &view.text[at..token.start];
                text += &original;
                at = token.end;
            }
        }
        text += &view.text[at..];
        // The renamed model and the link describe the images of all solutions; for a symmetry, these are the solutions.
        let link = link.replace(ORIGINAL, &original);
        text += &format!("\nfind {} : {domain}\nsuch that {link}\n", candidate.name);
        let Ok(image) = Model::read(&Text::new("", text)) else { return false };
        matches!(checker.compared(&image, &[]), Confirmation::Same(same) if same == checker.instances.len())
    })
}

fn fresh(view: &ModelView, name: &str) -> String {
    let mut fresh = name.to_owned();
    while view.text.contains(&fresh) {
        fresh.push('_');
    }
    fresh
}

/// The maps that are tried.
fn candidates(view: &ModelView) -> Vec<SymmetryCandidate> {
    let mut found = Vec::new();
    for (name, domain) in &view.variables {
        if let DomainKind::Matrix(indices, element) = &view.resolved(domain).kind {
            of_indices(view, name, indices, &mut found);
            of_values(view, name, indices, element, &mut found);
        }
    }
    found.extend(view.file.comments.iter().filter_map(|comment| {
        let text = comment.text.strip_prefix('$')?.trim().strip_prefix("symmetry:")?;
        let (name, image) = text.split_once('=')?;
        let (name, image) = (name.trim().to_owned(), image.trim());
        let domain = view.variables.get(name.as_str())?;
        let original = image_of(image, &name);
        let sign = if matches!(view.resolved(domain).kind, DomainKind::Matrix(..)) { "flatten" } else { "" };
        let breaking = match sign {
            "" => format!("{name} .<= {image}"),
            flatten => format!("{flatten}({name}) <=lex {flatten}({image})"),
        };
        let says = format!("the symmetry `{name} = {image}` of a comment");
        Some(SymmetryCandidate { links: vec![format!("{name} = ({original})")], name, says, breaking })
    }));
    found
}

/// The image with the name of the original.
fn image_of(image: &str, name: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    for token in tokens_from(image, 0).filter(|token| token.kind == TokenKind::Word) {
        if &image[token.start..token.end] == name {
            text += &image[at..token.start];
            text += ORIGINAL;
            at = token.end;
        }
    }
    text + &image[at..]
}

/// The names for the indices of a matrix.
const NAMES: [&str; 3] = ["i", "j", "k"];

/// Returns the quantifiers over indices, `forAll i : I . forAll j : J . `, and their generators, `i : I, j : J`.
fn ranges(view: &ModelView, indices: &[DomainTree]) -> (String, String) {
    let parts: Vec<String> =
        NAMES.iter().zip(indices).map(|(name, index)| format!("{name} : {}", view.shown_domain(index))).collect();
    let quantifiers = parts.iter().map(|part| format!("forAll {part} . ")).collect();
    (quantifiers, parts.join(", "))
}

/// The text of an element with another index at one position.
fn element(name: &str, arity: usize, position: usize, index: &str) -> String {
    let indices: Vec<&str> = (0..arity).map(|at| if at == position { index } else { NAMES[at] }).collect();
    format!("{name}[{}]", indices.join(", "))
}

/// Reversals and exchanges of indices, and transpositions.
fn of_indices(view: &ModelView, name: &str, indices: &[DomainTree], found: &mut Vec<SymmetryCandidate>) {
    let arity = indices.len();
    if arity > NAMES.len() {
        return;
    }
    let (quantifiers, generators) = ranges(view, indices);
    let own = element(name, arity, arity, "");
    for (position, index) in indices.iter().enumerate() {
        let Some((low, high)) = view.interval(index) else { continue };
        let (low, high, at) = (view.shown(low), view.shown(high), NAMES[position]);
        let link = |index: &str| format!("{quantifiers}{own} = {}", element(ORIGINAL, arity, position, index));
        // Exchanging the first two indices and shifting all of them generate all permutations.
        let exchange = format!("{at} + toInt({at} = {low}) * toInt({low} < {high}) - toInt({at} = {low} + 1)");
        let shift = format!("{low} + ({at} - {low} + 1) % ({high} - {low} + 1)");
        let words = ["first", "second", "third"][position];
        let line = |at: &str| {
            let parts: Vec<&str> = (0..arity).map(|own| if own == position { at } else { ".." }).collect();
            let line = format!("{name}[{}]", parts.join(", "));
            if arity > 2 { format!("flatten({line})") } else { line }
        };
        let sign = if arity == 1 { "<=" } else { "<=lex" };
        found.push(SymmetryCandidate {
            name: name.to_owned(),
            says: format!("the values of the {words} index of `{name}` can be exchanged"),
            links: vec![link(&exchange), link(&shift)],
            breaking: format!(
                "forAll {at} : int({low}..{high} - 1) . {} {sign} {}",
                line(at),
                line(&format!("{at} + 1"))
            ),
        });
        let reversed = format!("{low} + {high} - {at}");
        let image = element(name, arity, position, &reversed);
        found.push(SymmetryCandidate {
            name: name.to_owned(),
            says: format!("the {words} index of `{name}` can be reversed"),
            links: vec![link(&reversed)],
            breaking: format!("[{own} | {generators}] <=lex [{image} | {generators}]"),
        });
    }
    if let [row, column] = indices
        && view.are_same(row, column)
    {
        found.push(SymmetryCandidate {
            name: name.to_owned(),
            says: format!("rows and columns of `{name}` can be exchanged"),
            links: vec![format!("{quantifiers}{name}[i, j] = {ORIGINAL}[j, i]")],
            breaking: format!("[{name}[i, j] | {generators}] <=lex [{name}[j, i] | {generators}]"),
        });
    }
}

/// Reversals and exchanges of values.
fn of_values(
    view: &ModelView,
    name: &str,
    indices: &[DomainTree],
    domain: &DomainTree,
    found: &mut Vec<SymmetryCandidate>,
) {
    let arity = indices.len();
    let Some((low, high)) = view.interval(domain).filter(|_| arity <= NAMES.len()) else { return };
    let (low, high) = (view.shown(low), view.shown(high));
    let (quantifiers, generators) = ranges(view, indices);
    let (own, original) = (element(name, arity, arity, ""), element(ORIGINAL, arity, arity, ""));
    let exchanged = |term: &str, at: &str| format!("{term} + toInt({term} = {at}) - toInt({term} = {at} + 1)");
    let link = |value: String| format!("{quantifiers}{own} = {value}");
    found.push(SymmetryCandidate {
        name: name.to_owned(),
        says: format!("the values of `{name}` can be exchanged"),
        links: vec![
            link(format!(
                "{original} + toInt({original} = {low}) * toInt({low} < {high}) - toInt({original} = {low} + 1)"
            )),
            link(format!("{low} + ({original} - {low} + 1) % ({high} - {low} + 1)")),
        ],
        breaking: format!(
            "forAll v : int({low}..{high} - 1) . [{own} | {generators}] <=lex [{} | {generators}]",
            exchanged(&own, "v")
        ),
    });
    found.push(SymmetryCandidate {
        name: name.to_owned(),
        says: format!("the values of `{name}` can be reversed"),
        links: vec![link(format!("{low} + {high} - {original}"))],
        breaking: format!("[{own} | {generators}] <=lex [{low} + {high} - {own} | {generators}]"),
    });
}
