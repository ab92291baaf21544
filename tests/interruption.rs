//! A search that something ends: the time limit, Ctrl-C, a reader that has gone away, want of memory.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    thread,
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

/// A question that takes minutes: no five weeks of golf are known for nine players, and no reason that is soon found.
fn explanation(command: &str) -> Child {
    let data = ["letting weeks be 5", "letting groups be 3", "letting size_of_group be 3"];
    Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args([command, "models/social-golfers.essence"])
        .args(data.iter().flat_map(|data| ["-D", *data]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

#[test]
fn the_first_signal_ends_an_explanation() {
    for (command, signal) in [("why", "-INT"), ("why", "-TERM"), ("hint", "-INT")] {
        let child = explanation(command);
        thread::sleep(Duration::from_secs(3));
        let sent = Instant::now();
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
        assert!(status.success());
        let output = child.wait_with_output().expect("its end");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(sent.elapsed() < Duration::from_secs(5), "{command} {signal}: it took {:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(3), "{command} {signal}: {errors}");
        assert!(errors.starts_with("Interrupted; "), "{command} {signal}: {errors}");
    }
}

#[test]
fn an_explanation_that_is_ended_says_what_it_knows() {
    // That there is no solution is soon known; which of the requirements are needed is not.
    let model = "find f : matrix indexed by [int(1..9)] of int(1..8)
        such that forAll i, j : int(1..9), i < j . f[i] != f[j]";
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["why", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    child.stdin.take().expect("its input").write_all(model.as_bytes()).expect("it reads");
    thread::sleep(Duration::from_secs(4));
    interrupt(&child);
    let output = child.wait_with_output().expect("its end");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // On a fast machine it may have ended, and on a busy one nothing may be known.
    if output.status.code() == Some(3) && !errors.contains("nothing is known yet") {
        assert!(text.starts_with("There is no solution: these 36 requirements"), "{text}");
        assert!(text.contains("This may not be minimal"), "{text}");
        assert!(errors.contains("the best explanation so far"), "{errors}");
    }
}
