//! Runs that are ended from outside: by the time limit, Ctrl-C, a closed pipe, a full disk, or lack of memory.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The names of the files in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Runs a line in a shell, with the program as `$0`.
fn shell(line: &str) -> Output {
    Command::new("sh").args(["-c", line, env!("CARGO_BIN_EXE_conjure-like")]).output().expect("a shell")
}

/// A search that does not end by itself in any reasonable time.
fn endless(flags: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "models/n-queens.essence", "-D", "letting n be 24", "--all"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

fn interrupt(child: &Child) {
    send("-INT", child);
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
    // A run that ends without a solution says so, too.
    let remarks =
        ["$ not all solutions: stopped by the time limit\n", "$ no solution found: stopped by the time limit\n"];
    assert!(output.is_empty() || remarks.iter().any(|remark| output.ends_with(remark)), "{output}");
}

#[test]
fn watched_cases_run_again_when_a_file_changes() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("m.essence");
    let write = |most: usize| {
        let text = format!("find x : int(1..{most})\n$ case: few\n$ solutions: 3\n$ case: first\n$ sometimes: x = 1\n");
        fs::write(&path, text).expect("a file");
    };
    write(4);
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["test", "m.essence", "--watch"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut until = |wanted: &str| {
        let mut line = String::new();
        while !line.contains(wanted) {
            line.clear();
            assert!(output.read_line(&mut line).expect("text") > 0, "the output ends before `{wanted}`");
        }
    };
    until("2 cases: 1 passed, 1 failed.");
    // The times of files may have a resolution of seconds.
    thread::sleep(Duration::from_millis(1100));
    write(3);
    until("2 cases passed.");
    interrupt(&child);
    assert_eq!(child.wait().expect("its end").code(), Some(130));
}

/// A Golomb ruler. Its length is the first goal, and the optimality proof takes longer than the limit.
#[test]
fn the_time_limit_in_the_search_for_a_first_goal_leaves_its_best_plan() {
    let folder = TempDir::new().expect("a folder");
    let ruler = "find mark : matrix indexed by [int(1..14)] of int(0..8191)\n\
                 such that mark[1] = 0, forAll i : int(1..13) . mark[i] < mark[i + 1],\n\
                     allDiff([mark[j] - mark[i] | i, j : int(1..14), i < j])\n\
                 minimising (mark[14], mark[2])\n";
    // The differences of powers of two are distinct, so this ruler is valid, but long.
    let marks: Vec<String> = (0..14).map(|mark| ((1 << mark) - 1).to_string()).collect();
    fs::write(folder.path().join("ruler.essence"), ruler).expect("a file");
    fs::write(folder.path().join("known.solution"), format!("letting mark be [{}]", marks.join(", "))).expect("a file");
    let plain = &["--within", "0"][..];
    for options in [plain, &["--within", "0", "--near", "known.solution"], &["--within", "0", "--solver=cp-sat"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "ruler.essence", "--start", "known.solution", "--limit-time=3"])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("the program");
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(said.contains("letting mark be"), "{said}{errors}");
        assert!(errors.contains("which is not proved to be the best"), "{errors}");
        // The known bound is about the first goal, whereas the reported value belongs to the last one, so no gap is
        // printed.
        assert!(!said.contains("between") && !errors.contains("between"), "{said}{errors}");
    }
}

/// Lowering takes longer than the limit, also for the first goal alone. The solution is checked at once, by the first
/// disjunct.
#[test]
fn the_time_limit_before_the_search_leaves_the_solution_to_start_with() {
    let folder = TempDir::new().expect("a folder");
    let model = "find x : matrix indexed by [int(1..34), int(1..34)] of int(0..9), y : int(0..9)\n\
                 such that x[1, 1] = 0 \\/ (forAll i, j, k, l : int(1..34) .\n\
                     x[i, j] * x[k, l] + x[i, l] * x[k, j] <= 90 + y)\n\
                 minimising (y, x[1, 1])\n";
    let row = format!("[{}]", vec!["0"; 34].join(", "));
    let known = format!("letting x be [{}]\nletting y be 3\n", vec![row; 34].join(", "));
    fs::write(folder.path().join("products.essence"), model).expect("a file");
    fs::write(folder.path().join("known.solution"), known).expect("a file");
    for options in [&[][..], &["--within", "0"], &["--near", "known.solution"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "products.essence", "--start", "known.solution", "--limit-time=3"])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("the program");
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{options:?}: {errors}");
        assert!(said.contains("letting y be 3"), "{options:?}: {said}{errors}");
        assert!(!said.contains("no solution found") && errors.contains("may not be the best"), "{options:?}: {errors}");
    }
}

#[test]
fn ctrl_c_ends_a_search_with_what_was_found() {
    ["z3", "cadical"].into_iter().for_each(ctrl_c_ends);
}

/// A session stops its search when its caller has ended.
#[test]
fn a_session_ends_with_its_reader() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["session", "models/golomb-ruler.essence", "-D", "letting n be 14"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut input = child.stdin.take().expect("its input");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    input.write_all(b"{}\n{\"solve\": {}}\n").expect("a request");
    output.read_line(&mut String::new()).expect("an answer");
    // The search must be running when its reader goes away.
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("its state").is_none(), "the search is too short for this test");
    drop((input, output));
    let dropped = Instant::now();
    while child.try_wait().expect("its state").is_none() {
        if dropped.elapsed() > Duration::from_secs(20) {
            child.kill().expect("an end");
            panic!("the session goes on without a reader");
        }
        thread::sleep(Duration::from_millis(50));
    }
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

/// The search for a best solution ends with an improved solution and its gap.
#[test]
fn the_time_limit_leaves_a_gap() {
    for solver in ["z3", "auto"] {
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "models/golomb-ruler.essence", "-D", "letting n be 12", "--limit-time=4", "--progress"])
            .args(["--solver", solver])
            .output()
            .expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        // On a busy machine, there may be no solution early enough to compute a bound, or the program may have to be
        // killed.
        let first = errors.lines().find_map(|line| line.strip_prefix("objective ")?.split(' ').nth(2)?.parse().ok());
        if first.is_some_and(|seconds: f64| seconds < 2.0) && errors.contains("ended the search") {
            assert!(errors.contains("the best value lies between"), "{errors}");
            assert!(output.stdout.starts_with(b"language Essence"), "{errors}");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("\n$ not proved optimal: between "), "{text}");
        }
    }
}

/// When a collection is searched by increasing size, there is no bound over all sizes.
#[test]
fn the_time_limit_leaves_no_gap_to_larger_sizes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "-", "--limit-time=2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let model = "find s : set of int(1..7000)
maximising sum(s)
such that forAll {a, b} subsetEq s . |a - b| % 97 > 2";
    child.stdin.take().expect("its input").write_all(model.as_bytes()).expect("a pipe");
    let output = child.wait_with_output().expect("its end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("$ not proved optimal: stopped by") || text.contains("no solution"), "{text}");
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

/// The system provides too little memory for the stack, Z3's library, its context or its copy of the problem. The size
/// at which each of them is refused depends on the program's, so the test tries a range of sizes.
#[test]
fn want_of_memory_is_no_bug() {
    for kilobytes in (520_000..800_000).step_by(20_000).chain([1_200_000]) {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" solve --solver=z3 -");
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_conjure-like")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        // A program that gets no stack ends before it reads.
        let _ = child.stdin.take().expect("its input").write_all(b"find m : mset (maxSize 300) of set of int(1..300)");
        let output = child.wait_with_output().expect("its end");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{kilobytes}: {errors}");
        assert!(errors.contains("memory") && !errors.contains("bug"), "{kilobytes}: {errors}");
    }
}

/// Results are written even if standard error is closed or full.
#[test]
fn nobody_has_to_listen() {
    for nowhere in ["2>/dev/full", "2>&-"] {
        let line = format!(r#""$0" solve -s --progress models/futoshiki.essence params/futoshiki-4.param {nowhere}"#);
        let output = shell(&line);
        assert_eq!(output.status.code(), Some(0), "{nowhere}");
        assert!(output.stdout.starts_with(b"language Essence"), "{nowhere}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    for command in ["--help", "--version", "explain E0301", "solve models/futoshiki.essence params/futoshiki-4.param"] {
        let output = shell(&format!(r#""$0" {command} >/dev/full"#));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.contains("cannot write to standard output"), "{command}: {errors}");
    }
}

#[test]
fn endless_input_is_refused() {
    for input in [
        "type-check /dev/zero",
        "type-check - </dev/zero",
        "validate-solution models/futoshiki.essence params/futoshiki-4.param /dev/zero",
        "solve models/futoshiki.essence params/futoshiki-4.param --emit dimacs --read-assignment /dev/zero",
        "solve models/futoshiki.essence params/futoshiki-4.param --cubes /dev/zero --cube=1",
        "solve models/futoshiki.essence /dev/zero",
        "hint models/futoshiki.essence params/futoshiki-4.param --partial /dev/zero",
        "proof check /dev/zero models/futoshiki.essence",
        "proof check models/futoshiki.essence /dev/zero",
        "campaign run /dev/zero",
    ] {
        let output = shell(&format!(r#""$0" {input}"#));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{input}: {errors}");
        assert!(errors.contains("cannot read"), "{input}: {errors}");
    }
}

/// Takes the fastest of several tries, since the machine may be busy.
#[test]
fn ctrl_c_ends_every_command_soon() {
    let folder = TempDir::new().expect("a folder");
    let page = folder.path().join("page.html");
    let page = page.to_str().expect("a plain name");
    let cubes = folder.path().join("ruler.cubes");
    let cubes = cubes.to_str().expect("a plain name");
    let n12 = folder.path().join("n12.param");
    fs::write(&n12, "letting n be 12\n").expect("a file");
    let ruler = ["models/golomb-ruler.essence", n12.to_str().expect("a plain name")];
    for (words, flags) in [
        (vec!["solve"], vec![]),
        (vec!["search"], vec!["--strategy=bt", "--html", page]),
        (vec!["search"], vec!["--strategy=mac", "--trace"]),
        (vec!["explore"], vec!["--html", page]),
        (vec!["profile"], vec!["--html", page]),
        (vec!["why"], vec![]),
        (vec!["hint"], vec![]),
        (vec!["cubes", "make"], vec!["-o", cubes]),
        (vec!["compare", "models/golomb-ruler.essence"], vec![]),
        (vec!["type-check"], vec![]),
    ] {
        let words = [words, ruler.to_vec(), flags].concat();
        let tries = (0..4).map(|_| {
            let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
                .args(&words)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program");
            // Enough for each of the commands to start its main work.
            thread::sleep(Duration::from_millis(1200));
            // The command may have finished already.
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
            sent.expect("kill");
            let sent = Instant::now();
            child.wait().expect("its end");
            sent.elapsed()
        });
        let soon = Duration::from_millis(600);
        // Stop after the first fast try.
        let took: Vec<Duration> =
            tries.scan(false, |ended, time| (!std::mem::replace(ended, time < soon)).then_some(time)).collect();
        assert!(took.iter().any(|time| *time < soon), "{words:?}: {took:?}");
        let left: Vec<String> = names(&folder).into_iter().filter(|name| name.ends_with(".part")).collect();
        assert!(left.is_empty(), "{words:?}: {left:?}");
    }
}

/// Ctrl-C once, Ctrl-C twice and the time limit must not leave incomplete files.
#[test]
fn what_is_not_complete_goes_away() {
    for (interrupts, flags) in [(0, vec!["--limit-time=2"]), (1, vec![]), (2, vec![])] {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().to_str().expect("a plain name");
        let one_file = ["-o", path, "--solutions-in-one-file", "--copy-solutions=no"];
        let mut child = endless(&[&one_file, &flags[..]].concat());
        while interrupts > 0 && names(&folder).is_empty() {
            thread::sleep(Duration::from_millis(10));
        }
        // The second Ctrl-C must not skip the removal of the file.
        (0..interrupts).for_each(|_| interrupt(&child));
        let code = child.wait().expect("its end").code();
        assert!(matches!(code, Some(3 | 130)), "{code:?}");
        let complete = ["solutions", "eprime-info", "stats.json"].map(|extension| format!("model000001.{extension}"));
        assert!(names(&folder).iter().all(|name| complete.contains(name)), "{:?}", names(&folder));
    }
}

/// The limit must hold although no search is there to check the clock.
#[test]
fn the_time_limit_holds_while_a_file_is_read() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("large.param");
    let row = format!("[{}]", vec!["1"; 1000].join(", "));
    fs::write(&file, format!("letting a be [{}]\n", vec![row; 10_000].join(",\n"))).expect("a large file");
    for command in ["pretty", "fmt", "type-check"] {
        let started = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args([command, "--limit-time=0.5"])
            .arg(&file)
            .output()
            .expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{command}: {errors}");
        assert_eq!(errors, "The time limit ended the run.\n", "{command}");
        assert!(started.elapsed() < Duration::from_secs(10), "{command} took {:?}", started.elapsed());
    }
    assert_eq!(names(&folder), ["large.param"]);
}

#[test]
fn the_memory_limit_holds_in_every_phase() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("large.param");
    let row = format!("[{}]", vec!["1"; 1000].join(", "));
    fs::write(&file, format!("letting a be [{}]\n", vec![row; 5_000].join(",\n"))).expect("a large file");
    let large = file.to_str().expect("a plain name");
    for words in [
        vec!["type-check", large],
        vec!["solve", "models/n-queens.essence", "-D", "letting n be 150"],
        vec!["solve", "models/n-queens.essence", "-D", "letting n be 150", "--solver=cadical"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(&words)
            .arg("--limit-memory=60")
            .output()
            .expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words:?}: {errors}");
        assert!(errors.contains("memory") && !errors.contains("bug"), "{words:?}: {errors}");
    }
}

/// Two engines race for longer than they need to reach the limit, which applies to their total memory.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_holds_for_all_engines_together() {
    let folder = "benches/abstract/round-trip";
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "--limit-memory=400", "--limit-time=120", "--threads=2"])
        .args([format!("{folder}/model.essence"), format!("{folder}/large.param")])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let status_file = format!("/proc/{}/status", child.id());
    let figure = |name: &str| -> Option<u64> {
        let status = fs::read_to_string(&status_file).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let (mut kilobytes, mut threads) = (0, 0);
    while child.try_wait().expect("its state").is_none() {
        kilobytes = kilobytes.max(figure("VmHWM:").unwrap_or(0));
        threads = threads.max(figure("Threads:").unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its end");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("memory"), "{errors}");
    // At least the main thread, the watchdog, and two engines.
    assert!(threads >= 4, "{threads} threads");
    // Separate limits would allow 800,000. The watchdog looks at the memory less often on a busy machine.
    assert!((200_000..550_000).contains(&kilobytes), "{kilobytes} kB at most");
}

/// Relations with 1,000,000 possible members take longer to lower than the limit allows.
#[test]
fn a_limit_names_what_took_too_long() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("large.essence");
    fs::write(&file, "find r : relation (transitive) of (int(1..1000) * int(1..1000))\n").expect("a model");
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "--limit-time=1"])
        .arg(&file)
        .output()
        .expect("the program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert_eq!(errors, "The time limit ended the run while the constraints were being translated.\n");
}

/// A request that takes minutes: no schedule of five weeks is known for nine golfers, and no explanation is found
/// quickly.
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
        send(signal, &child);
        let output = child.wait_with_output().expect("its end");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(sent.elapsed() < Duration::from_secs(5), "{command} {signal}: it took {:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(3), "{command} {signal}: {errors}");
        assert!(errors.starts_with("Interrupted; "), "{command} {signal}: {errors}");
    }
}

#[test]
fn an_explanation_that_is_ended_says_what_it_knows() {
    // The solver refutes this model quickly, but takes long to find out which requirements are needed.
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
    // A fast machine may have finished, and a busy one may have found nothing yet.
    if output.status.code() == Some(3) {
        let explained = text.starts_with("There is no solution: these 36 requirements");
        assert_eq!(explained, !text.is_empty(), "{text}");
        assert_eq!(explained, text.contains("This may not be minimal"), "{text}");
        assert_eq!(explained, errors.contains("the best explanation so far"), "{errors}");
    }
}

#[test]
fn the_time_limit_ends_an_external_solver() {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "models/n-queens.essence", "-D", "letting n be 8", "--limit-time=1", "--solver=external"])
        .args(["--solver-command", "sh -c 'exec sleep 60' {cnf}"])
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(3));
    assert!(started.elapsed() < Duration::from_secs(20), "it took {:?}", started.elapsed());
}

/// True if a process is running; a zombie is not.
fn is_running(process: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps");
    let state = String::from_utf8_lossy(&output.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// The ids of the child processes of a process.
fn children_of(process: u32) -> Vec<String> {
    let output = Command::new("pgrep").args(["-P", &process.to_string()]).output().expect("pgrep");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Waits until a condition holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Solvers are often started by scripts, which start further processes. All of them must end with the program, for any
/// reason.
#[test]
fn what_an_external_solver_has_started_ends() {
    for end in ["--limit-time=2", "-INT", "-TERM", "-KILL"] {
        let folder = TempDir::new().expect("a folder");
        let numbers = folder.path().join("numbers");
        let script = folder.path().join("solver.sh");
        let text = format!("sleep 300 & echo $! >>{0}; sleep 300 & echo $! $$ >>{0}; wait", numbers.display());
        fs::write(&script, text).expect("a script");
        let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
        command.args(["solve", "models/n-queens.essence", "-D", "letting n be 8", "--solver=external"]);
        command.args(["--solver-command", &format!("sh {} {{cnf}}", script.display())]);
        // Temporary files go to the folder of the test, where leftovers are found.
        command.args(end.starts_with("--").then_some(end)).env("TMPDIR", folder.path());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program");
        let started = || -> Vec<String> {
            let text = fs::read_to_string(&numbers).unwrap_or_default();
            text.split_whitespace().map(str::to_owned).collect()
        };
        until("the solver starts", || started().len() == 3);
        if !end.starts_with("--") {
            send(end, &child);
        }
        child.wait().expect("its end");
        for process in started() {
            until(&format!("{end}: {process} ends"), || !is_running(&process));
        }
        // A killed process cannot remove its files.
        if end != "-KILL" {
            let mut left = names(&folder);
            left.sort();
            assert_eq!(left, ["numbers", "solver.sh"], "{end}");
        }
    }
}

/// The program may be killed as soon as the solver runs, before it has done anything else.
#[test]
fn a_solver_ends_although_it_kills_the_program_at_once() {
    for _ in 0..20 {
        let folder = TempDir::new().expect("a folder");
        let (number, script) = (folder.path().join("number"), folder.path().join("solver.sh"));
        let text = format!("echo $$ >{}; kill -KILL $PPID; exec sleep 300", number.display());
        fs::write(&script, text).expect("a script");
        let status = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "models/n-queens.essence", "-D", "letting n be 8", "--solver=external"])
            .args(["--solver-command", &format!("sh {} {{cnf}}", script.display())])
            .env("TMPDIR", folder.path())
            .status()
            .expect("the program");
        assert_eq!(status.code(), None, "it is killed");
        let number = fs::read_to_string(&number).expect("a number");
        until("the solver ends", || !is_running(number.trim()));
    }
}

/// The output of a solver, and its proof, may be infinite. The bound on their size, not the time limit, must end the
/// run, and no files may remain.
#[test]
fn what_an_external_solver_writes_is_bounded() {
    for (script, complaint) in [
        ("yes v 1", "has printed more than 256 MB"),
        ("tr '\\0' v </dev/zero", "has printed more than 256 MB"),
        ("ln -s /dev/zero $1; echo s UNSATISFIABLE", "has written a proof that is not a file"),
        ("mkfifo $1; echo s UNSATISFIABLE", "has written a proof that is not a file"),
        ("cat /dev/zero >$1", "has written a proof of more than 400 MB, half of --limit-memory"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "models/n-queens.essence", "-D", "letting n be 8", "--solver=external"])
            .args(["--limit-memory=800", "--limit-time=100"])
            .args(["--solver-command", &format!("sh -c \"{script}\" {{cnf}} {{proof}}")])
            .env("TMPDIR", folder.path())
            .output()
            .expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{script}: {errors}");
        assert!(errors.contains(complaint), "{script}: {errors}");
        assert!(names(&folder).is_empty(), "{script}: {:?}", names(&folder));
    }
}

/// A limit ends the run while a large proof is being read.
#[test]
fn a_proof_does_not_stay_when_a_limit_ends_its_reading() {
    let folder = TempDir::new().expect("a folder");
    // A proof of deletions only: large, but below the bound.
    let script = "yes d 1 2 0 | head -c 300000000 >$1; echo s UNSATISFIABLE";
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "models/n-queens.essence", "-D", "letting n be 8", "--solver=external", "--limit-memory=640"])
        .args(["--limit-time=2", "--solver-command", &format!("sh -c '{script}' {{cnf}} {{proof}}")])
        .env("TMPDIR", folder.path())
        .output()
        .expect("the program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

/// A solver that has answered may have left processes running.
#[test]
fn what_a_solver_leaves_behind_ends() {
    let folder = TempDir::new().expect("a folder");
    let number = folder.path().join("number");
    let text = format!("'sleep 300 & echo $! >{}; echo s UNSATISFIABLE; :'", number.display());
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "models/n-queens.essence", "-D", "letting n be 3", "--solver=external"])
        .args(["--solver-command", &format!("sh -c {text} {{cnf}}")])
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let process = fs::read_to_string(&number).expect("a number");
    until("it ends", || !is_running(process.trim()));
}

/// The worker processes of a campaign or of grading end as soon as their parent does.
#[test]
fn workers_end_with_the_program() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("plan.toml", "time = 300\n[[instances]]\nmodel = \"hard.essence\"\nparameters = \"hard.param\"\n");
    fs::create_dir_all(folder.path().join("exercise/instances")).expect("a folder");
    write("exercise/exercise.toml", "title = \"Golf\"\ntime = 300\nmade-up = 0\n");
    write("exercise/instances/1.param", "letting n be 4\n");
    write("exercise/reference.essence", "given n : int\nfind x : int(1..n)\n");
    // Fourteen pigeons in thirteen holes, which takes longer than the test.
    let pigeons = "find p : matrix indexed by [int(1..14)] of int(1..13)\n\
        such that forAll i, j : int(1..14) . i < j -> p[i] * p[i] != p[j] * p[j]\n";
    fs::copy("models/golomb-ruler.essence", folder.path().join("hard.essence")).expect("a model");
    write("hard.param", "letting n be 14\n");
    write("pigeons.essence", &format!("given n : int\nfind x : int(1..n)\n{pigeons}"));
    for words in [
        vec!["campaign", "run", "plan.toml", "--workers=1"],
        vec!["campaign", "task", "plan.toml", "1"],
        vec!["grade", "exercise", "pigeons.essence"],
    ] {
        for signal in ["-INT", "-TERM", "-KILL"] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
                .current_dir(&folder)
                .args(&words)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program");
            // The worker, and the process that ends it with the program.
            until("the worker starts", || children_of(child.id()).len() == 2);
            // The worker must be in the middle of its task.
            thread::sleep(Duration::from_millis(1500));
            let workers = children_of(child.id());
            send(signal, &child);
            let sent = Instant::now();
            child.wait().expect("its end");
            for process in workers {
                until(&format!("{words:?} {signal}: {process} ends"), || !is_running(&process));
            }
            assert!(sent.elapsed() < Duration::from_secs(3), "{words:?} {signal}: {:?}", sent.elapsed());
        }
    }
}

#[test]
fn a_limit_that_ends_the_making_of_cubes_is_no_mistake() {
    let folder = TempDir::new().expect("a folder");
    let model = folder.path().join("wide.essence");
    let text = "find m : matrix indexed by [int(1..30)] of int(1..4)\n\
        such that forAll i : int(1..29) . m[i] != m[i + 1]\n";
    fs::write(&model, text).expect("a model");
    let cubes = folder.path().join("wide.cubes");
    let making = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["cubes", "make", "-n", "1000000", "--limit-time=2", "-o"])
        .args([&cubes, &model])
        .output()
        .expect("the program");
    let errors = String::from_utf8_lossy(&making.stderr);
    assert_eq!(making.status.code(), Some(3), "{errors}");
    assert_eq!(errors, "The time limit ended the search; no cubes are made.\n");
    assert_eq!(names(&folder), ["wide.essence"]);
}

/// The parent process holds the other end of the standard input.
#[test]
fn the_end_of_the_input_ends_the_run() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .args(["solve", "-", "--all", "--end-with-input"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut input = child.stdin.take().expect("its input");
    let model = "find m : matrix indexed by [int(1..40)] of bool\n";
    write!(input, "{}\n{model}", model.len()).expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    while !line.starts_with("letting m be") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "the output ends before a solution");
    }
    // A full pipe would block the program.
    let reading = thread::spawn(move || output.read_to_end(&mut Vec::new()));
    drop(input);
    let dropped = Instant::now();
    assert_eq!(child.wait().expect("its end").code(), Some(130));
    assert!(dropped.elapsed() < Duration::from_secs(5), "it took {:?}", dropped.elapsed());
    assert!(reading.join().expect("a thread").is_ok());
}

/// A campaign that was killed continues, and each run counts once.
#[test]
fn a_killed_campaign_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("plan.toml", "time = 20\nrepeats = 60\n[[instances]]\nmodel = \"less.essence\"\n");
    write("less.essence", "find x, y : int(1..9)\nsuch that x < y\n");
    let campaign = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
        command.current_dir(&folder).args(["campaign", "run", "plan.toml", "--workers=2"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let runs = folder.path().join("plan.results/runs.jsonl");
    let lines = || fs::read_to_string(&runs).unwrap_or_default().lines().count();
    let mut child = campaign().spawn().expect("the program");
    while lines() < 10 {
        assert!(child.try_wait().expect("the program").is_none(), "it ended before it was killed");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("kill -9");
    child.wait().expect("its end");
    let before = lines();
    assert!(before < 60, "it ended before it was killed");
    // Imitate a last line that was cut off by the kill.
    let mut text = fs::read_to_string(&runs).expect("results");
    text.push_str("{\"number\": 3, \"task\": \"less");
    fs::write(&runs, text).expect("results");
    let output = campaign().output().expect("the program");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&runs).expect("results");
    let tasks: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut numbers: Vec<u64> = tasks.iter().map(|task| task["number"].as_u64().expect("a number")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=60).collect::<Vec<u64>>());
    assert!(tasks.iter().all(|task| task["status"] == "satisfied"), "{text}");
}
