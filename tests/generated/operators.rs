//! Applications of operators, chosen from the table by the type of their result.

use super::{expressions::index, generator::Generator, tree::*};
use crate::language::Collection;
use conjure_like::{
    language::Type,
    operators::{
        self, OperatorSymbol,
        signature::{self, Signature, TypePattern},
        symbols,
    },
    syntax::ast::{ExprTree, ExprTreeKind},
};
use std::{sync::Arc, sync::LazyLock};

struct Row {
    symbol: OperatorSymbol,
    signature: Signature,
    /// The relative frequency of the operator.
    weight: usize,
}

/// The operators that models can use.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let weight = |text: &str| match text {
        // They make large values, or are uninteresting.
        "**" | "powerSet" | "factorial" | "true" | "makeTable" => 2,
        _ => 8,
    };
    // Special forms are made elsewhere, or are about representations.
    let families = operators::families().filter(|(title, _)| *title != "special forms");
    let rows = families.flat_map(|(_, rows)| rows);
    rows.map(|row| {
        let signature = signature::parse_signature(row.signature).expect("a signature");
        let weight = match signature.result {
            // Their results fit any type, so they would dominate.
            TypePattern::Letter(_) => 3,
            _ if row.symbol == symbols::FACTORIAL => 1,
            _ => weight(row.symbol.text),
        };
        Row { symbol: row.symbol, signature, weight }
    })
    .collect()
});

/// The types of the letters of a signature.
type Letters = Vec<(char, Type)>;

impl Generator {
    pub(crate) fn operator(&mut self, ty: &Type, depth: usize) -> Option<ExprTree> {
        let mut fitting: Vec<(usize, (&Row, usize))> = Vec::new();
        let mut bindings = Vec::new();
        for row in ROWS.iter() {
            let mut letters = Letters::new();
            if bind(&row.signature.result, ty, &mut letters) {
                fitting.push((row.weight, (row, bindings.len())));
                bindings.push(letters);
            }
        }
        if fitting.is_empty() {
            return None;
        }
        let (row, binding) = self.random.weighted(&fitting);
        for _ in 0..4 {
            let mut letters = bindings[binding].clone();
            if let Some(types) = self.operand_types(row, &mut letters) {
                return Some(self.application(row, &types, depth));
            }
        }
        None
    }

    /// An application of a random operator, and its type.
    pub(crate) fn any_operator(&mut self, depth: usize) -> (ExprTree, Type) {
        loop {
            let row = self.random.pick(&ROWS);
            let mut letters = Letters::new();
            if let Some(types) = self.operand_types(row, &mut letters)
                && let Some(applied) = row.signature.apply(&types.iter().collect::<Vec<_>>())
            {
                return (self.application(row, &types, depth), applied.result);
            }
        }
    }

    /// Types for the operands that agree with the letters bound so far.
    fn operand_types(&mut self, row: &Row, letters: &mut Letters) -> Option<Vec<Type>> {
        let mut types = Vec::new();
        for form in &row.signature.operands {
            if let TypePattern::Tuples(_, letter) = form {
                // The letter of a relation's tuples must be a tuple type.
                match known(*letter, letters) {
                    Some(Type::Tuple(_)) => {}
                    Some(_) => return None,
                    None => {
                        let relation = self.relation_type();
                        letters.push((*letter, relation));
                    }
                }
            }
        }
        for form in &row.signature.operands {
            types.push(self.fill(form, letters));
        }
        let indexable = |ty: &Type| match ty {
            Type::Matrix(parts) => matches!(parts[0], Type::Bool | Type::Int(_) | Type::Named(_)),
            _ => true,
        };
        if !types.iter().all(indexable) {
            return None;
        }
        // `flatten(1, m)` removes one of at least two dimensions.
        let nested = |ty: &Type| matches!(ty.member(), Some(Type::Matrix(_) | Type::List(_)));
        if row.symbol == symbols::FLATTEN && types.len() == 2 && !nested(&types[1]) {
            return None;
        }
        let fits = row.signature.apply(&types.iter().collect::<Vec<_>>()).is_some();
        fits.then_some(types)
    }

    /// The type of the tuples of some relation.
    fn relation_type(&mut self) -> Type {
        let known: Vec<Type> = self
            .visible()
            .iter()
            .filter_map(|known| match &known.ty {
                Type::Collection(Collection::Relation, columns) => Some(Type::Tuple(columns.clone())),
                _ => None,
            })
            .collect();
        if known.is_empty() || self.random.percent(20) {
            return Type::Tuple([self.simple_type(), self.related_type()].into());
        }
        self.random.pick(&known).clone()
    }

    fn fill(&mut self, form: &TypePattern, letters: &mut Letters) -> Type {
        let mut inner = |this: &mut Self, form: &TypePattern| Arc::new(this.fill(form, letters));
        match form {
            TypePattern::Letter(letter) => match known(*letter, letters) {
                Some(ty) => ty,
                None => {
                    let ty = self.related_type();
                    letters.push((*letter, ty.clone()));
                    ty
                }
            },
            TypePattern::Variant | TypePattern::Alternative => unreachable!("in special forms alone"),
            TypePattern::Bool => Type::Bool,
            TypePattern::Int | TypePattern::Innermost(_) => Type::INT,
            TypePattern::List(element) => {
                let element = inner(self, element);
                let matrices: Vec<Type> = self
                    .visible()
                    .iter()
                    .map(|known| known.ty.clone())
                    .filter(|ty| matches!(ty, Type::Matrix(parts) if parts[1] == *element))
                    .collect();
                if !matrices.is_empty() && self.random.percent(60) {
                    return self.random.pick(&matrices).clone();
                }
                Type::List(element)
            }
            TypePattern::Tuple(forms) => Type::Tuple(forms.iter().map(|form| self.fill(form, letters)).collect()),
            TypePattern::Collection(kind, forms) => {
                Type::Collection(*kind, forms.iter().map(|form| self.fill(form, letters)).collect())
            }
            TypePattern::Matrix(at, element) => {
                let element = (*inner(self, element)).clone();
                let free = matches!(&**at, TypePattern::Letter(letter) if known(*letter, letters).is_none());
                let matrices: Vec<Type> = self
                    .visible()
                    .iter()
                    .filter_map(|known| match &known.ty {
                        Type::Matrix(parts) if parts[1] == element => Some(parts[0].clone()),
                        _ => None,
                    })
                    .collect();
                if let (true, TypePattern::Letter(letter)) = (free, &**at) {
                    let ty = if matrices.is_empty() || self.random.percent(20) {
                        self.simple_type()
                    } else {
                        self.random.pick(&matrices).clone()
                    };
                    letters.push((*letter, ty));
                }
                Type::matrix(self.fill(at, letters), element)
            }
            TypePattern::Domain(form) => Type::Domain(inner(self, form)),
            TypePattern::Tuples(_, letter) => match known(*letter, letters) {
                Some(Type::Tuple(columns)) => Type::Collection(Collection::Relation, columns),
                _ => unreachable!("the letters of relations are bound to tuples first"),
            },
        }
    }

    fn application(&mut self, row: &Row, types: &[Type], depth: usize) -> ExprTree {
        let depth = depth - 1;
        let symbol = row.symbol;
        let is = |text: &str| symbol.text == text;
        if symbol == symbols::FACTORIAL || is("factorial") {
            // Factorials of decision variables have very large bounds.
            let before = std::mem::replace(&mut self.decisions, false);
            let operand = self.expression(&types[0], depth.min(1));
            self.decisions = before;
            return apply(symbol, vec![operand]);
        }
        if symbol == symbols::FLATTEN
            && let [_, list] = types
        {
            // `flatten(1, m)` removes one dimension.
            let operand = self.expression(list, depth);
            return apply(symbol, vec![int(1), operand]);
        }
        if symbol == symbols::BARS
            && let (Type::List(_) | Type::Matrix(_), Some(element)) = (&types[0], types[0].member())
        {
            // `|…|` counts the elements of a list, but not of a matrix.
            return apply(symbol, vec![self.comprehension(&element, depth)]);
        }
        if symbol == symbols::IMAGE
            && let (Type::Collection(Collection::Relation, _), Type::Tuple(columns)) = (&types[0], &types[1])
        {
            let relation = self.expression(&types[0], depth);
            let operands = columns.iter().map(|column| self.expression(column, depth)).collect();
            return expr(ExprTreeKind::Call(Box::new(relation), operands));
        }
        let written = if is("pred") || is("succ") { 1 } else { types.len() };
        let mut operands = types[..written].iter().map(|ty| match ty {
            Type::Domain(_) => self.literal(ty, 0),
            ty => self.expression(ty, depth),
        });
        match (symbol, operands.next(), operands.next()) {
            (symbols::IMAGE, Some(function), Some(argument)) => {
                expr(ExprTreeKind::Call(Box::new(function), vec![argument]))
            }
            (symbols::INDEX, Some(matrix), Some(at)) => index(matrix, at),
            (_, first, second) => apply(symbol, first.into_iter().chain(second).chain(operands).collect()),
        }
    }
}

fn known(letter: char, letters: &Letters) -> Option<Type> {
    letters.iter().find(|(other, _)| *other == letter).map(|(_, ty)| ty.clone())
}

/// Binds letters so that the result has the wanted type.
fn bind(form: &TypePattern, ty: &Type, letters: &mut Letters) -> bool {
    match (form, ty) {
        (TypePattern::Letter(letter), ty) => match known(*letter, letters) {
            Some(known) => known == *ty,
            None => {
                letters.push((*letter, ty.clone()));
                true
            }
        },
        (TypePattern::Innermost(letter), ty) => {
            // Choose a list of this type to flatten.
            let flat = !matches!(ty, Type::Matrix(_) | Type::List(_));
            if flat {
                letters.push((*letter, Type::List(Arc::new(ty.clone()))));
            }
            flat
        }
        (TypePattern::Bool, Type::Bool) => true,
        (TypePattern::Int, ty) if *ty == Type::INT => true,
        (TypePattern::List(form), Type::List(ty)) => bind(form, ty, letters),
        (TypePattern::List(form), Type::Matrix(parts)) if parts[0] == Type::INT => bind(form, &parts[1], letters),
        (TypePattern::Tuple(forms), Type::Tuple(types)) => bind_all(forms, types, letters),
        (TypePattern::Collection(kind, forms), Type::Collection(other, types)) if kind == other => {
            bind_all(forms, types, letters)
        }
        (TypePattern::Tuples(_, letter), Type::Collection(Collection::Relation, columns)) => {
            bind(&TypePattern::Letter(*letter), &Type::Tuple(columns.clone()), letters)
        }
        _ => false,
    }
}

fn bind_all(forms: &[TypePattern], types: &[Type], letters: &mut Letters) -> bool {
    forms.len() == types.len() && forms.iter().zip(types).all(|(form, ty)| bind(form, ty, letters))
}
