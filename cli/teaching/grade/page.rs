//! Pages: an overview for the lecturer, and the feedback for each student.

use super::{
    exercise::Exercise,
    feedback::{code, html},
    grades::Grade,
    job::InstanceResult,
    statistics::{self, CommonShortcoming},
};
use conjure_like::{still_page, visible::markup};
use std::fmt::Write;

/// The feedback for a submission as a page.
pub(super) fn feedback(exercise: &Exercise, grade: &Grade) -> String {
    let (title, name) = (&exercise.settings.title, &grade.name);
    let header = format!("<div><p class=\"lead\">{}</p><h1>{}</h1></div>", markup(title), markup(name));
    let body = format!("{}{}", grade_section(exercise, grade, &header), html(exercise, grade));
    page_with_title(&format!("{title}: {name}"), "narrow", &body)
}

/// A page with all grades and their common shortcomings. The feedback is in this folder, or on the page if there is
/// none.
pub(super) fn overview(exercise: &Exercise, grades: &[Grade], folder: Option<&str>) -> String {
    let title = &exercise.settings.title;
    let links: Vec<String> = grades.iter().enumerate().map(|(at, grade)| link(at, grade, folder)).collect();
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
        markup(title),
        markup(&statistics::grades_summary(exercise, grades))
    );
    // A histogram of a single submission would show nothing.
    if grades.len() > 1 {
        body += &points_histogram(exercise, grades);
        // If several submissions share a mistake, lecturers may want to discuss it.
        let findings = statistics::frequent_shortcomings(grades);
        let (several, single): (Vec<&CommonShortcoming>, Vec<&CommonShortcoming>) =
            findings.iter().partition(|finding| finding.grades.len() > 1);
        if !several.is_empty() {
            let items: String = several.iter().map(|finding| shared(finding, &links)).collect();
            let _ = writeln!(body, "<h2>What several have in common</h2>\n<ol class=\"shared\">{items}</ol>");
        }
        if !single.is_empty() {
            let items: String = single.iter().map(|finding| shared(finding, &links)).collect();
            let _ = writeln!(
                body,
                "<details class=\"single\"><summary>What only one does <span class=\"quiet\">({})</span></summary>\
                 <ol class=\"shared\">{items}</ol></details>",
                single.len()
            );
        }
    }
    body += "<h2>Submissions</h2>\n";
    body += &grades_table(exercise, grades, &links);
    // If there is a folder, each feedback has its own page.
    if folder.is_none() {
        for (at, grade) in grades.iter().enumerate() {
            let header = grade_section(exercise, grade, &format!("<h2>{}</h2>", markup(&grade.name)));
            let _ = writeln!(body, "<article id=\"submission-{at}\">{header}{}</article>", html(exercise, grade));
        }
    }
    page_with_title(title, "", &body)
}

/// A page with a title, which is text, and a body, which is markup.
fn page_with_title(title: &str, class: &str, body: &str) -> String {
    still_page(title, include_str!("page.css"), &format!("<main class=\"sheet {class}\">\n{body}</main>\n"))
}

/// A heading beside the points.
fn grade_section(exercise: &Exercise, grade: &Grade, heading: &str) -> String {
    let (points, of) = (grade.points(), exercise.settings.points);
    let share = share(exercise, grade);
    let class = if grade.result() == "right" { "right" } else { "part" };
    format!(
        "<header class=\"graded {class}\">{heading}<p class=\"points\"><b>{points}</b> of {of} points</p>\
         <div class=\"meter\" aria-hidden=\"true\"><span style=\"width: {share}%\"></span></div></header>\n"
    )
}

/// The points in percent.
fn share(exercise: &Exercise, grade: &Grade) -> u32 {
    grade.tenths() * 10 / exercise.settings.points.max(1)
}

/// The name of a submission, linked to its feedback.
fn link(at: usize, grade: &Grade, folder: Option<&str>) -> String {
    let target = match folder {
        Some(folder) => format!("{folder}/{}.html", encoded(&grade.name)),
        None => format!("#submission-{at}"),
    };
    format!("<a href=\"{target}\">{}</a>", markup(&grade.name))
}

/// A name, percent-encoded as a part of a URL.
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    name.bytes().fold(String::new(), |mut text, byte| {
        let _ = if plain(byte) { write!(text, "{}", char::from(byte)) } else { write!(text, "%{byte:02X}") };
        text
    })
}

/// A histogram of the points, in tenths of the maximum.
fn points_histogram(exercise: &Exercise, grades: &[Grade]) -> String {
    let mut counts = [0_usize; 11];
    for grade in grades {
        // Only full points are in the last bar.
        counts[(share(exercise, grade) as usize / 10).min(10)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let points = f64::from(exercise.settings.points) / 10.0;
    let bars = counts.iter().enumerate().map(|(at, count)| {
        let (height, from) = (count * 100 / most, at as f64 * points);
        let shown = if *count > 0 { count.to_string() } else { String::new() };
        format!(
            "<li><span class=\"count\">{shown}</span><span class=\"bar\" style=\"height: {height}%\"></span><span \
            class=\"from\">{from}</span></li>"
        )
    });
    let bars: String = bars.collect();
    format!(
        "<figure class=\"surface histogram\"><ol>{bars}</ol><figcaption>Submissions by points</figcaption></figure>\n"
    )
}

/// A shortcoming that several submissions share.
fn shared(finding: &CommonShortcoming, links: &[String]) -> String {
    let (number, all) = (finding.grades.len(), links.len());
    let about = match (&finding.about, finding.result) {
        (Some(about), "allows" | "refuses") => format!("<pre class=\"block\"><code>{}</code></pre>", markup(about)),
        (Some(about), _) => format!("<p class=\"about\">{}</p>", code_or_words(about)),
        (None, _) => String::new(),
    };
    let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!("<blockquote>{}</blockquote>", markup(hint)));
    let names: Vec<&str> = finding.grades.iter().map(|at| links[*at].as_str()).collect();
    format!(
        "<li class=\"surface\"><p class=\"number\"><b>{number}</b> of {all}</p><div><p>{}</p>{about}{hint}\
         <p class=\"who\">{}</p></div></li>",
        markup(&finding.words),
        names.join(", ")
    )
}

/// A message with names in backquotes.
fn code_or_words(text: &str) -> String {
    if text.contains('`') { code(text) } else { markup(text) }
}

fn grades_table(exercise: &Exercise, grades: &[Grade], links: &[String]) -> String {
    let mut rows = String::new();
    for (grade, link) in grades.iter().zip(links) {
        let instances = exercise.instances.iter().enumerate();
        let marks: String = instances.map(|(at, one)| mark_of_result(&one.name, grade.results().get(at))).collect();
        let file = markup(&grade.path.display().to_string());
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\" title=\"{file}\">{link}</th><td class=\"number\">{}</td><td>{}</td><td \
            class=\"marks\">{marks}</td></tr>",
            grade.points(),
            grade.result(),
        );
    }
    format!(
        "<div class=\"surface scrolled\" role=\"region\" aria-label=\"Grades\" tabindex=\"0\">\n<table>\n\
         <thead><tr><th scope=\"col\">Submission</th><th scope=\"col\" class=\"number\">Points</th>\
         <th scope=\"col\">Result</th><th \
             scope=\"col\">Instances</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

/// The result on an instance as a sign with a word.
fn mark_of_result(instance: &str, result: Option<&InstanceResult>) -> String {
    let (class, sign, word) = match result {
        None => ("none", "–", "not tried"),
        Some(result) => match result.shortcoming.as_deref() {
            None => ("right", "✓", "right"),
            Some("slow") => ("slow", "…", "slow"),
            Some(kind) => ("wrong", "✗", kind),
        },
    };
    let seconds = result.and_then(|result| result.seconds).map_or(String::new(), |seconds| format!(", {seconds:.2} s"));
    let label = markup(&format!("{instance}: {word}{seconds}"));
    format!("<span class=\"{class}\" role=\"img\" aria-label=\"{label}\" title=\"{label}\">{sign}</span>")
}
