//! Reports as blocks, which every format renders: headings, sentences, code and pictures.

use conjure_like::{Picture, PictureFormat, Sheet, still_page, visible};
use std::fmt::Write;

/// A part of a report.
pub(crate) enum Block {
    Title(String),
    Heading(String),
    Line(String),
    /// An item of a list.
    Item(String),
    Code(String),
    Pictures(Vec<Picture>),
}

fn drawn(pictures: &[Picture], format: PictureFormat, bold: bool) -> String {
    format.render("", &[Sheet { pictures: pictures.to_vec(), ..Sheet::default() }], bold)
}

/// The report for terminals.
pub(crate) fn plain(blocks: &[Block], bold: bool) -> String {
    let mut text = String::new();
    let indented =
        |text: &str| text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect::<String>();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(text, "{}\n", visible::line(title)),
            Block::Heading(heading) => writeln!(text, "\n{}\n", visible::line(heading)),
            Block::Line(line) => writeln!(text, "{line}"),
            Block::Item(item) => writeln!(text, "- {item}"),
            // Below a heading, there is an empty line already.
            Block::Code(code) if text.ends_with("\n\n") => writeln!(text, "{}", indented(code)),
            Block::Code(code) => writeln!(text, "\n{}", indented(code)),
            Block::Pictures(pictures) => writeln!(text, "{}", indented(&drawn(pictures, PictureFormat::Text, bold))),
        };
    }
    text
}

/// The report for a pull request.
pub(crate) fn markdown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(text, "## {}\n", visible::line(title)),
            Block::Heading(heading) => writeln!(text, "\n### {}\n", visible::line(heading)),
            Block::Line(line) => writeln!(text, "{line}\n"),
            Block::Item(item) => writeln!(text, "- {item}"),
            Block::Code(code) => writeln!(text, "```text\n{code}\n```\n"),
            Block::Pictures(pictures) => {
                writeln!(text, "```text\n{}\n```\n", drawn(pictures, PictureFormat::Text, false).trim_end())
            }
        };
    }
    text
}

/// The report as a page.
pub(crate) fn page(blocks: &[Block], title: &str) -> String {
    let mut body = String::new();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(body, "<h1>{}</h1>", visible::markup(&visible::line(title))),
            Block::Heading(heading) => writeln!(body, "<h2>{}</h2>", with_code(&visible::line(heading))),
            Block::Line(line) => writeln!(body, "<p>{}</p>", with_code(line)),
            Block::Item(item) => writeln!(body, "<p class=\"item\">{}</p>", with_code(item)),
            Block::Code(code) => writeln!(body, "<pre class=\"surface\">{}</pre>", visible::markup(code)),
            Block::Pictures(pictures) => {
                writeln!(body, "<figure class=\"surface\">{}</figure>", drawn(pictures, PictureFormat::Svg, false))
            }
        };
    }
    let body = format!("<main class=\"sheet\">\n{body}</main>\n");
    still_page(title, include_str!("blocks.css"), &body)
}

/// A sentence as markup, in which backticks become code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(position, part)| {
            let part = visible::markup(part);
            if position % 2 == 1 { format!("<code>{part}</code>") } else { part }
        })
        .collect()
}
