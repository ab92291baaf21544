//! The server for assistants: sends JSON lines of the Model Context Protocol.

use crate::function;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        function("mcp", "the tools say what they take", the_tools_say_what_they_take),
        function("mcp", "each tool answers", each_tool_answers),
        function("mcp", "questions lead to the model that is meant", questions_lead_to_the_model_that_is_meant),
        function("mcp", "a text is fixed and tested", a_text_is_fixed_and_tested),
        function("mcp", "the page and the prompt are served", the_page_and_the_prompt_are_served),
        function("mcp", "mistakes are told with their places", mistakes_are_told_with_their_places),
        function("mcp", "wrong arguments are named", wrong_arguments_are_named),
        function("mcp", "a limit ends a call and not the server", a_limit_ends_a_call_and_not_the_server),
        function("mcp", "a call that is cancelled makes room for the next", a_call_that_is_cancelled_makes_room),
        function("mcp", "no file is read", no_file_is_read),
    ]
}

struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .arg("mcp")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let (input, output) = (process.stdin.take(), process.stdout.take().expect("an output"));
        let mut server = Server { process, input, output: BufReader::new(output), asked: 0 };
        let client = json!({"name": "test", "version": "1"});
        let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let about = server.ask("initialize", &greeting);
        assert_eq!(about["result"]["serverInfo"]["name"], "conjure-like", "{about}");
        server.tell("notifications/initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("an input");
        writeln!(input, "{message}").and_then(|()| input.flush()).expect("a server that reads");
    }

    fn tell(&mut self, method: &str, parameters: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Sends a request without waiting for the response; returns its id.
    fn begin(&mut self, method: &str, parameters: &Value) -> u64 {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters}));
        self.asked
    }

    /// Waits for the response to a request, skipping other messages.
    fn answer(&mut self, number: u64) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a line") > 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).expect("JSON on a line");
            if message["id"] == number {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let number = self.begin(method, parameters);
        self.answer(number)
    }

    /// The text of a tool's result, its data, and its error flag.
    fn call(&mut self, tool: &str, arguments: &Value) -> (String, Value, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, result["structuredContent"].clone(), result["isError"] == true)
    }
}

impl Drop for Server {
    /// Closing its input ends the server.
    fn drop(&mut self) {
        self.input = None;
        let since = Instant::now();
        while self.process.try_wait().expect("a process").is_none() {
            if since.elapsed() > Duration::from_secs(20) {
                let _ = self.process.kill();
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn the_tools_say_what_they_take() {
    let mut server = Server::start(&[]);
    let listed = server.ask("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(
        names,
        ["check", "fix", "test", "ask", "solve", "why", "hint", "explore", "compare", "evaluate", "manual"]
    );
    for tool in tools {
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        assert!(properties.values().all(|property| property["description"].is_string()), "{tool}");
        let required = tool["inputSchema"]["required"].as_array().expect("names");
        assert!(required.iter().all(|name| properties.contains_key(name.as_str().expect("a name"))), "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
}

const PAIRS: &str = "given n : int find x, y : int(1..n) such that x + y = n, x < y";

fn each_tool_answers() {
    let mut server = Server::start(&[]);
    let (text, data, _) = server.call("check", &json!({"model": PAIRS, "data": {"n": 5}}));
    assert_eq!((text.as_str(), &data["ok"]), ("No mistakes found.\n", &json!(true)));

    let (text, data, _) = server.call("solve", &json!({"model": PAIRS, "data": "letting n be 5", "solutions": 9}));
    assert_eq!(data["status"], "all solutions");
    let mut values: Vec<String> =
        data["solutions"].as_array().expect("solutions").iter().map(|found| found["values"].to_string()).collect();
    values.sort();
    assert_eq!(values, [r#"{"x":1,"y":4}"#, r#"{"x":2,"y":3}"#]);
    assert!(text.contains("letting x be 1") && text.ends_with("2 solutions found; there are no more.\n"), "{text}");

    let best = format!("{PAIRS} minimising y");
    let (_, data, _) = server.call("solve", &json!({"model": best, "data": {"n": 9}, "solutions": 3}));
    let best_solution = json!([{"values": {"x": 4, "y": 5}, "objective": 5}]);
    assert_eq!(data, json!({"status": "optimal", "solutions": best_solution}));
    let (_, data, _) = server.call("solve", &json!({"model": best, "data": {"n": 9}}));
    assert_eq!(data, json!({"status": "optimal", "solutions": best_solution}));

    let (text, data, _) = server.call("why", &json!({"model": PAIRS, "data": {"n": 2}}));
    assert_eq!(data["verdict"], "none", "{data}");
    assert!(text.contains("cannot hold together"), "{text}");
    let (_, data, _) =
        server.call("why", &json!({"model": PAIRS, "data": {"n": 5}, "expected": "letting x be 3 letting y be 2"}));
    assert_eq!(data["reasons"][0]["says"], "x < y", "{data}");
    let (_, data, _) = server.call("why", &json!({"model": PAIRS, "data": {"n": 5}, "forced": "x < 3"}));
    assert_eq!(data["verdict"], "forced", "{data}");

    let contradiction = "find x, y : int(1..9) such that x > y, y > 4, x + y = 10";
    let (text, data, _) = server.call("why", &json!({"model": contradiction, "steps": true}));
    assert_eq!(data["steps"][0]["number"], 1, "{data}");
    assert!(text.contains("steps show.") && text.contains("The requirements that are used:"), "{text}");
    let (text, _, _) = server.call(
        "why",
        &json!({"model": "find x, y : int(1..9) such that x > y, x + y = 7",
            "expected": "letting x be 3", "steps": true}),
    );
    assert!(text.starts_with("This cannot be extended to a solution, as "), "{text}");

    let chain = "find x, y, z : int(1..3) such that x < y, y < z";
    let (_, data, _) = server.call("hint", &json!({"model": chain, "all_steps": true}));
    assert_eq!(data["verdict"], "solved", "{data}");

    let (text, data, _) = server.call("explore", &json!({"model": PAIRS, "data": {"n": 9}}));
    assert!(text.starts_with("There are 4 solutions."), "{text}");
    assert_eq!(data["extent"], "all");

    let other = PAIRS.replace("x < y", "x <= y");
    let (text, data, _) = server.call("compare", &json!({"model": other, "reference": PAIRS}));
    assert_eq!(data["difference"]["kind"], "allows", "{data}");
    assert!(text.contains("the reference does not"), "{text}");
    let (_, data, _) = server.call("compare", &json!({"model": PAIRS, "reference": PAIRS, "data": {"n": 5}}));
    assert_eq!((&data["same"], &data["instances"]), (&json!(true), &json!(1)), "{data}");

    let (text, data, _) = server.call("evaluate", &json!({"expression": "sum([i ** 2 | i : int(1..3)])"}));
    assert_eq!((text.as_str(), &data["value"]), ("14 : int\n", &json!(14)));
    let named =
        json!({"expression": "x + n", "model": PAIRS, "data": {"n": 5}, "solution": "letting x be 1 letting y be 4"});
    assert_eq!(server.call("evaluate", &named).1["value"], 6);

    let (text, _, _) = server.call("manual", &json!({"word": "allDiff"}));
    assert!(text.contains("allDiff"), "{text}");
}

fn questions_lead_to_the_model_that_is_meant() {
    let mut server = Server::start(&[]);
    let models = ["x < y", "x <= y", "x != y"].map(|sign| PAIRS.replace("x < y", sign));
    let mut answers: Vec<Value> = Vec::new();
    let (text, data) = loop {
        let arguments = json!({"model": models[0], "candidates": models[1..], "answers": answers});
        let (text, data, is_error) = server.call("ask", &arguments);
        assert!(!is_error, "{text}");
        if data["question"].is_null() {
            break (text, data);
        }
        assert!(text.contains("Is this allowed?") && text.contains("On this instance:"), "{text}");
        let mut answer = data["question"].clone();
        let values = |text: &Value| -> Vec<i64> {
            let lines = text.as_str().expect("a text").lines().filter(|line| line.starts_with("letting"));
            lines.map(|line| line.rsplit(' ').next().expect("a value").parse().expect("a number")).collect()
        };
        let (found, n) = (values(&answer["solution"]), values(&answer["data"][0]["text"])[0]);
        answer["answer"] = if found[0] <= found[1] && found[0] + found[1] == n { "yes" } else { "no" }.into();
        answers.push(answer);
    };
    assert_eq!(data["left"], json!(["candidate 1"]), "{text}");
    assert!(answers.len() <= 4 && text.contains("$ case: question 1"), "{text}");
}

fn a_text_is_fixed_and_tested() {
    let mut server = Server::start(&[]);
    let wrong = "find x : int(1..9)\nsuch that x == 3 || x > 8\n$ solutions: 2";
    let (text, data, _) = server.call("fix", &json!({"model": wrong}));
    assert_eq!(data["text"], "find x : int(1..9)\nsuch that x = 3 \\/ x > 8\n$ solutions: 2", "{text}");
    assert_eq!((&data["ok"], &data["fixes"][0]["line"]), (&json!(true), &json!(2)), "{data}");
    let (_, data, _) = server.call("test", &json!({"model": data["text"]}));
    assert_eq!(data["cases"][0]["verdict"], "passed", "{data}");
    let cases = "$ model: m\n$ case: nine\n$ refuses: letting x be 9";
    let (text, data, _) = server.call("test", &json!({"model": "find x : int(1..9)", "cases": cases}));
    assert_eq!(data["cases"][0]["verdict"], "failed", "{data}");
    assert!(text.contains("the model accepts it"), "{text}");
}

fn the_page_and_the_prompt_are_served() {
    let mut server = Server::start(&[]);
    let listed = server.ask("resources/list", &json!({}));
    let address = listed["result"]["resources"][0]["uri"].as_str().expect("an address").to_owned();
    let page = server.ask("resources/read", &json!({"uri": address}));
    let text = page["result"]["contents"][0]["text"].as_str().expect("a text").to_owned();
    // Assistants count about four characters as a token.
    assert!(text.starts_with("# Essence on one page") && text.len() < 20_000, "{}", text.len());
    let missing = server.ask("resources/read", &json!({"uri": "essence://other"}));
    assert!(missing["error"]["message"].as_str().is_some_and(|says| says.contains("essence://other")), "{missing}");
    let prompts = server.ask("prompts/list", &json!({}));
    let name = &prompts["result"]["prompts"][0]["name"];
    let asked = server.ask("prompts/get", &json!({"name": name, "arguments": {"text": "Nobody helps twice."}}));
    let text = asked["result"]["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.ends_with("Nobody helps twice.\n") && text.contains("`ask`"), "{text}");
    let wrong = server.ask("prompts/get", &json!({"name": name}));
    assert!(wrong["error"]["message"].as_str().is_some_and(|says| says.contains("`text`")), "{wrong}");
}

fn mistakes_are_told_with_their_places() {
    let mut server = Server::start(&[]);
    let wrong = json!({"model": "find x : int(1..3)\nsuch that x = y"});
    let (text, data, is_error) = server.call("check", &wrong);
    // `check` is meant to find errors, so they are not an error of the call.
    assert!(!is_error && data["ok"] == false && text.contains("E0201"), "{text}");
    assert_eq!(data["diagnostics"][0]["labels"][0]["line"], 2, "{data}");
    let (text, data, is_error) = server.call("solve", &wrong);
    assert!(is_error && text.contains("the name `y` is not declared"), "{text}");
    assert_eq!(data["diagnostics"][0]["code"], "E0201");
    let (text, _, is_error) = server.call("solve", &json!({"model": PAIRS, "data": {"m": 5}}));
    assert!(is_error && text.contains("`n`"), "{text}");
    // The data were written for this call, so an unused parameter is an error.
    for data in [json!({"n": 5, "pairs": 3}), json!("letting n be 5 letting pairs be 3")] {
        for tool in ["solve", "explore", "check"] {
            let (text, reply, _) = server.call(tool, &json!({"model": PAIRS, "data": data}));
            assert!(text.contains("the model has no parameter `pairs`"), "{tool}: {text}");
            assert_eq!(reply["diagnostics"][0]["code"], "E0402", "{tool}: {reply}");
        }
    }
    let (text, _, is_error) = server.call("manual", &json!({"word": "allDifff"}));
    assert!(is_error && text.contains("allDiff"), "{text}");
}

fn wrong_arguments_are_named() {
    let mut server = Server::start(&[]);
    for (tool, arguments, says) in [
        ("solve", json!({}), "`solve` needs the argument `model`."),
        ("solve", json!({"model": PAIRS, "file": "/etc/passwd"}), "`solve` has no argument `file`"),
        ("solve", json!({"model": 3}), "The argument `model` is a string."),
        ("solve", json!({"model": PAIRS, "solutions": 1000}), "The argument `solutions` is a number from 1 to 100."),
        ("solve", json!({"model": PAIRS, "seconds": 0}), "The argument `seconds` is a number above 0."),
    ] {
        let (text, _, is_error) = server.call(tool, &arguments);
        assert!(is_error && text.starts_with(says), "{text}");
    }
    let answer = server.ask("tools/call", &json!({"name": "launch", "arguments": {}}));
    assert!(answer["error"]["message"].as_str().is_some_and(|says| says.contains("`launch`")), "{answer}");
}

/// An optimisation problem that cannot be solved within the limit.
const ENDLESS: &str = "
    letting n be 14
    find hole : matrix indexed by [int(1..n), int(1..n)] of int(1..n * n)
    find line : int(1..n ** 3)
    such that
        allDiff(flatten(hole)),
        forAll i : int(1..n) . sum(hole[i, ..]) = line,
        forAll i : int(1..n) . sum(hole[.., i]) = line,
        forAll i : int(1..n) . (sum j : int(1..n) . hole[i, j] ** 2) % 7 = (i * i) % 7
    maximising sum([hole[i, i] * hole[i, n + 1 - i] | i : int(1..n)])";

fn a_limit_ends_a_call_and_not_the_server() {
    let mut server = Server::start(&["--call-time=1"]);
    let since = Instant::now();
    // The server's limit overrides the one in the request.
    let (text, data, _) = server.call("solve", &json!({"model": ENDLESS, "seconds": 1000}));
    assert!(since.elapsed() < Duration::from_secs(15), "{:?}", since.elapsed());
    assert!(text.contains("limit"), "{text}");
    assert_eq!(data["status"], "time limit", "{data}");
    let (_, data, _) = server.call("evaluate", &json!({"expression": "1 + 1"}));
    assert_eq!(data["value"], 2);
}

fn a_call_that_is_cancelled_makes_room() {
    let mut server = Server::start(&["--at-once=1", "--call-time=60"]);
    let since = Instant::now();
    let endless = server.begin("tools/call", &json!({"name": "solve", "arguments": {"model": ENDLESS}}));
    // With `--at-once=1`, this call waits for the first one.
    let waiting = server.begin("tools/call", &json!({"name": "evaluate", "arguments": {"expression": "1 + 1"}}));
    server.tell("notifications/cancelled", &json!({"requestId": endless}));
    let answer = server.answer(waiting);
    assert_eq!(answer["result"]["structuredContent"]["value"], 2, "{answer}");
    assert!(since.elapsed() < Duration::from_secs(30), "{:?}", since.elapsed());
}

/// A model text that looks like a file name is still a text.
fn no_file_is_read() {
    let mut server = Server::start(&[]);
    for text in ["Cargo.toml", "models/n-queens.essence", "@models/n-queens.essence", "-"] {
        let (_, data, is_error) = server.call("solve", &json!({"model": text}));
        assert!(
            is_error && data["diagnostics"][0]["code"].as_str().is_some_and(|code| code.starts_with("E01")),
            "{data}"
        );
    }
}
