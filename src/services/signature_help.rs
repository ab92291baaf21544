//! The operands of the operator or function whose parentheses are being filled in.

use super::{
    AnalysedText,
    context::{Expected, call, context},
    hover::meaning_in_markdown,
};
use crate::{
    language::{MemberForm, Type, attributes::Attribute},
    manual,
    operators::{self, signature},
};

/// The signatures of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureHelp {
    /// The signatures, one for each kind of operands.
    pub signatures: Vec<CallSignature>,
    /// The index of the operand at the offset.
    pub active: usize,
}

/// A signature of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSignature {
    /// The name with the types of the operands and the result.
    pub label: String,
    /// The types of the operands; each is a part of the label.
    pub operands: Vec<String>,
    /// An explanation in Markdown; may be empty.
    pub documentation: String,
}

/// Returns the signatures of the call around an offset.
pub(crate) fn signature_help(document: &AnalysedText, offset: usize) -> Option<SignatureHelp> {
    let (signatures, active) = match call(document, offset)? {
        Expected::Argument(word, active) => (signatures_of_word(&word), active),
        Expected::Part(_, range, active) => {
            let text = document.text()[range].to_owned();
            let generators = context(document, offset).map(|context| context.generators).unwrap_or_default();
            let generators: Vec<String> = generators.into_iter().map(|generator| generator.text).collect();
            let (operands, result) = match document.type_of_text(&text, &generators)? {
                // A relation can be called like a function that returns a Boolean.
                Type::Collection(kind, columns) if kind.form() == MemberForm::Tuples => (columns.to_vec(), Type::Bool),
                Type::Collection(kind, parts) => {
                    let sides = kind.form().components(&parts, Type::INT)?;
                    (vec![sides[0].clone()], sides[1].clone())
                }
                _ => return None,
            };
            let operands: Vec<String> = operands.iter().map(Type::to_string).collect();
            let label = format!("{text}({}) : {result}", operands.join(", "));
            (vec![CallSignature { label, operands, documentation: String::new() }], active)
        }
        _ => return None,
    };
    (!signatures.is_empty()).then_some(SignatureHelp { signatures, active })
}

/// The rows of an operator, or of an attribute that is used as a constraint.
fn signatures_of_word(word: &str) -> Vec<CallSignature> {
    let rows = operators::function(word).map(operators::rows_of_symbol).unwrap_or_default();
    let operator = |row: &&'static operators::Operator| CallSignature {
        label: format!("{word}{}", row.signature),
        operands: signature::written_operands(row.signature).into_iter().map(str::to_owned).collect(),
        documentation: meaning_in_markdown(word, &manual::of_operator("", row)),
    };
    let attribute = |row: &'static Attribute| {
        let of: Vec<&str> = row.of.iter().map(|kind| kind.keyword()).collect();
        let mut operands = vec![of.join(" or ")];
        operands.extend(row.takes_number().then(|| "int".to_owned()));
        let label = format!("{word}({}) : bool", operands.join(", "));
        CallSignature { label, operands, documentation: meaning_in_markdown(word, &manual::of_attribute(row)) }
    };
    rows.iter().map(operator).chain(Attribute::named(word).map(attribute)).collect()
}
