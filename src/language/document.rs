//! Text with possible line breaks: the layout of models and values.
//!
//! The usual combinators of pretty printers (after Oppen, and Wadler's "A prettier printer"): a group is laid out on
//! one line if it fits, and otherwise all its lines break; a fill breaks only where it must. Decisions are greedy, from
//! left to right, and look no further than the current line, so that printing takes linear time.

/// A text with its possible line breaks, and the comments in it.
#[derive(Clone, Debug)]
pub(crate) enum LayoutDocument {
    Text(String),
    /// A new line in any case.
    Break(Blank),
    /// A comment after other text on its line.
    Behind(String),
    /// A comment on separate lines, and true if a blank line follows it.
    Own(String, bool),
    /// A part that contains a line break, and therefore does not fit on one line.
    Broken(Box<LayoutDocument>),
    /// A space, or a new line if the group around it is broken.
    Line,
    /// A line break as in `Line`, but if the current line is shorter than the indentation, blanks fill it up instead.
    Tab,
    Concat(Vec<LayoutDocument>),
    /// New lines inside are indented this much further.
    Nest(usize, Box<LayoutDocument>),
    /// New lines inside are indented to the column in which this starts.
    Align(Box<LayoutDocument>),
    Group(Box<LayoutDocument>),
    /// Items with lines between them, which break only if they must.
    Fill(Vec<LayoutDocument>),
}

/// The blank lines before a new line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blank {
    /// True if a blank line precedes the text that follows.
    pub before_text: bool,
    /// True if a blank line precedes what follows first, a comment or the text; `None` if `before_text` decides.
    pub first: Option<bool>,
}

use LayoutDocument::*;

/// Returns true if a comment must be followed by a line break.
pub(crate) fn ends_line(comment: &str) -> bool {
    comment.starts_with('$')
}

impl From<&str> for LayoutDocument {
    fn from(text: &str) -> Self {
        Text(text.to_owned())
    }
}

impl From<String> for LayoutDocument {
    fn from(text: String) -> Self {
        Text(text)
    }
}

impl LayoutDocument {
    pub(crate) fn group(self) -> LayoutDocument {
        Group(Box::new(self))
    }

    pub(crate) fn align(self) -> LayoutDocument {
        Align(Box::new(self))
    }

    pub(crate) fn nest(self, by: usize) -> LayoutDocument {
        Nest(by, Box::new(self))
    }

    /// Appends another document.
    pub(crate) fn then(self, next: impl Into<LayoutDocument>) -> LayoutDocument {
        // The parts are appended to the list, so that documents stay flat and rendering needs no deep recursion.
        match self {
            Concat(mut parts) => {
                parts.push(next.into());
                Concat(parts)
            }
            first => Concat(vec![first, next.into()]),
        }
    }

    /// Items between delimiters, with commas, that fill lines below the first item.
    pub(crate) fn list(open: &str, items: impl IntoIterator<Item = LayoutDocument>, close: &str) -> LayoutDocument {
        LayoutDocument::from(open).then(LayoutDocument::filled(items)).then(close)
    }

    /// Items with commas that fill lines below the first item.
    pub(crate) fn filled(items: impl IntoIterator<Item = LayoutDocument>) -> LayoutDocument {
        Fill(LayoutDocument::comma_separated(items)).align()
    }

    /// A part with another one beside it if both fit on one line, or below it, indented.
    pub(crate) fn hang(first: LayoutDocument, indent: usize, second: LayoutDocument) -> LayoutDocument {
        first.then(Tab.then(second).nest(indent)).align().group()
    }

    /// The items, each but the last followed by a comma.
    pub(crate) fn comma_separated(items: impl IntoIterator<Item = LayoutDocument>) -> Vec<LayoutDocument> {
        let mut items: Vec<LayoutDocument> = items.into_iter().collect();
        // The last item has no comma after it.
        let last = items.len().saturating_sub(1);
        for item in &mut items[..last] {
            let first = std::mem::replace(item, Line);
            *item = first.then(",");
        }
        items
    }

    /// The text that starts at a column, with new lines indented by `indent`, in lines of at most `width` characters if
    /// the possible breaks allow it.
    pub(crate) fn render(&self, column: usize, indent: usize, width: usize) -> String {
        Renderer::run(column, width, RenderTask { indent, flat: false, work: RenderWork::Whole(self) })
    }

    /// The document on one line.
    pub(crate) fn on_one_line(&self) -> String {
        Renderer::run(0, usize::MAX, RenderTask { indent: 0, flat: true, work: RenderWork::Whole(self) })
    }
}

#[derive(Clone, Copy)]
enum RenderWork<'d> {
    Whole(&'d LayoutDocument),
    /// The rest of a fill whose first item is done.
    Fill(&'d [LayoutDocument]),
}

#[derive(Clone, Copy)]
struct RenderTask<'d> {
    indent: usize,
    flat: bool,
    work: RenderWork<'d>,
}

/// The last thing that was written.
#[derive(Clone, Copy, PartialEq)]
enum LastWritten {
    Text,
    /// A new line with its indentation.
    NewLine,
    /// A comment that may be followed by text on its line.
    Comment,
    /// A comment that takes up the rest of its line.
    CommentToEnd,
}

struct Renderer<'d> {
    text: String,
    /// The column where the text on the line ends; a comment after it does not count.
    column: usize,
    width: usize,
    last: LastWritten,
    /// The remaining tasks, the next one last.
    rest: Vec<RenderTask<'d>>,
}

impl<'d> Renderer<'d> {
    fn run(column: usize, width: usize, task: RenderTask<'d>) -> String {
        let mut renderer = Renderer { text: String::new(), column, width, last: LastWritten::Text, rest: vec![task] };
        while let Some(task) = renderer.rest.pop() {
            renderer.step(task);
        }
        renderer.text
    }

    fn step(&mut self, task: RenderTask<'d>) {
        let whole = |document| RenderTask { work: RenderWork::Whole(document), ..task };
        match task.work {
            RenderWork::Whole(Text(text)) => self.write(text, task.indent),
            RenderWork::Whole(Break(blank)) => {
                if blank.first.unwrap_or(blank.before_text) {
                    self.blank_line();
                }
                self.line(task.indent);
            }
            RenderWork::Whole(Behind(comment)) => self.comment_behind(comment),
            RenderWork::Whole(Own(comment, blank)) => {
                if self.last != LastWritten::NewLine && !self.text.is_empty() {
                    self.line(task.indent);
                }
                self.write(comment, task.indent);
                if *blank {
                    self.blank_line();
                }
                self.line(task.indent);
            }
            RenderWork::Whole(Broken(inner)) => self.rest.push(RenderTask { flat: false, ..whole(inner) }),
            // After a comment to the end of the line, even a flat document needs a line break.
            RenderWork::Whole(Line | Tab) if task.flat && self.last != LastWritten::CommentToEnd => self.space(),
            RenderWork::Whole(Tab) if self.column < task.indent => {
                self.text.extend(std::iter::repeat_n(' ', task.indent - self.column));
                self.column = task.indent;
            }
            RenderWork::Whole(Line | Tab) => self.line(task.indent),
            // The stack is popped from its end, so the parts are pushed in reverse order.
            RenderWork::Whole(Concat(parts)) => self.rest.extend(parts.iter().rev().map(whole)),
            RenderWork::Whole(Nest(by, inner)) => {
                self.rest.push(RenderTask { indent: task.indent + by, ..whole(inner) })
            }
            RenderWork::Whole(Align(inner)) => self.rest.push(RenderTask { indent: self.column, ..whole(inner) }),
            RenderWork::Whole(Group(inner)) => {
                let flat = RenderTask { flat: true, ..whole(inner) };
                // Everything inside a flat group is flat.
                let fits = task.flat || self.fits(flat, self.column);
                self.rest.push(RenderTask { flat: fits, ..flat });
            }
            RenderWork::Whole(Fill(items)) => {
                if let Some((first, others)) = items.split_first() {
                    self.rest.push(RenderTask { work: RenderWork::Fill(others), ..task });
                    // The rest is pushed before the first item, so that it is rendered after it.
                    self.item(first, task);
                }
            }
            RenderWork::Fill(items) => {
                if let Some((next, others)) = items.split_first() {
                    self.rest.push(RenderTask { work: RenderWork::Fill(others), ..task });
                    let continues = self.last != LastWritten::CommentToEnd;
                    if continues && (task.flat || self.fits(RenderTask { flat: true, ..whole(next) }, self.column + 1))
                    {
                        self.space();
                    } else {
                        self.line(task.indent);
                    }
                    self.item(next, task);
                }
            }
        }
    }

    fn item(&mut self, item: &'d LayoutDocument, fill: RenderTask<'d>) {
        let task = RenderTask { flat: true, work: RenderWork::Whole(item), ..fill };
        let flat = fill.flat || self.fits(task, self.column);
        self.rest.push(RenderTask { flat, ..task });
    }

    fn write(&mut self, text: &str, indent: usize) {
        if text.is_empty() {
            return;
        }
        let mut text = text;
        match self.last {
            LastWritten::CommentToEnd => self.line(indent),
            LastWritten::Comment if !text.starts_with([' ', ',', ';', ')', ']', '}']) => self.space(),
            _ => {}
        }
        if self.last == LastWritten::NewLine {
            // The indentation is at the start of the line, so the text needs no blanks there.
            text = text.trim_start();
        }
        self.text.push_str(text);
        self.column += text.chars().count();
        self.last = LastWritten::Text;
    }

    fn comment_behind(&mut self, comment: &str) {
        self.trim();
        self.text.push(' ');
        self.text.push_str(comment);
        if ends_line(comment) {
            self.last = LastWritten::CommentToEnd;
            return;
        }
        // A comment between slashes and stars may have several lines.
        self.column = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
        self.last = LastWritten::Comment;
    }

    fn space(&mut self) {
        self.text.push(' ');
        self.column += 1;
        self.last = LastWritten::Text;
    }

    fn line(&mut self, indent: usize) {
        self.trim();
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.last = LastWritten::NewLine;
    }

    fn blank_line(&mut self) {
        self.trim();
        self.text.push('\n');
    }

    /// Removes the spaces at the end.
    fn trim(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
    }

    /// Returns true if a task and the text after it, up to the next possible break, fit in the line.
    fn fits(&self, task: RenderTask<'d>, column: usize) -> bool {
        let mut left = self.width.saturating_sub(column);
        let mut first = vec![task];
        // The text after a task also counts, because a closing bracket must fit on the same line.
        let mut following = self.rest.iter().rev();
        loop {
            // If nothing follows, the rest of the line is free.
            let Some(task) = first.pop().or_else(|| following.next().copied()) else { return true };
            let whole = |document| RenderTask { work: RenderWork::Whole(document), ..task };
            match task.work {
                RenderWork::Whole(Text(text)) => match left.checked_sub(text.chars().count()) {
                    Some(less) => left = less,
                    None => return false,
                },
                // A part that must be broken never fits on one line.
                RenderWork::Whole(Broken(_)) if task.flat => return false,
                RenderWork::Whole(Broken(inner)) => first.push(whole(inner)),
                // After a break, the rest is on a new line.
                RenderWork::Whole(Break(_) | Own(..)) => return true,
                RenderWork::Whole(Behind(comment)) if ends_line(comment) || comment.contains('\n') => return true,
                RenderWork::Whole(Behind(comment)) => match left.checked_sub(comment.chars().count() + 1) {
                    Some(less) => left = less,
                    None => return false,
                },
                RenderWork::Whole(Line | Tab) if !task.flat => return true,
                RenderWork::Whole(Line | Tab) => match left.checked_sub(1) {
                    Some(less) => left = less,
                    None => return false,
                },
                RenderWork::Whole(Concat(parts)) => first.extend(parts.iter().rev().map(whole)),
                RenderWork::Whole(Nest(_, inner) | Align(inner) | Group(inner)) => first.push(whole(inner)),
                RenderWork::Whole(Fill(items)) if task.flat => {
                    // The space before each further item counts as part of the item.
                    match left.checked_sub(items.len().saturating_sub(1)) {
                        Some(less) => left = less,
                        None => return false,
                    }
                    first.extend(items.iter().rev().map(whole));
                }
                RenderWork::Whole(Fill(items)) => first.extend(items.first().map(whole)),
                RenderWork::Fill([]) => {}
                RenderWork::Fill(_) if !task.flat => return true,
                RenderWork::Fill(items) => {
                    match left.checked_sub(items.len()) {
                        Some(less) => left = less,
                        None => return false,
                    }
                    first.extend(items.iter().rev().map(whole));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> LayoutDocument {
        LayoutDocument::list("[", items.iter().map(|item| LayoutDocument::from(*item)), "]")
    }

    fn words(count: usize) -> Vec<LayoutDocument> {
        (0..count).map(|number| LayoutDocument::from(format!("w{number}"))).collect()
    }

    #[test]
    fn a_fill_breaks_only_where_it_must() {
        let document = list(&["one", "two", "three", "four"]);
        assert_eq!(document.render(0, 0, 30), "[one, two, three, four]");
        assert_eq!(document.render(0, 0, 16), "[one, two,\n three, four]");
    }

    #[test]
    fn a_group_breaks_everywhere_or_nowhere() {
        let document =
            Concat(vec!["f".into(), Concat(vec![Line, "a".into(), Line, list(&["b", "c"])]).nest(4)]).group();
        assert_eq!(document.render(0, 0, 10), "f a [b, c]");
        assert_eq!(document.render(0, 0, 9), "f\n    a\n    [b,\n     c]");
    }

    #[test]
    fn a_list_fills_lines_below_its_first_item() {
        let list = LayoutDocument::list("set(", words(5), ")");
        assert_eq!(list.render(0, 0, 80), "set(w0, w1, w2, w3, w4)");
        assert_eq!(list.render(0, 0, 12), "set(w0, w1,\n    w2, w3,\n    w4)");
        // The closing delimiter counts as well.
        assert_eq!(list.render(0, 0, 22), "set(w0, w1, w2, w3,\n    w4)");
        assert_eq!(list.on_one_line(), "set(w0, w1, w2, w3, w4)");
    }

    #[test]
    fn a_hanging_part_goes_below_when_the_line_is_full() {
        let hang = LayoutDocument::hang("letting x be".into(), 8, LayoutDocument::list("{", words(4), "}"));
        assert_eq!(hang.render(0, 0, 29), "letting x be {w0, w1, w2, w3}");
        assert_eq!(hang.render(0, 0, 28), "letting x be\n        {w0, w1, w2, w3}");
        assert_eq!(hang.render(0, 0, 16), "letting x be\n        {w0, w1,\n         w2, w3}");
    }

    #[test]
    fn a_short_first_part_shares_its_line() {
        let hang = LayoutDocument::hang("1".into(), 4, LayoutDocument::list("--> {", words(3), "}"));
        assert_eq!(hang.render(0, 0, 16), "1   --> {w0, w1,\n         w2}");
    }
}
