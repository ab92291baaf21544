//! Reads a workbook and writes its sheets as CSV. This is a separate module, which pages load with the first workbook.
//! Standard input is a line with the name of the file, followed by the file.

use conjure_like::{Diagnostic, Workbook};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

fn main() {
    let answer = match read() {
        Ok(sheets) => json!({"type": "result", "sheets": sheets}),
        Err(why) => json!({"type": "result", "sheets": [], "refused": why}),
    };
    if writeln!(io::stdout(), "{answer}").is_err() {
        // The reader of the output is gone.
        std::process::exit(1);
    }
}

/// The sheets with their names and texts, or the reason why the file cannot be read.
fn read() -> Result<Vec<Value>, String> {
    let (mut name, mut bytes) = (String::new(), Vec::new());
    let mut input = io::stdin().lock();
    input.read_line(&mut name).and_then(|_| input.read_to_end(&mut bytes)).map_err(|error| error.to_string())?;
    let says = |wrong: Diagnostic| wrong.message;
    let mut book = Workbook::open(name.trim_end(), bytes).map_err(says)?;
    let names = book.sheets();
    let sheet = |name: String| Ok(json!({"name": name, "text": book.table(&name).map_err(says)?}));
    names.into_iter().map(sheet).collect()
}
