//! Sessions with the language server, one for each file in `tests/lsp`. A line starts with an action of the client;
//! lines with `|` after it are a text, and lines with `=` are the server's response. Positions are `line:character`,
//! counted from 0 as in the protocol. The driver talks to the real program over its standard input and output.

use crate::{Verdict, compare, files, name, read, slashed, workplace::Workplace};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

pub(crate) fn tests() -> Vec<Trial> {
    files("tests/lsp", &["session"]).into_iter().map(|path| Trial::test(name(&path), move || check(&path))).collect()
}

/// Further completions are only counted.
const SHOWN: usize = 12;

struct Client {
    place: Workplace,
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i64,
    versions: i64,
    /// Notifications that have not been read yet.
    notifications: Vec<Value>,
}

fn check(path: &Path) -> Verdict {
    let expected = read(path);
    let mut client = Client::new();
    let lines: Vec<&str> = expected.lines().filter(|line| !line.starts_with('=')).collect();
    let mut found = String::new();
    let mut lines = lines.into_iter().peekable();
    let mut is_initialized = false;
    while let Some(line) = lines.next() {
        found += &format!("{line}\n");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut text = String::new();
        while let Some(next) = lines.next_if(|next| next.starts_with('|')) {
            found += &format!("{next}\n");
            text += next.strip_prefix("| ").or(next.strip_prefix('|')).expect("a bar");
            text.push('\n');
        }
        if !is_initialized && !["file", "initialize", "raw", "send", "ask"].iter().any(|word| line.starts_with(word)) {
            // The solver's findings arrive at an unpredictable time, so only sessions that wait for them request them.
            client.initialize(json!({ "initializationOptions": { "examine": false } }));
            is_initialized = true;
        }
        is_initialized |= line.starts_with("initialize");
        for line in client.does(line, text).lines() {
            found += format!("= {line}").trim_end();
            found.push('\n');
        }
    }
    // A session need not end with `exit`.
    let _ = client.server.kill();
    let _ = client.server.wait();
    compare(path, &expected, &found)
}

impl Client {
    fn new() -> Self {
        let place = Workplace::empty();
        let mut server = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        Client { place, server, input, output, requests: 0, versions: 0, notifications: Vec::new() }
    }

    /// Performs a line of a session, and returns the server's response.
    fn does(&mut self, line: &str, text: String) -> String {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (file, rest) = match verb {
            "initialize" | "raw" | "ask" | "send" | "cancel" => ("", rest),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        let uri = self.uri(file);
        match verb {
            "file" => {
                let path = self.place.folder().join(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, text).expect("a file");
                String::new()
            }
            "initialize" => self.initialize(serde_json::from_str(rest).expect("JSON")),
            "open" => {
                self.versions += 1;
                let item = json!({ "uri": uri, "languageId": "essence", "version": self.versions, "text": text });
                self.notify("textDocument/didOpen", json!({ "textDocument": item }));
                self.published(&uri)
            }
            // `change FILE 1:2-1:3 "text"`, repeated after `; `
            "change" => {
                let changes: Vec<Value> = rest.split("; ").map(|change| {
                    let (range, text) = change.split_once(' ').expect("a range and a text");
                    json!({ "range": parse_range(range), "text": serde_json::from_str::<String>(text).expect("a string") })
                }).collect();
                self.changed(&uri, json!(changes))
            }
            "replace" => self.changed(&uri, json!([{ "text": text }])),
            "close" => {
                self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
                self.published(&uri)
            }
            // `pause FILE`: waits for the notification about a file
            "pause" => self.published(&uri),
            "hover" => {
                let result = self.at("textDocument/hover", &uri, rest, json!({}));
                self.shown(result, |result| {
                    format!("{}\n{}", range(&result["range"]), text_of(&result["contents"]["value"]))
                })
            }
            "complete" => {
                let result = self.at("textDocument/completion", &uri, rest, json!({}));
                self.shown(result, completions)
            }
            "signature" => {
                let result = self.at("textDocument/signatureHelp", &uri, rest, json!({}));
                self.shown(result, |result| {
                    let labels = list(&result["signatures"]).map(|signature| text_of(&signature["label"]) + "\n");
                    format!("operand {}\n{}", result["activeParameter"], labels.collect::<String>())
                })
            }
            "definition" => {
                let result = self.at("textDocument/definition", &uri, rest, json!({}));
                let result = self.shorter(result);
                self.shown(result, location)
            }
            "references" => {
                let context = json!({ "context": { "includeDeclaration": true } });
                let result = self.at("textDocument/references", &uri, rest, context);
                let result = self.shorter(result);
                self.shown(result, |result| lines(list(result).map(location)))
            }
            "highlight" => {
                let result = self.at("textDocument/documentHighlight", &uri, rest, json!({}));
                self.shown(result, |result| lines(list(result).map(|item| range(&item["range"]))))
            }
            "renamable" => {
                let result = self.at("textDocument/prepareRename", &uri, rest, json!({}));
                self.shown(result, range)
            }
            // `rename FILE 1:2 NAME`
            "rename" => {
                let (place, new) = rest.split_once(' ').expect("a place and a name");
                let result = self.at("textDocument/rename", &uri, place, json!({ "newName": new }));
                let result = self.shorter(result);
                self.shown(result, |result| edits(&result["changes"]))
            }
            "symbols" => {
                let result = self.about("textDocument/documentSymbol", &uri, json!({}));
                self.shown(result, |result| symbols(result, 0))
            }
            "folding" => {
                let result = self.about("textDocument/foldingRange", &uri, json!({}));
                let folding =
                    |item: &Value| format!("{}-{} {}", item["startLine"], item["endLine"], text_of(&item["kind"]));
                self.shown(result, |result| lines(list(result).map(folding)))
            }
            "tokens" => {
                let result = self.about("textDocument/semanticTokens/full", &uri, json!({}));
                self.shown(result, tokens)
            }
            "hints" => {
                let whole = json!({ "range": parse_range("0:0-9999:0") });
                let result = self.about("textDocument/inlayHint", &uri, whole);
                let hint = |item: &Value| format!("{} {}", position(&item["position"]), text_of(&item["label"]));
                self.shown(result, |result| lines(list(result).map(hint)))
            }
            "fixes" => {
                let range = json!({ "range": parse_range(rest), "context": { "diagnostics": [] } });
                let result = self.about("textDocument/codeAction", &uri, range);
                let result = self.shorter(result);
                let fix = |item: &Value| {
                    format!("{}\n{}", text_of(&item["title"]), edits(&item["edit"]["changes"]).trim_end())
                };
                self.shown(result, |result| lines(list(result).map(fix)))
            }
            "lenses" => {
                let result = self.about("textDocument/codeLens", &uri, json!({}));
                let result = self.shorter(result);
                let lens = |item: &Value| {
                    format!(
                        "{} {} {}",
                        range(&item["range"]),
                        text_of(&item["command"]["command"]),
                        item["command"]["arguments"]
                    )
                };
                self.shown(result, |result| lines(list(result).map(lens)))
            }
            "format" => {
                let options = json!({ "options": { "tabSize": 4, "insertSpaces": true } });
                let result = self.about("textDocument/formatting", &uri, options);
                let edit = |item: &Value| format!("{}\n{}", range(&item["range"]), text_of(&item["newText"]));
                self.shown(result, |result| lines(list(result).map(edit)))
            }
            // `execute COMMAND MODEL DATA…`
            "execute" => {
                let uris: Vec<String> = rest.split_whitespace().map(|name| self.uri(name)).collect();
                let (model, data) = uris.split_first().expect("a model");
                let params = json!({ "command": file, "arguments": [model, data] });
                let result = self.request("workspace/executeCommand", params);
                let result = self.shorter(result);
                self.shown(result, |result| {
                    let text = text_of(&result["text"]);
                    let shown: Vec<&str> = text.lines().take(SHOWN).collect();
                    format!("{}\n{}", text_of(&result["format"]), shown.join("\n"))
                })
            }
            // `cancel REQUEST {params}`: sends a request and cancels it
            "cancel" => {
                let (method, params) = rest.split_once(' ').expect("a method and parameters");
                self.requests += 1;
                let id = self.requests;
                let params = self.with_uris(params);
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
                self.notify("$/cancelRequest", json!({ "id": id }));
                let result = self.answer(&json!(id));
                self.shown(result, Value::to_string)
            }
            "ask" => {
                let (method, params) = rest.split_once(' ').unwrap_or((rest, "null"));
                let params = self.with_uris(params);
                let result = self.request(method, params);
                let result = self.shorter(result);
                self.shown(result, Value::to_string)
            }
            "send" => {
                let (method, params) = rest.split_once(' ').unwrap_or((rest, "null"));
                let params = self.with_uris(params);
                self.notify(method, params);
                if method == "exit" {
                    let code = self.server.wait().expect("an end").code();
                    return format!("exit code {}", code.map_or("none".to_owned(), |code| code.to_string()));
                }
                String::new()
            }
            // Not a valid message; the response has no id.
            "raw" => {
                write!(self.input, "Content-Length: {}\r\n\r\n{rest}", rest.len()).expect("a server that reads");
                self.input.flush().expect("a server that reads");
                let result = self.answer(&Value::Null);
                self.shown(result, Value::to_string)
            }
            other => panic!("there is no `{other}`"),
        }
    }

    fn initialize(&mut self, params: Value) -> String {
        let mut all = json!({ "processId": null, "rootUri": null, "capabilities": {} });
        all.as_object_mut().expect("an object").extend(params.as_object().expect("an object").clone());
        let result = self.request("initialize", all);
        self.notify("initialized", json!({}));
        self.shown(result, |result| format!("positions in {}", text_of(&result["capabilities"]["positionEncoding"])))
    }

    fn uri(&self, name: &str) -> String {
        // On Windows, the name of a disk comes first.
        let folder = slashed(self.place.folder()).replace(':', "%3A");
        format!("file://{}{folder}/{name}", if folder.starts_with('/') { "" } else { "/" })
    }

    /// Parses parameters, in which `@name` means the URI of a file.
    fn with_uris(&self, params: &str) -> Value {
        serde_json::from_str(&params.replace("\"@", &format!("\"{}", self.uri("")))).expect("JSON")
    }

    /// The response with the names of files instead of their URIs.
    fn shorter(&self, answer: Value) -> Value {
        serde_json::from_str(&answer.to_string().replace(&self.uri(""), "")).expect("JSON")
    }

    fn shown(&self, answer: Value, show: impl FnOnce(&Value) -> String) -> String {
        match (&answer["error"], &answer["result"]) {
            (Value::Null, Value::Null) => "nothing".to_owned(),
            (Value::Null, result) => show(result),
            (error, _) => format!("error {}: {}", error["code"], text_of(&error["message"])),
        }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a server that reads");
        self.input.flush().expect("a server that reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(&json!(id))
    }

    /// A request about a document.
    fn about(&mut self, method: &str, uri: &str, mut params: Value) -> Value {
        params["textDocument"] = json!({ "uri": uri });
        self.request(method, params)
    }

    /// A request about a position in a document.
    fn at(&mut self, method: &str, uri: &str, place: &str, mut params: Value) -> Value {
        params["position"] = parse_position(place);
        self.about(method, uri, params)
    }

    fn changed(&mut self, uri: &str, changes: Value) -> String {
        self.versions += 1;
        let document = json!({ "uri": uri, "version": self.versions });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        self.published(uri)
    }

    fn message(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a server that writes") > 0, "the server has ended");
            match line.trim_end() {
                "" => break,
                header => {
                    length = header.strip_prefix("Content-Length: ").expect("a length").parse().expect("a number")
                }
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a whole message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Waits for the response to a request.
    fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.message();
            match message.get("method") {
                Some(_) => self.notifications.push(message),
                None if message["id"] == *id => return message,
                None => panic!("nobody has asked for {message}"),
            }
        }
    }

    /// The diagnostics that the server publishes for a document, and for others at the same time.
    fn published(&mut self, uri: &str) -> String {
        while !self.notifications.iter().any(|message| message["params"]["uri"] == *uri) {
            let message = self.message();
            self.notifications.push(message);
        }
        // All notifications of an event precede the response to the next request.
        self.request("$/nothing", Value::Null);
        let mut said: Vec<String> = Vec::new();
        for message in std::mem::take(&mut self.notifications) {
            let message = self.shorter(message);
            said.push(format!(
                "{}:\n{}",
                text_of(&message["params"]["uri"]),
                diagnostics(&message["params"]["diagnostics"])
            ));
        }
        said.sort();
        said.concat()
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn lines(items: impl Iterator<Item = String>) -> String {
    items.map(|item| item + "\n").collect()
}

fn parse_position(text: &str) -> Value {
    let (line, character) = text.split_once(':').expect("a position");
    json!({ "line": line.parse::<u32>().expect("a line"), "character": character.parse::<u32>().expect("a character") })
}

fn parse_range(text: &str) -> Value {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    json!({ "start": parse_position(start), "end": parse_position(end) })
}

fn position(value: &Value) -> String {
    format!("{}:{}", value["line"], value["character"])
}

fn range(value: &Value) -> String {
    format!("{}-{}", position(&value["start"]), position(&value["end"]))
}

fn location(value: &Value) -> String {
    format!("{} {}", text_of(&value["uri"]), range(&value["range"]))
}

fn diagnostics(value: &Value) -> String {
    let severity = |value: &Value| if *value == json!(1) { "error" } else { "warning" };
    let mut text = String::new();
    for item in list(value) {
        let message = text_of(&item["message"]).replace('\n', "\n    ");
        let _ = writeln!(
            text,
            "  {} {} {}{}: {message}",
            range(&item["range"]),
            severity(&item["severity"]),
            text_of(&item["code"]),
            if item["tags"] == json!([1]) { " unnecessary" } else { "" }
        );
        for related in list(&item["relatedInformation"]) {
            let _ = writeln!(text, "    see {}: {}", location(&related["location"]), text_of(&related["message"]));
        }
    }
    if text.is_empty() { "  nothing is wrong\n".to_owned() } else { text }
}

fn completions(value: &Value) -> String {
    let items: Vec<&Value> = list(&value["items"]).collect();
    let item = |item: &&Value| {
        let edit = &item["textEdit"];
        let detail = text_of(&item["detail"]);
        let snippet = text_of(&edit["newText"]);
        let mut line = format!("{} {}", range(&edit["range"]), text_of(&item["label"]));
        if !detail.is_empty() {
            let _ = write!(line, " : {detail}");
        }
        if snippet != text_of(&item["label"]) {
            let _ = write!(line, " -> {snippet}");
        }
        line + "\n"
    };
    let mut text: String = items.iter().take(SHOWN).map(item).collect();
    if items.len() > SHOWN {
        let _ = writeln!(text, "and {} more", items.len() - SHOWN);
    }
    if text.is_empty() { "nothing".to_owned() } else { text }
}

/// The edits of each file.
fn edits(changes: &Value) -> String {
    let mut said = Vec::new();
    for (uri, edits) in changes.as_object().into_iter().flatten() {
        said.extend(list(edits).map(|edit| format!("{uri} {} {}\n", range(&edit["range"]), edit["newText"])));
    }
    said.sort();
    said.concat()
}

fn symbols(value: &Value, depth: usize) -> String {
    let item = |item: &Value| {
        let (name, detail) = (text_of(&item["name"]), text_of(&item["detail"]));
        let place = format!("{} at {}", range(&item["range"]), range(&item["selectionRange"]));
        format!(
            "{}{name} ({}) {detail} {place}\n{}",
            "  ".repeat(depth),
            item["kind"],
            symbols(&item["children"], depth + 1)
        )
    };
    list(value).map(item).collect()
}

/// The tokens, with their types and modifiers as numbers.
fn tokens(value: &Value) -> String {
    let numbers: Vec<u64> = list(&value["data"]).filter_map(Value::as_u64).collect();
    let (mut line, mut character) = (0, 0);
    let mut text = String::new();
    for token in numbers.chunks(5) {
        character = if token[0] == 0 { character + token[1] } else { token[1] };
        line += token[0];
        let _ = writeln!(text, "{line}:{character} length {} type {} modifiers {}", token[2], token[3], token[4]);
    }
    text
}
