//! The rules of the grammar in a reader's words, for "expected …, but found …".

use crate::syntax::parse::Rule;

/// The name of a grammar rule for a reader, in the order in which a message lists it.
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

impl Phrase {
    pub(crate) fn words(self) -> Option<String> {
        Some(match self {
            Phrase::Name => "a name".to_owned(),
            Phrase::Expression => "an expression".to_owned(),
            Phrase::Domain => "a domain such as `int(1..9)`".to_owned(),
            Phrase::Pattern => "a name or a pattern such as `(a, b)`".to_owned(),
            Phrase::Generator => "a generator such as `i : int(1..9)`".to_owned(),
            Phrase::Operator => "an operator".to_owned(),
            Phrase::Over => "`:` and a domain, `in` and a collection".to_owned(),
            Phrase::Body => "`.` before the body of the quantifier".to_owned(),
            Phrase::Mark(mark) => format!("`{mark}`"),
            Phrase::Silent => return None,
        })
    }
}

/// The phrase for a rule in messages.
pub(crate) fn phrase(rule: Rule) -> Phrase {
    use Phrase::*;
    match rule {
        Rule::name | Rule::names | Rule::any_word | Rule::field | Rule::assignment => Name,
        Rule::expression
        | Rule::plain_integer
        | Rule::integer
        | Rule::prefix
        | Rule::tight_prefix
        | Rule::parenthesis
        | Rule::square
        | Rule::brace
        | Rule::bars
        | Rule::domain_expression
        | Rule::application
        | Rule::function_word
        | Rule::spaced_application
        | Rule::aggregate_word
        | Rule::quantified
        | Rule::quantifier
        | Rule::boolean
        | Rule::tuple_literal
        | Rule::record_literal
        | Rule::variant_literal
        | Rule::collection_literal
        | Rule::collection_word
        | Rule::relation_literal
        | Rule::function_literal
        | Rule::partition_literal
        | Rule::permutation_literal
        | Rule::attribute_constraint
        | Rule::attribute_word
        | Rule::range => Expression,
        Rule::domain
        | Rule::bool_domain
        | Rule::int_domain
        | Rule::parenthesised_domain
        | Rule::tuple_domain
        | Rule::record_domain
        | Rule::variant_domain
        | Rule::matrix_domain
        | Rule::collection_domain
        | Rule::collection_domain_word
        | Rule::function_domain
        | Rule::relation_domain
        | Rule::partition_domain
        | Rule::named_domain
        | Rule::word_int => Domain,
        Rule::pattern | Rule::patterns | Rule::tuple_pattern | Rule::matrix_pattern | Rule::set_pattern => Pattern,
        Rule::generator | Rule::qualifiers | Rule::local_letting => Generator,
        Rule::power
        | Rule::multiplicative
        | Rule::additive
        | Rule::membership
        | Rule::comparison
        | Rule::conjunction
        | Rule::disjunction
        | Rule::implication => Operator,
        Rule::arrow => Mark("-->"),
        Rule::at => Silent,
        Rule::close_bar => Mark("|"),
        Rule::close_tick => Mark("`"),
        Rule::colon => Mark(":"),
        Rule::comma => Mark(","),
        Rule::over => Over,
        Rule::dot => Body,
        Rule::dots => Mark(".."),
        Rule::equals => Mark("="),
        Rule::left_arrow => Mark("<-"),
        Rule::open_brace | Rule::part => Mark("{"),
        Rule::open_bracket => Mark("["),
        Rule::open_parenthesis | Rule::cycle => Mark("("),
        Rule::times => Mark("*"),
        Rule::word_be => Mark("be"),
        Rule::word_by => Mark("by"),
        Rule::word_domain => Mark("domain"),
        Rule::word_enum => Mark("enum"),
        Rule::word_from => Mark("from"),
        Rule::word_in => Mark("in"),
        Rule::word_indexed => Mark("indexed by"),
        Rule::word_new => Mark("new type"),
        Rule::word_of => Mark("of"),
        Rule::word_on => Mark("on"),
        Rule::word_size => Mark("size"),
        Rule::word_subset_eq => Mark("subsetEq"),
        Rule::word_that => Mark("that"),
        Rule::word_type => Mark("type"),
        Rule::new_type => Mark("new type"),
        Rule::version_number => Mark("1.3"),
        _ => Silent,
    }
}
