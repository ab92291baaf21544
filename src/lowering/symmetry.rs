//! Lex-leader constraints for the symmetries of unnamed types: the tuple of the decision variables is not greater than
//! its image.

use super::Lowered;
use crate::{
    diagnostic::{Code, Diagnostic},
    instance::{Instance, symmetry::Symmetry},
    language::{Type, Value},
    symbolic::{Member, Members, Symbolic, Term},
};
use std::rc::Rc;

/// Adds a constraint for each of the symmetries.
pub fn break_symmetries(
    instance: &Instance,
    symmetries: &[Symmetry],
    lowered: &mut Lowered,
) -> Result<(), Box<Diagnostic>> {
    let ty = |id: &crate::analysis::model::DeclarationId| &instance.model.declarations[id.0 as usize].ty;
    // What no unnamed type is in is its own image.
    let (types, terms): (Vec<Type>, Vec<Term>) = lowered
        .layout
        .iter()
        .filter(|(id, _)| ty(id).mentions_unnamed())
        .map(|(id, term)| (ty(id).clone(), term.clone()))
        .unzip();
    let (ty, all) = (Type::Tuple(types.into()), Term::tuple(terms));
    let mut symbolic = Symbolic::new();
    std::mem::swap(&mut symbolic.problem, &mut lowered.problem);
    for symmetry in symmetries {
        let mut image = all.clone();
        for (points, pairs) in symmetry {
            let member =
                |(from, to): &(Value, Value)| Member::always(Term::Value(Value::tuple([from.clone(), to.clone()])));
            let permutation = Rc::new(Members::new(pairs.iter().map(member).collect(), true));
            image = symbolic.transformed(&ty, &image, points, &permutation);
        }
        let greater = symbolic.less(&image, &all);
        symbolic.problem.require(!greater);
        if symbolic.problem.exhausted() {
            let message = super::too_many_terms();
            return Err(Box::new(
                Diagnostic::error(Code::TOO_LARGE, message).help("use --unnamed-symmetry-breaking=fast, or none"),
            ));
        }
        if let Some(refusal) = symbolic.refusal.take() {
            return Err(Box::new(refusal));
        }
    }
    std::mem::swap(&mut symbolic.problem, &mut lowered.problem);
    Ok(())
}
