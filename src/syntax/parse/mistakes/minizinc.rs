//! Translates simple MiniZinc models to Essence: declarations of numbers, Booleans and arrays of these, constraints
//! with only the commonest functions, and an objective.
//!
//! A model with anything else is left alone. `div` and `mod` are not translated either, because they round differently
//! from `/` and `%`.

use crate::{
    language::quotation::quoted_length,
    syntax::tokens::{TokenKind, tokens_from},
};
use std::ops::Range;

/// The words that may stand before a parenthesis and mean the same in both languages.
const SAME: [&str; 4] = ["in", "max", "min", "true"];

/// Returns an equivalent model in Essence; `None` if the equivalence is not certain.
pub(super) fn in_essence(text: &str) -> Option<String> {
    let (mut declarations, mut constraints, mut objective) = (Vec::new(), Vec::new(), None);
    for statement in statements(text)? {
        let words = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() || words.starts_with("include ") || words.starts_with("output") {
            continue;
        } else if let Some(constraint) = words.strip_prefix("constraint ") {
            constraints.push(format!("    {}", expression(constraint)?));
        } else if let Some(goal) = words.strip_prefix("solve ") {
            objective = Some(match goal.split_once(' ') {
                None if goal == "satisfy" => String::new(),
                Some(("minimize", value)) => format!("minimising {}\n", expression(value)?),
                Some(("maximize", value)) => format!("maximising {}\n", expression(value)?),
                _ => return None,
            });
        } else {
            declarations.push(declaration(&words)?);
        }
    }
    let mut essence = declarations.join("\n") + "\n";
    if !constraints.is_empty() {
        essence += &format!("such that\n{}\n", constraints.join(",\n"));
    }
    Some(essence + &objective?)
}

/// The statements of a model, without comments.
fn statements(text: &str) -> Option<Vec<String>> {
    let (mut found, mut current, mut at) = (Vec::new(), String::new(), 0);
    while let Some(sign) = text[at..].chars().next() {
        let length = match sign {
            '%' => text[at..].find('\n').unwrap_or(text.len() - at),
            '"' => quoted_length(&text[at..])?,
            _ => sign.len_utf8(),
        };
        match sign {
            '%' => {}
            ';' => found.push(std::mem::take(&mut current)),
            _ => current += &text[at..at + length],
        }
        at += length;
    }
    found.push(current);
    Some(found)
}

/// Translates a declaration: `array[1..n] of var 1..n: q` becomes
/// `find q : matrix indexed by [int(1..n)] of int(1..n)`.
fn declaration(words: &str) -> Option<String> {
    let (kind, name) = words.split_once(':')?;
    let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value.trim())));
    let (kind, name) = (kind.trim(), name.trim());
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_name(name) {
        return None;
    }
    let (index, element) = match kind.strip_prefix("array") {
        Some(rest) => {
            let (index, element) = rest.trim_start().strip_prefix('[')?.split_once("] of ")?;
            let ranges = index.split(',').map(|range| range_as_domain(range.trim())).collect::<Option<Vec<_>>>()?;
            (format!("matrix indexed by [{}] of ", ranges.join(", ")), element.trim())
        }
        None => (String::new(), kind),
    };
    let domain = |element: &str| match element {
        "int" => Some("int".to_owned()),
        "bool" => Some("bool".to_owned()),
        range => range_as_domain(range),
    };
    match (element.strip_prefix("var "), value) {
        // The domains of decision variables are finite in Essence.
        (Some("int"), _) => None,
        (Some(element), None) => Some(format!("find {name} : {index}{}", domain(element)?)),
        (None, None) => Some(format!("given {name} : {index}{}", domain(element)?)),
        (None, Some(value)) if index.is_empty() => Some(format!("letting {name} be {}", expression(value)?)),
        _ => None,
    }
}

/// Translates a range to a domain: `1..n` becomes `int(1..n)`.
fn range_as_domain(range: &str) -> Option<String> {
    let (low, high) = range.split_once("..")?;
    Some(format!("int({}..{})", expression(low)?, expression(high)?))
}

/// Translates an expression; `None` if a part has no certain translation.
fn expression(text: &str) -> Option<String> {
    let text = text.trim();
    let tokens: Vec<_> = tokens_from(text, 0).collect();
    // Arrows associate to the left in MiniZinc, and to the right in Essence.
    if text.matches("->").count() > 1 {
        return None;
    }
    let (mut made, mut end, mut position) = (String::new(), 0, 0);
    while let Some(token) = tokens.get(position) {
        let word = &text[token.start..token.end];
        let is_called = tokens.get(position + 1).is_some_and(|next| &text[next.start..next.end] == "(");
        made += &text[end..token.start];
        end = token.end;
        position += 1;
        match (token.kind, word) {
            (TokenKind::Word, "forall" | "sum" | "exists") => {
                let inside = enclosed(text, end, ['(', ')'])?;
                end = match enclosed(text, inside.end + 1, ['(', ')']) {
                    // `forall(i in 1..n)(e)`: the generators, then the body.
                    Some(body) => {
                        let quantifier = if word == "forall" { "forAll" } else { word };
                        let generators = qualifiers(&text[inside])?.join(&format!(" . {quantifier} "));
                        made += &format!("({quantifier} {generators} . {})", expression(&text[body.clone()])?);
                        body.end + 1
                    }
                    // `forall([e | i in 1..n])`
                    None => {
                        let function = match word {
                            "forall" => "and",
                            "exists" => "or",
                            _ => word,
                        };
                        made += &format!("{function}({})", expression(&text[inside.clone()])?);
                        inside.end + 1
                    }
                };
                position = tokens.partition_point(|token| token.start < end);
            }
            (TokenKind::Sign, "[") if comprehension_in(text, token.start).is_some() => {
                let (inside, bar) = comprehension_in(text, token.start)?;
                let value = expression(&text[inside.start..bar])?;
                made += &format!("[{value} | {}]", qualifiers(&text[bar + 1..inside.end])?.join(", "));
                end = inside.end + 1;
                position = tokens.partition_point(|token| token.start < end);
            }
            (TokenKind::Word, "alldifferent" | "all_different") if is_called => made += "allDiff",
            (TokenKind::Word, "bool2int") if is_called => made += "toInt",
            // `not a = b` means `!(a = b)`, and the other words have other meanings in Essence.
            (TokenKind::Word, "not" | "div" | "mod" | "xor" | "if" | "let" | "where" | "union" | "diff" | "of") => {
                return None;
            }
            (TokenKind::Word, _) if is_called && !SAME.contains(&word) => return None,
            (TokenKind::Word | TokenKind::Number, _) => made += word,
            (TokenKind::Sign, "=") if made.ends_with('=') => {}
            (TokenKind::Sign, "(" | ")" | "[" | "]" | "," | "+" | "-" | "*" | "=" | "!=" | "<" | "<=" | ">" | ">=") => {
                made += word;
            }
            (TokenKind::Sign, "/\\" | "\\/" | "->" | "<->") => made += word,
            _ => return None,
        }
    }
    Some(made + &text[end..])
}

/// The inside of the brackets that open after an offset.
fn enclosed(text: &str, at: usize, [open, close]: [char; 2]) -> Option<Range<usize>> {
    let start = at + text.get(at..)?.find(open)?;
    if !text[at..start].trim().is_empty() {
        return None;
    }
    let mut depth = 0;
    for (offset, sign) in text[start..].char_indices() {
        match sign {
            _ if sign == open => depth += 1,
            _ if sign == close && depth == 1 => return Some(start + 1..start + offset),
            _ if sign == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The inside of the comprehension that opens at an offset, and the position of its bar; `None` for a list.
fn comprehension_in(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let inside = enclosed(text, at, ['[', ']'])?;
    let mut depth = 0;
    let bar = text[inside.clone()].char_indices().find_map(|(offset, sign)| {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        (sign == '|' && depth == 0).then_some(offset)
    })?;
    // `[|` opens an array of two dimensions.
    let bar = inside.start + bar;
    (bar > inside.start).then_some((inside, bar))
}

/// Translates generators for nested quantifiers: `i, j in 1..n, k in 2..3 where i < j` becomes `i, j : int(1..n)` and
/// `k : int(2..3), i < j`.
fn qualifiers(text: &str) -> Option<Vec<String>> {
    let (generators, condition) = text.split_once(" where ").map_or((text, None), |(one, rest)| (one, Some(rest)));
    let (mut made, mut names): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    for part in generators.split(',') {
        match part.split_once(" in ") {
            Some((name, range)) => {
                names.push(name.trim());
                made.push(format!("{} : {}", names.join(", "), range_as_domain(range.trim())?));
                names.clear();
            }
            None => names.push(part.trim()),
        }
    }
    if let Some(condition) = condition {
        *made.last_mut()? += &format!(", {}", expression(condition)?);
    }
    names.is_empty().then_some(made)
}

#[cfg(test)]
mod tests {
    use super::in_essence;

    #[test]
    fn simple_models_are_translated_and_others_are_left_alone() {
        let cakes = "var 0..100: b; % bananas\nint: n = 3;\n\
                     constraint 2*b <= 6;\nconstraint b == n;\nsolve maximize 4*b;";
        let essence = "find b : int(0..100)\nletting n be 3\nsuch that\n    2*b <= 6,\n    b = n\nmaximising 4*b\n";
        assert_eq!(in_essence(cakes).as_deref(), Some(essence));
        let queens = "int: n; array[1..n] of var 1..n: q;\nconstraint alldifferent(q);\n\
                      constraint forall(i, j in 1..n where i < j)(q[i] - q[j] != i - j);\nsolve satisfy;";
        let essence = "given n : int\nfind q : matrix indexed by [int(1..n)] of int(1..n)\n\
                       such that\n    allDiff(q),\n    \
                       (forAll i, j : int(1..n), i < j . q[i] - q[j] != i - j)\n";
        assert_eq!(in_essence(queens).as_deref(), Some(essence));
        let nested = "int: n = 3; constraint exists(i in 1..n, j in 2..n where i < j)(i * j = 6); solve satisfy;";
        let essence = "letting n be 3\nsuch that\n    \
                       (exists i : int(1..n) . exists j : int(2..n), i < j . i * j = 6)\n";
        assert_eq!(in_essence(nested).as_deref(), Some(essence));
        let lists = "var 1..9: s; array[1..3] of var 1..3: q; constraint alldifferent([q[i] + i | i in 1..3]);\
                     constraint s = sum([q[i] | i in 1..3 where i > 1]); constraint forall([q[i] > 1 | i in 2..3]);\
                     solve satisfy;";
        let essence = "find s : int(1..9)\nfind q : matrix indexed by [int(1..3)] of int(1..3)\nsuch that\n    \
                       allDiff([q[i] + i | i : int(1..3)]),\n    s = sum([q[i] | i : int(1..3), i > 1]),\n    \
                       and([q[i] > 1 | i : int(2..3)])\n";
        assert_eq!(in_essence(lists).as_deref(), Some(essence));
        let others = [
            "array[1..2, 1..1] of int: a = [| 1 | 2 |]; solve satisfy;",
            "var int: x; solve satisfy;",
            "var 1..3: x; constraint not x = 2; solve satisfy;",
            "var 1..3: x; constraint x mod 2 = 1; solve satisfy;",
            "var 1..3: x; constraint all_equal([x]); solve satisfy;",
            "var bool: a; constraint a -> a -> a; solve satisfy;",
            "var 1..3: x; constraint x > 1;",
        ];
        for other in others {
            assert_eq!(in_essence(other), None, "{other}");
        }
    }
}
