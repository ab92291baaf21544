//! The language server as a value: its requests to the host. Its responses to clients are in `tests/lsp`.

use crate::{
    language_server::{DataFile, Event, FileAnswer, FileQuestion, LanguageServer, Reaction},
    protocol::Service,
};
use serde_json::{Value, json};

/// A message of the client; a request if it has an id.
fn message(id: Option<u32>, method: &str, params: &Value) -> Event {
    let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    Event::Message(match id {
        Some(id) => {
            [("id".to_owned(), json!(id))].into_iter().chain(message.as_object().cloned().expect("an object")).collect()
        }
        None => message,
    })
}

/// A server with open documents.
fn with_open(texts: &[(&str, &str)]) -> LanguageServer {
    let mut server = LanguageServer::default();
    server.react(message(Some(0), "initialize", &json!({ "capabilities": {} })));
    for (uri, text) in texts {
        let document = json!({ "uri": uri, "languageId": "essence", "version": 1, "text": text });
        assert_eq!(server.react(message(None, "textDocument/didOpen", &json!({ "textDocument": document }))), []);
    }
    server
}

/// The messages among reactions.
fn sent(reactions: &[Reaction]) -> Vec<Value> {
    let message = |reaction: &Reaction| match reaction {
        Reaction::Send { message } => serde_json::from_str(message).ok(),
        _ => None,
    };
    reactions.iter().filter_map(message).collect()
}

/// The server asks the host for files until it knows the model of the data, and publishes nothing before.
#[test]
fn data_are_published_when_their_model_has_been_read() {
    let mut server = with_open(&[("vfs://mount/params/m-3.param", "letting n be 3\nletting k be 4")]);
    let mut reactions = server.react(Event::Idle);
    let mut rounds = 0;
    while let [Reaction::Read { questions }] = &reactions[..] {
        rounds += 1;
        let answers = questions.iter().map(|question| match question {
            FileQuestion::Folder(folder) if folder == "vfs://mount/models" => {
                FileAnswer::Folder(vec!["vfs://mount/models/m.essence".to_owned()])
            }
            FileQuestion::Folder(_) => FileAnswer::Folder(Vec::new()),
            FileQuestion::Text(_) => FileAnswer::Text(Some("given n : int(1..9)\nfind x : int(1..n)".to_owned())),
            FileQuestion::Data { .. } => FileAnswer::Data(DataFile::default()),
        });
        let answers = answers.collect();
        reactions = server.react(Event::Files(answers));
    }
    // The first round finds the model in the folder `models`, the second one reads it.
    assert_eq!(rounds, 2);
    let messages = sent(&reactions);
    let codes: Vec<&Value> = messages.iter().map(|message| &message["params"]["diagnostics"][0]["code"]).collect();
    assert_eq!(codes, ["W0404"], "{messages:?}");
    assert_eq!(server.react(Event::Idle), []);
}

/// A command is a task. Its result is the response to the client's request, unless that was cancelled.
#[test]
fn commands_are_questions_of_the_protocol() {
    let mut server = with_open(&[("file:///m.essence", "find x : int(1..9) such that x = 7")]);
    server.react(message(None, "workspace/didChangeConfiguration", &json!({ "settings": { "limitTime": 5 } })));
    let params = json!({ "command": "conjure-like.solve", "arguments": ["file:///m.essence"], "workDoneToken": 1 });
    let mut start = |id| match &server.react(message(Some(id), "workspace/executeCommand", &params))[..] {
        [Reaction::Start { task, request, after_pause: false }, Reaction::Send { .. }] => (*task, request.clone()),
        other => panic!("{other:?}"),
    };
    let (first, request) = start(3);
    let (second, _) = start(4);
    assert_eq!((&request["verb"], &request["limit"]), (&json!("solve"), &json!(5.0)));
    let cancelled = server.react(message(None, "$/cancelRequest", &json!({ "id": 3 })));
    assert_eq!(cancelled[0], Reaction::Cancel { task: first });
    assert_eq!(sent(&cancelled)[1]["error"]["code"], json!(-32800));
    let mut reactions = Vec::new();
    Service::default().answer(request, &mut |line| {
        reactions.extend(server.react(Event::Answer { task: first, line: json!(line) }));
        reactions.extend(server.react(Event::Answer { task: second, line: json!(line) }));
    });
    let messages = sent(&reactions);
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[1]["id"], json!(4));
    assert_eq!(
        messages[1]["result"],
        json!({ "format": "essence", "text": "language Essence 1.3\n\nletting x be 7\n" })
    );
}
