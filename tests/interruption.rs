//! A search that something ends: the time limit, Ctrl-C, a reader that has gone away, want of memory.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A search for more solutions than anybody waits for.
fn endless(flags: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "models/n-queens.essence", "-D", "letting n be 24", "--all"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Reads until the first solution is complete.
fn first_solution(output: &mut impl BufRead) {
    let mut line = String::new();
    while !line.starts_with("letting queen be") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "the output ends before a solution");
    }
}

#[test]
fn the_time_limit_ends_a_search_with_what_was_found() {
    let started = Instant::now();
    let mut child = endless(&["--limit-time=2"]);
    let mut output = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut output).expect("text");
    let mut errors = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
    let status = child.wait().expect("its end");
    assert_eq!(status.code(), Some(3), "{errors}");
    assert!(started.elapsed() < Duration::from_secs(20), "it took {:?}", started.elapsed());
    assert!(errors.contains("The time limit ended the"), "{errors}");
    assert!(output.is_empty() || output.ends_with('\n'), "{output}");
}

#[test]
fn ctrl_c_ends_a_search_with_what_was_found() {
    ["z3", "cadical"].into_iter().for_each(ctrl_c_ends);
}

fn ctrl_c_ends(solver: &str) {
    let mut child = endless(&["--solver", solver]);
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    first_solution(&mut output);
    interrupt(&child);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    let mut errors = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
    assert_eq!(child.wait().expect("its end").code(), Some(3), "{errors}");
    assert!(errors.starts_with("Interrupted; ") && errors.contains("found so far"), "{errors}");
}

/// A search for the best solution that ends with a better one than the first, and says how good the best one may be.
#[test]
fn the_time_limit_leaves_a_gap() {
    for solver in ["z3", "cadical"] {
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "models/golomb-ruler.essence", "-D", "letting n be 12", "--limit-time=4", "--progress"])
            .args(["--solver", solver])
            .output()
            .expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        // On a busy machine there may be no solution in time, or the program may have to be ended.
        if errors.contains("objective ") && errors.contains("ended the search") {
            assert!(errors.contains("the best value of the objective lies between"), "{errors}");
            assert!(output.stdout.starts_with(b"language Essence"), "{errors}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_search_quietly() {
    let mut child = endless(&[]);
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    first_solution(&mut output);
    drop(output);
    let mut errors = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
    assert_eq!(child.wait().expect("its end").code(), Some(0), "{errors}");
    assert_eq!(errors, "");
}

/// The system gives the program too little memory for its stack, or for what Z3 makes of the model.
#[test]
fn want_of_memory_is_no_bug() {
    for kilobytes in [700_000, 1_200_000] {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" solve -");
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_conjure-like")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        let model = b"find m : mset (maxSize 300) of set of int(1..300)";
        child.stdin.take().expect("its input").write_all(model).expect("the model is read");
        let output = child.wait_with_output().expect("its end");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{kilobytes}: {errors}");
        assert!(errors.contains("memory") && !errors.contains("bug"), "{kilobytes}: {errors}");
    }
}
