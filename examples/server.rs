//! A server that reads its model once and solves an instance for each request, on as many threads as there are
//! requests: `cargo run --release --example server`, and then `curl localhost:8080/8`.

use conjure_like::{EngineOptions, Model, Report, SolveOptions, Text};
use std::{
    error::Error,
    io::{self, BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    ops::ControlFlow,
    thread,
    time::{Duration, Instant},
};

const MODEL: &str = "
given n : int(1..)
find queen : matrix indexed by [int(1..n)] of int(1..n)
such that
    allDiff(queen),
    forAll i, j : int(1..n) . i < j -> |queen[i] - queen[j]| != j - i
";

/// The time that a search may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns the status of a response and its text: a solution as JSON, the end of a search without one, or the errors
/// of the data.
fn response(model: &Model, n: &str) -> (&'static str, String) {
    let solved = || -> Result<String, Report> {
        let instance = model.instance(&[Text::new("request.json", format!("{{\"n\": {n}}}"))])?;
        let search = EngineOptions::default().limits(Instant::now() + PATIENCE);
        let mut found = None;
        let summary = instance.solve(&SolveOptions::default().search(search), &mut |solution| {
            found = Some(solution.to_json());
            ControlFlow::Break(())
        })?;
        Ok(found.unwrap_or_else(|| format!("\"{}\"", summary.status)))
    };
    match solved() {
        Ok(text) => ("200 OK", text),
        Err(report) => ("400 Bad Request", report.to_string()),
    }
}

/// Answers a request `GET /N HTTP/1.1`.
fn answer(model: &Model, connection: &mut TcpStream) -> io::Result<()> {
    let mut request = BufReader::new(&*connection).lines();
    let first = request.next().transpose()?.unwrap_or_default();
    // The rest of the request are headers, which end with an empty line.
    while request.next().transpose()?.is_some_and(|header| !header.is_empty()) {}
    let n = first.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    let (status, text) = response(model, n);
    write!(connection, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}", text.len())
}

/// Answers requests until the listener is closed; all threads share the model.
pub(crate) fn serve(listener: &TcpListener) -> Result<(), Report> {
    let model = Model::read(&Text::new("queens.essence", MODEL))?;
    thread::scope(|threads| {
        for mut connection in listener.incoming().flatten() {
            let model = &model;
            threads.spawn(move || {
                if let Err(error) = answer(model, &mut connection) {
                    eprintln!("a connection was lost: {error}");
                }
            });
        }
    });
    Ok(())
}

#[allow(dead_code)] // The tests call `serve`.
fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:8080")?;
    println!("listening on http://{}/8", listener.local_addr()?);
    serve(&listener)?;
    Ok(())
}
