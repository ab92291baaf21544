//! The words for grammar rules in messages such as "expected …, but found …".

use crate::syntax::parse::Rule::{self, *};

/// The noun phrase for a grammar rule; messages list phrases in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phrase {
    Name,
    Expression,
    Domain,
    Pattern,
    Generator,
    Operator,
    Over,
    Body,
    Mark(&'static str),
    /// A rule that messages do not mention.
    Silent,
}

/// The phrases with their words and rules.
#[rustfmt::skip]
const PHRASES: [(Phrase, &str, &[Rule]); 8] = [
    (Phrase::Name, "a name", &[name, names, any_word, field, assignment]),
    (Phrase::Expression, "an expression", &[
        expression, plain_integer, integer, prefix, tight_prefix, parenthesis, square, brace, bars, domain_expression,
        application, function_word, spaced_application, aggregate_word, quantified, quantifier, boolean, tuple_literal,
        record_literal, variant_literal, collection_literal, collection_word, relation_literal, function_literal,
        partition_literal, permutation_literal, attribute_constraint, attribute_word, range,
    ]),
    (Phrase::Domain, "a domain such as `int(1..9)`", &[
        domain, bool_domain, int_domain, parenthesised_domain, tuple_domain, record_domain, variant_domain,
        matrix_domain, collection_domain, collection_domain_word, function_domain, relation_domain, partition_domain,
        named_domain, word_int,
    ]),
    (Phrase::Pattern, "a name or a pattern such as `(a, b)`", &[
        pattern, patterns, tuple_pattern, matrix_pattern, set_pattern,
    ]),
    (Phrase::Generator, "a generator such as `i : int(1..9)`", &[generator, qualifiers, local_letting]),
    (Phrase::Operator, "an operator", &[
        power, multiplicative, additive, membership, comparison, conjunction, disjunction, implication,
    ]),
    (Phrase::Over, "`:` and a domain, `in` and a collection", &[over]),
    (Phrase::Body, "`.` before the body of the quantifier", &[dot]),
];

#[rustfmt::skip]
const MARKS: &[(Rule, &str)] = &[
    (arrow, "-->"), (close_bar, "|"), (close_tick, "`"), (colon, ":"), (comma, ","), (dots, ".."), (equals, "="),
    (left_arrow, "<-"), (open_brace, "{"), (part, "{"), (open_bracket, "["), (open_parenthesis, "("), (cycle, "("),
    (times, "*"), (word_be, "be"), (word_by, "by"), (word_domain, "domain"), (word_enum, "enum"), (word_from, "from"),
    (word_in, "in"), (word_indexed, "indexed by"), (word_new, "new type"), (word_of, "of"), (word_on, "on"),
    (word_size, "size"), (word_subset_eq, "subsetEq"), (word_that, "that"), (word_type, "type"),
    (new_type, "new type"), (version_number, "1.3"),
];

impl Phrase {
    pub(crate) fn words(self) -> Option<String> {
        match self {
            Phrase::Mark(mark) => Some(format!("`{mark}`")),
            _ => PHRASES.iter().find(|(phrase, ..)| *phrase == self).map(|(_, words, _)| (*words).to_owned()),
        }
    }
}

/// Returns the phrase for a rule.
pub(crate) fn phrase(rule: Rule) -> Phrase {
    let mark =
        || MARKS.iter().find(|(marked, _)| *marked == rule).map_or(Phrase::Silent, |(_, mark)| Phrase::Mark(mark));
    PHRASES.iter().find(|(.., rules)| rules.contains(&rule)).map_or_else(mark, |(phrase, ..)| *phrase)
}
