//! How large and how deep an expression or a domain is: a name stands for a copy of its domain, so that a few lines can
//! stand for more than there is memory.

use super::{
    Reports,
    model::{Expr, ExprDomain, ExprKind, expressions_in_domain},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::Type,
    source::Span,
};

/// The greatest depth of a domain that names stand for, as the parser limits the depth of a written one.
pub(crate) const MOST_DEPTH: usize = 1_000;
/// The largest number of parts of the expressions that replace names, all uses together.
pub(crate) const MOST_COPIED: usize = 1_000_000;

/// The number of parts, and of levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExprSize {
    pub parts: usize,
    pub depth: usize,
}

impl ExprSize {
    pub(crate) fn of(expr: &Expr) -> ExprSize {
        let mut extent = ExprSize::default();
        match &expr.kind {
            // Domains inside are levels of their own.
            ExprKind::Domain(domain) => extent.include(ExprSize::of_domain(domain)),
            _ => expr.for_each_part(&mut |part| extent.include(ExprSize::of(part))),
        }
        extent.around()
    }

    pub(crate) fn of_domain(domain: &ExprDomain) -> ExprSize {
        let mut extent = ExprSize::default();
        match domain {
            ExprDomain::Int(_) => expressions_in_domain(domain, &mut |expr| extent.include(ExprSize::of(expr))),
            _ => domain.for_each_part(&mut |part| extent.include(ExprSize::of_domain(part))),
        }
        extent.around()
    }

    /// The extent of something with a part of this extent.
    fn include(&mut self, part: ExprSize) {
        self.parts = self.parts.saturating_add(part.parts);
        self.depth = self.depth.max(part.depth);
    }

    fn around(self) -> ExprSize {
        ExprSize { parts: self.parts.saturating_add(1), depth: self.depth + 1 }
    }
}

/// The number of parts of the domains and expressions that have replaced names.
#[derive(Default)]
pub(super) struct Copies(usize);

impl Copies {
    /// Accounts for a name that is replaced by its meaning. Names can stand for domains with names that stand for
    /// domains, so a short text can stand for a large one. Returns false, and reports it, if there are too many copies.
    pub(super) fn admit(&mut self, reports: &mut Reports, extent: ExprSize, span: Span) -> bool {
        let reported = |mistake: &Diagnostic| [Code::TOO_DEEP, Code::TOO_LARGE].contains(&mistake.code);
        if self.0 > MOST_COPIED && reports.diagnostics.iter().any(reported) {
            return false;
        }
        self.0 = self.0.saturating_add(extent.parts);
        let mistake = if extent.depth > MOST_DEPTH {
            Diagnostic::error(Code::TOO_DEEP, "the nesting is too deep")
                .at(span, format!("this name stands for more than {MOST_DEPTH} levels"))
        } else if self.0 > MOST_COPIED {
            Diagnostic::error(Code::TOO_LARGE, "the named domains are too large")
                .at(span, format!("up to this name, they have more than {MOST_COPIED} parts"))
                .note("each use of a name counts as many parts as the domain that it names")
        } else {
            return true;
        };
        self.0 = usize::MAX;
        reports.add(mistake);
        false
    }
}

/// Whether a type has more parts than names may stand for.
pub(crate) fn is_too_large(ty: &Type) -> bool {
    let mut parts = 0usize;
    count_type_parts(ty, &mut parts);
    parts > MOST_COPIED
}

fn count_type_parts(ty: &Type, parts: &mut usize) {
    *parts += 1;
    if *parts > MOST_COPIED {
        return;
    }
    ty.for_each_part(&mut |part| count_type_parts(part, parts));
}
