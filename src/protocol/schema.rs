//! Generates the schema of the protocol from its types: `docs/protocol.schema.json`. The types of the npm package are
//! generated from the schema.

use super::{
    reply::{self, Line},
    request::{self, Request},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Returns the schema of requests and lines as JSON. For each request, `verbs` has its members, the members of its
/// result, and the lines before the result.
pub fn schema() -> Value {
    let mut asks = SchemaSettings::draft2020_12().into_generator();
    // There are two generators, because members with defaults are optional in a request, but an answer has all of them.
    let mut answers = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let (request, line) = (asks.subschema_for::<Request>(), answers.subschema_for::<Line>());
    let verbs = verbs(&mut asks, &mut answers);
    let mut definitions = asks.take_definitions(true);
    definitions.extend(answers.take_definitions(true));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of conjure-like",
        "description": "A request is an object of the type Request. The answer is objects of the type Line, the last \
            of which is a result or a failure.",
        "properties": {"request": request, "line": line, "verbs": {"type": "object", "properties": verbs}},
        "$defs": definitions,
    })
}

/// Nothing: a question without members, or an answer without lines before the result.
#[derive(JsonSchema)]
struct Nothing {}

fn verbs(asks: &mut SchemaGenerator, answers: &mut SchemaGenerator) -> Map<String, Value> {
    let mut verbs = Map::new();
    let mut row = |name: &str, [asks, result, line]: [Schema; 3]| {
        verbs.insert(name.to_owned(), json!({"type": "array", "prefixItems": [asks, result, line]}));
    };
    macro_rules! rows {
        ($($name:literal: $asks:ty => $result:ty, $line:ty;)*) => {
            $(row($name, [
                asks.subschema_for::<$asks>(),
                answers.subschema_for::<$result>(),
                answers.subschema_for::<$line>(),
            ]);)*
        };
    }
    rows! {
        "check": request::Check => reply::CheckResult, Nothing;
        "examine": request::Examine => reply::CheckResult, Nothing;
        "complete": request::Position => reply::CompletionsResult, Nothing;
        "hover": request::Position => reply::HoverResult, Nothing;
        "signature": request::Position => reply::SignatureResult, Nothing;
        "definition": request::Position => reply::DefinitionResult, Nothing;
        "references": request::Position => reply::ReferencesResult, Nothing;
        "rename": request::Rename => reply::EditsResult, Nothing;
        "symbols": request::Subject => reply::SymbolsResult, Nothing;
        "tokens": request::Subject => reply::TokensResult, Nothing;
        "inlay-hints": request::Part => reply::InlayHintsResult, Nothing;
        "folding": request::Subject => reply::FoldingResult, Nothing;
        "tree": request::Subject => reply::TreeResult, Nothing;
        "fit": request::Fit => reply::FitResult, Nothing;
        "format": request::Format => reply::FormatResult, Nothing;
        "solve": request::Solve => reply::SolveResult, reply::SolutionLine;
        "why": request::Why => reply::ExplainResult, reply::Progress;
        "forced": request::Forced => reply::ExplainResult, reply::Progress;
        "hint": request::Hint => reply::ExplainResult, reply::Progress;
        "search": request::Search => reply::SearchResult, Nothing;
        "explore": request::Explore => reply::ExploreResult, Nothing;
        "validate": request::Validate => reply::ValidateResult, Nothing;
        "draw": request::Draw => reply::TextResult, Nothing;
        "shape": request::Shape => reply::ShapeResult, Nothing;
        "evaluate": request::Evaluate => reply::EvaluateResult, Nothing;
        "grade": request::Grade => reply::GradeResult, reply::GradeProgress;
        "compare": request::Compare => reply::CompareResult, Nothing;
        "review": request::Review => reply::ReviewResult, Nothing;
        "ask": request::Ask => reply::AskResult, Nothing;
        "test": request::Test => reply::TestResult, reply::TestProgress;
        "fix": Nothing => reply::FixResult, Nothing;
        "instance": Nothing => reply::InstanceResult, Nothing;
        "declare": Nothing => reply::DeclareResult, Nothing;
        "form": Nothing => reply::FormResult, Nothing;
        "board": request::Board => reply::BoardResult, reply::BoardLine;
        "session": request::Session => reply::SessionResult, reply::SolutionLine;
        "puzzle": request::Puzzle => reply::PuzzleResult, Nothing;
        "operators": Nothing => reply::OperatorsResult, Nothing;
        "explain": request::Explain => reply::TextResult, Nothing;
        "import": request::Import => reply::TextResult, Nothing;
        "instances": request::DataFile => reply::InstancesResult, Nothing;
        "about": Nothing => reply::AboutResult, Nothing;
    }
    verbs
}
