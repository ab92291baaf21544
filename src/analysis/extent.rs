//! The size and depth of expressions and domains. A name stands for a copy of its domain, so that a few lines can
//! expand beyond any memory.

use super::{
    Reports,
    model::{Expr, ExprDomain, ExprKind, expressions_in_domain},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::Type,
    source::Span,
};

/// The greatest depth of a domain after its names are expanded; the parser has the same limit for written domains.
pub(crate) const MOST_DEPTH: usize = 1_000;
/// The largest number of parts of all expressions and domains that replace names. Chosen.
pub(crate) const MOST_COPIED: usize = 1_000_000;

/// The number of parts and of levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExprSize {
    pub parts: usize,
    pub depth: usize,
}

impl ExprSize {
    pub(crate) fn of(expr: &Expr) -> ExprSize {
        let mut extent = ExprSize::default();
        match &expr.kind {
            // The levels inside the domain count, too.
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

    /// Adds a part to a whole.
    fn include(&mut self, part: ExprSize) {
        self.parts = self.parts.saturating_add(part.parts);
        self.depth = self.depth.max(part.depth);
    }

    fn around(self) -> ExprSize {
        ExprSize { parts: self.parts.saturating_add(1), depth: self.depth + 1 }
    }
}

/// Counts the parts of the domains and expressions that have replaced names.
#[derive(Default)]
pub(super) struct Copies(usize);

impl Copies {
    /// Accounts for a name that is replaced by its meaning. Reports an error and returns false if there are too many
    /// copies.
    pub(super) fn admit(&mut self, reports: &mut Reports, extent: ExprSize, span: Span) -> bool {
        let reported = |mistake: &Diagnostic| [Code::TOO_DEEP, Code::TOO_LARGE].contains(&mistake.code);
        // One report is enough. Diagnostics from a trial are discarded, so after a trial the error is reported again.
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
                .note("each use of a name counts all parts of the domain that it names")
        } else {
            return true;
        };
        // The limit counts as exceeded even after an error about the depth.
        self.0 = usize::MAX;
        reports.add(mistake);
        false
    }
}

/// Returns true if a type has more parts than [`MOST_COPIED`].
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
