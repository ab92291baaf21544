//! Statements in the units of a model: which integers of a statement are amounts, and in which unit.
//!
//! Integers in Essence count steps of their unit, so an integer compared with an amount does, too: in `cost <= 690`,
//! where `cost` has the unit 0.01, 690 is 6.90. Units flow up from the declarations ([`AmountReader::read`]), and then
//! down to integers without a unit that are compared with amounts or added to them ([`AmountReader::expect`]). A
//! statement that mixes units is left in steps as a whole.

use crate::{
    analysis::model::{Category, Expr, ExprKind, GeneratorRange, LocalId, Pattern, PatternForm, Qualifier, TypedModel},
    language::{IntType, MemberForm, Type, unit::Unit},
    lowering::EnclosingLayer,
    operators::{Lookup, Operator, symbols},
    source::Span,
};
use rustc_hash::FxHashMap;

/// The types, with units, of the parts of a statement that are shown as values, by their spans.
pub(super) type Amounts = FxHashMap<Span, Type>;

/// Finds the amounts in a statement.
pub(super) struct AmountReader<'a> {
    pub model: &'a TypedModel,
    /// Returns true if an expression has a value.
    pub is_known: &'a dyn Fn(&Expr) -> bool,
    pub locals: FxHashMap<LocalId, Type>,
    pub amounts: Amounts,
}

/// The type of an expression with the units of its integers, as far as these are known.
pub(crate) fn read_type(model: &TypedModel, expr: &Expr) -> Type {
    let is_known = |part: &Expr| part.category == Category::Constant;
    let (locals, amounts) = (FxHashMap::default(), Amounts::default());
    AmountReader { model, is_known: &is_known, locals, amounts }.read(expr).unwrap_or_else(|| expr.ty.clone())
}

impl AmountReader<'_> {
    /// The amounts in a constraint and its context; `None` if units are mixed.
    pub(super) fn of_statement(mut self, expr: &Expr, context: &[EnclosingLayer]) -> Option<Amounts> {
        for layer in context {
            match layer {
                EnclosingLayer::Assumed(condition) => {
                    self.read(condition)?;
                }
                EnclosingLayer::Qualifier(qualifier) => self.qualifier(qualifier)?,
            }
        }
        self.read(expr)?;
        Some(self.amounts)
    }

    /// Reads the context of an expression; `None` if units are mixed.
    pub(super) fn in_context(mut self, context: &[EnclosingLayer]) -> Option<Self> {
        for layer in context {
            if let EnclosingLayer::Qualifier(qualifier) = layer {
                self.qualifier(qualifier)?;
            }
        }
        Some(self)
    }

    /// The type of an expression with the units of its integers; `None` if units are mixed.
    pub(super) fn read(&mut self, expr: &Expr) -> Option<Type> {
        let ty = self.read_parts(expr)?;
        if has_unit(&ty) && (self.is_known)(expr) {
            self.amounts.insert(expr.span, ty.clone());
        }
        Some(ty)
    }

    fn read_parts(&mut self, expr: &Expr) -> Option<Type> {
        Some(match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Wrong => expr.ty.clone(),
            // Comments may declare units for a name.
            ExprKind::Global(id) => self.model.type_in_units(self.model.declaration(*id)),
            ExprKind::Local(local) => self.locals.get(local).unwrap_or(&expr.ty).clone(),
            ExprKind::Tuple(items) => {
                let types = items.iter().map(|item| self.read(item)).collect::<Option<Vec<Type>>>()?;
                match &expr.ty {
                    Type::Record(fields) => {
                        Type::Record(fields.iter().map(|(name, _)| name.clone()).zip(types).collect())
                    }
                    _ => Type::Tuple(types.into()),
                }
            }
            ExprKind::Component(whole, at) => match self.read(whole)? {
                Type::Tuple(types) => types.get(*at as usize)?.clone(),
                Type::Record(fields) => fields.get(*at as usize)?.1.clone(),
                _ => expr.ty.clone(),
            },
            ExprKind::Matrix(items, _) => {
                let element = self.joined(items)?;
                with_element(&expr.ty, element)
            }
            ExprKind::Collection(kind, items) if matches!(kind.form(), MemberForm::Values | MemberForm::Positions) => {
                let element = self.joined(items)?;
                with_element(&expr.ty, element)
            }
            ExprKind::Comprehension(comprehension) => {
                for qualifier in &comprehension.qualifiers {
                    self.qualifier(qualifier)?;
                }
                let element = self.read(&comprehension.body)?;
                with_element(&expr.ty, element)
            }
            ExprKind::Apply(operator, operands) => self.applied(operator, operands, &expr.ty)?,
            _ => {
                // The units of other expressions are unknown, so no part of them may have a unit.
                let mut mixes = false;
                expr.for_each_part(&mut |part| mixes = mixes || self.read(part).is_none_or(|ty| has_unit(&ty)));
                if mixes {
                    return None;
                }
                expr.ty.clone()
            }
        })
    }

    fn applied(&mut self, operator: &Operator, operands: &[Expr], result: &Type) -> Option<Type> {
        let types = operands.iter().map(|operand| self.read(operand)).collect::<Option<Vec<Type>>>()?;
        if let (Some(lookup), [target, argument]) = (operator.lookup, &types[..]) {
            let (from, to) = match (lookup, target) {
                (_, Type::Matrix(sides)) => (sides[0].clone(), sides[1].clone()),
                (_, Type::List(element)) => (Type::INT, (**element).clone()),
                // The argument of a function may have a unit, too, as in prices by weight.
                (Lookup::Image, ty) => match ty.as_map() {
                    Some((from, to)) => (from.clone(), to.clone()),
                    None => (Type::INT, ty.listed_member()?),
                },
                _ => return None,
            };
            // The argument of a lookup must have the unit of the keys.
            let from = join_units(&from, argument)?;
            return self.expect(&operands[1], &from).then_some(to);
        }
        let symbol = operator.symbol;
        let one_of = |list: &[crate::operators::OperatorSymbol]| list.contains(&symbol);
        if !types.iter().any(has_unit) {
            return Some(result.clone());
        }
        // Models have no unit for the product of two amounts, but a multiple of an amount is an amount.
        if one_of(&[symbols::TIMES]) {
            return match (has_unit(&types[0]), has_unit(&types[1])) {
                (true, true) => None,
                (true, false) => Some(types[0].clone()),
                _ => Some(types[1].clone()),
            };
        }
        // The quotient of two amounts in one unit is a plain number.
        if one_of(&[symbols::DIVIDE]) {
            return match (has_unit(&types[0]), has_unit(&types[1])) {
                (true, true) => join_units(&types[0], &types[1]).map(|_| result.clone()),
                (true, false) => Some(types[0].clone()),
                // A number divided by an amount has the inverse unit, which a model cannot declare.
                _ => None,
            };
        }
        if one_of(&[symbols::SUM, symbols::MIN, symbols::MAX]) && types.len() == 1 {
            return element(&types[0]);
        }
        if one_of(&[symbols::IN]) {
            // The member and the set must have the same unit; a number without a unit takes the unit of the other side.
            let member = join_units(&types[0], &element(&types[1])?)?;
            let whole = with_element(&types[1], member.clone());
            return (self.expect(&operands[0], &member) && self.expect(&operands[1], &whole)).then(|| result.clone());
        }
        let compares = matches!(result, Type::Bool)
            && types.len() == 2
            && one_of(&[
                symbols::EQUAL,
                symbols::UNEQUAL,
                symbols::LESS,
                symbols::AT_MOST,
                symbols::GREATER,
                symbols::AT_LEAST,
                symbols::SUBSET_EQ,
                symbols::LEX_LESS,
                symbols::LEX_AT_MOST,
                symbols::LEX_GREATER,
                symbols::LEX_AT_LEAST,
            ]);
        let adds = one_of(&[symbols::PLUS, symbols::MINUS, symbols::NEGATE, symbols::MODULO]);
        // `|x|` is the size of a collection, or the absolute value of an integer.
        let is_size = symbol == symbols::BARS && !matches!(types[0], Type::Int(_));
        let adds = adds || symbol == symbols::BARS && !is_size;
        if compares || adds {
            let mut all = types[0].clone();
            for ty in &types[1..] {
                all = join_units(&all, ty)?;
            }
            let fits = operands.iter().all(|operand| self.expect(operand, &all));
            return fits.then(|| if adds { all } else { result.clone() });
        }
        // Other operators, such as a power, have no meaning for amounts.
        (is_size || symbol == symbols::ALL_DIFFERENT).then(|| result.clone())
    }

    /// The common type of the elements of a literal.
    fn joined(&mut self, items: &[Expr]) -> Option<Type> {
        let mut all = Type::Any;
        for item in items {
            let ty = self.read(item)?;
            all = join_units(&all, &ty)?;
        }
        items.iter().all(|item| self.expect(item, &all)).then_some(all)
    }

    fn qualifier(&mut self, qualifier: &Qualifier) -> Option<()> {
        match qualifier {
            Qualifier::Condition(condition) => {
                self.read(condition)?;
            }
            Qualifier::Letting(pattern, value) | Qualifier::Generator(pattern, GeneratorRange::Subsets(value)) => {
                let ty = self.read(value)?;
                self.bind(pattern, &ty);
            }
            Qualifier::Generator(pattern, GeneratorRange::Members(value)) => {
                let ty = self.read(value)?;
                self.bind(pattern, &element(&ty).unwrap_or(Type::Any));
            }
            Qualifier::Generator(_, GeneratorRange::Domain(_)) => {}
        }
        Some(())
    }

    fn bind(&mut self, pattern: &Pattern, ty: &Type) {
        match (pattern, ty) {
            (Pattern::Name(local), ty) if has_unit(ty) => {
                self.locals.insert(*local, ty.clone());
            }
            // No units can be declared for the parts of other patterns.
            (Pattern::Parts(PatternForm::Tuple, items), Type::Tuple(types)) => {
                items.iter().zip(types.iter()).for_each(|(item, ty)| self.bind(item, ty));
            }
            _ => {}
        }
    }

    /// Records the unit of the integers without one in an expression. Returns false if it is not clear which of them
    /// are amounts.
    fn expect(&mut self, expr: &Expr, ty: &Type) -> bool {
        if !has_unit(ty) || self.amounts.contains_key(&expr.span) {
            return true;
        }
        // The types agree, so the parts already have their units.
        if self.read(expr).is_some_and(|own| units_of_type(&own) == units_of_type(ty)) {
            return true;
        }
        // The context determines that a written number or a parameter is an amount.
        if (self.is_known)(expr) && matches!(ty, Type::Int(_) | Type::Tuple(_)) {
            self.amounts.insert(expr.span, ty.clone());
            return true;
        }
        match (&expr.kind, ty) {
            (ExprKind::Tuple(items), Type::Tuple(types)) => {
                items.iter().zip(types.iter()).all(|(item, ty)| self.expect(item, ty))
            }
            (ExprKind::Matrix(items, _) | ExprKind::Collection(_, items), ty) => {
                element(ty).is_some_and(|element| items.iter().all(|item| self.expect(item, &element)))
            }
            (ExprKind::Comprehension(comprehension), ty) => {
                element(ty).is_some_and(|element| self.expect(&comprehension.body, &element))
            }
            (ExprKind::Apply(operator, operands), ty) => match operator.symbol {
                symbols::PLUS | symbols::MINUS | symbols::NEGATE | symbols::MODULO => {
                    operands.iter().all(|operand| self.expect(operand, ty))
                }
                // In `3 * price`, the known factor becomes an amount only if the other factor is a mere count;
                // otherwise, it stays a number.
                symbols::TIMES => match operands.iter().filter(|operand| (self.is_known)(operand)).count() {
                    0 => true,
                    _ => operands.iter().all(|operand| !(self.is_known)(operand) || self.expect(operand, ty)),
                },
                symbols::SUM | symbols::MIN | symbols::MAX if operands.len() == 1 => {
                    let whole = with_element(&operands[0].ty, ty.clone());
                    self.expect(&operands[0], &whole)
                }
                _ => !self.has_numbers(expr),
            },
            _ => !self.has_numbers(expr),
        }
    }

    /// Returns true if an expression contains an integer that is written or shown as a value.
    fn has_numbers(&self, expr: &Expr) -> bool {
        let mut found = matches!(expr.ty, Type::Int(_)) && (self.is_known)(expr);
        expr.for_each_part(&mut |part| found = found || self.has_numbers(part));
        found
    }
}

fn has_unit(ty: &Type) -> bool {
    ty.mentions(&|ty| matches!(ty, Type::Int(IntType { unit: Some(_), .. })))
}

/// The units of the integers in a type.
fn units_of_type(ty: &Type) -> Vec<Option<Unit>> {
    let mut found = match ty {
        Type::Int(int) => vec![int.unit],
        _ => Vec::new(),
    };
    ty.for_each_part(&mut |part| found.extend(units_of_type(part)));
    found
}

/// The type of the members or elements of a type.
fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Matrix(sides) => Some(sides[1].clone()),
        Type::List(element) => Some((**element).clone()),
        Type::Domain(_) => None,
        ty => ty.listed_member(),
    }
}

/// The type with another type of members or elements.
fn with_element(ty: &Type, element: Type) -> Type {
    match ty {
        Type::Matrix(sides) => Type::matrix(sides[0].clone(), element),
        Type::List(_) => Type::List(element.into()),
        Type::Collection(kind, types) if types.len() == 1 => Type::of(*kind, [element]),
        ty => ty.clone(),
    }
}

/// The union of the units in two types that are equal otherwise; `None` if they contradict each other.
fn join_units(one: &Type, other: &Type) -> Option<Type> {
    let each = |ones: &[Type], others: &[Type]| -> Option<Vec<Type>> {
        ones.iter().zip(others).map(|(one, other)| join_units(one, other)).collect()
    };
    Some(match (one, other) {
        (Type::Any, ty) | (ty, Type::Any) => ty.clone(),
        (Type::Int(one), Type::Int(other)) => {
            let contradict = matches!((one.unit, other.unit), (Some(one), Some(other)) if one != other);
            let unit = if contradict { return None } else { one.unit.or(other.unit) };
            Type::Int(IntType { unit, ..one.clone() })
        }
        (Type::Tuple(ones), Type::Tuple(others)) => Type::Tuple(each(ones, others)?.into()),
        (Type::Matrix(ones), Type::Matrix(others)) => Type::Matrix(each(ones, others)?.into()),
        (Type::Collection(kind, ones), Type::Collection(_, others)) => {
            Type::Collection(*kind, each(ones, others)?.into())
        }
        (Type::List(one), Type::List(other)) => Type::List(join_units(one, other)?.into()),
        (Type::Matrix(sides), Type::List(element)) | (Type::List(element), Type::Matrix(sides)) => {
            Type::matrix(sides[0].clone(), join_units(&sides[1], element)?)
        }
        (one, other) => match (has_unit(one), has_unit(other)) {
            (false, false) => one.clone(),
            (true, true) if one == other => one.clone(),
            (true, false) => one.clone(),
            (false, true) => other.clone(),
            _ => return None,
        },
    })
}
