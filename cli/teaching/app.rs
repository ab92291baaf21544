//! `conjure-like app`: a model as a page for people who do not know Essence.
//!
//! `make app` builds the page from `clients/web/page/src/app`, with the engine for WebAssembly inside. This command
//! inserts the model and its first data as JSON.

use crate::{
    inputs::{
        digest::Digest,
        instances::Instances,
        invocation::{self, Invocation},
    },
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, stem},
    },
};
use clap::Args;
use conjure_like::{Code, Diagnostic, Severity, to_json, visible};
use serde_json::{Value, json};
use std::{
    env,
    path::{Path, PathBuf},
};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like app models/seating.essence params/seating-8.param -o seating.html

The page is one file that needs no server and loads nothing. Each parameter file becomes a plan in it; values that are
missing are entered in the page. With --split, the page is small, and loads the engine from a file beside it, which all
apps in the folder share.

Exit code: 0 if the page was written; 2 for a mistake in the command line, the files, the model or the data.")]
pub(crate) struct AppCommand {
    #[command(flatten)]
    instances: Instances,
    /// The file to write
    #[arg(short = 'o', long, value_name = "FILE", value_parser = output_file)]
    output: PathBuf,
    /// The page with the engine, which `make app` builds; by default the one that is installed with this program
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Put the engine into a separate file beside the page
    #[arg(long)]
    split: bool,
}

const PAGE_VARIABLE: &str = "CONJURE_LIKE_APP";

/// The path of the page, relative to the parent of the program's folder.
const INSTALLED: &str = "lib/conjure-like/app.html";

/// The placeholders in the page.
const TITLE: &str = "@app title@";
const DATA: &str = "@app data@";

/// The end of a script element of the page that contains a module: the engine, or the reader of workbooks.
const MODULE_END: &str = "</script>";

/// The directive for scripts in the content security policy of the page.
const SCRIPTS: &str = "script-src ";

impl AppCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let model = self.instances.read_model(invocation)?;
        let named = env::var_os(PAGE_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let Some(page) = self.page.clone().or(named).or_else(installed) else { return invocation.fail(missing()) };
        let text = invocation::read(&page).map_err(|unreadable| invocation.fail::<()>(unreadable)).ok()?.text;
        let split = if self.split { without_engine(&text).map(Some) } else { Some(None) };
        let Some(split) = split.filter(|_| text.contains(DATA)) else {
            let error =
                format!("`{}` is not a page that an app can be built from", visible::line(&page.to_string_lossy()));
            return invocation.fail(Diagnostic::error(Code::COMMAND_LINE, error).help(HELP));
        };
        let mut forms: Vec<(String, Value)> = Vec::new();
        let exit = self.instances.each(invocation, |invocation, data, path| {
            if !data.is_empty()
                && let Err(mut report) = model.instance(data)
            {
                // Users enter the missing values in the page.
                report.diagnostics.retain(|diagnostic| diagnostic.code != Code::MISSING_PARAMETER);
                if report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
                    invocation.keep(report);
                    return None;
                }
            }
            forms.push((path.map_or(String::new(), stem), model.form(data)));
            Some(Exit::Answer)
        })?;
        let Some((_, form)) = forms.first() else { return Some(exit) };
        if exit != Exit::Answer {
            return Some(exit);
        }
        // The page lists each plan under the name of its file.
        let plans: Value = forms.iter().filter(|(name, _)| !name.is_empty()).map(plan).collect();
        let source = model.text().text;
        let name = self.instances.model.file_name().map_or("model.essence".into(), |name| name.to_string_lossy());
        let title = form["title"]
            .as_str()
            .filter(|title| !title.is_empty())
            .map_or_else(|| stem(&self.instances.model), str::to_owned);
        let key = Digest::of([source.as_str(), &to_json(&plans)]).to_string();
        let held = json!({"name": name, "model": source, "form": form, "plans": plans, "key": key});
        // Without `<`, no string in the data can end the script element (`</script>`) or open a comment.
        let held = to_json(&held).replace('<', "\\u003c");
        let text = split.as_ref().map_or(&text, |split| &split.page);
        let filled = filled(text, &visible::markup(&visible::line(&title)), &held);
        let engine = split.as_ref().map_or(Ok(()), |split| {
            let file = self.output.with_file_name(&split.name);
            Pending::whole(&file, FileKind::JavaScript, &split.engine).map(drop)
        });
        // Without the engine, the page does not work, so the engine is written first.
        match engine.and_then(|()| Pending::whole(&self.output, FileKind::Markup, &filled)) {
            Ok(_) => Some(Exit::Answer),
            Err(error) => invocation.fail(error),
        }
    }
}

/// A page and its engine in two files.
struct SplitPage {
    page: String,
    /// The name of the engine's file. It contains a digest, so that pages with different engines can share a folder.
    name: String,
    /// A script that puts the modules into their elements. Browsers run scripts from `file:` addresses, but refuse to
    /// fetch from them.
    engine: String,
}

fn without_engine(page: &str) -> Option<SplitPage> {
    let (mut page, mut engine) = (page.to_owned(), String::new());
    for id in ["engine", "workbook"] {
        let begin = format!("<script type=\"text/plain\" id=\"{id}\">");
        let (before, rest) = page.split_once(&begin)?;
        let (module, after) = rest.split_once(MODULE_END)?;
        engine += &format!("document.getElementById(\"{id}\").textContent = {};\n", to_json(&module.into()));
        page = [before, &begin, MODULE_END, after].concat();
    }
    let name = format!("conjure-like-engine-{}.js", Digest::of([engine.as_str()]));
    let (head, policy) = page.split_once(SCRIPTS)?;
    // The policy allows scripts only by hash; `'self'` allows the file of the engine.
    let page = [head, SCRIPTS, "'self' ", policy].concat();
    let page = page.replacen("id=\"engine\">", &format!("id=\"engine\" data-file=\"{name}\">"), 1);
    Some(SplitPage { page, name, engine })
}

/// A plan of the page: the values of the parameters, with the name of the file.
fn plan((name, form): &(String, Value)) -> Value {
    let parameters = form["parameters"].as_array().cloned().unwrap_or_default();
    let values =
        parameters.into_iter().map(|one| (one["name"].as_str().unwrap_or_default().to_owned(), one["value"].clone()));
    json!({"name": name, "values": values.collect::<serde_json::Map<String, Value>>()})
}

/// The page with its title and its data. Inserted text is not searched for placeholders again.
fn filled(page: &str, title: &str, data: &str) -> String {
    let (before, rest) = page.split_once(TITLE).unwrap_or((page, ""));
    let (between, after) = rest.split_once(DATA).unwrap_or((rest, ""));
    [before, title, between, data, after].concat()
}

/// The page that is installed with the program.
fn installed() -> Option<PathBuf> {
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok()?;
    program.parent()?.parent().map(|folder| folder.join(INSTALLED)).filter(|page| Path::exists(page))
}

const HELP: &str =
    "build it with `make app` in the sources of conjure-like, and name it with `--page clients/web/app.html`";

fn missing() -> Diagnostic {
    let error = "the page with the engine is not installed with this program";
    let note =
        format!("it is looked for in `../{INSTALLED}` beside the program's folder; {PAGE_VARIABLE} may name it, too");
    Diagnostic::error(Code::COMMAND_LINE, error).help(HELP).note(note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_searched_for_marks() {
        let page = "<title>@app title@</title><script>@app data@</script>";
        assert_eq!(filled(page, "@app data@", "@app title@"), "<title>@app data@</title><script>@app title@</script>");
    }

    #[test]
    fn an_engine_apart_has_the_name_of_its_content() {
        let element =
            |id: &str, of: &str, text: &str| format!("<script type=\"text/plain\" id=\"{id}\"{of}>{text}</script>");
        let page = |engine: &str| {
            let modules = element("engine", "", engine) + &element("workbook", "", "CC==");
            format!("script-src 'x' blob:; {DATA}{modules}<script>")
        };
        let [one, same, other] =
            ["AA==", "AA==", "BB=="].map(|engine| without_engine(&page(engine)).expect("two files"));
        assert_eq!(one.name, same.name);
        assert_ne!(one.name, other.name);
        let modules = element("engine", &format!(" data-file=\"{}\"", one.name), "") + &element("workbook", "", "");
        assert_eq!(one.page, format!("script-src 'self' 'x' blob:; {DATA}{modules}<script>"));
        let script = "document.getElementById(\"engine\").textContent = \"AA==\";\n\
                      document.getElementById(\"workbook\").textContent = \"CC==\";\n";
        assert_eq!(one.engine, script);
    }
}
