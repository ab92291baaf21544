//! The notation of signatures: the operands' types and the result's, as in `(T, set of T) -> bool`.
//!
//! Types are written as in Essence, without attributes. A capital letter is any type, the same wherever
//! it occurs. `[T]` is a list or a matrix. `relation of R` is a relation of any arity; `R` is the type of its
//! tuples. `innermost T` is the type of the elements of a matrix without all its dimensions, and `domain of T`
//! a domain used as an operand. `variant` is any variant, and `alternative` the name of one of its alternatives. A
//! signature may end with `where T ordered` (bool, int or an enumerated type) or `where T enumerated` (an enumerated
//! type).
//!
//! All integers of a signature have the same tag, or none.
//!
//! Operands fit a signature if there are types for the letters with which all operands agree. Types that an operand
//! leaves open, such as the members of `{}`, are filled in from the others.

use crate::language::{Collection, Type};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signature {
    pub operands: Vec<TypePattern>,
    pub result: TypePattern,
    condition: Option<(char, TypeCondition)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TypeCondition {
    Ordered,
    Enumerated,
}

/// A type with letters in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypePattern {
    Letter(char),
    Bool,
    Int,
    List(Box<TypePattern>),
    Innermost(char),
    Tuple(Vec<TypePattern>),
    Matrix(Box<TypePattern>, Box<TypePattern>),
    Collection(Collection, Vec<TypePattern>),
    /// A relation with any number of columns; its tuples have the type of the letter.
    Tuples(Collection, char),
    Domain(Box<TypePattern>),
    /// Any variant.
    Variant,
    /// The name of an alternative of a variant, which is not an expression.
    Alternative,
}

/// The types that a signature gives to certain operands and their result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Applied {
    /// The operands' types, with the open parts filled in.
    pub operands: Vec<Type>,
    pub result: Type,
}

impl Signature {
    /// The application of the signature to operands of these types, if they fit.
    pub(crate) fn apply(&self, operands: &[&Type]) -> Option<Applied> {
        if operands.len() != self.operands.len() {
            return None;
        }
        let mut letters = Letters::default();
        for (form, ty) in self.operands.iter().zip(operands) {
            letters.fit(form, ty)?;
        }
        if let Some((letter, condition)) = self.condition {
            let holds = match (letters.get(letter), condition) {
                (Type::Any, _) => true,
                (ty, TypeCondition::Ordered) => ty.is_ordered(),
                (Type::Named(named), TypeCondition::Enumerated) => !named.unnamed,
                (_, TypeCondition::Enumerated) => false,
            };
            if !holds {
                return None;
            }
        }
        let mut filled = Vec::with_capacity(operands.len());
        for (form, ty) in self.operands.iter().zip(operands) {
            filled.push(match ty {
                // These types have no open parts, so there is nothing to fill in.
                Type::Bool | Type::Int(_) | Type::Named(_) => (*ty).clone(),
                _ => ty.join(&letters.fill(form))?,
            });
        }
        Some(Applied { operands: filled, result: letters.fill(&self.result) })
    }

    /// Returns true if the operand at this position could have this type, whatever the others are.
    pub(crate) fn accepts(&self, position: usize, ty: &Type) -> bool {
        let mut letters = Letters::default();
        self.operands.get(position).is_some_and(|form| letters.fit(form, ty).is_some())
            && self.condition.is_none_or(|(letter, _)| letters.get(letter).is_ordered())
    }

    /// The type of the members of the last operand, if this is a domain that the operands before determine. Such an
    /// operand need not be written.
    pub(crate) fn hidden_domain(&self, operands: &[&Type]) -> Option<Type> {
        let (TypePattern::Domain(members), visible) = self.operands.split_last()? else { return None };
        let letters = visible.iter().zip(operands).try_fold(Letters::default(), |mut letters, (form, ty)| {
            letters.fit(form, ty)?;
            Some(letters)
        })?;
        (visible.len() == operands.len() && matches!(letters.fill(members), Type::Named(_)))
            .then(|| letters.fill(members))
    }
}

/// The letter for the type of all integers of a signature: arithmetic keeps their tag.
const INT: char = 'i';

/// The types of the letters.
#[derive(Default)]
struct Letters(Vec<(char, Type)>);

impl Letters {
    fn get(&self, letter: char) -> Type {
        self.0.iter().find(|(known, _)| *known == letter).map_or(Type::Any, |(_, ty)| ty.clone())
    }

    fn agree(&mut self, letter: char, ty: &Type) -> Option<()> {
        match self.0.iter_mut().find(|(known, _)| *known == letter) {
            Some((_, known)) => *known = known.join(ty)?,
            None => self.0.push((letter, ty.clone())),
        }
        Some(())
    }

    fn fit(&mut self, form: &TypePattern, ty: &Type) -> Option<()> {
        match (form, ty) {
            (TypePattern::Letter(letter) | TypePattern::Innermost(letter), ty) => self.agree(*letter, ty),
            (_, Type::Any) | (TypePattern::Bool, Type::Bool) | (TypePattern::Variant, Type::Variant(_)) => Some(()),
            (TypePattern::Int, Type::Int(_)) => self.agree(INT, ty),
            (TypePattern::List(element), Type::List(ty)) | (TypePattern::Domain(element), Type::Domain(ty)) => {
                self.fit(element, ty)
            }
            (TypePattern::List(element), Type::Matrix(parts)) => self.fit(element, &parts[1]),
            (TypePattern::Matrix(index, element), Type::Matrix(parts)) => {
                self.fit(index, &parts[0])?;
                self.fit(element, &parts[1])
            }
            // A list is a matrix with indices from 1.
            (TypePattern::Matrix(index, element), Type::List(ty)) => {
                self.fit(index, &Type::INT)?;
                self.fit(element, ty)
            }
            (TypePattern::Tuples(kind, letter), Type::Collection(other, columns)) if kind == other => {
                self.agree(*letter, &Type::of_tuple(columns))
            }
            (TypePattern::Tuple(forms), Type::Tuple(types)) => self.fit_all(forms, types),
            // An empty literal has one open part, whatever its kind is.
            (TypePattern::Collection(kind, forms), Type::Collection(other, types)) if kind == other => match **types {
                [Type::Any] => Some(()),
                _ => self.fit_all(forms, types),
            },
            _ => None,
        }
    }

    fn fit_all(&mut self, forms: &[TypePattern], types: &[Type]) -> Option<()> {
        let mut pairs = forms.iter().zip(types);
        (forms.len() == types.len()).then(|| pairs.try_for_each(|(form, ty)| self.fit(form, ty)))?
    }

    fn fill(&self, form: &TypePattern) -> Type {
        let inner = |form: &TypePattern| Arc::new(self.fill(form));
        let all = |forms: &[TypePattern]| forms.iter().map(|form| self.fill(form)).collect();
        match form {
            TypePattern::Letter(letter) => self.get(*letter),
            TypePattern::Bool => Type::Bool,
            // All integers of a signature have the same tag.
            TypePattern::Int => match self.get(INT) {
                Type::Any => Type::INT,
                tagged => tagged,
            },
            TypePattern::List(element) => Type::List(inner(element)),
            TypePattern::Innermost(letter) => {
                let mut ty = self.get(*letter);
                while let Type::Matrix(_) | Type::List(_) = ty {
                    ty = ty.member().unwrap_or(Type::Any);
                }
                ty
            }
            TypePattern::Tuple(forms) => Type::Tuple(all(forms)),
            TypePattern::Matrix(index, element) => Type::matrix(self.fill(index), self.fill(element)),
            TypePattern::Collection(kind, forms) => Type::Collection(*kind, all(forms)),
            TypePattern::Tuples(kind, letter) => match self.get(*letter) {
                Type::Tuple(columns) => Type::Collection(*kind, columns),
                _ => Type::of(*kind, [Type::Any]),
            },
            TypePattern::Domain(members) => Type::Domain(inner(members)),
            TypePattern::Variant | TypePattern::Alternative => Type::Any,
        }
    }
}

/// Reads a signature; `None` if the text does not have the notation.
pub(crate) fn parse_signature(text: &str) -> Option<Signature> {
    let mut reader = SignatureReader { rest: text };
    reader.word("(")?;
    let operands = if reader.word(")").is_some() { Vec::new() } else { reader.forms(",")? };
    reader.word("->")?;
    let result = reader.form()?;
    let condition = match reader.word("where") {
        Some(()) => {
            let letter = reader.letter()?;
            let condition = if reader.word("ordered").is_some() {
                TypeCondition::Ordered
            } else {
                reader.word("enumerated")?;
                TypeCondition::Enumerated
            };
            Some((letter, condition))
        }
        None => None,
    };
    reader.rest.trim().is_empty().then_some(Signature { operands, result, condition })
}

/// The operands of a signature as written.
pub(crate) fn written_operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 1;
    let mut operands = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && character == ',' {
            operands.push(text[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    operands.retain(|operand| !operand.is_empty());
    operands
}

struct SignatureReader<'a> {
    rest: &'a str,
}

impl SignatureReader<'_> {
    fn word(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(word)?;
        Some(())
    }

    fn letter(&mut self) -> Option<char> {
        let mut characters = self.rest.trim_start().chars();
        let letter = characters.next().filter(char::is_ascii_uppercase)?;
        self.rest = characters.as_str();
        Some(letter)
    }

    /// Forms up to a closing parenthesis.
    fn forms(&mut self, separator: &str) -> Option<Vec<TypePattern>> {
        let mut forms = vec![self.form()?];
        while self.word(separator).is_some() {
            forms.push(self.form()?);
        }
        self.word(")")?;
        Some(forms)
    }

    fn boxed(&mut self) -> Option<Box<TypePattern>> {
        self.form().map(Box::new)
    }

    fn form(&mut self) -> Option<TypePattern> {
        if let Some(letter) = self.letter() {
            return Some(TypePattern::Letter(letter));
        }
        if self.word("(").is_some() {
            return self.forms(",").map(TypePattern::Tuple);
        }
        if self.word("[").is_some() {
            let element = self.boxed()?;
            self.word("]")?;
            return Some(TypePattern::List(element));
        }
        if self.word("matrix indexed by [").is_some() {
            let index = self.boxed()?;
            self.word("] of")?;
            return Some(TypePattern::Matrix(index, self.boxed()?));
        }
        if let Some(kind) = Collection::ALL.into_iter().find(|kind| self.word(kind.keyword()).is_some()) {
            return self.collection(kind);
        }
        if self.word("innermost").is_some() {
            return self.letter().map(TypePattern::Innermost);
        }
        if self.word("bool").is_some() {
            return Some(TypePattern::Bool);
        }
        if self.word("int").is_some() {
            return Some(TypePattern::Int);
        }
        if self.word("variant").is_some() {
            return Some(TypePattern::Variant);
        }
        if self.word("alternative").is_some() {
            return Some(TypePattern::Alternative);
        }
        self.word("domain of")?;
        self.boxed().map(TypePattern::Domain)
    }

    /// Reads the rest of a collection's type after the keyword.
    fn collection(&mut self, kind: Collection) -> Option<TypePattern> {
        let (before, separator, after) = kind.row().notation();
        if self.word(before.trim()).is_none() {
            self.word("of")?;
            return self.letter().map(|letter| TypePattern::Tuples(kind, letter));
        }
        let mut forms = vec![self.form()?];
        while !separator.is_empty() && self.word(separator.trim()).is_some() {
            forms.push(self.form()?);
        }
        self.word(after)?;
        Some(TypePattern::Collection(kind, forms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators;

    fn apply(signature: &str, operands: &[&Type]) -> Option<Type> {
        parse_signature(signature).and_then(|signature| signature.apply(operands)).map(|applied| applied.result)
    }

    fn set(inner: Type) -> Type {
        Type::set(inner)
    }

    fn matrix(index: Type, element: Type) -> Type {
        Type::matrix(index, element)
    }

    #[test]
    fn the_signatures_of_all_operators_can_be_read() {
        for (_, rows) in operators::families() {
            for row in rows {
                assert!(parse_signature(row.signature).is_some(), "{row:?}");
            }
        }
        assert_eq!(parse_signature("(int) -> int where"), None);
        assert_eq!(parse_signature("(list of int) -> int"), None);
    }

    #[test]
    fn a_letter_is_the_same_type_everywhere() {
        assert_eq!(apply("(T, set of T) -> bool", &[&Type::INT, &set(Type::INT)]), Some(Type::Bool));
        assert_eq!(apply("(T, set of T) -> bool", &[&Type::Bool, &set(Type::INT)]), None);
    }

    #[test]
    fn what_is_open_is_filled_in_from_the_other_operands() {
        let signature = parse_signature("(set of T, set of T) -> set of T").unwrap();
        let applied = signature.apply(&[&set(Type::Any), &set(Type::Bool)]).unwrap();
        assert_eq!(applied.operands, [set(Type::Bool), set(Type::Bool)]);
        assert_eq!(applied.result, set(Type::Bool));
    }

    #[test]
    fn lists_and_matrices_are_flattened_to_the_innermost_type() {
        let planes = matrix(Type::INT, matrix(Type::Bool, Type::List(Arc::new(set(Type::INT)))));
        assert_eq!(apply("([T]) -> [innermost T]", &[&planes]), Some(Type::List(Arc::new(set(Type::INT)))));
    }

    #[test]
    fn relations_of_any_arity_fit_a_letter() {
        let relation = Type::of(Collection::Relation, [Type::INT, Type::Bool]);
        assert_eq!(apply("(relation of R) -> set of R", &[&relation]), relation.member().map(set));
        assert_eq!(apply("(relation of (A * B)) -> set of B", &[&relation]), Some(set(Type::Bool)));
        assert_eq!(apply("(relation of (A * B * C)) -> set of B", &[&relation]), None);
    }

    #[test]
    fn arithmetic_keeps_tags() {
        let tagged = Type::tagged(Some("A".into()));
        assert_eq!(apply("(int, int) -> int", &[&tagged, &tagged]), Some(tagged.clone()));
        assert_eq!(apply("(int, int) -> int", &[&tagged, &Type::INT]), None);
        assert_eq!(apply("(set of T) -> int", &[&set(tagged)]), Some(Type::INT));
    }

    #[test]
    fn conditions_restrict_letters() {
        assert_eq!(apply("(T, T) -> bool where T ordered", &[&set(Type::INT), &set(Type::INT)]), None);
        assert_eq!(apply("([T]) -> T where T ordered", &[&matrix(Type::Bool, Type::INT)]), Some(Type::INT));
    }

    #[test]
    fn a_domain_of_a_named_type_may_be_left_out() {
        let named = Type::Named(crate::language::NamedType { name: "E".into(), id: 0, unnamed: false });
        let signature = parse_signature("(T, domain of T) -> T where T enumerated").unwrap();
        assert_eq!(signature.hidden_domain(&[&named]), Some(named));
        assert_eq!(signature.hidden_domain(&[&Type::INT]), None);
    }
}
