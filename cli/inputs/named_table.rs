//! Tables on the command line: `NAME=FILE#SHEET:COLUMN,COLUMN`.

use std::path::{Path, PathBuf};

/// A table with the value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableArgument {
    pub parameter: String,
    pub file: PathBuf,
    /// The sheet of a workbook, or the table of a database.
    pub sheet: Option<String>,
    pub columns: String,
}

impl TableArgument {
    /// Parses a word of the command line or of a plan as a table, with files relative to a folder. A word that names an
    /// existing file is not a table.
    pub(crate) fn read(word: &Path, folder: &Path) -> Option<Self> {
        let text = word.to_str()?;
        let (parameter, rest) = text.split_once('=')?;
        let is_name = !parameter.is_empty() && !parameter.contains(['/', '\\', '.', ':', '#', '*']);
        if !is_name || rest.is_empty() || folder.join(word).exists() {
            return None;
        }
        let ends = rest.match_indices([':', '#']).map(|(at, _)| at).filter(|at| *at > 0).chain([rest.len()]);
        let ends: Vec<usize> = ends.collect();
        // File names may contain these characters, so the longest existing name is taken.
        let file = ends.iter().rev().find(|end| folder.join(&rest[..**end]).is_file());
        // In `C:\costs.csv`, the colon does not end the file name.
        let end = *file.or(ends.iter().find(|end| **end > 1)).unwrap_or(&rest.len());
        let (sheet, columns) = match &rest[end..] {
            "" => (None, ""),
            behind => match behind.strip_prefix('#').map(|sheet| sheet.split_once(':').unwrap_or((sheet, ""))) {
                Some((sheet, columns)) => (Some(sheet.to_owned()), columns),
                None => (None, &behind[1..]),
            },
        };
        let file = if &rest[..end] == "-" { "-".into() } else { folder.join(&rest[..end]) };
        Some(TableArgument { parameter: parameter.to_owned(), file, sheet, columns: columns.to_owned() })
    }

    /// The word for the table, relative to the current folder.
    pub(crate) fn word(&self) -> PathBuf {
        let sheet = self.sheet.as_ref().map_or(String::new(), |sheet| format!("#{sheet}"));
        let columns = if self.columns.is_empty() { String::new() } else { format!(":{}", self.columns) };
        format!("{}={}{sheet}{columns}", self.parameter, self.file.display()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_word_names_a_parameter_a_file_a_sheet_and_columns() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.csv", "b:c.csv", "n=1.param"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let read = |word: &str| {
            let table = TableArgument::read(Path::new(word), folder.path())?;
            let file = table.file.strip_prefix(folder.path()).unwrap_or(&table.file).display().to_string();
            Some((table.parameter, file, table.sheet.unwrap_or_default(), table.columns))
        };
        let parts = |parameter: &str, file: &str, sheet: &str, columns: &str| {
            Some((parameter.to_owned(), file.to_owned(), sheet.to_owned(), columns.to_owned()))
        };
        assert_eq!(read("x=a.csv"), parts("x", "a.csv", "", ""));
        assert_eq!(read("x=a.csv:name,start@time"), parts("x", "a.csv", "", "name,start@time"));
        assert_eq!(read("x=a.csv#May 2:n:m"), parts("x", "a.csv", "May 2", "n:m"));
        assert_eq!(read("x=b:c.csv:n"), parts("x", "b:c.csv", "", "n"));
        assert_eq!(read("x=missing.csv:n"), parts("x", "missing.csv", "", "n"));
        assert_eq!(read("x=-"), parts("x", "-", "", ""));
        assert_eq!(read("n=1.param"), None);
        assert_eq!(read("a/x=1.csv"), None);
        assert_eq!(read("p.param"), None);
    }
}
