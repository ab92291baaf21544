//! The model in a Jupyter notebook: the cells with the magics of Conjure's extension or of ours.

use super::text::Unfit;
use serde_json::Value;

/// A model in a notebook, and the names of its cells, given by nbgrader.
struct NotebookModel<'a> {
    cells: Vec<String>,
    names: Vec<&'a str>,
}

/// The last model of a notebook, or the last one that contains the cell `wanted`. An empty line replaces the line of
/// the magic, so that messages count lines as the cell does.
pub(super) fn model_of_notebook(text: &str, wanted: Option<&str>) -> Result<String, Unfit> {
    let unfit = |says: String| Unfit { result: "no-model", says };
    let notebook: Value = serde_json::from_str(text)
        .map_err(|_| Unfit { result: "not-text", says: "This is not a Jupyter notebook.".to_owned() })?;
    let mut models: Vec<NotebookModel> = Vec::new();
    for cell in notebook["cells"].as_array().into_iter().flatten() {
        let source = source(&cell["source"]);
        let Some((extends, body)) = body(&source).filter(|_| cell["cell_type"] == "code") else { continue };
        // `%%essence+` extends the model in the cells above, or starts one if there is none.
        if !extends || models.is_empty() {
            models.push(NotebookModel { cells: Vec::new(), names: Vec::new() });
        }
        if let Some(model) = models.last_mut() {
            let follows = !model.cells.is_empty();
            model.cells.push(if follows { without_language(body) } else { body.to_owned() });
            model.names.extend(cell["metadata"]["nbgrader"]["grade_id"].as_str());
        }
    }
    let chosen = models.iter().rfind(|model| wanted.is_none_or(|wanted| model.names.contains(&wanted)));
    match (chosen, wanted) {
        (Some(model), _) => Ok(format!("\n{}\n", model.cells.join("\n"))),
        (None, Some(wanted)) if !models.is_empty() => Err(unfit(format!(
            "No cell of the notebook that starts with `%%essence` or `%%conjure` is named `{wanted}`."
        ))),
        _ => Err(unfit("No cell of the notebook starts with `%%essence` or `%%conjure`.".to_owned())),
    }
}

/// The text of a cell: a string, or a list of lines.
fn source(source: &Value) -> String {
    match source {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// The text below the magic, and true if it extends the model of the cells above.
fn body(source: &str) -> Option<(bool, &str)> {
    let (first, body) = source.split_once('\n').unwrap_or((source, ""));
    let magic = first.split_whitespace().next()?;
    let name = magic.strip_prefix("%%")?;
    match name.trim_end_matches('+') {
        "essence" | "conjure" => Some((name.ends_with('+'), body)),
        _ => None,
    }
}

/// The text without the language declaration, which only the first cell of a model may contain. The line stays, empty.
fn without_language(text: &str) -> String {
    let is_language = text.trim_start().starts_with("language ");
    let skipped = text.len() - text.trim_start().len();
    match text[skipped..].split_once('\n') {
        Some((_, rest)) if is_language => format!("{}\n{rest}", &text[..skipped]),
        _ if is_language => String::new(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn notebook(cells: &[(&str, &str)]) -> String {
        let cells: Vec<Value> = cells
            .iter()
            .map(|(name, text)| {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                json!({"cell_type": "code", "metadata": {"nbgrader": {"grade_id": name}}, "source": lines})
            })
            .collect();
        json!({"cells": cells, "nbformat": 4}).to_string()
    }

    #[test]
    fn the_cells_of_the_last_model_count() {
        let text = notebook(&[
            ("a", "%%conjure\nfind x : bool"),
            ("b", "%load_ext conjure_like"),
            ("c", "%%essence --limit-time=5\nlanguage Essence 1.3\nfind y : bool"),
            ("d", "%%essence+\nlanguage Essence 1.3\nsuch that y"),
        ]);
        let read = |wanted| model_of_notebook(&text, wanted).expect("a model");
        assert_eq!(read(None), "\nlanguage Essence 1.3\nfind y : bool\n\nsuch that y\n");
        assert_eq!(read(Some("a")), "\nfind x : bool\n");
        assert_eq!(model_of_notebook(&text, Some("b")).expect_err("no model").result, "no-model");
        assert_eq!(model_of_notebook("{}", None).expect_err("no model").result, "no-model");
        assert_eq!(model_of_notebook("find x : bool", None).expect_err("no notebook").result, "not-text");
    }
}
