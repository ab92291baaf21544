//! The open texts, and the model that each data file belongs to.

use super::{
    files::{
        DataFile, WorkspaceFiles, file_name_of_uri, folder_of_uri, has_extension, stem_of_uri, uri_of,
        without_percent_codes,
    },
    ranges::TextChange,
};
use crate::{
    Diagnostic, Document, Outline, SourceId, SymbolKind, Text,
    protocol::{Encoding, Positions},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// The known texts, by their URIs.
#[derive(Default)]
pub(super) struct Workspace {
    pub encoding: Encoding,
    /// The model of all data, if the client sets it: a path or a URI.
    pub model: Option<String>,
    /// The models of some data, if the client sets them.
    pub models: BTreeMap<String, String>,
    pub files: WorkspaceFiles,
    open: BTreeMap<String, OpenText>,
    /// Closed models as they were last read.
    closed: BTreeMap<String, Arc<Subject>>,
    /// Former versions of texts. They are dropped between requests, because dropping a large tree takes time.
    retired: Vec<Arc<Subject>>,
}

struct OpenText {
    version: i64,
    text: String,
    outline: Option<Arc<Outline>>,
    subject: Option<Arc<Subject>>,
    /// The text before its last changes, as it was read.
    before: Option<Arc<Subject>>,
    /// True if the diagnostics of the text must be published.
    is_new: bool,
    /// The warnings that a solver has proved.
    proved: Vec<Diagnostic>,
}

/// An open model with its open data.
#[derive(Clone, PartialEq)]
pub(super) struct ModelWithData {
    pub uri: String,
    pub model: Text,
    pub data: Vec<Text>,
}

/// A text that has been read, with the URIs of its texts.
pub(super) struct Subject {
    pub document: Document,
    /// The URI of each text, indexed by [`SourceId`].
    pub uris: Vec<String>,
}

impl Subject {
    /// The URI of a text.
    pub(super) fn uri(&self, source: SourceId) -> &str {
        &self.uris[source.0 as usize]
    }

    /// The URI of the model.
    pub(super) fn model(&self) -> &str {
        self.uri(Document::MODEL)
    }

    fn is_model(&self) -> bool {
        self.document.source() == Document::MODEL
    }
}

/// The extensions of models.
const MODELS: [&str; 3] = ["essence", "eprime", "model"];
/// The extensions of files that are always tables.
const TABLES: [&str; 3] = ["csv", "tsv", "jsonl"];
/// The extensions of parameter files.
const PARAMETERS: [&str; 4] = ["param", "essence-param", "eprime-param", "json"];

impl Workspace {
    /// Opens a text, or sets its new content.
    pub(super) fn set(&mut self, uri: &str, version: i64, text: String) {
        let before = self.open.remove(uri);
        let is_open = before.is_some();
        // Only models are parsed incrementally.
        let before = before.and_then(|open| open.subject.or(open.before)).filter(|subject| subject.is_model());
        let open = OpenText { version, text, outline: None, subject: None, before, is_new: true, proved: Vec::new() };
        self.open.insert(uri.to_owned(), open);
        match is_open {
            // Because of the new text, other data may belong to another model.
            false => self.forget_data(),
            true => self.forget_if(|_, open| {
                open.subject.as_ref().is_some_and(|subject| subject.uris.iter().any(|used| used == uri))
            }),
        }
    }

    /// Changes an open text.
    pub(super) fn change(&mut self, uri: &str, version: i64, changes: Vec<TextChange>) {
        let Some(open) = self.open.get(uri) else { return };
        let mut text = open.text.clone();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    // The range refers to the text after the earlier changes of this list.
                    let range = range.bytes(&Positions::new(&text, self.encoding));
                    text.replace_range(range, &change.text);
                }
            }
        }
        self.set(uri, version, text);
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.open.remove(uri);
        self.forget_data();
    }

    /// Drops everything that was read, because files or the choice of the model have changed.
    pub(super) fn forget(&mut self) {
        self.closed.clear();
        self.forget_data();
    }

    /// Drops the data, which may belong to another model now.
    fn forget_data(&mut self) {
        self.forget_if(|uri, open| open.subject.as_ref().is_some_and(|subject| !subject.is_model()) || is_data(uri));
    }

    /// Drops the results for some texts.
    fn forget_if(&mut self, is_wanted: impl Fn(&str, &OpenText) -> bool) {
        for (uri, open) in &mut self.open {
            if is_wanted(uri, open) {
                open.subject = None;
                open.is_new = true;
            }
        }
    }

    /// The texts with unpublished diagnostics, with their versions.
    pub(super) fn unpublished(&self) -> Vec<(String, i64)> {
        let new = self.open.iter().filter(|(_, open)| open.is_new);
        new.map(|(uri, open)| (uri.clone(), open.version)).collect()
    }

    /// Marks all diagnostics as published, and drops the former versions of texts.
    pub(super) fn set_published(&mut self) {
        self.open.values_mut().for_each(|open| open.is_new = false);
        self.retired.clear();
    }

    /// Returns an open text after reading it, if necessary; `None` if it is not open.
    pub(super) fn subject(&mut self, uri: &str) -> Option<Arc<Subject>> {
        let open = self.open.get(uri)?;
        // A table is read together with its model, so it has no subject here.
        if has_extension(uri, &TABLES) {
            return None;
        }
        if let Some(subject) = &open.subject {
            return Some(subject.clone());
        }
        let text = Text::new(file_name_of_uri(uri), open.text.as_str());
        let model = self.model_of(uri, &text);
        let parameters = model.as_ref().map(|model| self.parameters_of(uri, &text, model)).unwrap_or_default();
        // If files are missing, the data would be read as a model.
        if !self.files.unanswered().is_empty() {
            return None;
        }
        let open = self.open.get_mut(uri)?;
        let subject = Arc::new(match model {
            Some(model) => {
                let texts: Vec<Text> = parameters.iter().map(|(_, text)| text.clone()).collect();
                let document = Document::data(&model.document, &texts, &text);
                let uris = parameters.into_iter().map(|(uri, _)| uri);
                let uris = [model.model().to_owned()].into_iter().chain(uris).chain([uri.to_owned()]).collect();
                Subject { document, uris }
            }
            None => {
                let document = match &open.before {
                    Some(before) => before.document.changed(&text.text),
                    None => Document::model(&text),
                };
                Subject { document, uris: vec![uri.to_owned()] }
            }
        });
        open.subject = Some(subject.clone());
        self.retired.extend(open.before.take());
        Some(subject)
    }

    /// The open data of a model.
    pub(super) fn data_of(&mut self, model: &str) -> Vec<Arc<Subject>> {
        let uris: Vec<String> = self.open.keys().filter(|uri| *uri != model).cloned().collect();
        let subjects = uris.iter().filter_map(|uri| self.subject(uri));
        subjects.filter(|subject| !subject.is_model() && subject.model() == model).collect()
    }

    /// The open models, each with the open data that form an instance.
    pub(super) fn models_with_data(&mut self) -> Vec<ModelWithData> {
        let uris: Vec<String> = self.open.keys().cloned().collect();
        let models: Vec<String> =
            uris.into_iter().filter(|uri| self.subject(uri).is_some_and(|it| it.is_model())).collect();
        let with_data = models.into_iter().filter_map(|uri| {
            let data = self.data_of(&uri);
            let data = data.iter().filter(|data| data.document.has_instance());
            let data = data.filter_map(|data| self.content(data.uri(data.document.source()))).collect();
            Some(ModelWithData { model: self.content(&uri)?, data, uri })
        });
        with_data.collect()
    }

    /// The warnings that a solver has proved about an open text.
    pub(super) fn proved(&self, uri: &str) -> &[Diagnostic] {
        self.open.get(uri).map_or(&[], |open| &open.proved)
    }

    /// Stores the warnings that a solver has proved about an open text.
    pub(super) fn prove(&mut self, uri: &str, proved: Vec<Diagnostic>) {
        if let Some(open) = self.open.get_mut(uri)
            && open.proved != proved
        {
            open.proved = proved;
            open.is_new = true;
        }
    }

    /// Drops the warnings of solvers.
    pub(super) fn drop_proved(&mut self) {
        for open in self.open.values_mut() {
            open.is_new |= !open.proved.is_empty();
            open.proved.clear();
        }
    }

    /// The outline of an open text.
    fn outline(&mut self, uri: &str, text: &Text) -> Arc<Outline> {
        let open = self.open.get_mut(uri).map(|open| &mut open.outline);
        let read = || Arc::new(Outline::read(text));
        open.map_or_else(read, |known| known.get_or_insert_with(read).clone())
    }

    /// Returns the model that a text belongs to; `None` if the text is a model itself, or data without a model.
    fn model_of(&mut self, uri: &str, text: &Text) -> Option<Arc<Subject>> {
        // Reading the outline takes as long as reading the text, so the extension is checked first.
        if has_extension(uri, &MODELS) {
            return None;
        }
        let outline = self.outline(uri, text);
        // An empty text is data only if its extension says so.
        if outline.is_model || outline.values.is_empty() && !is_data(uri) {
            return None;
        }
        if let Some(model) = self.model.as_ref().or(self.models.get(uri)).cloned() {
            let model = self.known(if model.contains("://") { model } else { uri_of(Path::new(&model)) });
            return if model == uri { None } else { self.model_text(&model) };
        }
        let models = self.neighbours(uri, "models", &MODELS);
        let stem = stem_of_uri(uri);
        let by_name = models.iter().filter(|model| stem.starts_with(&*self::stem_of_uri(model)));
        // `queens-8.param` belongs to `queens.essence`. If two models match, the one with the longer name is more
        // specific.
        if let Some(model) = by_name.max_by_key(|model| self::stem_of_uri(model).len()) {
            return self.model_text(model);
        }
        // If no name matches, the only model that accepts these values is taken.
        let texts: Vec<Arc<Subject>> = models.iter().filter_map(|model| self.model_text(model)).collect();
        let mut fitting = texts.into_iter().filter(|model| takes(model, &outline));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// Returns a model, open or not.
    pub(super) fn model_text(&mut self, uri: &str) -> Option<Arc<Subject>> {
        if let Some(open) = self.open.get(uri) {
            return match &open.subject {
                Some(subject) => Some(subject.clone()).filter(|subject| subject.is_model()),
                None => self.subject(uri).filter(|subject| subject.is_model()),
            };
        }
        let text = self.files.text(uri)?;
        // The file on disk may have changed since it was read.
        if let Some(subject) = self.closed.get(uri).filter(|subject| subject.document.text() == text) {
            return Some(subject.clone());
        }
        let document = Document::model(&Text::new(file_name_of_uri(uri), text));
        let subject = Arc::new(Subject { document, uris: vec![uri.to_owned()] });
        self.closed.insert(uri.to_owned(), subject.clone());
        Some(subject)
    }

    /// Returns the parameters of a solution: the file with the longest name that is a part of the solution's name.
    fn parameters_of(&mut self, uri: &str, text: &Text, model: &Subject) -> Vec<(String, Text)> {
        let values = &self.outline(uri, text).values;
        let items = model.document.outline();
        let of_kind = |wanted: SymbolKind| items.iter().filter(move |item| item.kind == Some(wanted));
        let is_solution = of_kind(SymbolKind::Find).any(|find| values.contains(&find.name));
        let is_complete = of_kind(SymbolKind::Given).all(|given| values.contains(&given.name));
        if !is_solution || is_complete {
            return Vec::new();
        }
        let stem = stem_of_uri(uri);
        let is_part = |part: &str| {
            // The name must end at the end of a word: the parameters `n1` do not match the solution `model-n10`.
            let ends_word = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            stem.strip_prefix(part).is_some_and(ends_word)
                || stem
                    .match_indices(part)
                    .any(|(at, _)| at > 0 && stem[..at].ends_with('-') && ends_word(&stem[at + part.len()..]))
        };
        let files = self.neighbours(uri, "params", &PARAMETERS);
        let named = files.into_iter().filter(|file| file != uri && is_part(&self::stem_of_uri(file)));
        let best = named.max_by_key(|file| self::stem_of_uri(file).len());
        best.and_then(|uri| self.content(&uri).map(|text| (uri, text))).into_iter().collect()
    }

    /// Returns a text from the editor, or else from its file.
    pub(super) fn content(&mut self, uri: &str) -> Option<Text> {
        let text = match self.open.get(uri) {
            Some(open) => open.text.clone(),
            None => self.files.text(uri)?,
        };
        Some(Text::new(file_name_of_uri(uri), text))
    }

    /// Returns the data that a command names for a model: the URI of a text, or a word of the command line. A table has
    /// the URI of its file. The error is the reason why the data cannot be read.
    pub(super) fn data(&mut self, model: &str, named: &str) -> Result<(Text, Option<String>), String> {
        if named.contains("://") {
            return self.content(named).map(|text| (text, None)).ok_or_else(|| format!("cannot read `{named}`"));
        }
        let DataFile { uri, name, text, error, parameter, columns } = self.files.data(model, named);
        let uri = self.known(uri);
        // The name of a sheet follows the name of its workbook, and an open text must not replace the workbook.
        let open =
            self.open.get(&uri).filter(|_| without_percent_codes(&uri).ends_with(&name)).map(|open| open.text.clone());
        let text = open.or(text).ok_or(error)?;
        Ok(match parameter {
            Some(parameter) => (Text::table(name, text, parameter, columns), Some(uri)),
            None => (Text::new(name, text), None),
        })
    }

    /// The URI of a file, in the client's notation if the file is open.
    fn known(&self, uri: String) -> String {
        let path = without_percent_codes(&uri);
        self.open.keys().find(|open| without_percent_codes(open) == path).cloned().unwrap_or(uri)
    }

    /// The files with these extensions in the folder of a text and in a folder beside it, including open texts.
    fn neighbours(&mut self, uri: &str, beside: &str, extensions: &[&str]) -> BTreeSet<String> {
        let Some(folder) = folder_of_uri(uri) else {
            return self.open.keys().filter(|open| has_extension(open, extensions)).cloned().collect();
        };
        let sibling = folder_of_uri(folder).map(|parent| format!("{parent}/{beside}"));
        let folders: Vec<String> = [folder.to_owned()].into_iter().chain(sibling).collect();
        let files: Vec<String> = folders.iter().flat_map(|folder| self.files.folder(folder)).collect();
        let mut found: BTreeSet<String> = files.into_iter().filter(|uri| has_extension(uri, extensions)).collect();
        // Clients escape URIs differently, so the decoded URIs are compared, but the client's notation is kept.
        let open: BTreeMap<String, &String> = self.open.keys().map(|uri| (without_percent_codes(uri), uri)).collect();
        found = found
            .into_iter()
            .map(|uri| open.get(&without_percent_codes(&uri)).map_or(uri, |open| open.to_string()))
            .collect();
        let is_near = |uri: &&String| {
            let folder = folder_of_uri(uri).map(without_percent_codes);
            has_extension(uri, extensions) && folders.iter().any(|near| Some(without_percent_codes(near)) == folder)
        };
        found.extend(self.open.keys().filter(is_near).cloned());
        found
    }
}

/// Returns true if a model accepts the values of a text: they have all its parameters, or some of its decision
/// variables.
fn takes(model: &Subject, outline: &Outline) -> bool {
    let items = model.document.outline();
    let names = |wanted: SymbolKind| -> BTreeSet<String> {
        items.iter().filter(|item| item.kind == Some(wanted)).map(|item| item.name.clone()).collect()
    };
    let (givens, finds) = (names(SymbolKind::Given), names(SymbolKind::Find));
    !givens.is_empty() && givens.is_subset(&outline.values) || finds.iter().any(|find| outline.values.contains(find))
}

fn is_data(uri: &str) -> bool {
    has_extension(uri, &PARAMETERS) || has_extension(uri, &["solution"])
}
