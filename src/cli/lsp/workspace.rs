//! The texts that are open in the editor, and which model belongs to which data.

use super::positions::{Encoding, LineOffsets};
use crate::cli::{session, table::TableArgument};
use conjure_like::{Diagnostic, Document, Outline, SourceId, SymbolKind, Text};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// The texts that the server knows, by their URIs.
pub(super) struct Workspace {
    pub encoding: Encoding,
    /// The model of all data, if the client names one: a path or a URI.
    pub model: Option<String>,
    open: BTreeMap<String, OpenText>,
    /// Models that are not open, as they were when they were read.
    closed: BTreeMap<String, (SystemTime, Arc<Subject>)>,
    /// Texts as they were before: they are dropped when nobody waits for an answer.
    retired: Vec<Arc<Subject>>,
}

struct OpenText {
    version: i32,
    text: String,
    subject: Option<Arc<Subject>>,
    /// The text as it was read before its last changes.
    before: Option<Arc<Subject>>,
    /// Whether the client has not heard yet what is wrong with the text.
    is_new: bool,
    /// Warnings that a solver has proved.
    proved: Vec<Diagnostic>,
}

/// An open model with the texts of its open data.
#[derive(Clone, PartialEq)]
pub(super) struct ModelWithData {
    pub uri: String,
    pub model: Text,
    pub data: Vec<Text>,
}

/// A text that has been read, with the URIs of the texts that it was read with.
pub(super) struct Subject {
    pub document: Document,
    /// The URI of each text, in the order of [`SourceId`].
    pub uris: Vec<String>,
}

impl Subject {
    /// The URI of the text with this id.
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

/// The endings of the names of models.
const MODELS: [&str; 3] = ["essence", "eprime", "model"];
/// The endings of the names of texts that are always tables.
const TABLES: [&str; 3] = ["csv", "tsv", "jsonl"];
/// The endings of the names of parameter files.
const PARAMETERS: [&str; 4] = ["param", "essence-param", "eprime-param", "json"];

impl Workspace {
    pub(super) fn new() -> Self {
        Workspace {
            encoding: Encoding::Utf16,
            model: None,
            open: BTreeMap::new(),
            closed: BTreeMap::new(),
            retired: Vec::new(),
        }
    }

    /// A text is opened, or has another content now.
    pub(super) fn set(&mut self, uri: &str, version: i32, text: String) {
        let before = self.open.remove(uri);
        let is_open = before.is_some();
        let before = before.and_then(|open| open.subject.or(open.before)).filter(|subject| subject.is_model());
        let open = OpenText { version, text, subject: None, before, is_new: true, proved: Vec::new() };
        self.open.insert(uri.to_owned(), open);
        match is_open {
            // Another text may have another model now.
            false => self.forget_data(),
            true => self.forget_if(|_, open| {
                open.subject.as_ref().is_some_and(|subject| subject.uris.iter().any(|used| used == uri))
            }),
        }
    }

    pub(super) fn text(&self, uri: &str) -> Option<&str> {
        self.open.get(uri).map(|open| open.text.as_str())
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.open.remove(uri);
        self.forget_data();
    }

    /// Forgets what was read of files; they, or the choice of the model, have changed.
    pub(super) fn forget(&mut self) {
        self.closed.clear();
        self.forget_data();
    }

    /// Data are read again: another model may be theirs.
    fn forget_data(&mut self) {
        self.forget_if(|uri, open| open.subject.as_ref().is_some_and(|subject| !subject.is_model()) || is_data(uri));
    }

    /// Forgets what was read of some texts.
    fn forget_if(&mut self, is_wanted: impl Fn(&str, &OpenText) -> bool) {
        for (uri, open) in &mut self.open {
            if is_wanted(uri, open) {
                open.subject = None;
                open.is_new = true;
            }
        }
    }

    /// Drops what nobody will ask for again.
    pub(super) fn drop_retired(&mut self) {
        self.retired.clear();
    }

    /// The texts whose mistakes the client has not heard of, which it then has.
    pub(super) fn news(&mut self) -> Vec<(String, i32)> {
        let news = self
            .open
            .iter_mut()
            .filter_map(|(uri, open)| std::mem::take(&mut open.is_new).then(|| (uri.clone(), open.version)));
        news.collect()
    }

    /// An open text, read; `None` if it is not open.
    pub(super) fn subject(&mut self, uri: &str) -> Option<Arc<Subject>> {
        let open = self.open.get(uri)?;
        // A table is read when it is the data of a model.
        if has_extension(uri, &TABLES) {
            return None;
        }
        if let Some(subject) = &open.subject {
            return Some(subject.clone());
        }
        let text = Text::new(name(uri), open.text.as_str());
        let subject = Arc::new(match self.model_of(uri, &text) {
            Some(model) => {
                let parameters = self.parameters_of(uri, &text, &model);
                let texts: Vec<Text> = parameters.iter().map(|(_, text)| text.clone()).collect();
                let document = Document::data(&model.document, &texts, &text);
                let uris = parameters.into_iter().map(|(uri, _)| uri);
                let uris = [model.model().to_owned()].into_iter().chain(uris).chain([uri.to_owned()]).collect();
                Subject { document, uris }
            }
            None => {
                let before = self.open.get(uri).and_then(|open| open.before.clone());
                let document = match before {
                    Some(before) => before.document.changed(&text.text),
                    None => Document::model(&text),
                };
                Subject { document, uris: vec![uri.to_owned()] }
            }
        });
        if let Some(open) = self.open.get_mut(uri) {
            open.subject = Some(subject.clone());
            self.retired.extend(open.before.take());
        }
        Some(subject)
    }

    /// The open data of a model.
    pub(super) fn data_of(&mut self, model: &str) -> Vec<Arc<Subject>> {
        let uris: Vec<String> = self.open.keys().filter(|uri| *uri != model).cloned().collect();
        let subjects = uris.iter().filter_map(|uri| self.subject(uri));
        subjects.filter(|subject| !subject.is_model() && subject.model() == model).collect()
    }

    /// The open models, each with the open data that give it an instance.
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

    /// Warnings that a solver has proved about an open text.
    pub(super) fn proved(&self, uri: &str) -> &[Diagnostic] {
        self.open.get(uri).map_or(&[], |open| &open.proved)
    }

    /// Takes the warnings that a solver has proved about an open text; the client hears of them if they are others.
    pub(super) fn prove(&mut self, uri: &str, proved: Vec<Diagnostic>) {
        if let Some(open) = self.open.get_mut(uri)
            && open.proved != proved
        {
            open.proved = proved;
            open.is_new = true;
        }
    }

    /// Drops the warnings that a solver has proved; the client hears of it.
    pub(super) fn drop_proved(&mut self) {
        for open in self.open.values_mut() {
            open.is_new |= !open.proved.is_empty();
            open.proved.clear();
        }
    }

    /// The model that a text belongs to; `None` if the text is a model itself, or data without a model.
    fn model_of(&mut self, uri: &str, text: &Text) -> Option<Arc<Subject>> {
        // Reading the outline takes as long as reading the text.
        if has_extension(uri, &MODELS) {
            return None;
        }
        let outline = Outline::read(text);
        if outline.is_model || outline.values.is_empty() && !is_data(uri) {
            return None;
        }
        if let Some(model) = self.model.clone() {
            let model = if model.contains("://") { model } else { self.uri_of(Path::new(&model)) };
            return if model == uri { None } else { self.model_text(&model) };
        }
        let models = self.neighbours(uri, "models", &MODELS);
        let stem = stem(uri);
        let by_name = models.iter().filter(|model| stem.starts_with(&*self::stem(model)));
        if let Some(model) = by_name.max_by_key(|model| self::stem(model).len()) {
            return self.model_text(&model.clone());
        }
        // Without a name that fits, the only model that takes these values.
        let mut fitting =
            models.iter().filter_map(|model| self.model_text(model)).filter(|model| takes(model, &outline));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// A model, open or not.
    pub(super) fn model_text(&mut self, uri: &str) -> Option<Arc<Subject>> {
        if let Some(open) = self.open.get(uri) {
            return match &open.subject {
                Some(subject) => Some(subject.clone()).filter(|subject| subject.is_model()),
                None => self.subject(uri).filter(|subject| subject.is_model()),
            };
        }
        let path = path_of(uri)?;
        let modified = fs::metadata(&path).and_then(|data| data.modified()).ok()?;
        if let Some((read, subject)) = self.closed.get(uri)
            && *read == modified
        {
            return Some(subject.clone());
        }
        let text = Text::new(name(uri), session::text(&path)?);
        let subject = Arc::new(Subject { document: Document::model(&text), uris: vec![uri.to_owned()] });
        self.closed.insert(uri.to_owned(), (modified, subject.clone()));
        Some(subject)
    }

    /// The parameters that a solution is for: the file with the longest name that stands in the name of the solution.
    fn parameters_of(&self, uri: &str, text: &Text, model: &Subject) -> Vec<(String, Text)> {
        let values = Outline::read(text).values;
        let items = model.document.outline();
        let of_kind = |wanted: SymbolKind| items.iter().filter(move |item| item.kind == Some(wanted));
        let is_solution = of_kind(SymbolKind::Find).any(|find| values.contains(&find.name));
        let is_complete = of_kind(SymbolKind::Given).all(|given| values.contains(&given.name));
        if !is_solution || is_complete {
            return Vec::new();
        }
        let stem = stem(uri);
        let is_part = |part: &str| {
            let ends_word = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            stem.strip_prefix(part).is_some_and(ends_word)
                || stem
                    .match_indices(part)
                    .any(|(at, _)| at > 0 && stem[..at].ends_with('-') && ends_word(&stem[at + part.len()..]))
        };
        let files = self.neighbours(uri, "params", &PARAMETERS);
        let named = files.into_iter().filter(|file| file != uri && is_part(&self::stem(file)));
        let best = named.max_by_key(|file| self::stem(file).len());
        best.and_then(|uri| self.content(&uri).map(|text| (uri, text))).into_iter().collect()
    }

    /// A text as it is in the editor, or else in its file.
    pub(super) fn content(&self, uri: &str) -> Option<Text> {
        let text = match self.open.get(uri) {
            Some(open) => open.text.clone(),
            None => session::text(&path_of(uri)?)?,
        };
        Some(Text::new(name(uri), text))
    }

    /// The data that a command names for a model: the URI of a text, or a table as on the command line, whose file is
    /// found from the folder of the model. A table has the URI of its file. The error says why it cannot be read.
    pub(super) fn data(&self, model: &str, named: &str) -> Result<(Text, Option<String>), String> {
        let folder = path_of(model).and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
        let table = Some(named).filter(|named| !named.contains("://"));
        let Some(table) = table.and_then(|word| TableArgument::read(Path::new(word), &folder)) else {
            let text = self.content(named).or_else(|| self.content(&self.uri_of(&folder.join(named))));
            return text.map(|text| (text, None)).ok_or_else(|| format!("cannot read `{named}`"));
        };
        let uri = self.uri_of(&table.file);
        // People know the file by its name in the folder.
        let name = table.file.strip_prefix(&folder).unwrap_or(&table.file).display().to_string();
        let text = session::table(&table, &name, self.text(&uri)).map_err(|wrong| wrong.message)?;
        Ok((text, Some(uri)))
    }

    /// The URI of a file, as the client writes it if the file is open.
    fn uri_of(&self, path: &Path) -> String {
        let open = self.open.keys().find(|uri| path_of(uri).is_some_and(|open| open == path));
        open.cloned().unwrap_or_else(|| uri_of(path))
    }

    /// The files with certain endings in the folder of a text and in a folder beside it, and such open texts.
    fn neighbours(&self, uri: &str, beside: &str, extensions: &[&str]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let Some(path) = path_of(uri) else {
            return self.open.keys().filter(|open| has_extension(open, extensions)).cloned().collect();
        };
        let folder = path.parent().unwrap_or(Path::new("/"));
        let sibling = folder.parent().map(|parent| parent.join(beside));
        let folders: Vec<PathBuf> = [folder.to_owned()].into_iter().chain(sibling).collect();
        for entry in folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
            found.insert(self.uri_of(&entry.path()));
        }
        let is_near =
            |uri: &&String| path_of(uri).is_some_and(|path| folders.iter().any(|near| path.parent() == Some(near)));
        found.extend(self.open.keys().filter(is_near).cloned());
        found.retain(|uri| has_extension(uri, extensions));
        found
    }
}

/// Whether a model takes the values of a text: all its parameters, or some of its decision variables.
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

fn has_extension(uri: &str, extensions: &[&str]) -> bool {
    uri.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// The name of a file without its ending.
fn stem(uri: &str) -> String {
    let name = name(uri);
    name.rsplit_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
}

/// The name of a file.
fn name(uri: &str) -> String {
    let decoded = decoded(uri);
    decoded.rsplit('/').next().unwrap_or(&decoded).to_owned()
}

/// The path of a file with this URI.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = decoded(uri.strip_prefix("file://")?);
    // `/C:/…`
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.map_or(path.clone(), str::to_owned)))
}

/// The URI of a file, as editors write it.
fn uri_of(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    let path = path.to_string_lossy().replace('\\', "/");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte as char),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A text in which `%41` stands for `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text with the changes of a client.
pub(super) fn changed(
    text: &str,
    changes: Vec<lsp_types::TextDocumentContentChangeEvent>,
    encoding: Encoding,
) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            None => text = change.text,
            Some(range) => {
                let range = LineOffsets::new(&text, encoding).offsets(range);
                text.replace_range(range, &change.text);
            }
        }
    }
    text
}
