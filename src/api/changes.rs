//! Values in Essence, and what changes from one value to another one.

use super::Value;
use crate::syntax::parse::name_of;

/// A value in Essence.
pub(super) fn literal(value: &Value) -> String {
    let each = |items: &[Value]| items.iter().map(literal).collect::<Vec<_>>().join(", ");
    let pairs = |pairs: &[(Value, Value)]| {
        let pair = |(from, to): &(Value, Value)| format!("{} --> {}", literal(from), literal(to));
        pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
    };
    let groups = |groups: &[Vec<Value>], open: char, close: char| {
        groups.iter().map(|group| format!("{open}{}{close}", each(group))).collect::<Vec<_>>().join(", ")
    };
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) if *value < 0 => format!("({value})"),
        Value::Int(value) => value.to_string(),
        Value::Member(name) => name_of(name).to_string(),
        Value::Tuple(items) if items.len() == 1 => format!("tuple ({})", each(items)),
        Value::Tuple(items) => format!("({})", each(items)),
        Value::Record(fields) => {
            let field = |(name, value): &(String, Value)| format!("{} = {}", name_of(name), literal(value));
            format!("record {{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Variant(name, inner) => format!("variant {{{} = {}}}", name_of(name), literal(inner)),
        Value::Matrix(entries) => {
            let elements: Vec<String> = entries.iter().map(|(_, element)| literal(element)).collect();
            let index = match (entries.first(), entries.last()) {
                (Some((Value::Bool(_), _)), _) => "; bool".to_owned(),
                (Some((Value::Int(first), _)), Some((Value::Int(last), _)))
                    if last - first + 1 == entries.len() as i64 =>
                {
                    format!("; int({first}..{last})")
                }
                (Some((Value::Int(_), _)), _) => {
                    let indices: Vec<String> = entries.iter().map(|(index, _)| literal(index)).collect();
                    format!("; int({})", indices.join(", "))
                }
                _ => String::new(),
            };
            format!("[{}{index}]", elements.join(", "))
        }
        Value::Set(items) => format!("{{{}}}", each(items)),
        Value::MSet(items) => format!("mset({})", each(items)),
        Value::Function(items) => format!("function({})", pairs(items)),
        Value::Sequence(items) => format!("sequence({})", each(items)),
        Value::Relation(rows) => {
            let rows: Vec<String> = rows.iter().map(|row| literal(&Value::Tuple(row.clone()))).collect();
            format!("relation({})", rows.join(", "))
        }
        Value::Partition(parts) => format!("partition({})", groups(parts, '{', '}')),
        Value::Permutation(cycles) => format!("permutation({})", groups(cycles, '(', ')')),
    }
}

/// What changes from one value of a variable to another one, a line for each difference.
pub(super) fn changes(x: &str, old: &Value, new: &Value, lines: &mut Vec<String>) {
    let show = literal;
    let mapped = |old: &[(Value, Value)], new: &[(Value, Value)], open: &str, close: &str, lines: &mut Vec<String>| {
        for (key, image) in new {
            match old.iter().find(|(other, _)| other == key) {
                Some((_, before)) => changes(&format!("{x}{open}{}{close}", show(key)), before, image, lines),
                None => lines.push(format!("{x}{open}{}{close} is new: {}", show(key), show(image))),
            }
        }
        for (key, image) in old.iter().filter(|(key, _)| new.iter().all(|(other, _)| other != key)) {
            lines.push(format!("{x}{open}{}{close} is gone: it was {}", show(key), show(image)));
        }
    };
    let listed = |old: &[Value], new: &[Value], lines: &mut Vec<String>| {
        let missing = |these: &[Value], those: &[Value]| -> Vec<String> {
            let mut rest = those.to_vec();
            let mut left = Vec::new();
            for item in these {
                match rest.iter().position(|other| other == item) {
                    Some(at) => drop(rest.swap_remove(at)),
                    None => left.push(show(item)),
                }
            }
            left
        };
        lines.extend(missing(new, old).into_iter().map(|item| format!("{x} gets {item}")));
        lines.extend(missing(old, new).into_iter().map(|item| format!("{x} loses {item}")));
    };
    match (old, new) {
        _ if old == new => {}
        (Value::Tuple(old), Value::Tuple(new)) if old.len() == new.len() => {
            (1..).zip(old.iter().zip(new)).for_each(|(at, (old, new))| changes(&format!("{x}[{at}]"), old, new, lines));
        }
        (Value::Record(old), Value::Record(new)) if old.len() == new.len() => {
            old.iter().zip(new).for_each(|((name, old), (_, new))| changes(&format!("{x}[{name}]"), old, new, lines));
        }
        (Value::Matrix(old), Value::Matrix(new)) => mapped(old, new, "[", "]", lines),
        (Value::Function(old), Value::Function(new)) => mapped(old, new, "(", ")", lines),
        (Value::Sequence(old), Value::Sequence(new)) => {
            let placed = |items: &[Value]| (1..).map(Value::Int).zip(items.iter().cloned()).collect::<Vec<_>>();
            mapped(&placed(old), &placed(new), "(", ")", lines);
        }
        (Value::Set(old), Value::Set(new)) | (Value::MSet(old), Value::MSet(new)) => listed(old, new, lines),
        (Value::Relation(old), Value::Relation(new)) => {
            let rows = |rows: &[Vec<Value>]| rows.iter().cloned().map(Value::Tuple).collect::<Vec<_>>();
            listed(&rows(old), &rows(new), lines);
        }
        _ => lines.push(format!("{x}: {} becomes {}", show(old), show(new))),
    }
}
