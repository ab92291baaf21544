//! The protocol of programs and pages: its schema, its types in TypeScript, the words that the Python package knows,
//! and answers of the right shape.
//!
//! `UPDATE=1 cargo test --lib inside::protocol` rewrites the files.

use super::common::up_to_date;
use crate::{
    protocol::{Line, Service, schema},
    syntax::parse::is_reserved,
};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

const SCHEMA: &str = "docs/protocol.schema.json";
const TYPES: &str = "clients/web/npm/src/protocol.ts";
const LANGUAGE: &str = "clients/python/conjure_like/language.json";

/// The schema is written with one line for each definition, so that diffs are readable.
#[test]
fn the_schema_is_up_to_date() {
    let schema = schema();
    let mut text = String::from("{\n");
    for (name, part) in schema.as_object().expect("an object") {
        match part {
            Value::Object(parts) if name.starts_with('$') || name == "properties" => {
                let lines: Vec<String> =
                    parts.iter().map(|(name, part)| format!("    {}: {part}", json!(name))).collect();
                let _ = writeln!(text, "  {}: {{\n{}\n  }},", json!(name), lines.join(",\n"));
            }
            _ => {
                let _ = writeln!(text, "  {}: {part},", json!(name));
            }
        }
    }
    // Remove the last comma and line break.
    text.truncate(text.len() - 2);
    up_to_date(SCHEMA, &(text + "\n}\n"), "protocol");
}

#[test]
fn the_types_in_typescript_are_up_to_date() {
    let schema = schema();
    let mut text = String::from(
        "// Made of docs/protocol.schema.json by a test of the library: UPDATE=1 cargo test --lib inside::protocol\n\n",
    );
    for (name, part) in schema["$defs"].as_object().expect("definitions") {
        // `Verbs` lists the members of requests and answers for each verb, which is more precise.
        if !["Request", "Line", "Reply", "ProgressLine", "Nothing"].contains(&&**name) {
            text += &declaration(name, part);
        }
    }
    text += "/** What can be asked: the further members of each request, the members of its result, and the lines before that. */\n";
    text += "export interface Verbs {\n";
    for (name, verb) in schema["properties"]["verbs"]["properties"].as_object().expect("verbs") {
        let [asks, result, line] = [0, 1, 2].map(|position| typed(&verb["prefixItems"][position]));
        let (asks, line) = (asks.replace("Nothing", "object"), line.replace("Nothing", "never"));
        let _ = writeln!(text, "  {}: [asks: {asks}, result: {result}, line: {line}];", json!(name));
    }
    text += TAIL;
    up_to_date(TYPES, &text, "protocol");
}

/// Types that follow from no definition of the schema.
const TAIL: &str = "}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Verb = keyof Verbs;

/** A request: the verb, the texts that it is about, and the further members of its verb. */
export interface Request {
  verb: string;
  model?: Text;
  data?: Text[];
  [member: string]: unknown;
}

/** The errors and warnings about a request and its texts. */
export interface Failure {
  type: \"failure\";
  diagnostics: Diagnostic[];
}

/** The further members of a request. */
export type Members<V extends Verb> = Verbs[V][0];

/** The last line, unless it is a failure. */
export type Result<V extends Verb> = { type: \"result\"; warnings?: Diagnostic[] } & Verbs[V][1];

/** A line before the last one. */
export type Line<V extends Verb> = Verbs[V][2];

/** The last line. */
export type Answer<Members> = ({ type: \"result\"; warnings?: Diagnostic[] } & Members) | Failure;

/** A solution of `board`. */
export type Filled = Solution & { chosen: (number | null)[] };
";

/// The types of the lines before the last one, with their `type`.
const LINES: [(&str, &str); 5] = [
    ("Solution", "solution"),
    ("Progress", "progress"),
    ("GradeProgress", "progress"),
    ("TestProgress", "progress"),
    ("Cells", "cells"),
];

/// Models in Python are printed without the program, so the package has the precedences and the reserved words in a
/// file.
#[test]
fn the_words_of_the_package_for_python_are_up_to_date() {
    let answer = lines(&mut Service::default(), &json!({"verb": "operators"}));
    let mut levels: BTreeMap<u64, (Vec<&str>, &str)> = BTreeMap::new();
    for operator in answer[0]["operators"].as_array().expect("operators") {
        let Some(precedence) = operator["precedence"].as_u64() else { continue };
        let side = operator["associativity"].as_str().unwrap_or("prefix");
        let (words, _) = levels.entry(precedence).or_insert((Vec::new(), side));
        let word = operator["word"].as_str().expect("a word");
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let levels = levels.values().rev();
    let levels = levels.map(|(words, side)| format!("    {{\"words\":{},\"side\":{}}}", json!(words), json!(side)));
    let reserved = reserved_words().into_iter().map(|word| format!("    {}", json!(word)));
    let [levels, reserved] = [levels.collect::<Vec<_>>(), reserved.collect()].map(|lines| lines.join(",\n"));
    let text = format!("{{\n  \"precedence\": [\n{levels}\n  ],\n  \"reserved\": [\n{reserved}\n  ]\n}}\n");
    up_to_date(LANGUAGE, &text, "protocol");
}

/// The reserved words of the grammar, which groups them by their first letters.
fn reserved_words() -> BTreeSet<String> {
    let (_, rule) = include_str!("../grammar/essence.pest").split_once("reserved_word = _{\n").expect("the rule");
    let (rule, _) = rule.split_once("\n}").expect("its end");
    let mut words = BTreeSet::new();
    for group in rule.split("\n  | ") {
        let mut parts = group.split('"').skip(1).step_by(2);
        let first = parts.next().expect("a word or the beginning of words");
        let ends: Vec<&str> = parts.collect();
        // A group without ends is a whole word.
        let ends = if ends.is_empty() { vec![""] } else { ends };
        words.extend(ends.iter().map(|end| format!("{first}{end}")));
    }
    assert!(words.iter().all(|word| is_reserved(word)), "{words:?}");
    words
}

/// The documentation comment of a type or of a member.
fn documented(part: &Value, margin: &str) -> String {
    let text = part["description"].as_str().unwrap_or_default();
    if text.is_empty() {
        String::new()
    } else {
        format!("{margin}/** {} */\n", text.replace('\n', &format!("\n{margin} * ")))
    }
}

/// The declaration of a type.
fn declaration(name: &str, part: &Value) -> String {
    let documentation = documented(part, "");
    let is_union = part.get("oneOf").or(part.get("anyOf")).is_some();
    match part["properties"].is_object() && !is_union {
        true => {
            let line = LINES.iter().find(|(line, _)| *line == name);
            let kind = line.map_or(String::new(), |(_, kind)| format!("{{\n  type: \"{kind}\";\n"));
            let members = members(part, "");
            let members = if kind.is_empty() { members } else { members.replacen("{\n", &kind, 1) };
            format!("{documentation}export interface {name} {members}\n\n")
        }
        false => format!("{documentation}export type {name} = {};\n\n", typed(part)),
    }
}

/// The members of an object type.
fn members(part: &Value, margin: &str) -> String {
    let nothing = Map::new();
    let required = part["required"].as_array().cloned().unwrap_or_default();
    let mut text = String::from("{\n");
    for (name, member) in part["properties"].as_object().unwrap_or(&nothing) {
        let is_required = required.contains(&json!(name));
        let mut ty = typed(member);
        if !is_required {
            // An optional member is left out, and never `null`.
            ty = ty.trim_end_matches(" | null").to_owned();
        }
        text += &documented(member, &format!("{margin}  "));
        let _ = writeln!(text, "{margin}  {name}{}: {ty};", if is_required { "" } else { "?" });
    }
    text + margin + "}"
}

/// Converts a schema to a type of TypeScript.
fn typed(part: &Value) -> String {
    if let Some(name) = part["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        let beside = if part["properties"].is_object() { format!(" & {}", on_one_line(part)) } else { String::new() };
        return name.to_owned() + &beside;
    }
    if let Some(parts) = part["oneOf"].as_array().or(part["anyOf"].as_array()) {
        let union = parts.iter().map(typed).collect::<Vec<_>>().join(" | ");
        return if part["properties"].is_object() { format!("({union}) & {}", members(part, "")) } else { union };
    }
    if let Some(word) = part["const"].as_str() {
        return format!("\"{word}\"");
    }
    if let Some(words) = part["enum"].as_array() {
        return words.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match &part["type"] {
        Value::Array(kinds) => {
            let one = |kind: &Value| {
                let mut one = json!({"type": kind});
                for key in ["items", "prefixItems", "maxItems"] {
                    one[key] = part[key].clone();
                }
                // A map with any values stays `object`.
                if part["additionalProperties"].is_object() {
                    one["additionalProperties"] = part["additionalProperties"].clone();
                }
                typed(&one)
            };
            kinds.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => match &**kind {
            "integer" | "number" => "number".to_owned(),
            "string" | "boolean" | "null" => kind.clone(),
            "array" => match part["prefixItems"].as_array() {
                Some(items) => format!("[{}]", items.iter().map(typed).collect::<Vec<_>>().join(", ")),
                None => {
                    let item = typed(&part["items"]);
                    // An array of fixed length is a tuple in TypeScript.
                    if let Some(length) = part["maxItems"].as_u64() {
                        return format!("[{}]", vec![&*item; length as usize].join(", "));
                    }
                    if item.contains(' ') { format!("({item})[]") } else { format!("{item}[]") }
                }
            },
            _ if part["additionalProperties"].is_object() => {
                format!("{{ [name: string]: {} }}", typed(&part["additionalProperties"]))
            }
            _ if part["additionalProperties"] == true => "{ [name: string]: Json }".to_owned(),
            _ => on_one_line(part),
        },
        _ => "Json".to_owned(),
    }
}

/// An object type without documentation, on one line.
fn on_one_line(part: &Value) -> String {
    let nothing = Map::new();
    let members = part["properties"].as_object().unwrap_or(&nothing).iter();
    let members: Vec<String> = members.map(|(name, member)| format!("{name}: {}", typed(member))).collect();
    if members.is_empty() { "object".to_owned() } else { format!("{{ {} }}", members.join("; ")) }
}

/// The lines of the answer to a request, as JSON.
fn lines(service: &mut Service, request: &Value) -> Vec<Value> {
    let mut lines = Vec::new();
    service.answer(request.clone(), &mut |line: Line| lines.push(json!(line)));
    lines
}

#[test]
fn test_cases_get_the_files_that_they_name() {
    let model = json!({"name": "m.essence", "text": "given n : int(1..9)\nfind x : int(1..n)"});
    let text = "$ model: m.essence\n$ case: four\n$ data: n.param\n$ solutions: 4\n$ case: five\n$ data: other.param\n$ solutions: 5";
    let cases = json!({"name": "cases", "text": text});
    let files = json!([{"name": "n.param", "text": "letting n be 4"}]);
    let mut request = json!({"verb": "test", "model": model, "cases": cases, "files": files});
    let answer = lines(&mut Service::default(), &request);
    let last = answer.last().expect("a line");
    let verdicts: Vec<&Value> = last["cases"].as_array().expect("cases").iter().map(|case| &case["verdict"]).collect();
    assert_eq!(verdicts, ["passed", "broken"], "{last}");
    assert_eq!(answer[0]["case"], last["cases"][0], "each case is a line as soon as it has run");
    assert!(last["cases"][1]["findings"][0]["text"].as_str().is_some_and(|text| text.contains("`other.param`")));
    request["only"] = "four".into();
    let answer = lines(&mut Service::default(), &request);
    assert_eq!(answer.last().and_then(|last| last["cases"].as_array()).map(Vec::len), Some(1));
}

#[test]
fn mutants_are_reported_with_a_solution_and_the_case_that_notices_them() {
    let text = "given n : int(1..3)\nfind x, y : int(1..n)\nsuch that x < y\n$ case: a\n$ data: n.param\n$ accepts: letting x be 1";
    let files = json!([{"name": "n.param", "text": "$ always: x < 3\nletting n be 3"}]);
    let model = json!({"name": "m.essence", "text": text});
    let request = json!({"verb": "test", "model": model, "files": files, "all": true, "mutants": true});
    let answer = lines(&mut Service::default(), &request);
    let last = answer.last().expect("a line");
    let cases: Vec<&Value> = last["cases"].as_array().expect("cases").iter().map(|case| &case["file"]).collect();
    assert_eq!(cases, ["m.essence", "n.param"], "{last}");
    let mutants = last["mutants"].as_array().expect("mutants");
    assert!(mutants.iter().any(|mutant| mutant["status"] == "noticed"));
    let survivor =
        mutants.iter().find(|mutant| mutant["status"] == "not noticed").expect("a smaller domain is not noticed");
    assert!(survivor["case"].as_str().is_some_and(|case| case.starts_with("$ case: ")), "{survivor}");
    assert!(survivor["difference"]["solution"].is_string());
    assert_eq!(answer.len(), cases.len() + mutants.len() + 1);
}

#[test]
fn a_review_shows_gained_and_lost_solutions() {
    let text = |constraint: &str| format!("find x, y : int(1..3) such that {constraint}");
    let model = json!({"name": "new.essence", "text": text("x != 3")});
    let request = |old: &str| json!({"verb": "review", "model": model, "old": {"name": "old.essence", "text": old}});
    let answer = lines(&mut Service::default(), &request(&text("x != 2")));
    assert_eq!(answer[0]["says"], "Of 1 instance: solutions gained on 1, solutions lost on 1.");
    let instance = &answer[0]["instances"][0];
    assert_eq!((&instance["gained"]["kind"], &instance["lost"]["kind"]), (&json!("allows"), &json!("refuses")));
    assert_eq!(instance["lost"]["because"]["answer"]["reasons"][0]["says"], "x != 3");
    let answer = lines(&mut Service::default(), &request("find z : int(1..3)"));
    assert_eq!(answer[0]["instances"][0]["diagnostics"].as_array().map(Vec::len), Some(1));
    assert_eq!(answer[0]["interface"][0], "new decision variable `x`: `int(1..3)`");
}

#[test]
fn wishes_are_goals_of_solve() {
    let text =
        "find x : int(1..3)\nsuch that\n    $ wish 2: a small one\n    x = 1,\n    $ wish 1: a large one\n    x = 3";
    let request = json!({"verb": "solve", "model": {"name": "m.essence", "text": text}});
    let answer = lines(&mut Service::default(), &request);
    let best = answer.iter().rfind(|line| line["type"] == "solution").expect("a solution");
    assert_eq!((&best["json"], &best["broken_wishes"]), (&json!({"x": 1}), &json!(["a large one"])));
    assert_eq!(best["objective"], Value::Null, "the prices are not an objective of the model");
}

#[test]
fn every_verb_has_an_answer_with_the_members_of_its_row() {
    let model = json!({"name": "m.essence", "text": "given n : int(1..9)\nfind x, y : int(1..n)\nsuch that x + y = n\nmaximising x"});
    let data = json!([{"name": "n.param", "text": "letting n be 4"}]);
    let solution = json!({"name": "s", "text": "letting x be 3\nletting y be 1"});
    let schema = schema();
    let verbs = schema["properties"]["verbs"]["properties"].as_object().expect("verbs").clone();
    let further = |verb: &str| match verb {
        "complete" | "hover" | "signature" | "definition" | "references" => json!({"at": 25}),
        "rename" => json!({"at": 25, "name": "z"}),
        "fit" => json!({"texts": ["x", "(x + _)"]}),
        "forced" => json!({"constraint": "x > y"}),
        "validate" => json!({"solution": solution}),
        "draw" => json!({"solution": solution, "format": "text"}),
        "shape" => json!({"solution": solution, "shape": {"next": "x + 1"}}),
        "evaluate" => json!({"expression": "x + 1", "solution": solution}),
        "compare" | "grade" => {
            json!({"reference": model, "instances": if verb == "grade" { data.clone() } else { json!(1) }})
        }
        "board" => json!({"solutions": 1, "possible": true}),
        "puzzle" => json!({"data": [], "model": {"name": "p", "text":
            "given hints : function int(1..3) --> int(1..3)\nfind x : matrix indexed by [int(1..3)] of int(1..3)\n\
            such that allDiff(x), forAll (i, n) in hints . x[i] = n"}}),
        "session" => json!({"steps": [{"require": ["x < 3"]}], "solve": {}}),
        "explain" => json!({"word": "forAll"}),
        "import" => json!({"format": "latin-square", "puzzle": {"name": "p", "text": "1 0\n0 0"}}),
        "instances" => json!({"file": data[0]}),
        "why" => json!({"expected": {"name": "e", "text": "letting x be 4"}}),
        "check" => json!({"examine": true}),
        "ask" => json!({"mutants": true}),
        "review" => json!({"old": model}),
        _ => json!({}),
    };
    for (verb, row) in &verbs {
        let mut request = json!({"verb": verb, "model": model, "data": data});
        request.as_object_mut().expect("an object").extend(further(verb).as_object().expect("an object").clone());
        let answer = lines(&mut Service::default(), &request);
        let last = answer.last().expect("a line");
        assert_eq!(last["type"], "result", "{verb}: {last}");
        let result = row["prefixItems"][1]["$ref"].as_str().and_then(|name| name.rsplit('/').next()).expect("a name");
        let required = schema["$defs"][result]["required"].as_array().cloned().unwrap_or_default();
        for member in required.iter().filter_map(Value::as_str) {
            assert!(last.get(member).is_some(), "{verb}: `{member}` is missing in {last}");
        }
    }
}
