//! Reads test cases: lines `$ key: value` of a text in Essence.
//!
//! A line `$ case: NAME` starts a case, which ends at the next such line. The lines above the first one form a case
//! without a name. A value continues on the next lines if they start with `$` and at least three blanks.

use crate::{
    api::{Report, Text, deep},
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    source::{SourceId, Sources, Span},
    syntax::{
        self,
        remarks::{CASE_KEYS, THEN},
    },
};
use std::{collections::HashMap, ops::Range};

/// A text with the test cases that its comments describe.
///
/// ```
/// use conjure_like::{TestFile, Text};
///
/// let text = "$ model: m.essence\n$ solutions: 3\n$ case: four\n$ data: 4.param\n$ solutions: none\nletting n be 3";
/// let file = TestFile::read(&Text::new("3.param", text));
/// assert_eq!(file.model.as_ref().map(|model| model.name.as_str()), Some("m.essence"));
/// assert_eq!(file.cases[0].name, None);
/// assert_eq!(file.cases[1].name.as_deref(), Some("four"));
/// assert_eq!(file.cases[1].data[0].name, "4.param");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestFile {
    /// The text.
    pub text: Text,
    /// The model that `$ model: NAME` names; `None` if this text is the model.
    pub model: Option<FileName>,
    /// The cases, in the order of the text.
    pub cases: Vec<TestCase>,
}

/// The name of a file in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName {
    /// The name as written.
    pub name: String,
    /// The position of the name in the text.
    pub(super) place: Range<usize>,
}

/// A test case: an instance and its expected answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestCase {
    /// The name; `None` for the lines above the first named case.
    pub name: Option<String>,
    /// The line on which the case starts, counted from 1.
    pub line: usize,
    /// The parameter files that `$ data: NAME` names. Together they make one instance.
    pub data: Vec<FileName>,
    /// The positions of further statements of the data.
    pub(super) with: Vec<Range<usize>>,
    pub(super) checks: Vec<Check>,
    /// The errors in the case.
    pub(super) mistakes: Diagnostics,
}

/// A line of a case with an expectation.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// The line, counted from 1.
    pub line: usize,
    /// The position of the value after the colon.
    pub place: Range<usize>,
    pub expects: Expectation,
}

#[derive(Clone, Debug)]
pub(super) enum Expectation {
    /// The number of solutions. If it is 0, requirements that must be among the reasons.
    Solutions(usize, Vec<Range<usize>>),
    /// The best value of the objective, as the user writes it.
    Optimum(String),
    /// One of the solutions that `solve` prints.
    Listed,
    /// A solution that is not a best one.
    Worse,
    /// A solution, or a part of one.
    Accepts,
    /// A candidate that is not a solution, and not a part of one; requirements that must be among the reasons.
    Refuses(Vec<Range<usize>>),
    /// An expression that holds in every solution.
    Always,
    /// An expression that holds in at least one solution.
    Sometimes,
    /// The codes of the errors, each possibly with a line.
    Errors(Vec<String>),
    /// The largest number of conflicts of a search for one solution, or the best one.
    Conflicts(u64),
    /// A relation to the instance after these statements have changed it.
    Then(Range<usize>, Law),
}

/// The relation between the instance of a case and a changed instance.
#[derive(Clone, Debug)]
pub(super) enum Law {
    Optimum(Relation),
    Solutions(Relation),
    /// Applying these statements to a solution gives a solution of the changed instance.
    Become(Range<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    NotMore,
    NotLess,
    More,
    Less,
    Same,
}

const OPTIMUM: [(&str, Relation); 5] = [
    ("optimum not higher", Relation::NotMore),
    ("optimum not lower", Relation::NotLess),
    ("optimum higher", Relation::More),
    ("optimum lower", Relation::Less),
    ("optimum unchanged", Relation::Same),
];
const SOLUTIONS: [(&str, Relation); 5] = [
    ("not more solutions", Relation::NotMore),
    ("not fewer solutions", Relation::NotLess),
    ("more solutions", Relation::More),
    ("fewer solutions", Relation::Less),
    ("as many solutions", Relation::Same),
];
const BECOME: &str = "solutions become ";

/// The keys of comments with another meaning.
const OTHER_KEYS: [&str; 8] = ["allow", "app", "hint", "map", "note", "picture", "unit", "wish"];

/// The minimum length of a word that counts as a misspelt key outside named cases: shorter words are too similar to
/// prose.
const COMPARED: usize = 6;

/// A comment on a line without code, split into key and value.
struct CaseComment<'a> {
    key: &'a str,
    /// The position of the whole comment, without continuation lines.
    comment: Range<usize>,
    place: Range<usize>,
    line: usize,
}

impl TestFile {
    /// Reads the cases of a text that belongs to a model, even if it does not name the model.
    pub fn read_for(text: &Text, model: &Text) -> TestFile {
        let file = TestFile::read(text);
        let named = (text.name != model.name).then(|| FileName { name: model.name.clone(), place: 0..0 });
        TestFile { model: file.model.clone().or(named), ..file }
    }

    /// Reads the cases of a text. Errors in a case are reported when it is run.
    pub fn read(text: &Text) -> TestFile {
        let source = text.text.as_str();
        let mut file = TestFile { text: text.clone(), model: None, cases: Vec::new() };
        let mut reader = CaseCollector { text: source, case: None, cases: Vec::new(), changed: None, is_block: false };
        let mut offset = 0;
        let mut lines = source.split_inclusive('\n').enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            let start = offset;
            offset += line.len();
            let Some(comment) = line.strip_prefix('$') else {
                reader.is_block = false;
                continue;
            };
            let mut end = start + line.trim_end().len();
            while let Some((_, next)) = lines.next_if(|(_, next)| goes_on(next)) {
                end = offset + next.trim_end().len();
                offset += next.len();
            }
            let whole = start..start + line.trim_end().len();
            // A blank must separate a key from the `$`.
            let Some((key, value)) = comment.split_once(':').filter(|_| comment.starts_with(' ')) else {
                reader.without_colon(comment.trim(), whole, number + 1);
                continue;
            };
            let first = start + 1 + comment.len() - value.trim_start().len();
            let place = first.min(end)..end;
            let entry = CaseComment { key: &key[1..], comment: whole, place, line: number + 1 };
            if entry.key == "model" {
                // The test cases of a file share one model, so only the first one counts.
                let name = FileName { name: source[entry.place.clone()].trim().to_owned(), place: entry.place };
                file.model.get_or_insert(name);
            } else {
                reader.entry(entry);
            }
        }
        file.cases = reader.finish();
        file
    }

    /// True if the text has statements, not only comments.
    pub(super) fn has_statements(&self) -> bool {
        deep(|| !syntax::parse_file(SourceId::default(), &self.text.text, &mut Vec::new()).statements.is_empty())
    }

    /// The error for a named file that cannot be used.
    pub fn missing(&self, file: &FileName, why: &Diagnostic) -> Report {
        let mut error = Diagnostic::error(Code::TEST_CASE, why.message.clone());
        error = error.at(Span::new(SourceId(0), file.place.start, file.place.end), "named here");
        error.help.clone_from(&why.help);
        error.notes.clone_from(&why.notes);
        self.report(vec![error])
    }

    /// A report about this text.
    pub(super) fn report(&self, diagnostics: Diagnostics) -> Report {
        let mut sources = Sources::default();
        sources.add(self.text.name.as_str(), self.text.text.as_str());
        Report::of(&sources, diagnostics)
    }

    /// The text with blanks for everything except `place`, so that messages show the right line and column.
    pub(super) fn alone(&self, place: &Range<usize>) -> Text {
        let mut alone = String::with_capacity(place.end);
        let mut is_first = true;
        for (at, letter) in self.text.text.char_indices().take_while(|(at, _)| *at < place.end) {
            match letter {
                '\n' => alone.push('\n'),
                // If a value continues on a new line, the `$` there does not belong to it.
                '$' if is_first => alone.push(' '),
                _ if place.contains(&at) => alone.push(letter),
                _ => alone.extend(std::iter::repeat_n(' ', letter.len_utf8())),
            }
            is_first = letter == '\n';
        }
        Text::new(self.text.name.as_str(), alone)
    }

    /// The text at a position, on one line.
    pub(super) fn on_one_line(&self, place: &Range<usize>) -> String {
        let lines = self.text.text[place.clone()].lines().map(|line| line.trim_start_matches('$'));
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn span(&self, place: &Range<usize>) -> Span {
        Span::new(SourceId(0), place.start, place.end)
    }
}

impl TestCase {
    /// The number of expectations in the case.
    pub fn checks(&self) -> usize {
        self.checks.len()
    }
}

/// True if this line continues the value of the comment above.
fn goes_on(line: &str) -> bool {
    line.strip_prefix("$   ").is_some_and(|rest| !rest.trim().is_empty())
}

/// Collects the cases of a text.
struct CaseCollector<'t> {
    text: &'t str,
    /// The current case.
    case: Option<TestCase>,
    cases: Vec<TestCase>,
    /// The statements of the last `changed`.
    changed: Option<Range<usize>>,
    /// True while the lines belong to a named case, in which unknown keys are errors.
    is_block: bool,
}

impl CaseCollector<'_> {
    /// The current case. If there is none, the case without a name starts here.
    fn case(&mut self, line: usize) -> &mut TestCase {
        self.case.get_or_insert_with(|| TestCase::new(None, line))
    }

    fn mistake(&mut self, entry: &CaseComment, error: Diagnostic) {
        let error = if error.labels.is_empty() { error.at(whole(&entry.comment), "in this comment") } else { error };
        self.case(entry.line).mistakes.push(error);
    }

    fn entry(&mut self, entry: CaseComment) {
        let value = self.text[entry.place.clone()].trim();
        let is_key = CASE_KEYS.contains(&entry.key) || entry.key == THEN;
        if !is_key {
            return self.unknown(entry);
        }
        if value.is_empty() {
            let error = Diagnostic::error(Code::TEST_CASE, format!("`{}` has no value", entry.key));
            return self.mistake(&entry, error.help(format!("write it as in `{}`", example(entry.key))));
        }
        let expects = match entry.key {
            "case" => return self.start(value, &entry),
            "data" => {
                let file = FileName { name: value.to_owned(), place: entry.place.clone() };
                return self.case(entry.line).data.push(file);
            }
            "with" => return self.case(entry.line).with.push(entry.place.clone()),
            "because" => return self.because(&entry),
            "changed" => {
                self.changed = Some(entry.place.clone());
                // A case starts here, so that a missing `then` is reported as an empty case.
                self.case(entry.line);
                return;
            }
            "solutions" => match (value, value.parse()) {
                ("none", _) => Some(Expectation::Solutions(0, Vec::new())),
                (_, count) => count.ok().map(|count| Expectation::Solutions(count, Vec::new())),
            },
            "optimum" => {
                let is_value = value.chars().all(|letter| letter.is_ascii_digit() || "-.,()[] ".contains(letter));
                is_value.then(|| Expectation::Optimum(value.to_owned()))
            }
            // Large numbers may contain commas: `1,000,000`.
            "conflicts" => value.replace(',', "").parse().ok().map(Expectation::Conflicts),
            "error" => {
                let codes: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
                // The line may follow a code: `E0403:4`.
                let is_code = |code: &String| Code::named(code.split(':').next().unwrap_or_default()).is_some();
                codes.iter().all(is_code).then_some(Expectation::Errors(codes))
            }
            "solution" => Some(Expectation::Listed),
            "worse" => Some(Expectation::Worse),
            "accepts" => Some(Expectation::Accepts),
            "refuses" => Some(Expectation::Refuses(Vec::new())),
            "always" => Some(Expectation::Always),
            "sometimes" => Some(Expectation::Sometimes),
            _ => return self.then(&entry),
        };
        match expects {
            Some(expects) => self.check(&entry, expects),
            None => {
                let error = Diagnostic::error(Code::TEST_CASE, format!("`{}` cannot have this value", entry.key));
                let error = error.at(whole(&entry.place), "this value");
                self.mistake(&entry, error.help(format!("write it as in `{}`", example(entry.key))));
            }
        }
    }

    fn check(&mut self, entry: &CaseComment, expects: Expectation) {
        let check = Check { line: entry.line, place: entry.place.clone(), expects };
        self.case(entry.line).checks.push(check);
    }

    /// Starts a case with a name.
    fn start(&mut self, name: &str, entry: &CaseComment) {
        self.end();
        self.case = Some(TestCase::new(Some(name.to_owned()), entry.line));
        self.changed = None;
        self.is_block = true;
    }

    fn end(&mut self) {
        let Some(mut case) = self.case.take() else { return };
        if case.checks.is_empty() && case.mistakes.is_empty() {
            let name = case.name.as_ref().map_or("this case".to_owned(), |name| format!("the case `{name}`"));
            let error = Diagnostic::error(Code::TEST_CASE, format!("{name} expects nothing"));
            let start: usize = self.text.split_inclusive('\n').take(case.line - 1).map(str::len).sum();
            let end = start + self.text[start..].lines().next().unwrap_or_default().len();
            let error = error.at(whole(&(start..end)), "it starts here");
            case.mistakes.push(error.help("add a line such as `$ solutions: 4` or `$ refuses: letting x be 3`"));
        }
        self.cases.push(case);
    }

    /// A requirement that must be among the reasons; it belongs to the check above.
    fn because(&mut self, entry: &CaseComment) {
        let last = self.case.as_mut().and_then(|case| case.checks.last_mut()).map(|check| &mut check.expects);
        match last {
            Some(Expectation::Refuses(because) | Expectation::Solutions(0, because)) => {
                because.push(entry.place.clone());
            }
            _ => {
                let error = Diagnostic::error(Code::TEST_CASE, "there is nothing for this reason to explain");
                let help = "`because` follows a line with `refuses`, or with `solutions: none`";
                self.mistake(entry, error.help(help));
            }
        }
    }

    /// The relation of the changed instance to the instance of the case.
    fn then(&mut self, entry: &CaseComment) {
        let Some(changed) = self.changed.clone() else {
            let error = Diagnostic::error(Code::TEST_CASE, "nothing is changed here");
            let help = "write the changed data on a line above, as in `$ changed: letting n be n + 1`";
            return self.mistake(entry, error.help(help));
        };
        let value = &self.text[entry.place.clone()];
        let words = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let relation =
            |known: &[(&str, Relation)]| known.iter().find(|(known, _)| *known == words).map(|known| known.1);
        let law = match (relation(&OPTIMUM), relation(&SOLUTIONS)) {
            (Some(relation), _) => Some(Law::Optimum(relation)),
            (_, Some(relation)) => Some(Law::Solutions(relation)),
            _ => value.strip_prefix(BECOME).map(|rest| Law::Become(entry.place.end - rest.len()..entry.place.end)),
        };
        match law {
            Some(law) => self.check(entry, Expectation::Then(changed, law)),
            None => {
                let known = OPTIMUM.iter().chain(&SOLUTIONS).map(|(words, _)| *words);
                let error = Diagnostic::error(Code::TEST_CASE, "this relation is not known");
                let error = error.at(whole(&entry.place), "this relation");
                let known: Vec<String> = known.map(|words| format!("`{words}`")).collect();
                let help = format!("write {}, or `solutions become letting x be …`", known.join(", "));
                self.mistake(entry, error.help(help));
            }
        }
    }

    /// An unknown key, which may be a misspelt one.
    fn unknown(&mut self, entry: CaseComment) {
        let word = entry.key.trim();
        let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
        if !is_word || OTHER_KEYS.contains(&&*word.to_lowercase()) {
            return;
        }
        let meant = nearest(&word.to_lowercase(), CASE_KEYS.into_iter().chain([THEN]));
        let is_meant = meant.is_some_and(|key| key.eq_ignore_ascii_case(word) || word.len().min(key.len()) >= COMPARED);
        // Outside named cases, a comment with an unknown key is probably prose.
        if !self.is_block && !is_meant {
            return;
        }
        let error = Diagnostic::error(Code::TEST_CASE, format!("`{word}` has no meaning in a test case"));
        let help = match meant {
            Some(key) => format!("did you mean `{key}`?"),
            None => format!("a line of a case starts with one of these words: {}, {THEN}", CASE_KEYS[2..].join(", ")),
        };
        self.mistake(&entry, error.help(help));
    }

    /// A comment such as `$ solutions 4`.
    fn without_colon(&mut self, comment: &str, place: Range<usize>, line: usize) {
        let Some((key, value)) = comment.split_once(' ') else { return };
        let is_number = value.trim().parse::<i64>().is_ok();
        if is_number && ["solutions", "optimum", "conflicts"].contains(&key) {
            let entry = CaseComment { key: "", comment: place.clone(), place, line };
            let error = Diagnostic::error(Code::TEST_CASE, "this comment cannot be read");
            self.mistake(&entry, error.help(format!("write `$ {key}: {}`", value.trim())));
        }
    }

    /// The cases. A case with the name of an earlier one gets an error.
    fn finish(mut self) -> Vec<TestCase> {
        self.end();
        let mut known: HashMap<String, usize> = HashMap::new();
        let starts: Vec<usize> = [0].into_iter().chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let line = |number: usize| {
            let start = starts.get(number - 1).copied().unwrap_or_default();
            start..start + self.text[start..].lines().next().unwrap_or_default().len()
        };
        for case in &mut self.cases {
            let Some(name) = &case.name else { continue };
            if let Some(first) = known.get(name) {
                let error = Diagnostic::error(Code::TEST_CASE, format!("two cases have the name `{name}`"));
                let error =
                    error.at(whole(&line(case.line)), "the second one").at(whole(&line(*first)), "the first one");
                case.mistakes.push(error.help("give one of them another name"));
            } else {
                known.insert(name.clone(), case.line);
            }
        }
        self.cases
    }
}

impl TestCase {
    fn new(name: Option<String>, line: usize) -> Self {
        TestCase { name, line, data: Vec::new(), with: Vec::new(), checks: Vec::new(), mistakes: Vec::new() }
    }
}

fn whole(place: &Range<usize>) -> Span {
    Span::new(SourceId(0), place.start, place.end)
}

/// An example of a comment with this key.
fn example(key: &str) -> &'static str {
    match key {
        "case" => "$ case: two rows are alike",
        "data" => "$ data: small.param",
        "with" => "$ with: letting n be 4",
        "solutions" => "$ solutions: 4` or `$ solutions: none",
        "optimum" => "$ optimum: 14",
        "solution" => "$ solution: letting x be 1",
        "worse" => "$ worse: letting x be 3",
        "accepts" => "$ accepts: letting x be 1",
        "refuses" => "$ refuses: letting x be 3",
        "because" => "$ because: x < y",
        "always" => "$ always: x < 3",
        "sometimes" => "$ sometimes: x = 1",
        "error" => "$ error: E0403",
        "conflicts" => "$ conflicts: 1000",
        "changed" => "$ changed: letting n be n + 1",
        THEN => "$ then: optimum not higher",
        _ => "$ model: m.essence",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TestFile {
        TestFile::read(&Text::new("a.param", text))
    }

    fn mistakes(text: &str) -> Vec<String> {
        let cases = read(text).cases;
        cases.iter().flat_map(|case| &case.mistakes).map(|mistake| mistake.message.clone()).collect()
    }

    #[test]
    fn a_value_goes_on_in_deeper_lines() {
        let file = read("$ accepts: letting x be\n$     {1,\n$     2}\n$ and prose\n$ solutions: 4");
        let case = &file.cases[0];
        assert_eq!(file.on_one_line(&case.checks[0].place), "letting x be {1, 2}");
        assert_eq!(file.alone(&case.checks[0].place).text, "           letting x be\n      {1,\n      2}");
        assert_eq!(case.checks[1].line, 5);
    }

    #[test]
    fn prose_is_not_a_case() {
        let texts =
            ["$ solution of the puzzle", "$ the data: see below", "$ width: 3", "$ Cases: 3", "letting n be 3", "$"];
        for text in texts {
            assert!(read(text).cases.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_nearly_a_case_is_a_mistake() {
        for text in
            ["$ solutions 4", "$ Solutions: 4", "$ solutoins: 4", "$ refuse: letting x be 1", "$ solutions: four"]
        {
            assert_eq!(mistakes(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_mistake_in_one_case_leaves_the_others() {
        let file = read("$ case: a\n$ solutions: x\n\n$ case: b\n$ solutions: 1\n$ case: c\n$ case: b\n$ fruit: 3");
        let wrong: Vec<usize> = file.cases.iter().map(|case| case.mistakes.len()).collect();
        assert_eq!(wrong, [1, 0, 1, 2]);
    }
}
