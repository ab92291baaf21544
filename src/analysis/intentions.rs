//! The likely meaning of an expression with a wrong type.
//!
//! [`INTENTIONS`] lists mistakes of learners and their meanings, the likeliest first. Each change is tried at the
//! places around a mistake; the first one after which the whole constraint has fewer mistakes becomes the help, in the
//! user's own names. Changes of quantifiers ([`generators`]), then of brackets and the order of operands
//! ([`of_literals`]), are tried before the rows. In data, only these changes are tried.
//!
//! A new row goes above all rows that would give worse help for the same mistake. Both sides must be expressions that
//! the grammar accepts.

mod generators;

use super::{Analysis, names::NameScope};
use crate::{
    diagnostic::{Code, Edit},
    language::{Collection, MemberForm, Name},
    operators::{Notation, symbols},
    source::{SourceId, Span},
    syntax::{
        self,
        ast::{self, ExprTree, ExprTreeKind, PatternForm, PatternKind, PatternTree, QualifierTree},
        parts::for_each_part,
    },
};

/// Wrong expressions and their likely meanings. `a`, `b` and `c` match any expression; `x` and `y` become free names.
/// Letter case and underscores in names are ignored on the left side.
const INTENTIONS: &[(&str, &str)] = &[
    // A comparison must be repeated for each value.
    ("a = b \\/ c", "a = b \\/ a = c"),
    ("a != b /\\ c", "a != b /\\ a != c"),
    // Users write this for "x is neither 1 nor 2".
    ("a != b \\/ c", "a != b /\\ a != c"),
    ("!a in b", "!(a in b)"),
    ("!a = b", "!(a = b)"),
    ("!a != b", "!(a != b)"),
    ("!a < b", "!(a < b)"),
    ("!a <= b", "!(a <= b)"),
    ("!a > b", "!(a > b)"),
    ("!a >= b", "!(a >= b)"),
    ("a in range(b, c)", "b <= a /\\ a < c"),
    ("a in range(b)", "0 <= a /\\ a < b"),
    ("|a|", "|flatten(a)|"),
    ("a in b", "b in a"),
    ("a in b", "a subsetEq b"),
    ("a = b", "a in b"),
    ("a != b", "!(a in b)"),
    ("a < b", "a subset b"),
    ("a <= b", "a subsetEq b"),
    ("a > b", "a supset b"),
    ("a >= b", "a supsetEq b"),
    ("a subsetEq b", "a in b"),
    ("a subset b", "a in b"),
    ("a < b", "a <lex b"),
    ("a <= b", "a <=lex b"),
    ("a > b", "a >lex b"),
    ("a >= b", "a >=lex b"),
    // Other types have other operators for these operations.
    ("a + b", "a union b"),
    ("a * b", "a intersect b"),
    ("a + b", "a \\/ b"),
    ("a * b", "a /\\ b"),
    ("a + b", "toInt(a) + toInt(b)"),
    ("a union b", "a union {b}"),
    ("a union b", "{a} union b"),
    ("a - b", "a - {b}"),
    ("a intersect b", "a intersect {b}"),
    ("a union b", "a \\/ b"),
    ("a intersect b", "a /\\ b"),
    ("-a", "!a"),
    ("a -> b", "a >= b"),
    // The next and the previous member of a type are written with functions.
    ("a + 1", "succ(a)"),
    ("a - 1", "pred(a)"),
    ("together(a, b, c)", "together({a, b}, c)"),
    ("apart(a, b, c)", "apart({a, b}, c)"),
    // Other languages have functions for these operators.
    ("size(a)", "|a|"),
    ("numParts(a)", "|parts(a)|"),
    ("len(a)", "|a|"),
    ("length(a)", "|a|"),
    ("card(a)", "|a|"),
    ("cardinality(a)", "|a|"),
    ("size(a)", "|flatten(a)|"),
    ("len(a)", "|flatten(a)|"),
    ("length(a)", "|flatten(a)|"),
    ("cardinality(a)", "|flatten(a)|"),
    ("abs(a)", "|a|"),
    ("count(a, b)", "freq(a, b)"),
    ("count(a, b)", "sum([toInt(x = b) | x <- a])"),
    ("count(a, b)", "sum([toInt(x = b) | (y, x) <- a])"),
    ("count(a, b, c)", "sum([toInt(x = b) | x <- a]) = c"),
    ("size(a, b)", "|a| = b"),
    ("allDifferent(a)", "allDiff(a)"),
    ("allDistinct(a)", "allDiff(a)"),
    ("distinct(a)", "allDiff(a)"),
    ("different(a)", "allDiff(a)"),
    ("alldiff(a)", "allDiff(a)"),
    ("isEven(a)", "a % 2 = 0"),
    ("even(a)", "a % 2 = 0"),
    ("isOdd(a)", "a % 2 = 1"),
    ("odd(a)", "a % 2 = 1"),
    ("count(a)", "|a|"),
    ("element(a, b)", "a[b]"),
    ("element(a, b, c)", "b[a] = c"),
    ("nth0(a, b, c)", "b[a] = c"),
    ("bool2int(a)", "toInt(a)"),
    ("any(a)", "or(a)"),
    ("some(a)", "or(a)"),
    ("all(a)", "and(a)"),
    ("mod(a, b)", "a % b"),
    ("div(a, b)", "a / b"),
    ("pow(a, b)", "a ** b"),
    ("implies(a, b)", "a -> b"),
    ("dom(a)", "defined(a)"),
    ("member(a, b)", "a in b"),
    ("contains(a, b)", "b in a"),
    ("exactlyOne(a)", "sum([toInt(x) | x <- a]) = 1"),
    ("min(a, b)", "min([a, b])"),
    ("max(a, b)", "max([a, b])"),
    ("min(a, b, c)", "min([a, b, c])"),
    ("max(a, b, c)", "max([a, b, c])"),
    ("sum(a, b)", "a + b"),
    ("and(a, b)", "a /\\ b"),
    ("or(a, b)", "a \\/ b"),
    ("xor(a, b)", "a != b"),
    ("allDiff(a, b)", "a != b"),
    ("allDiff(a, b, c)", "allDiff([a, b, c])"),
    // Indices and arguments may be confused.
    ("a[b]", "a(b)"),
    ("a(b)", "a[b]"),
    ("a(b, c)", "a((b, c))"),
    ("a(b, c)", "a[b, c]"),
    ("a(b)", "b in a"),
    ("a(b)", "[a(x) | x <- b]"),
    ("a(b)", "sum([a(x) | x <- b])"),
    ("a(b)", "a(b, _)"),
    ("a(b)", "a * (b)"),
    ("a[b] = c[d, e]", "a[b, e] = c[d, e]"),
    ("a[b]", "a[b, ..]"),
    // Conversions of one operand.
    ("a", "toInt(a)"),
    ("a", "parts(a)"),
    ("a", "flatten(a)"),
    ("a", "sum(a)"),
    ("a", "sum(flatten(a))"),
    ("a", "a[1]"),
    ("a", "|a|"),
    ("a", "toSet(a)"),
    ("allDiff(a)", "allDiff([x | x <- a])"),
    ("allDiff(a)", "allDiff([x | (y, x) <- a])"),
    ("sum(a)", "sum([x | (y, x) <- a])"),
    ("sum(a)", "sum([toInt(x) | x <- a])"),
    ("product(a)", "product([x | (y, x) <- a])"),
    ("max(a)", "max([x | (y, x) <- a])"),
    ("min(a)", "min([x | (y, x) <- a])"),
    ("sum(a)", "sum([x | tuple (x) <- a])"),
    ("max(a)", "max([x | tuple (x) <- a])"),
    ("min(a)", "min([x | tuple (x) <- a])"),
    ("allDiff(a)", "allDiff([x | tuple (x) <- a])"),
    ("and(a)", "and([x | x <- a])"),
    ("or(a)", "or([x | x <- a])"),
    ("a", "range(a)"),
    ("a", "tuple (a)"),
    ("a", "a != 0"),
    ("a", "|a| > 0"),
];

/// The largest number of parts of a constraint for which changes are tried: each trial analyses the whole constraint.
/// Chosen.
const MOST_PARTS: usize = 400;
/// The largest number of characters of a constraint in a help message. Chosen.
const LONGEST_SHOWN: usize = 72;

thread_local! {
    /// The rows of [`INTENTIONS`] as trees.
    static ROWS: Vec<(ExprTree, ExprTree)> =
        INTENTIONS.iter().filter_map(|(written, meant)| Some((parse_shown(written)?, parse_shown(meant)?))).collect();
}

fn parse_shown(text: &str) -> Option<ExprTree> {
    syntax::parse_expression(SourceId(0), text).ok()
}

/// A change after which there are fewer mistakes.
struct IntendedChange {
    help: String,
    edit: Edit,
    /// The remaining mistakes.
    left: Vec<(Code, Option<Span>)>,
}

/// A change of a constraint: the part with this path is replaced by this expression.
struct Rewrite {
    path: Vec<usize>,
    expr: ExprTree,
    /// The span to replace and its new text, if the change does not replace the whole expression.
    edit: Option<(Span, String)>,
}

impl Analysis<'_> {
    /// Analyses an expression, and adds the likely meaning to each mistake in it.
    pub(super) fn with_intentions<T>(&mut self, expr: &ExprTree, analyse: &dyn Fn(&mut Self, &ExprTree) -> T) -> T {
        let before = self.reports.diagnostics.len();
        let result = analyse(self, expr);
        // A trial must not start another trial.
        if self.reports.diagnostics.len() == before || self.on_trial {
            return result;
        }
        if part_count(expr) > MOST_PARTS {
            return result;
        }
        let mut position = before;
        while position < self.reports.diagnostics.len() {
            let mistake = &self.reports.diagnostics[position];
            position += 1;
            // A change of types can only remove certain mistakes: unknown names (201–203) and wrong types (301–305,
            // 309).
            let typed = match self.in_parameters {
                true => matches!(mistake.code, Code::PARAMETER_TYPE | Code::TYPE_MISMATCH),
                false => matches!(mistake.code.number, 201..=203 | 301..=305 | 309),
            };
            let Some(span) = mistake.span().filter(|_| typed) else { continue };
            // If the mistake already has a precise correction, for example of a misspelt name, no trial is needed.
            let mended = matches!(mistake.code, Code::UNKNOWN_NAME | Code::NOT_INDEXABLE) && !mistake.edits.is_empty();
            if mended {
                continue;
            }
            let known: Vec<(Code, Option<Span>)> =
                self.reports.diagnostics[before..].iter().map(|mistake| (mistake.code, mistake.span())).collect();
            if let Some(IntendedChange { help, edit, left }) =
                self.meant(expr, (mistake.code, span), &known, &|a, e| drop(analyse(a, e)))
            {
                // If one change removes several mistakes, users see them as one, so only the first report is kept.
                let mut others = self.reports.diagnostics.split_off(position);
                others.retain(|other| left.contains(&(other.code, other.span())));
                self.reports.diagnostics.append(&mut others);
                let mistake = &mut self.reports.diagnostics[position - 1];
                // The intended text replaces general instructions, but other help stays, for example a similar name.
                mistake.help.retain(|help| {
                    !help.starts_with("write") && !help.starts_with("declare") && !help.starts_with("both")
                });
                mistake.help.insert(0, format!("write `{help}`"));
                mistake.edits = vec![edit];
            }
        }
        result
    }

    /// Returns the first change near a mistake after which the expression has fewer mistakes.
    fn meant(
        &mut self,
        whole: &ExprTree,
        mistake: (Code, Span),
        known: &[(Code, Option<Span>)],
        analyse: &dyn Fn(&mut Self, &ExprTree),
    ) -> Option<IntendedChange> {
        let mut copy = whole.clone();
        let (code, span) = mistake;
        for change in meant_changes(&self.names, &mut copy, span, self.in_parameters) {
            // Changing the constraint in place, and undoing this below, saves a copy for each trial.
            let place = part_at_path(&mut copy, &change.path)?;
            let written = std::mem::replace(place, change.expr.clone());
            let left = self.mistakes_on_trial(&copy, analyse);
            // In data, a wrong entry may hide a wrong type of the whole, so a change must not cause a new mistake.
            let hidden = self.in_parameters && left.iter().any(|mistake| !known.contains(mistake));
            let fewer = left.len() < known.len() && !left.contains(&(code, Some(span))) && !hidden;
            if fewer {
                let help = shown_change(&mut copy, &change.path);
                let edit = match change.edit {
                    Some((span, text)) => Edit { span, text },
                    None => {
                        let text = syntax::print::expr(&change.expr, usize::MAX);
                        // Inside a larger expression, an operator or a quantifier needs parentheses to keep its
                        // meaning.
                        let compound = match &change.expr.kind {
                            ExprTreeKind::Apply(symbol, _) => symbol.precedence().is_some(),
                            kind => matches!(kind, ExprTreeKind::Quantified(_)),
                        };
                        let text = if compound && !change.path.is_empty() { format!("({text})") } else { text };
                        Edit { span: written.span, text }
                    }
                };
                return Some(IntendedChange { help, edit, left });
            }
            *part_at_path(&mut copy, &change.path)? = written;
        }
        None
    }

    /// Returns the mistakes of an expression and restores the state of the analysis.
    fn mistakes_on_trial(
        &mut self,
        expr: &ExprTree,
        analyse: &dyn Fn(&mut Self, &ExprTree),
    ) -> Vec<(Code, Option<Span>)> {
        let (reports, locals, names) =
            (self.reports.diagnostics.len(), self.model.locals.len(), self.model.local_names.len());
        let has_local_finds = self.model.has_local_finds;
        self.on_trial = true;
        analyse(self, expr);
        self.on_trial = false;
        self.model.has_local_finds = has_local_finds;
        self.model.locals.truncate(locals);
        self.model.local_names.truncate(names);
        self.reports.diagnostics.split_off(reports).iter().map(|mistake| (mistake.code, mistake.span())).collect()
    }
}

/// Returns true if the part with this path is the matrix in `|[…]|`.
fn is_cardinality(whole: &mut ExprTree, path: &[usize]) -> bool {
    let Some((_, outer)) = path.split_last() else { return false };
    let in_bars =
        part_at_path(whole, outer).is_some_and(|outer| matches!(outer.kind, ExprTreeKind::Apply(symbols::BARS, _)));
    in_bars && part_at_path(whole, path).is_some_and(|part| matches!(part.kind, ExprTreeKind::Matrix(..)))
}

/// Returns the possible intended changes at the parts around a position, the likeliest first. In data, only brackets
/// and generators change.
fn meant_changes(names: &NameScope, whole: &mut ExprTree, span: Span, data: bool) -> Vec<Rewrite> {
    let fresh = fresh_names(names);
    let mut paths = Vec::new();
    around(whole, span, &mut Vec::new(), &mut paths);
    let mut changes = Vec::new();
    for path in &paths {
        let Some(node) = part_at_path(whole, path) else { continue };
        changes.extend(generators::generator_changes(node, &fresh[0]).into_iter().map(|(expr, edit)| Rewrite {
            path: path.clone(),
            expr,
            edit,
        }));
    }
    for path in &paths {
        // If elements are equal, a set would have another size: `|[1, 1]|` is 2, but `|{1, 1}|` is 1.
        let is_counted = is_cardinality(whole, path);
        let Some(node) = part_at_path(whole, path) else { continue };
        let literals = of_literals(node).filter(|_| !is_counted);
        changes.extend(literals.map(|expr| Rewrite { path: path.clone(), expr, edit: None }));
    }
    if data {
        return changes;
    }
    ROWS.with(|rows| {
        for (written, meant) in rows {
            // The innermost part is tried first.
            for path in paths.iter().rev() {
                let Some(node) = part_at_path(whole, path) else { continue };
                let mut bound = Vec::new();
                if matches(written, node, &mut bound) {
                    let mut expr = meant.clone();
                    fill(&mut expr, &bound, &fresh, node.span);
                    changes.push(Rewrite { path: path.clone(), expr, edit: None });
                }
            }
        }
    });
    changes
}

/// Returns names for `x` and `y` that are free in the scope.
fn fresh_names(names: &NameScope) -> [Name; 2] {
    let candidates = ["x", "y", "e", "i", "j", "x1", "x2", "x3"];
    let mut free = candidates.into_iter().filter(|name| names.get(name).is_none());
    let mut next = || Name::from(free.next().unwrap_or("x4"));
    [next(), next()]
}

fn part_count(expr: &ExprTree) -> usize {
    let mut count = 1;
    for_each_part(expr, &mut |part| count += part_count(part));
    count
}

fn part_at_path<'e>(expr: &'e mut ExprTree, path: &[usize]) -> Option<&'e mut ExprTree> {
    match path.split_first() {
        None => Some(expr),
        Some((first, rest)) => part_at_path(expr.parts_mut().into_iter().nth(*first)?, rest),
    }
}

/// Collects the paths of the parts that contain a span, from the outside in, and the other parts of the innermost two.
fn around(expr: &mut ExprTree, span: Span, path: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
    paths.push(path.clone());
    let spans: Vec<Span> = expr.parts_mut().iter().map(|part| part.span).collect();
    let inner = spans.iter().position(|part| part.start <= span.start && span.end <= part.end);
    let deeper = inner.is_some_and(|inner| {
        expr.parts_mut()
            .swap_remove(inner)
            .parts_mut()
            .iter()
            .any(|part| part.span.start <= span.start && span.end <= part.span.end)
    });
    if !deeper {
        // The wrong type may come from the other operand, so the siblings of the innermost part are candidates, too.
        for number in (0..spans.len()).filter(|number| Some(*number) != inner) {
            path.push(number);
            paths.push(path.clone());
            path.pop();
        }
    }
    if let Some(inner) = inner
        && let Some(part) = expr.parts_mut().into_iter().nth(inner)
    {
        path.push(inner);
        around(part, span, path, paths);
        path.pop();
    }
}

/// Returns the largest part of a changed expression around the change that fits into a help message.
fn shown_change(whole: &mut ExprTree, path: &[usize]) -> String {
    // The search starts with the whole constraint, so the first text that fits is the largest.
    for length in 0..path.len() {
        let text = part_at_path(whole, &path[..length]).map(|part| syntax::print::expr(part, usize::MAX));
        if let Some(text) = text.filter(|text| text.chars().count() <= LONGEST_SHOWN) {
            return text;
        }
    }
    let text = part_at_path(whole, path).map(|part| syntax::print::expr(part, usize::MAX)).unwrap_or_default();
    match text.split_once(" . ") {
        // Only the head of a long quantifier is shown.
        Some((head, _)) if text.chars().count() > LONGEST_SHOWN => format!("{head} . …"),
        _ => text,
    }
}

/// Returns true if two words are equal up to letter case and underscores.
fn same_word(word: &str, name: &str) -> bool {
    let letters = |word: &str| word.replace('_', "").to_ascii_lowercase();
    letters(word) == letters(name)
}

/// Matches an expression against the left side of a row, and binds the letters.
fn matches(written: &ExprTree, node: &ExprTree, bound: &mut Vec<(Name, ExprTree)>) -> bool {
    let all = |written: &[ExprTree], items: &[ExprTree], bound: &mut Vec<(Name, ExprTree)>| {
        written.len() == items.len() && written.iter().zip(items).all(|(written, item)| matches(written, item, bound))
    };
    match (&written.kind, &node.kind) {
        // The row `("a", "toInt(a)")` does not apply to `true` and `false`: users probably do not want to convert them.
        (ExprTreeKind::Name(_), ExprTreeKind::Bool(_)) if bound.is_empty() => false,
        // A letter matches any expression except `_`, which has no value to move.
        (ExprTreeKind::Name(letter), _) if letter.len() == 1 => {
            bound.push((letter.clone(), node.clone()));
            node.kind != ExprTreeKind::Wildcard
        }
        (ExprTreeKind::Name(word), ExprTreeKind::Name(name)) => same_word(word, name),
        (ExprTreeKind::Int(wanted), ExprTreeKind::Int(number)) => wanted == number,
        (ExprTreeKind::Apply(symbol, written), ExprTreeKind::Apply(other, items)) => {
            symbol == other && all(written, items, bound)
        }
        (ExprTreeKind::Call(callee, written), ExprTreeKind::Call(other, items)) => {
            matches(callee, other, bound) && all(written, items, bound)
        }
        (ExprTreeKind::Attribute(word, written), ExprTreeKind::Attribute(other, items)) => {
            word.text == other.text && all(written, items, bound)
        }
        (ExprTreeKind::Index(base, written), ExprTreeKind::Index(other, items)) => {
            written.len() == items.len()
                && matches(base, other, bound)
                && written.iter().zip(items).all(|(written, item)| match (written, item) {
                    (ast::WrittenIndex::At(written), ast::WrittenIndex::At(item)) => matches(written, item, bound),
                    _ => false,
                })
        }
        _ => false,
    }
}

/// Replaces the letters with the expressions that they are bound to.
fn fill(expr: &mut ExprTree, bound: &[(Name, ExprTree)], fresh: &[Name; 2], span: Span) {
    expr.span = span;
    if let ExprTreeKind::Name(name) = &expr.kind {
        if let Some((_, value)) = bound.iter().find(|(letter, _)| letter == name) {
            *expr = value.clone();
        } else if let Some(number) = ["x", "y"].iter().position(|letter| **letter == **name) {
            expr.kind = ExprTreeKind::Name(fresh[number].clone());
        }
        return;
    }
    if let ExprTreeKind::Comprehension(_, qualifiers) = &mut expr.kind {
        for qualifier in qualifiers {
            if let QualifierTree::Generator(patterns, _) = qualifier {
                patterns.iter_mut().for_each(|pattern| rename_in_pattern(pattern, fresh));
            }
        }
    }
    expr.parts_mut().into_iter().for_each(|part| fill(part, bound, fresh, span));
}

fn rename_in_pattern(pattern: &mut PatternTree, fresh: &[Name; 2]) {
    match &mut pattern.kind {
        PatternKind::Name(name) => {
            let number = usize::from(&**name == "y");
            *name = fresh[number].clone();
        }
        PatternKind::Parts(PatternForm::Tuple, items) => {
            items.iter_mut().for_each(|item| rename_in_pattern(item, fresh))
        }
        _ => {}
    }
}

/// Returns a literal with other brackets, or an operator with its operands in another order.
fn of_literals(node: &ExprTree) -> impl Iterator<Item = ExprTree> + use<> {
    let set = |items: &Vec<ExprTree>| ExprTree::set(items.clone());
    let matrix = |items: &Vec<ExprTree>| ExprTreeKind::Matrix(items.clone(), None);
    let tuple = |items: &Vec<ExprTree>| ExprTreeKind::Tuple(items.clone());
    // Literals with a keyword, as in `sequence (…)`, are tried from the form that fits the fewest types.
    let with_keyword = |items: &Vec<ExprTree>| {
        let forms = [MemberForm::Tuples, MemberForm::Positions, MemberForm::Values];
        let kinds =
            forms.into_iter().flat_map(|form| Collection::ALL.into_iter().filter(move |kind| kind.form() == form));
        let kinds = kinds.filter(|kind| kind.row().brackets().0.starts_with(kind.keyword()));
        kinds.map(|kind| ExprTreeKind::Collection(kind, items.clone())).collect::<Vec<_>>()
    };
    let kinds = match &node.kind {
        ExprTreeKind::Tuple(items) => vec![set(items), matrix(items)],
        ExprTreeKind::Matrix(items, None) => [vec![set(items), tuple(items)], with_keyword(items)].concat(),
        // In `forAll i in s . {…}`, braces were used as parentheses, so the only member is the first candidate.
        ExprTreeKind::Collection(_, items) if node.as_set().is_some() && items.len() == 1 => {
            vec![items[0].kind.clone(), matrix(items), tuple(items)]
        }
        ExprTreeKind::Collection(_, items) if node.as_set().is_some() => match parts_of_partition(items) {
            Some(parts) if !parts.is_empty() => {
                let kinds = Collection::ALL.into_iter().filter(|kind| kind.form() == MemberForm::Blocks);
                kinds.map(|kind| ExprTreeKind::Grouped(kind, parts.clone())).chain([matrix(items)]).collect()
            }
            _ => [vec![matrix(items)], with_keyword(items), vec![tuple(items)]].concat(),
        },
        ExprTreeKind::Collection(_, items) => [vec![set(items), matrix(items)], with_keyword(items)].concat(),
        ExprTreeKind::Index(base, indices) => match &indices[..] {
            // The user may have written `m[(i, j)]`.
            [ast::WrittenIndex::At(ExprTree { kind: ExprTreeKind::Tuple(items), .. })] => {
                vec![ExprTreeKind::Index(base.clone(), items.iter().cloned().map(ast::WrittenIndex::At).collect())]
            }
            // The user may have written `m[i, _]`.
            _ if indices.iter().any(is_wildcard) => {
                let slices = indices.iter().map(|index| match is_wildcard(index) {
                    true => ast::WrittenIndex::Slice(None, None),
                    false => index.clone(),
                });
                vec![ExprTreeKind::Index(base.clone(), slices.collect())]
            }
            _ => {
                let at = indices.iter().map(|index| match index {
                    ast::WrittenIndex::At(index) => Some(index.clone()),
                    ast::WrittenIndex::Slice(..) => None,
                });
                let items = at.collect::<Option<Vec<_>>>().filter(|items| items.len() > 1).unwrap_or_default();
                let tuple = ExprTree { kind: ExprTreeKind::Tuple(items.clone()), span: node.span };
                match items.len() {
                    0 => Vec::new(),
                    _ => vec![ExprTreeKind::Call(base.clone(), vec![tuple]), ExprTreeKind::Call(base.clone(), items)],
                }
            }
        },
        ExprTreeKind::Call(callee, items) => match &items[..] {
            // The user may have written `R((a, b))`.
            [ExprTree { kind: ExprTreeKind::Tuple(items), .. }] => {
                vec![ExprTreeKind::Call(callee.clone(), items.clone())]
            }
            _ => Vec::new(),
        },
        ExprTreeKind::Apply(symbol, items) if symbol.notation == Notation::Function => {
            // The operands may be meant in another order or as one list.
            let mut kinds: Vec<ExprTreeKind> =
                orders(items).into_iter().map(|items| ExprTreeKind::Apply(*symbol, items)).collect();
            if items.len() > 1 {
                let list = ExprTree { kind: ExprTreeKind::Matrix(items.clone(), None), span: node.span };
                kinds.push(ExprTreeKind::Apply(*symbol, vec![list]));
            }
            kinds
        }
        ExprTreeKind::Attribute(name, items) => {
            orders(items).into_iter().map(|items| ExprTreeKind::Attribute(name.clone(), items)).collect()
        }
        _ => Vec::new(),
    };
    let span = node.span;
    kinds.into_iter().map(move |kind| ExprTree { kind, span })
}

/// Returns the parts of a partition that is written as a set of sets.
fn parts_of_partition(items: &[ExprTree]) -> Option<Vec<Vec<ExprTree>>> {
    items.iter().map(|item| item.as_set().cloned()).collect()
}

fn is_wildcard(index: &ast::WrittenIndex) -> bool {
    matches!(index, ast::WrittenIndex::At(ExprTree { kind: ExprTreeKind::Wildcard, .. }))
}

/// Returns the other orders of two or three operands.
fn orders(items: &[ExprTree]) -> Vec<Vec<ExprTree>> {
    let orders: &[&[usize]] = match items.len() {
        2 => &[&[1, 0]],
        3 => &[&[1, 0, 2], &[0, 2, 1], &[2, 1, 0], &[1, 2, 0], &[2, 0, 1]],
        _ => &[],
    };
    orders.iter().map(|order| order.iter().map(|position| items[*position].clone()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_essence() {
        for text in INTENTIONS.iter().flat_map(|(written, meant)| [written, meant]) {
            assert!(parse_shown(text).is_some(), "{text}");
        }
    }

    #[test]
    fn letters_are_bound_and_filled_in() {
        let read = |text: &str| parse_shown(text).expect("an expression");
        let mut bound = Vec::new();
        assert!(matches(&read("a + b"), &read("|s| + f(3)"), &mut bound));
        let mut meant = read("a union {b}");
        fill(&mut meant, &bound, &["x".into(), "y".into()], Span::default());
        assert_eq!(syntax::print::expr(&meant, 80), "|s| union {f(3)}");
    }
}
