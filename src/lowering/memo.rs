//! Stores lowered collections, so that `p in defined(f)` does not list the arguments of `f` for each `p`.

use super::*;
use crate::operators::OperatorSymbol;
use rustc_hash::FxHashMap;

/// If all stored collections together have more members, they are dropped. Chosen.
const MOST_MEMBERS: usize = 1_000_000;

/// A part of the key of an expression. Two expressions with equal keys have the same term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyPart {
    /// An operator with the number of its operands, which together determine its meaning.
    Operator(OperatorSymbol, usize),
    Tuple(usize),
    Component(u32),
    Global(DeclarationId),
    /// A constant, or the value of a quantified name.
    Value(Value),
}

/// The lowered collections by the keys of their expressions.
#[derive(Debug, Default)]
pub(super) struct LoweredCollections {
    known: FxHashMap<Vec<KeyPart>, Partial>,
    members: usize,
}

impl LoweredCollections {
    pub(super) fn get(&self, key: &[KeyPart]) -> Option<&Partial> {
        self.known.get(key)
    }

    pub(super) fn insert(&mut self, key: Vec<KeyPart>, partial: &Partial) {
        // Only terms of collections are stored, because constants are cheap to evaluate again.
        let Term::Collection(_, members) = &partial.term else { return };
        self.members += members.members.len();
        if self.members > MOST_MEMBERS {
            self.known.clear();
            self.members = members.members.len();
        }
        self.known.insert(key, partial.clone());
    }
}

impl Lowering<'_> {
    /// Returns the key of a collection that is the result of an operator. Returns `None` for other expressions, and if
    /// the term depends on more than the expression, such as a name that stands for a variable.
    pub(super) fn key(&self, expr: &Expr) -> Option<Vec<KeyPart>> {
        if expr.ty.collection().is_none() || !matches!(expr.kind, ExprKind::Apply(..)) {
            return None;
        }
        let mut key = Vec::new();
        self.add_key_parts(expr, &mut key).then_some(key)
    }

    /// Adds the parts of an expression; returns true if the term depends on these parts only.
    fn add_key_parts(&self, expr: &Expr, key: &mut Vec<KeyPart>) -> bool {
        // The value of `catchUndef` also depends on the definedness of an operand, which is not part of the key.
        let parts = match &expr.kind {
            ExprKind::Apply(operator, operands) if !operator.catches_undefined => {
                key.push(KeyPart::Operator(operator.symbol, operands.len()));
                operands
            }
            ExprKind::Tuple(items) => {
                key.push(KeyPart::Tuple(items.len()));
                items
            }
            ExprKind::Component(tuple, position) => {
                key.push(KeyPart::Component(*position));
                std::slice::from_ref(&**tuple)
            }
            ExprKind::Constant(value) => {
                key.push(KeyPart::Value(value.clone()));
                &[]
            }
            // Each use of a letting may have new local decision variables.
            ExprKind::Global(id) => {
                key.push(KeyPart::Global(*id));
                let declaration = &self.model.declaration(*id).kind;
                if let DeclarationKind::Letting(value) = declaration
                    && self.model.has_local_finds_in(value)
                {
                    return false;
                }
                &[]
            }
            // A name without a term has a value in the environment, and the term depends only on this value.
            ExprKind::Local(id) => match (&self.locals[id.0 as usize], self.environment.local(*id)) {
                (None, Some(value)) => {
                    key.push(KeyPart::Value(value.clone()));
                    &[]
                }
                _ => return false,
            },
            _ => return false,
        };
        parts.iter().all(|part| self.add_key_parts(part, key))
    }
}
