//! The results of test cases as text for people, JSON, JUnit's XML, TAP, and annotations of GitHub.

use super::{
    Tally, TestFormat,
    find::{TestJob, TestPlan},
};
use conjure_like::{TestDetail, TestFinding, TestResult, TestVerdict, to_json, visible};
use serde_json::{Value, json};

/// The shortest time, in seconds, that the plain format shows.
const LONG: f64 = 1.0;

/// Writes results in a format.
pub(super) struct Formatter {
    format: TestFormat,
    verbose: bool,
    color: bool,
    /// The number of the last case.
    number: usize,
    /// The cases so far, for a format that starts with the totals.
    cases: String,
}

impl Formatter {
    pub(super) fn new(format: TestFormat, verbose: bool, color: bool) -> Self {
        Formatter { format, verbose, color, number: 0, cases: String::new() }
    }

    pub(super) fn head(&self, jobs: usize) -> String {
        if self.format == TestFormat::Tap { format!("TAP version 14\n1..{jobs}\n") } else { String::new() }
    }

    /// The text of one case; empty if the format prints it at the end.
    pub(super) fn case(&mut self, plan: &TestPlan, job: &TestJob, result: &TestResult) -> String {
        self.number += 1;
        match self.format {
            TestFormat::Plain => self.plain(plan, job, result),
            TestFormat::Json => to_json(&object(plan, job, result)) + "\n",
            TestFormat::Tap => self.tap(plan, job, result),
            TestFormat::Github => github(plan, job, result),
            TestFormat::Junit => {
                self.cases += &junit(plan, job, result);
                String::new()
            }
        }
    }

    pub(super) fn tail(&self, tally: &Tally) -> String {
        match self.format {
            TestFormat::Plain => tally.says(),
            TestFormat::Junit => {
                let numbers = format!(
                    "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                    tally.all(),
                    tally.undecided + tally.failed,
                    tally.broken,
                    tally.open
                );
                format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n\
                     <testsuite name=\"conjure-like\" {numbers}>\n{}</testsuite>\n</testsuites>\n",
                    self.cases
                )
            }
            TestFormat::Json | TestFormat::Tap | TestFormat::Github => String::new(),
        }
    }

    fn plain(&self, plan: &TestPlan, job: &TestJob, result: &TestResult) -> String {
        if result.verdict == TestVerdict::Passed && !self.verbose {
            return String::new();
        }
        let seconds = result.time.as_secs_f64();
        let time = if seconds < LONG { String::new() } else { format!(" ({seconds:.1} s)") };
        let mut text = format!("{:<11}  {}{time}\n", result.verdict.word(), job.title(&plan.files));
        for finding in &result.findings {
            text += &format!("\n    line {}: {}\n", finding.line, finding.says);
            let details = finding.to_text(self.color);
            if !details.is_empty() {
                text += &format!("\n{}", indented(&details, "    "));
            }
        }
        text + if result.findings.is_empty() { "" } else { "\n" }
    }

    fn tap(&self, plan: &TestPlan, job: &TestJob, result: &TestResult) -> String {
        let word = if result.verdict == TestVerdict::Passed { "ok" } else { "not ok" };
        // In TAP, `#` starts a directive.
        let title = one_line(&job.title(&plan.files)).replace('\\', "\\\\").replace('#', "\\#");
        let mut text = format!("{word} {} - {title}\n", self.number);
        if result.verdict != TestVerdict::Passed {
            let says: String = findings(result).lines().map(|line| format!("    {line}\n")).collect();
            let at = result.findings.first().map_or(0, |finding| finding.line);
            // Every JSON string is also a YAML string.
            let file = to_json(&job.file_name(&plan.files).into());
            text += &format!(
                "  ---\n  severity: {}\n  file: {file}\n  line: {at}\n  message: |\n{says}  ...\n",
                to_json(&result.verdict.word().into())
            );
        }
        text
    }
}

fn indented(text: &str, margin: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{margin}{line}\n") }).collect()
}

fn one_line(text: &str) -> String {
    visible::line(text).into_owned()
}

/// All findings and their details, without colours.
fn findings(result: &TestResult) -> String {
    let text = |finding: &TestFinding| format!("line {}: {}\n{}", finding.line, finding.says, finding.to_text(false));
    let texts: Vec<String> = result.findings.iter().map(text).collect();
    texts.iter().map(|text| text.trim_end()).collect::<Vec<_>>().join("\n\n")
}

/// A case as a JSON object.
fn object(plan: &TestPlan, job: &TestJob, result: &TestResult) -> Value {
    let finding = |finding: &TestFinding| {
        let place = finding.blamed().map(|(file, line)| json!({"file": file, "line": line}));
        let mut object = json!({
            "verdict": finding.verdict.word(),
            "line": finding.line,
            "says": finding.says,
            "text": finding.to_text(false),
            "blames": place,
            "solution": finding.solution(),
        });
        for detail in &finding.details {
            match detail {
                TestDetail::Answer(answer) => object["answer"] = answer.to_value(),
                TestDetail::Report(report) => object["diagnostics"] = report.to_values().into(),
                _ => {}
            }
        }
        object
    };
    let mut object = listed(plan, job);
    object["verdict"] = result.verdict.word().into();
    object["seconds"] = result.seconds().into();
    object["findings"] = result.findings.iter().map(finding).collect();
    object
}

/// A case that has not run as a JSON object.
pub(super) fn listed(plan: &TestPlan, job: &TestJob) -> Value {
    json!({"file": job.file_name(&plan.files), "line": job.case(&plan.files).line, "case": job.name})
}

/// A case as an element of a JUnit report.
fn junit(plan: &TestPlan, job: &TestJob, result: &TestResult) -> String {
    let name = if job.name.is_empty() { "all" } else { &job.name };
    let mut text = format!(
        "<testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        visible::markup(&job.file_name(&plan.files)),
        visible::markup(name),
        result.time.as_secs_f64()
    );
    // In JUnit, a case that cannot be checked is an error, and a case that does not hold is a failure.
    let element = if result.verdict == TestVerdict::Broken { "error" } else { "failure" };
    match result.findings.first() {
        None => text += "/>\n",
        Some(first) => {
            text += &format!(
                ">\n<{element} type=\"{}\" message=\"{}\">{}</{element}>\n</testcase>\n",
                result.verdict.word(),
                visible::markup(&first.says),
                visible::markup(&findings(result))
            );
        }
    }
    text
}

/// A case as GitHub workflow commands, which annotate the line of the case and the line to blame.
fn github(plan: &TestPlan, job: &TestJob, result: &TestResult) -> String {
    let mut text = String::new();
    let title = format!("{} ({})", job.title(&plan.files), result.verdict.word());
    let own = job.file_name(&plan.files);
    let mut annotate = |level: &str, (file, line): (&str, usize), message: &str| {
        let [file, title] = [file, &title].map(|text| annotation(text).replace(':', "%3A").replace(',', "%2C"));
        text += &format!("::{level} file={file},line={line},title={title}::{}\n", annotation(message));
    };
    for finding in &result.findings {
        annotate("error", (&own, finding.line), format!("{}\n{}", finding.says, finding.to_text(false)).trim_end());
        if let Some((file, line)) = finding.blamed().filter(|(file, _)| *file != own) {
            annotate("notice", (&file, line), &format!("{own}:{}: {}", finding.line, finding.says));
        }
    }
    text
}

fn annotation(text: &str) -> String {
    visible::text(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_name_is_taken_for_the_format() {
        assert_eq!(visible::markup("a < b && \"c\""), "a &lt; b &amp;&amp; &quot;c&quot;");
        assert_eq!(annotation("100%\nmore"), "100%25%0Amore");
    }
}
