//! The way in which an expression is reached decides whether an undefined value there rules out all solutions.

use crate::{language::Type, operators::Operator};

/// The part of a model that requires an expression to be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RequiringPart {
    Constraint,
    Objective,
    Domain,
}

/// The way in which an expression is reached in an instance of the surrounding quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// The expression may not be reached, because decisions guard it.
    Guarded,
    Reached,
    /// The expression is always reached: if it is undefined, the nearest Boolean expression is false and there is no
    /// solution.
    Required(RequiringPart),
}

impl Reach {
    /// The reach of a part whose truth alone decides nothing.
    pub(super) fn of_boolean_part(self) -> Self {
        self.min(Reach::Reached)
    }

    /// The reach of an operand; `None` if it may be undefined, or if the truth of the other operands makes it
    /// irrelevant.
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
            // The operator can handle an undefined first operand.
            return (position > 0).then_some(Reach::Guarded);
        }
        if row.is_implication() && position == 1 {
            return guarded_by(truths[0]);
        }
        let mut others = (0..truths.len()).filter(|other| *other != position).map(|other| truths[other]);
        // In a conjunction, one false operand settles the result. In a disjunction, one true operand does, so an
        // operand matters only if all others are false.
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
