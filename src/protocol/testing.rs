//! Questions about several models, and test cases.

use super::{
    Service, refusal,
    reply::{self, AskResult, AskedQuestion, BlamedLine, InstanceText, RefutedModel, TestedCase},
    request::{self, Request},
};
use crate::{
    Code, Diagnostic, Inquiry, InquiryOptions, PictureFormat, Question, QuestionAnswer, Report, Sheet, TestFile,
    TestFinding, TestOptions, TestResult, Text,
};

/// The seed for instances that are made up, as in `conjure-like ask`.
const SEED: u32 = 1;

/// The next question about several models, after the answers so far.
pub(super) fn answer_ask(service: &Service, request: &Request, ask: &request::Ask) -> Result<AskResult, Report> {
    let models: Vec<Text> = [request.model()?].into_iter().chain(ask.candidates.iter().map(Text::from)).collect();
    let data = request.data();
    let options = InquiryOptions::default()
        .mapping(ask.mapping.clone().into_iter().collect())
        .mutants(ask.mutants)
        .instances(if data.is_empty() { Vec::new() } else { vec![data] })
        .made_up(ask.instances)
        .seed(SEED)
        .search(service.options(&ask.limit, Some(SEED)));
    let mut inquiry = Inquiry::new(&models, options)?;
    for given in &ask.answers {
        let answer = QuestionAnswer::read(&given.answer).ok_or_else(|| {
            let words = "`yes`, `no`, `cannot happen` or `don't know`";
            refusal(format!("`{}` is not an answer: it is {words}", given.answer))
        })?;
        let data: Vec<Text> = given.data.iter().map(Text::from).collect();
        inquiry.answer_again(&data, &given.solution, given.best, answer);
    }
    let question = inquiry.next_question().map(asked);
    let refuted = inquiry.refuted().map(|(model, answer)| RefutedModel { model: model.to_owned(), answer });
    Ok(AskResult {
        question,
        refuted: refuted.collect(),
        left: inquiry.left().map(str::to_owned).collect(),
        says: inquiry.says(),
        cases: inquiry.cases(str::to_owned),
    })
}

fn asked(question: Question) -> AskedQuestion {
    let sheet = Sheet { pictures: question.pictures.clone(), ..Sheet::default() };
    let data = question.data.iter().map(|data| InstanceText { name: data.name.clone(), text: data.text.clone() });
    AskedQuestion {
        asks: question.asks(),
        data: data.collect(),
        text: question.to_text(false),
        svg: (!question.pictures.is_empty()).then(|| PictureFormat::Svg.render("", &[sheet], false)),
        solution: question.solution,
        best: question.is_best,
        yes: question.yes,
        no: question.no,
    }
}

/// Runs the test cases of a text.
pub(super) fn answer_test(
    service: &Service,
    request: &Request,
    test: &request::Test,
) -> Result<reply::TestResult, Report> {
    let model = request.model()?;
    let text = test.cases.as_ref().map_or_else(|| model.clone(), Text::from);
    let file = TestFile::read(&text);
    let options = TestOptions::default().search(service.options(&test.limit, None));
    let options = match test.limit.time() {
        Some(time) => options.case_time(time),
        None => options,
    };
    let is_wanted = |name: &str| test.only.as_ref().is_none_or(|only| name.contains(only));
    let mut cases = Vec::new();
    for case in file.cases.iter().filter(|case| is_wanted(case.name.as_deref().unwrap_or_default())) {
        let named = |name: &str| test.files.iter().find(|file| file.name == name).map(Text::from);
        let missing = case.data.iter().find(|data| named(&data.name).is_none());
        let result = match missing {
            Some(data) => {
                let message = format!("there is no text `{}` among the `files` of the request", data.name);
                let error = Diagnostic::error(Code::TEST_CASE, message);
                TestResult::broken(case, "the data cannot be read", file.missing(data, &error))
            }
            None => {
                let data: Vec<Text> = case.data.iter().filter_map(|data| named(&data.name)).collect();
                file.run(case, &model, &data, &options)
            }
        };
        cases.push(TestedCase {
            name: case.name.clone().unwrap_or_default(),
            line: case.line,
            verdict: result.verdict.word(),
            seconds: result.seconds(),
            findings: result.findings.iter().map(finding_reply).collect(),
        });
    }
    Ok(reply::TestResult { cases })
}

fn finding_reply(finding: &TestFinding) -> reply::TestFinding {
    reply::TestFinding {
        verdict: finding.verdict.word(),
        line: finding.line,
        says: finding.says.clone(),
        text: finding.to_text(false),
        blames: finding.blamed().map(|(file, line)| BlamedLine { file, line }),
        solution: finding.solution().map(str::to_owned),
    }
}
