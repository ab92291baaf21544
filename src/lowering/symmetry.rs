//! Lex-leader constraints for the symmetries of unnamed types: the tuple of the decision variables must not be greater
//! than its image.

use super::Lowered;
use crate::{
    diagnostic::Diagnostic,
    instance::{GroundInstance, symmetry::Symmetry},
    language::{Type, Value},
    problem::Fault,
    symbolic::{LoweringRefusal, Member, Members, Repetition, Symbolic, Term, transformed},
};
use std::sync::Arc;

/// Returns the diagnostic for a refusal, with help.
fn refused_symmetry(refusal: LoweringRefusal) -> Box<Diagnostic> {
    let is_too_large = matches!(refusal, LoweringRefusal::Unbuildable(Fault::Terms));
    let diagnostic = super::refused_lowering(refusal);
    Box::new(if is_too_large {
        diagnostic.help("use --unnamed-symmetry-breaking=fast or --unnamed-symmetry-breaking=none")
    } else {
        diagnostic
    })
}

/// Adds a lex-leader constraint for each symmetry.
pub(crate) fn break_symmetries(
    instance: &GroundInstance,
    symmetries: &[Symmetry],
    mut lowered: Lowered,
) -> Result<Lowered, Box<Diagnostic>> {
    let ty = |id: &crate::analysis::model::DeclarationId| &instance.model.declaration(*id).ty;
    // A variable without an unnamed type in its type is its own image.
    let (types, terms): (Vec<Type>, Vec<Term>) = lowered
        .layout
        .iter()
        .filter(|(id, _)| ty(id).mentions_unnamed())
        .map(|(id, term)| (ty(id).clone(), term.clone()))
        .unzip();
    // A symmetry moves all variables at once, so they are compared as one tuple.
    let (ty, all) = (Type::Tuple(types.into()), Term::tuple(terms));
    let mut symbolic = Symbolic::from(lowered.problem);
    for symmetry in symmetries {
        // A symmetry has a permutation for each unnamed type. They act on different types, so their order does not
        // matter.
        let mut image = all.clone();
        for (points, pairs) in symmetry {
            let member =
                |(from, to): &(Value, Value)| Member::always(Term::Value(Value::tuple([from.clone(), to.clone()])));
            let permutation = Arc::new(Members::new(pairs.iter().map(member).collect(), Repetition::Never));
            image = transformed(&mut symbolic, &ty, &image, points, &permutation);
        }
        let greater = symbolic.less(&image, &all);
        symbolic.problem.require(!greater);
        // With many unnamed members, the comparisons can exceed the limit on terms, so each symmetry is checked.
        symbolic.check().map_err(refused_symmetry)?;
    }
    lowered.problem = symbolic.finish().map_err(refused_symmetry)?;
    Ok(lowered)
}
