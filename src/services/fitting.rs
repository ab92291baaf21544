//! Finds the places of a model where another expression or domain fits, for clients that build models without typing.

use super::{
    AnalysedText,
    tree::{TreeNode, TreeNodeKind, tree_of_text},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Severity},
    pipeline,
    source::{Sources, Span},
    syntax::{KnownStatements, parse_expression},
};

/// The placeholder for a missing expression.
const HOLE: &str = "_";

/// Returns, for each text, the places of a model that it can replace without a further mistake. Holes do not count as
/// mistakes. If `places` is `None`, all expressions and domains of the model are tried.
pub(crate) fn fitting_places(document: &AnalysedText, places: Option<Vec<Span>>, texts: &[&str]) -> Vec<Vec<Span>> {
    let places = places.unwrap_or_else(|| {
        let mut places = Vec::new();
        tree_of_text(document).iter().for_each(|statement| append_places(statement, &mut places));
        places
    });
    let mut trial = FittingTrial { document, known: document.known.clone() };
    let mut fitting = vec![Vec::new(); texts.len()];
    let mut readable: Vec<_> = texts.iter().zip(&mut fitting).filter(|(text, _)| is_readable(text)).collect();
    for place in places {
        // The mistakes with a hole in this place do not depend on the text. They are counted on demand, because
        // counting analyses the model.
        let mut before = None;
        for (text, fits) in &mut readable {
            let mistakes = trial.mistakes(place, text);
            if mistakes == 0 || mistakes <= *before.get_or_insert_with(|| trial.mistakes(place, HOLE)) {
                fits.push(place);
            }
        }
    }
    fitting
}

/// Returns true if a text is an expression or a domain. Others are not tried in the model: the parser would mend them,
/// which hides other mistakes.
fn is_readable(text: &str) -> bool {
    let is_expression = |text: &str| {
        let mut sources = Sources::default();
        let source = sources.add("", text);
        parse_expression(source, text).is_ok()
    };
    // In backquotes, a domain is an expression.
    is_expression(text) || is_expression(&format!("`{text}`"))
}

fn append_places(node: &TreeNode, places: &mut Vec<Span>) {
    if !matches!(node.kind, TreeNodeKind::Statement | TreeNodeKind::Declaration) {
        places.push(node.span);
    }
    node.parts.iter().for_each(|part| append_places(part, places));
}

/// A model in which one part at a time is replaced.
struct FittingTrial<'a> {
    document: &'a AnalysedText,
    /// The unchanged statements, which are not parsed again.
    known: KnownStatements,
}

impl FittingTrial<'_> {
    /// The number of mistakes with a text in a place.
    fn mistakes(&mut self, place: Span, text: &str) -> usize {
        let whole = self.document.text();
        let (start, end) = (place.start as usize, place.end as usize);
        let changed = format!("{}{text}{}", &whole[..start], &whole[end..]);
        let mut sources = Sources::default();
        let source = sources.add("", changed);
        let mut diagnostics = Diagnostics::new();
        pipeline::read_in_part(&sources, source, Some(&mut self.known), &mut diagnostics);
        let is_hole = |diagnostic: &Diagnostic| diagnostic.span().is_some_and(|span| sources.text(span) == HOLE);
        let is_mistake = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error && !is_hole(diagnostic);
        diagnostics.iter().filter(is_mistake).count()
    }
}
