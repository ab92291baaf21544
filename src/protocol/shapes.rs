//! The shapes of JSON that other rooms create and replies pass on: diagnostics, explanations and forms. They exist for
//! the schema; a test compares them with real answers.

#![expect(dead_code, reason = "the schema and the tests have the members")]

use super::positions::{Encoding, Positions};
use crate::{Code, Label, SourceId, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Several places.
pub(super) type Places = Vec<Place>;

/// A part of a text. Positions count units of UTF-16, lines and columns count from 1, columns in characters; the end is
/// exclusive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The name of the text.
    pub file: String,
    /// The first position.
    #[serde(default)]
    pub from: usize,
    /// The position after the last one.
    #[serde(default)]
    pub to: usize,
    /// The first line.
    pub line: usize,
    /// The first column.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// The column after the last one.
    pub end_column: usize,
    /// The statement about the place; for an edit, the replacement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A change of a text: `text` replaces the range. Several edits are made together, so their positions refer to the text
/// before any of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    file: String,
    from: usize,
    to: usize,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: String,
}

/// The values of an objective, or of several, which are compared one after the other.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum ObjectiveValue {
    One(f64),
    Several(Vec<f64>),
}

/// The space of solutions, as `explore` prints it with `--output-format=json`, without the solutions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Space {
    extent: String,
    found: usize,
    estimate: Option<SpaceEstimate>,
    /// The parts of the decision variables that have several values in their domains.
    parts: Vec<SpacePart>,
    /// The number of symmetries that the model shows.
    symmetries: usize,
    complete: bool,
}

/// An estimate of the number of solutions: with this confidence, the number is at most `factor` times larger or
/// smaller.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpaceEstimate {
    solutions: f64,
    factor: f64,
    confidence: f64,
}

/// A part of a decision variable.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpacePart {
    /// The name, such as `board[1, 2]`.
    name: String,
    /// The only value that the part has in all solutions.
    backbone: Option<String>,
    /// The values of its domain.
    values: Vec<SpaceValue>,
}

/// A value that a part could have by its domain.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpaceValue {
    value: String,
    /// The value as a constraint, such as `board[1, 2] = 3`.
    constraint: String,
    /// True if a solution has the value; `null` if that is not known.
    possible: Option<bool>,
    /// The number of enumerated solutions that have the value.
    solutions: usize,
}

/// An error or a warning. The first label, if there is one, is its place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Diagnostic {
    /// `error` or `warning`.
    severity: Severity,
    /// Its code, such as `E0201`.
    code: String,
    message: String,
    labels: Vec<Place>,
    help: Vec<String>,
    notes: Vec<String>,
    /// The edits that together correct the mistake.
    edits: Vec<Edit>,
    /// The diagnostic as text for people, with the lines that it is about.
    rendered: String,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Error,
    Warning,
}

/// Converts a diagnostic of an answer back to the library's form. All its places are in this text.
pub(crate) fn read_diagnostic(value: &Value, text: &str) -> Option<crate::Diagnostic> {
    let read: Diagnostic = serde_json::from_value(value.clone()).ok()?;
    let positions = Positions::new(text, Encoding::Utf16);
    let span = |from, to| Span::new(SourceId::default(), positions.byte(from), positions.byte(to));
    let label = |place: &Place| (span(place.from, place.to), place.text.clone().unwrap_or_default());
    let labels = read.labels.iter().map(label).map(|(span, text)| Label { span, text });
    let edits = read.edits.into_iter().map(|Edit { from, to, text, .. }| crate::Edit { span: span(from, to), text });
    Some(crate::Diagnostic {
        severity: match read.severity {
            Severity::Error => crate::Severity::Error,
            Severity::Warning => crate::Severity::Warning,
        },
        labels: labels.collect(),
        help: read.help,
        notes: read.notes,
        edits: edits.collect(),
        ..crate::Diagnostic::error(Code::named(&read.code)?, read.message)
    })
}

/// An explanation, as `why` and `hint` print it with `--output-format=json`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanation {
    /// The answer in a word or two.
    verdict: String,
    /// The answer as a sentence.
    says: String,
    /// Further members of some verdicts.
    #[serde(flatten)]
    further: ExplanationParts,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct ExplanationParts {
    /// The instance, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    /// The requirements, numbered from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<Reason>>,
    /// The rules behind the reasons, for readers who have no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Rule>>,
    /// True if every reason is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    /// Single changes that make a solution possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<ExplanationStep>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<Vec<String>>,
    /// The open possibilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Vec<String>>,
    /// A solution in Conjure's simple JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<BTreeMap<String, Value>>,
}

/// A requirement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reason {
    says: String,
    /// The requirement as people read it, with amounts in their units; missing if it is the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads: Option<String>,
    /// The values of the quantified names.
    with: String,
    /// The requirement in the words of its rule: a template, or the comment with the names of the instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The templates for readers of other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    words_in: Option<BTreeMap<String, String>>,
    comes_to: Vec<Finding>,
    places: Vec<Place>,
    /// The instances of a constraint that are needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<Vec<ConstraintInstance>>,
}

/// A rule in words, with its instances.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Rule {
    /// The comment above the rule, or the filled templates of its instances; names of the model are in backquotes.
    says: Vec<String>,
    /// The names of the instances; empty for templates.
    names: String,
    /// The filled templates for readers of other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    says_in: Option<BTreeMap<String, Vec<String>>>,
    /// The numbers of the reasons.
    reasons: Vec<usize>,
}

/// An instance of a constraint.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConstraintInstance {
    says: String,
    with: String,
    /// The instance in the words of its rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The templates for readers of other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    words_in: Option<BTreeMap<String, String>>,
    comes_to: Vec<Finding>,
}

/// The value of a part of a requirement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Finding {
    with: String,
    says: String,
    is: String,
    because: Option<String>,
}

/// A change of the model or of the data: its text replaces the place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Change {
    /// The number of the reason that the change is about.
    reason: usize,
    /// `leave out`, `exception`, `leave out entry` or `other number`.
    change: String,
    says: String,
    place: Place,
    text: String,
}

/// A step of a hint.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Step")]
#[serde(deny_unknown_fields)]
struct ExplanationStep {
    says: String,
    because: Vec<String>,
    reasons: Vec<Reason>,
}

/// The parameters to enter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// The first line of the comment at the top.
    title: String,
    /// The other lines.
    about: String,
    /// The directives of comments that start with `app:`.
    directives: Vec<String>,
    parameters: Vec<Parameter>,
    variables: Vec<Parameter>,
    /// The constraints and the conditions on the data.
    requirements: Vec<Requirement>,
    maximises: Option<bool>,
    /// The comment above the objective.
    objective: Option<String>,
    /// The unit of each goal.
    objective_units: Vec<Option<String>>,
    /// The data as a parameter file.
    essence: String,
}

/// A parameter or a decision variable.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    /// The comment above the declaration, with an empty line between paragraphs.
    comment: String,
    unit: Option<String>,
    domain: FormDomain,
    /// The value of a parameter in Conjure's simple JSON.
    #[serde(default)]
    value: Value,
}

/// A constraint or a condition on the data.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Requirement {
    first_line: usize,
    last_line: usize,
    comment: String,
    /// The text of a requirement that people may switch off.
    optional: Option<String>,
}

/// A domain, with the domains inside.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Domain")]
struct FormDomain {
    /// `bool`, `int`, `enum`, `type` (a `given` type), `tuple`, `record`, `variant`, `matrix`, or the word of a
    /// collection.
    kind: String,
    /// The domains inside; a matrix has its index and its elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<FormDomain>>,
    /// The fields of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    /// The members of an enumerated type that are in the domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Vec<String>>,
    /// True if the type has further members, which are not in the domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<bool>,
    /// The name of an enumerated type, or of a domain that a `letting` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The ranges of integers in steps of the unit; an open end is `null`, and so are ranges that are not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranges: Option<Vec<(Option<i64>, Option<i64>)>>,
    /// The unit of integers, such as `0.01`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// True for a total function.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<bool>,
    /// The minimum size.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<i64>,
    /// The maximum size.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Service;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    /// Reads the members with these names in all lines of an answer as their shape, and counts them.
    fn read<T: DeserializeOwned>(request: &Value, members: &[&str]) -> usize {
        let mut count = 0;
        Service::default().answer(request.clone(), &mut |line| {
            let line = json!(line);
            for member in members.iter().filter_map(|member| line.get(*member)) {
                let read = serde_json::from_value::<T>(member.clone());
                assert!(read.is_ok(), "{:?}: {member}", read.err());
                count += 1;
            }
        });
        count
    }

    #[test]
    fn what_other_rooms_make_has_its_shape() {
        let model = "given n : int(1..9)\nletting c be new type enum {r, g}\nfind x, y : int(1..n)\nfind z : c\n\
            find f : function (total) int(1..2) --> record {a : bool, b : (int(0..1), set (size 1) of c)}\n\
            such that x + y = n, x > 2, y > 2, forAll i : int(1..3) . x != i\nmaximising x";
        let request = |verb: &str, n: u32, further: Value| {
            let data = json!([{"name": "n.param", "text": format!("letting n be {n}")}]);
            let mut request = json!({"verb": verb, "model": {"name": "m", "text": model}, "data": data});
            request.as_object_mut().expect("an object").extend(further.as_object().expect("an object").clone());
            request
        };
        let expected = |text: &str| json!({"expected": {"name": "e", "text": text}});
        for (verb, n, further) in [
            ("why", 4, json!({})),
            ("why", 8, json!({"better": true})),
            ("why", 8, expected("letting x be 2")),
            ("why", 8, expected("letting x be 5")),
            ("forced", 8, json!({"constraint": "x > y"})),
            ("hint", 7, json!({"all": true})),
        ] {
            assert!(read::<Explanation>(&request(verb, n, further.clone()), &["answer"]) > 0, "{verb} {further}");
        }
        let wrong = json!({"verb": "check", "model": {"name": "m", "text": "find x : int(1..3) such that y = 1 / 0"}});
        assert_eq!(read::<Vec<Diagnostic>>(&wrong, &["diagnostics"]), 1);
        let mut forms = 0;
        Service::default().answer(request("form", 8, json!({})), &mut |line| {
            let mut line = json!(line);
            line.as_object_mut().expect("an object").remove("type");
            let read = serde_json::from_value::<Form>(line.clone());
            assert!(read.is_ok(), "{:?}: {line}", read.err());
            forms += 1;
        });
        assert_eq!(forms, 1);
    }
}
