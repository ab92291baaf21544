//! Text that knows where its lines may be broken.
//!
//! The layout is that of Hughes' and Peyton Jones' pretty-printing combinators, as far as values need them:
//! a list fills lines, and what follows a break is aligned with the beginning of the list; two parts that
//! belong together stand on one line or one below the other. Decisions are greedy, from left to right, and
//! look at nothing but the line at hand, so that printing takes linear time.

/// A document with the width that it has on one line.
#[derive(Clone, Debug)]
pub struct Document {
    shape: Shape,
    width: usize,
}

#[derive(Clone, Debug)]
enum Shape {
    Text(String),
    /// One after the other, without anything between them.
    Beside(Vec<Document>),
    /// Separated by spaces, as many on each line as fit.
    Fill(Vec<Document>),
    /// Separated by a space if both fit on one line, else the second below the first, indented.
    Hang(Box<Document>, usize, Box<Document>),
}

impl Document {
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Document { width: text.chars().count(), shape: Shape::Text(text) }
    }

    pub fn beside(parts: Vec<Document>) -> Self {
        Document { width: parts.iter().map(|part| part.width).sum(), shape: Shape::Beside(parts) }
    }

    pub fn fill(items: Vec<Document>) -> Self {
        let spaces = items.len().saturating_sub(1);
        Document { width: items.iter().map(|item| item.width).sum::<usize>() + spaces, shape: Shape::Fill(items) }
    }

    pub fn hang(first: Document, indent: usize, second: Document) -> Self {
        let width = first.width + 1 + second.width;
        Document { width, shape: Shape::Hang(Box::new(first), indent, Box::new(second)) }
    }

    /// Items between delimiters, with commas.
    pub fn list(open: &str, items: impl IntoIterator<Item = Document>, close: &str) -> Self {
        Document::beside(vec![Document::text(open), Document::separated(items), Document::text(close)])
    }

    /// Items with commas.
    pub fn separated(items: impl IntoIterator<Item = Document>) -> Self {
        let mut items: Vec<Document> = items.into_iter().collect();
        let last = items.len().saturating_sub(1);
        for item in items.iter_mut().take(last) {
            let inner = std::mem::replace(item, Document::text(""));
            *item = Document::beside(vec![inner, Document::text(",")]);
        }
        Document::fill(items)
    }

    /// All on one line.
    pub fn on_one_line(&self) -> String {
        let mut text = String::with_capacity(self.width);
        self.flat(&mut text);
        text
    }

    /// In lines of at most `width` characters where that is possible.
    pub fn in_lines(&self, width: usize) -> String {
        let mut writer = Writer { text: String::with_capacity(self.width), column: 0, width };
        writer.write(self, 0);
        writer.text
    }

    fn flat(&self, text: &mut String) {
        match &self.shape {
            Shape::Text(part) => text.push_str(part),
            Shape::Beside(parts) => parts.iter().for_each(|part| part.flat(text)),
            Shape::Fill(items) => {
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        text.push(' ');
                    }
                    item.flat(text);
                }
            }
            Shape::Hang(first, _, second) => {
                first.flat(text);
                text.push(' ');
                second.flat(text);
            }
        }
    }

    /// How much of the document stands on its first line at least.
    fn least_width(&self) -> usize {
        match &self.shape {
            Shape::Text(_) => self.width,
            Shape::Beside(parts) => {
                let unbreakable = parts.iter().take_while(|part| part.is_unbreakable()).count();
                let next = parts.get(unbreakable).map_or(0, Document::least_width);
                parts[..unbreakable].iter().map(|part| part.width).sum::<usize>() + next
            }
            Shape::Fill(items) => items.first().map_or(0, Document::least_width),
            Shape::Hang(first, _, _) => first.least_width(),
        }
    }

    fn is_unbreakable(&self) -> bool {
        match &self.shape {
            Shape::Text(_) => true,
            Shape::Beside(parts) => parts.iter().all(Document::is_unbreakable),
            Shape::Fill(items) => items.iter().all(Document::is_unbreakable) && items.len() < 2,
            Shape::Hang(..) => false,
        }
    }
}

struct Writer {
    text: String,
    column: usize,
    width: usize,
}

impl Writer {
    fn fits(&self, width: usize) -> bool {
        self.column + width <= self.width
    }

    fn put_flat(&mut self, document: &Document) {
        document.flat(&mut self.text);
        self.column += document.width;
    }

    fn spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
        self.column += count;
    }

    fn new_line(&mut self, column: usize) {
        self.text.push('\n');
        self.column = 0;
        self.spaces(column);
    }

    /// Writes a document after which `following` more characters have to stand on the same line.
    fn write(&mut self, document: &Document, following: usize) {
        match &document.shape {
            Shape::Text(_) => self.put_flat(document),
            Shape::Beside(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    let rest = &parts[position + 1..];
                    let ends_line = rest.iter().position(|part| !part.is_unbreakable());
                    let after = match ends_line {
                        Some(end) => rest[..end].iter().map(|part| part.width).sum::<usize>() + rest[end].least_width(),
                        None => rest.iter().map(|part| part.width).sum::<usize>() + following,
                    };
                    self.write(part, after);
                }
            }
            Shape::Fill(items) => {
                let start = self.column;
                for (position, item) in items.iter().enumerate() {
                    let after = if position + 1 == items.len() { following } else { 0 };
                    if position == 0 {
                        self.write(item, after);
                    } else if self.fits(1 + item.width + after) {
                        self.spaces(1);
                        self.put_flat(item);
                    } else {
                        self.new_line(start);
                        self.write(item, after);
                    }
                }
            }
            Shape::Hang(first, indent, second) => {
                if self.fits(document.width + following) {
                    return self.put_flat(document);
                }
                let start = self.column;
                self.write(first, 0);
                match (start + indent).checked_sub(self.column) {
                    // A first part shorter than the indentation shares its line with the second.
                    Some(gap) if gap > 0 => self.spaces(gap),
                    _ => self.new_line(start + indent),
                }
                self.write(second, following);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> Vec<Document> {
        (0..count).map(|number| Document::text(format!("w{number}"))).collect()
    }

    #[test]
    fn a_list_fills_lines_below_its_first_item() {
        let list = Document::list("set(", words(5), ")");
        assert_eq!(list.in_lines(80), "set(w0, w1, w2, w3, w4)");
        assert_eq!(list.in_lines(12), "set(w0, w1,\n    w2, w3,\n    w4)");
        // The closing delimiter counts.
        assert_eq!(list.in_lines(22), "set(w0, w1, w2, w3,\n    w4)");
        assert_eq!(list.on_one_line(), "set(w0, w1, w2, w3, w4)");
    }

    #[test]
    fn a_hanging_part_goes_below_when_the_line_is_full() {
        let hang = Document::hang(Document::text("letting x be"), 8, Document::list("{", words(4), "}"));
        assert_eq!(hang.in_lines(29), "letting x be {w0, w1, w2, w3}");
        assert_eq!(hang.in_lines(28), "letting x be\n        {w0, w1, w2, w3}");
        assert_eq!(hang.in_lines(16), "letting x be\n        {w0, w1,\n         w2, w3}");
    }

    #[test]
    fn a_short_first_part_shares_its_line() {
        let hang = Document::hang(Document::text("1"), 4, Document::list("--> {", words(3), "}"));
        assert_eq!(hang.in_lines(16), "1   --> {w0, w1,\n         w2}");
    }
}
