//! The scripts in `tools` when two of them run at once, or when one was cut off. A stand-in for Python notes what it is asked for.

#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// Makes environments, wheels and what is in them, slowly.
const PYTHON: &str = r#"#!/bin/sh
case "$*" in
"-m venv "*)
    echo venv >> "$NOTES"
    mkdir -p "$3/bin"
    sleep 0.5
    printf '#!/bin/sh\nexit 0\n' > "$3/bin/python"
    chmod 755 "$3/bin/python"
    ;;
*" pip download "*--no-index*) exit 1 ;;
*" pip download "*)
    while [ "$1" != --dest ]; do shift; done
    mkdir -p "$2"
    sleep 0.3
    echo wheel > "$2/some.whl"
    ;;
"-m zipfile "*)
    mkdir -p "$5/z3/lib" "$5/ortools/.libs" "$5/ortools.libs"
    sleep 0.3
    echo library > "$5/z3/lib/libz3.so"
    ;;
esac
"#;

/// A folder of a test with the stand-in in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place = Place(std::env::temp_dir().join(format!("conjure-like-tools-{name}-{}", std::process::id())));
        let _ = fs::remove_dir_all(&place.0);
        fs::create_dir_all(place.0.join("bin")).expect("a folder");
        let python = place.0.join("bin/python3");
        fs::write(&python, PYTHON).expect("a script");
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).expect("a program");
        place
    }

    fn start(&self, tool: &str, arguments: &[&str]) -> Child {
        let path = std::env::var("PATH").expect("a path");
        Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(tool))
            .args(arguments)
            .current_dir(&self.0)
            .env("PATH", format!("{}:{path}", self.0.join("bin").display()))
            .env("XDG_CACHE_HOME", &self.0)
            .env("NOTES", self.0.join("notes"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the tool runs")
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn printed(child: Child) -> String {
    let output = child.wait_with_output().expect("an output");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

#[test]
fn one_environment_is_made_for_two_that_want_it_and_again_if_one_was_cut_off() {
    let place = Place::new("venv");
    fs::write(place.0.join("requirements.txt"), "").expect("a file");
    // Cut off in the middle, as by a signal that nobody can catch.
    let mut cut = place.start("venv", &["test", "requirements.txt"]);
    sleep(Duration::from_millis(200));
    cut.kill().expect("a process to end");
    cut.wait().expect("an end");
    sleep(Duration::from_millis(600));
    let both = [(); 2].map(|()| place.start("venv", &["test", "requirements.txt"]));
    let [one, other] = both.map(printed);
    assert_eq!(one, other);
    assert!(Path::new(&one).exists(), "{one}");
    let made = || fs::read_to_string(place.0.join("notes")).expect("notes").lines().count();
    assert_eq!(made(), 2, "one that was cut off, and one for both");
    // Other requirements have another environment, and this one stays.
    fs::write(place.0.join("others.txt"), "\n").expect("a file");
    let third = printed(place.start("venv", &["test", "others.txt"]));
    assert!(third != one && Path::new(&one).exists());
    // A program that is gone is made again, although the marker is there.
    fs::remove_file(&one).expect("a program");
    printed(place.start("venv", &["test", "requirements.txt"]));
    assert!(Path::new(&one).exists());
    assert_eq!(made(), 4);
}

#[test]
fn two_that_fetch_the_solvers_at_once_leave_them_complete_and_nothing_else() {
    let place = Place::new("solvers");
    let mut cut = place.start("fetch-solvers", &["solvers", "wheels"]);
    sleep(Duration::from_millis(400));
    cut.kill().expect("a process to end");
    cut.wait().expect("an end");
    sleep(Duration::from_millis(400));
    assert!(!place.0.join("solvers").exists());
    let both = [(); 2].map(|()| place.start("fetch-solvers", &["solvers", "wheels"]));
    both.into_iter().for_each(|child| drop(printed(child)));
    assert_eq!(place.names("."), ["bin", "solvers", "wheels"]);
    assert_eq!(place.names("solvers"), ["lib"]);
    assert_eq!(place.names("solvers/lib"), ["libz3.so", "libz3.so.5.3", "ortools", "ortools.libs", "pkgconfig"]);
}
