//! Questions about several models, and test cases.

use super::{
    Listener, Service,
    grading::{difference_reply, refusal_reply},
    instances::drawn_pictures,
    refusal,
    reply::{
        self, AskResult, AskedQuestion, BlamedLine, InstanceText, Line, ProgressLine, RefutedModel, TestProgress,
        TestedCase, TestedMutant,
    },
    request::{self, Request},
};
use crate::{
    Code, Diagnostic, Inquiry, InquiryOptions, Model, MutantStatus, MutationScore, MutationTest, PassedCase, Question,
    QuestionAnswer, Refusal, Report, TestCase, TestDetail, TestFile, TestFinding, TestOptions, TestResult, TestVerdict,
    Text,
};

/// The seed for generated instances, as in `conjure-like ask`.
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
    let data = question.data.iter().map(|data| InstanceText { name: data.name.clone(), text: data.text.clone() });
    AskedQuestion {
        asks: question.asks(),
        data: data.collect(),
        text: question.to_text(false),
        svg: drawn_pictures(&question.pictures),
        solution: question.solution,
        best: question.is_best,
        yes: question.yes,
        no: question.no,
    }
}

/// Runs the test cases of a text, and of the other texts if they are wanted; then the mutants, if they are wanted.
pub(super) fn answer_test(
    service: &Service,
    request: &Request,
    test: &request::Test,
    tell: Listener,
) -> Result<reply::TestResult, Report> {
    let model = request.model()?;
    let options = TestOptions::default().search(service.options(&test.limit, None));
    let options = match test.limit.time() {
        Some(time) => options.case_time(time),
        None => options,
    };
    let mut files = vec![TestFile::read(&test.cases.as_ref().map_or_else(|| model.clone(), Text::from))];
    if test.all {
        files.extend(test.files.iter().map(|text| TestFile::read_for(&Text::from(text), &model)));
    }
    let is_wanted = |name: &str| test.only.as_ref().is_none_or(|only| name.contains(only));
    for file in &mut files {
        file.cases.retain(|case| is_wanted(case.name.as_deref().unwrap_or_default()));
    }
    let of = files.iter().map(|file| file.cases.len()).sum();
    let (mut cases, mut passed) = (Vec::new(), Vec::new());
    for (file, case) in files.iter().flat_map(|file| file.cases.iter().map(move |case| (file, case))) {
        let (result, texts) = tested(test, &model, file, case, &options);
        if result.verdict == TestVerdict::Passed {
            passed.push(PassedCase::new(file, case, texts, result.time));
        }
        let tested = TestedCase {
            file: file.text.name.clone(),
            name: case.name.clone().unwrap_or_default(),
            line: case.line,
            verdict: result.verdict.word(),
            seconds: result.seconds(),
            findings: result.findings.iter().map(finding_reply).collect(),
        };
        let progress = TestProgress { case: Some(tested.clone()), mutant: None, of };
        tell(Line::Progress(ProgressLine::Tested(Box::new(progress))));
        cases.push(tested);
    }
    let (mutants, score) = match test.mutants {
        true => Some(tested_mutants(service, test, &Model::read(&model)?, passed, tell)).unzip(),
        false => (None, None),
    };
    Ok(reply::TestResult { score, mutants, cases })
}

/// The result of a case, and the texts that it names.
fn tested(
    test: &request::Test,
    model: &Text,
    file: &TestFile,
    case: &TestCase,
    options: &TestOptions,
) -> (TestResult, Vec<Text>) {
    let named = |name: &str| test.files.iter().find(|file| file.name == name).map(Text::from);
    match case.data.iter().find(|data| named(&data.name).is_none()) {
        Some(data) => {
            let message = format!("there is no text with the name `{}`", data.name);
            let error = Diagnostic::error(Code::TEST_CASE, message);
            (TestResult::broken(case, "the data cannot be read", file.missing(data, &error)), Vec::new())
        }
        None => {
            let texts: Vec<Text> = case.data.iter().filter_map(|data| named(&data.name)).collect();
            (file.run(case, model, &texts, options), texts)
        }
    }
}

/// Runs the cases that the model passes on its mutants, and looks for a difference between the model and each mutant
/// that no case notices. Returns the score in words, too.
fn tested_mutants(
    service: &Service,
    test: &request::Test,
    model: &Model,
    passed: Vec<PassedCase<'_>>,
    tell: Listener,
) -> (Vec<TestedMutant>, String) {
    let mutation = MutationTest::new(model, passed, test.instances);
    let mutants = model.mutants();
    let (mut tested, mut score) = (Vec::new(), MutationScore::default());
    for mutant in &mutants {
        // The limit applies to each mutant.
        let options = TestOptions::default().search(service.options(&test.limit, None));
        if service.limits.reached().is_some() {
            break;
        }
        let status = mutation.status(mutant, &options).unwrap_or(MutantStatus::Unknown);
        score.count(&status);
        let found = match &status {
            MutantStatus::NotNoticed(found) => Some(found),
            _ => None,
        };
        let data = found.iter().flat_map(|found| &found.data);
        let one = TestedMutant {
            line: mutant.line,
            says: mutant.says.clone(),
            status: status.words(),
            data: data.map(|data| InstanceText { name: data.name.clone(), text: data.text.clone() }).collect(),
            difference: found.map(|found| difference_reply(&found.difference)),
            case: found.and_then(|found| found.case.clone()),
        };
        let progress = TestProgress { case: None, mutant: Some(one.clone()), of: mutants.len() };
        tell(Line::Progress(ProgressLine::Tested(Box::new(progress))));
        tested.push(one);
    }
    let says = score.in_words();
    (tested, says.replacen("the", "The", 1))
}

fn finding_reply(finding: &TestFinding) -> reply::TestFinding {
    let because = finding.details.iter().find_map(|detail| match detail {
        TestDetail::Answer(answer) => Some(refusal_reply(&Refusal::Requirements(answer.clone()))),
        TestDetail::Report(report) => Some(refusal_reply(&Refusal::Domain(report.clone()))),
        TestDetail::Says(_) | TestDetail::Solution(..) => None,
    });
    let pictures = finding.details.iter().find_map(|detail| match detail {
        TestDetail::Solution(_, pictures) => Some(pictures),
        _ => None,
    });
    reply::TestFinding {
        verdict: finding.verdict.word(),
        line: finding.line,
        says: finding.says.clone(),
        text: finding.to_text(false),
        blames: finding.blamed().map(|(file, line)| BlamedLine { file, line }),
        solution: finding.solution().map(str::to_owned),
        svg: pictures.and_then(|pictures| drawn_pictures(pictures)),
        because,
    }
}
