//! How an expression is reached: what an undefined value there means for the solutions.

use crate::{language::Type, operators::Operator};

/// Who asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RequiringPart {
    Constraint,
    Objective,
    Domain,
}

/// How an expression is reached in an instance of the quantifiers around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Perhaps not at all: decisions guard it.
    Guarded,
    Reached,
    /// If it is undefined, so that the nearest Boolean expression is false, there is no solution.
    Required(RequiringPart),
}

impl Reach {
    /// How a part is reached whose truth alone decides nothing.
    pub(super) fn of_boolean_part(self) -> Self {
        self.min(Reach::Reached)
    }

    /// How an operand is reached; `None` if it may be undefined, or the truth of the others makes it irrelevant.
    pub(super) fn of_operand(
        self,
        row: &Operator,
        truths: &[Option<bool>],
        position: usize,
        ty: &Type,
    ) -> Option<Reach> {
        let guarded_by = |guard: Option<bool>| match guard {
            Some(holds) => holds.then_some(self),
            None => Some(Reach::Guarded),
        };
        if row.catches_undefined {
            // What is caught may well be undefined.
            return (position > 0).then_some(Reach::Guarded);
        }
        if row.is_implication() && position == 1 {
            return guarded_by(truths[0]);
        }
        let mut others = (0..truths.len()).filter(|other| *other != position).map(|other| truths[other]);
        match row.absorbing {
            Some(false) if others.any(|truth| truth == Some(false)) => None,
            Some(false) => Some(self),
            Some(true) if truths.len() > 1 && !row.is_implication() => {
                let all = others.try_fold(true, |all, truth| match truth {
                    Some(true) => None,
                    truth => Some(all && truth == Some(false)),
                });
                all.map(|all| if all { self } else { Reach::Guarded })
            }
            _ if ty.is_boolean() => Some(self.of_boolean_part()),
            _ => Some(self),
        }
    }
}
