//! Collections that were lowered before, so that `p in defined(f)` does not list the arguments of `f` for each `p`.

use super::*;
use crate::operators::OperatorSymbol;
use rustc_hash::FxHashMap;

/// When the kept collections have more members than this together, all are forgotten.
const MOST_MEMBERS: usize = 1_000_000;

/// A part of an expression that decides, with the other parts, what it is lowered to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyPart {
    /// An operator, and the number of its operands, which decide what an overloaded one means.
    Operator(OperatorSymbol, usize),
    Tuple(usize),
    Component(u32),
    Global(DeclarationId),
    /// A constant, or the value of a quantified name.
    Value(Value),
}

/// The collections that expressions were lowered to.
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
    /// The key of a collection that operators make; `None` if the expression is not one, or if more than the expression
    /// decides what it is lowered to.
    pub(super) fn key(&self, expr: &Expr) -> Option<Vec<KeyPart>> {
        if expr.ty.collection().is_none() || !matches!(expr.kind, ExprKind::Apply(..)) {
            return None;
        }
        let mut key = Vec::new();
        self.add_key_parts(expr, &mut key).then_some(key)
    }

    /// Adds the parts of an expression; the result is whether the expression alone decides what it is lowered to.
    fn add_key_parts(&self, expr: &Expr, key: &mut Vec<KeyPart>) -> bool {
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
            // Each use of a letting may have its own local decision variables.
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
