//! The text of a table that another program holds in another form: CSV, whose rows and columns keep their numbers.

/// Rows as CSV, for [`crate::Text::table`].
#[derive(Clone, Debug, Default)]
pub struct TableText(String);

impl TableText {
    /// A text that begins with empty rows.
    pub fn below(rows: u32) -> Self {
        TableText("\n".repeat(rows as usize))
    }

    /// Adds a row.
    pub fn add_row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        for (at, cell) in cells.into_iter().enumerate() {
            let cell = cell.as_ref();
            if at > 0 {
                self.0.push(',');
            }
            match cell.contains(['"', ',', ';', '\t', '\n', '\r']) || cell != cell.trim() {
                true => self.0.extend(["\"", &cell.replace('"', "\"\""), "\""]),
                false => self.0.push_str(cell),
            }
        }
        self.0.push('\n');
    }

    /// A number as people write it: spreadsheets and databases keep 0.1 + 0.2 in binary, and show at most 15 digits.
    pub fn number(value: f64) -> String {
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return format!("{value:.0}");
        }
        let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
        rounded.to_string()
    }
}

impl From<TableText> for String {
    fn from(text: TableText) -> String {
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_see_them() {
        assert_eq!(
            [3.0, 0.1 + 0.2, 12.5, -0.07, 1e-7].map(TableText::number),
            ["3", "0.3", "12.5", "-0.07", "0.0000001"]
        );
    }
}
