//! Text that knows where it may be broken into lines.
//!
//! The usual combinators of pretty printers (after Oppen, and Wadler's "A prettier printer"): a group is
//! laid out on one line if it fits, and otherwise all its lines break; a fill breaks only where it must.

/// A text with its possible line breaks.
#[derive(Clone, Debug)]
pub enum Document {
    Text(String),
    /// A space, or a new line if the group around it is broken.
    Line,
    Sequence(Vec<Document>),
    /// New lines inside begin this much further to the right.
    Nest(usize, Box<Document>),
    /// New lines inside begin in the column where this begins.
    Align(Box<Document>),
    Group(Box<Document>),
    /// Items with lines between them, of which only those break that must.
    Fill(Vec<Document>),
}

use Document::*;

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Text(text.to_owned())
    }
}

impl From<String> for Document {
    fn from(text: String) -> Self {
        Text(text)
    }
}

impl Document {
    pub fn group(self) -> Document {
        Group(Box::new(self))
    }

    pub fn align(self) -> Document {
        Align(Box::new(self))
    }

    pub fn nest(self, by: usize) -> Document {
        Nest(by, Box::new(self))
    }

    /// Follows this by another document.
    pub fn then(self, next: impl Into<Document>) -> Document {
        match self {
            Sequence(mut parts) => {
                parts.push(next.into());
                Sequence(parts)
            }
            first => Sequence(vec![first, next.into()]),
        }
    }

    /// Each item but the last followed by a comma.
    pub fn comma_separated(items: impl IntoIterator<Item = Document>) -> Vec<Document> {
        let mut items: Vec<Document> = items.into_iter().collect();
        let last = items.len().saturating_sub(1);
        for item in &mut items[..last] {
            let first = std::mem::replace(item, Line);
            *item = first.then(",");
        }
        items
    }

    /// The text, beginning in a column, with new lines indented by `indent`, in lines of at most `width`
    /// characters where the possible breaks allow it.
    pub fn render(&self, column: usize, indent: usize, width: usize) -> String {
        let mut renderer = Renderer {
            text: String::new(),
            column,
            width,
            rest: vec![Task { indent, flat: false, work: Work::Whole(self) }],
        };
        while let Some(task) = renderer.rest.pop() {
            renderer.step(task);
        }
        renderer.text
    }
}

#[derive(Clone, Copy)]
enum Work<'d> {
    Whole(&'d Document),
    /// What is left of a fill whose first item is done.
    Fill(&'d [Document]),
}

#[derive(Clone, Copy)]
struct Task<'d> {
    indent: usize,
    flat: bool,
    work: Work<'d>,
}

struct Renderer<'d> {
    text: String,
    column: usize,
    width: usize,
    /// What is left to do, the next thing last.
    rest: Vec<Task<'d>>,
}

impl<'d> Renderer<'d> {
    fn step(&mut self, task: Task<'d>) {
        let whole = |document| Task { work: Work::Whole(document), ..task };
        match task.work {
            Work::Whole(Text(text)) => {
                self.text.push_str(text);
                self.column += text.chars().count();
            }
            Work::Whole(Line) if task.flat => self.space(),
            Work::Whole(Line) => self.line(task.indent),
            Work::Whole(Sequence(parts)) => self.rest.extend(parts.iter().rev().map(whole)),
            Work::Whole(Nest(by, inner)) => self.rest.push(Task { indent: task.indent + by, ..whole(inner) }),
            Work::Whole(Align(inner)) => self.rest.push(Task { indent: self.column, ..whole(inner) }),
            Work::Whole(Group(inner)) => {
                let flat = Task { flat: true, ..whole(inner) };
                let fits = task.flat || self.fits(flat, self.column);
                self.rest.push(Task { flat: fits, ..flat });
            }
            Work::Whole(Fill(items)) => {
                if let Some((first, others)) = items.split_first() {
                    self.rest.push(Task { work: Work::Fill(others), ..task });
                    self.item(first, task);
                }
            }
            Work::Fill(items) => {
                if let Some((next, others)) = items.split_first() {
                    self.rest.push(Task { work: Work::Fill(others), ..task });
                    if task.flat || self.fits(Task { flat: true, ..whole(next) }, self.column + 1) {
                        self.space();
                    } else {
                        self.line(task.indent);
                    }
                    self.item(next, task);
                }
            }
        }
    }

    fn item(&mut self, item: &'d Document, fill: Task<'d>) {
        let task = Task { flat: true, work: Work::Whole(item), ..fill };
        let flat = fill.flat || self.fits(task, self.column);
        self.rest.push(Task { flat, ..task });
    }

    fn space(&mut self) {
        self.text.push(' ');
        self.column += 1;
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Whether a task and what follows it, up to the next line that may break, fit into the line.
    fn fits(&self, task: Task<'d>, column: usize) -> bool {
        let mut left = self.width.saturating_sub(column);
        let mut first = vec![task];
        let mut following = self.rest.iter().rev();
        loop {
            let Some(task) = first.pop().or_else(|| following.next().copied()) else { return true };
            let whole = |document| Task { work: Work::Whole(document), ..task };
            match task.work {
                Work::Whole(Text(text)) => match left.checked_sub(text.chars().count()) {
                    Some(less) => left = less,
                    None => return false,
                },
                Work::Whole(Line) if !task.flat => return true,
                Work::Whole(Line) => match left.checked_sub(1) {
                    Some(less) => left = less,
                    None => return false,
                },
                Work::Whole(Sequence(parts)) => first.extend(parts.iter().rev().map(whole)),
                Work::Whole(Nest(_, inner) | Align(inner) | Group(inner)) => first.push(whole(inner)),
                Work::Whole(Fill(items)) if task.flat => {
                    // The spaces between the items count as part of the items after them.
                    match left.checked_sub(items.len().saturating_sub(1)) {
                        Some(less) => left = less,
                        None => return false,
                    }
                    first.extend(items.iter().rev().map(whole));
                }
                Work::Whole(Fill(items)) => first.extend(items.first().map(whole)),
                Work::Fill([]) => {}
                Work::Fill(_) if !task.flat => return true,
                Work::Fill(items) => {
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

    fn list(items: &[&str]) -> Document {
        let items = Document::comma_separated(items.iter().map(|item| Document::from(*item)));
        Document::from("[").then(Fill(items).align()).then("]")
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
            Sequence(vec!["f".into(), Sequence(vec![Line, "a".into(), Line, list(&["b", "c"])]).nest(4)]).group();
        assert_eq!(document.render(0, 0, 10), "f a [b, c]");
        assert_eq!(document.render(0, 0, 9), "f\n    a\n    [b,\n     c]");
    }
}
