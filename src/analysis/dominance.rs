//! Dominance relations, which compare two solutions: `fromSolution(e)` is the value of `e` in the other one.
//!
//! Inside `fromSolution(…)`, each decision variable is a local name for its value in the other solution. A `letting`
//! that depends on decision variables is analysed again there.

use super::{
    Analysis,
    extent::ExprSize,
    model::{
        Category, DeclarationId, DeclarationKind, DominanceExpr, DominanceForm, Expr, ExprKind, Local, LocalId,
        LocalOrigin,
    },
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{ExprTree, FROM_SOLUTION, PARETO},
};
use std::sync::Arc;

/// The state while a dominance relation is analysed.
#[derive(Default)]
pub(super) struct OtherSolution {
    /// The span of the enclosing `fromSolution(…)`.
    inside: Option<Span>,
    /// The local names that stand for decision variables of the other solution.
    names: Vec<(DeclarationId, LocalId)>,
}

impl Analysis<'_> {
    /// Analyses a dominance relation; returns `None` after an error.
    pub(super) fn dominance(&mut self, form: DominanceForm, relation: &ExprTree) -> Option<DominanceExpr> {
        let span = relation.span;
        if relation.trade_offs().is_some() && self.names.get(PARETO).is_none() {
            let mistake = Diagnostic::error(Code::DOMINANCE, "each goal of a dominance relation needs a direction");
            self.reports.add(
                mistake
                    .at(span, "goals without directions")
                    .help("write `dominance relation pareto(minimising …, maximising …)`, or `minimising pareto(…)`"),
            );
            return None;
        }
        let before = self.reports.mistakes();
        // From here on, `fromSolution` is allowed, and the variables inside it are recorded.
        self.dominance = Some(OtherSolution::default());
        let relation =
            self.with_intentions(relation, &|analysis, relation| analysis.condition(relation, "a dominance relation"));
        let others = self.dominance.take().map_or(Vec::new(), |other| other.names);
        // An error may hide a `fromSolution`, so the checks below would be misleading.
        if self.reports.mistakes() > before {
            return None;
        }
        if others.is_empty() {
            let mistake = Diagnostic::error(Code::DOMINANCE, "this dominance relation does not compare two solutions");
            self.reports.add(
                mistake
                    .at(span, "about one solution only")
                    .help("write `fromSolution(x)` for the value of `x` in the other solution"),
            );
            return None;
        }
        // When the relation is used, the other solution is a constant, in which local variables have no values.
        if self.model.has_local_finds_in(&relation) {
            let mistake =
                Diagnostic::error(Code::DOMINANCE, "a dominance relation cannot have local decision variables");
            self.reports.add(mistake.at(span, "contains a `find`, or names a value that does"));
            return None;
        }
        Some(DominanceExpr { form, relation, others })
    }

    /// Analyses `fromSolution(e)`.
    pub(super) fn in_another_solution(&mut self, operands: &[ExprTree], span: Span) -> Expr {
        let Some(other) = &mut self.dominance else {
            let mistake =
                Diagnostic::error(Code::DOMINANCE, format!("`{FROM_SOLUTION}` belongs in a dominance relation"));
            self.reports.add(
                mistake
                    .at(span, "no other solution is known here")
                    .help("write a statement `dominance relation …` that says when a solution is better than another"),
            );
            return Expr::wrong(span);
        };
        let [operand] = operands else {
            return self.reports.wrong_count(FROM_SOLUTION, "one expression", span);
        };
        if let Some(outer) = other.inside.replace(span) {
            other.inside = Some(outer);
            let mistake = Diagnostic::error(Code::DOMINANCE, format!("`{FROM_SOLUTION}` inside `{FROM_SOLUTION}`"));
            self.reports.add(
                mistake
                    .at(span, "inside another one")
                    .at(outer, "all of this is about the other solution")
                    .help("leave the inner one out"),
            );
            return Expr::wrong(span);
        }
        let value = self.expr(operand);
        if let Some(other) = &mut self.dominance {
            other.inside = None;
        }
        Expr { span, ..value }
    }

    /// Returns true if names stand for values in the other solution.
    pub(super) fn is_in_other_solution(&self) -> bool {
        self.dominance.as_ref().is_some_and(|other| other.inside.is_some())
    }

    /// Returns the value of a decision variable in the other solution, with one local name for each variable.
    pub(super) fn in_other_solution(&mut self, id: DeclarationId, span: Span) -> Expr {
        let declaration = self.model.declaration(id);
        let ty = declaration.ty.clone();
        let known = self.dominance.iter().flat_map(|other| &other.names).find(|(find, _)| *find == id);
        let local = match (known, &declaration.kind) {
            (Some((_, local)), _) => *local,
            (None, DeclarationKind::Find(domain)) => {
                let local = LocalId(self.model.locals.len() as u32);
                let name = format!("{FROM_SOLUTION}({})", declaration.name).into();
                let named = Local { name, span: declaration.span, ty: ty.clone() };
                self.model.locals.push(LocalOrigin::Domain(Arc::new(domain.clone())));
                self.model.local_names.push(named);
                if let Some(other) = &mut self.dominance {
                    other.names.push((id, local));
                }
                local
            }
            (None, kind) => unreachable!("{kind:?} has the same value in all solutions"),
        };
        Expr::new(ExprKind::Local(local), ty, Category::Decision, span)
    }

    /// Returns the value of a `letting` in the other solution.
    pub(super) fn letting_in_other_solution(&mut self, id: DeclarationId, span: Span) -> Expr {
        let declaration = self.model.declaration(id);
        let DeclarationKind::Letting(value) = &declaration.kind else { return Expr::wrong(span) };
        let size = ExprSize::of(value);
        let tree = self.decision_lettings.get(&id).cloned();
        let Some(tree) = tree.filter(|_| self.copies.admit(&mut self.reports, size, span)) else {
            return Expr::wrong(span);
        };
        // Names that are bound around this use must not capture names in the text of the `letting`.
        let locals = self.names.known.unbind_all();
        let value = self.expr(&tree);
        self.names.known.rebind(locals);
        Expr { span, ..value }
    }
}
