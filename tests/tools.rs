//! The scripts in `tools`, run twice at once, or killed and run again; a fake Python records its calls. Further tests
//! check in which folders an installed program finds the libraries of the solvers.

#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// Creates environments, wheels and their contents, slowly enough to be interrupted.
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

/// A folder for a test, which contains the fake Python.
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
    // Kill it in the middle, with a signal that cannot be caught.
    let mut cut = place.start("venv", &["test", "requirements.txt"]);
    // The fake Python takes half a second, so this is in the middle.
    sleep(Duration::from_millis(200));
    cut.kill().expect("a process to end");
    cut.wait().expect("an end");
    // The lock is held until the children of the killed process end.
    sleep(Duration::from_millis(600));
    let both = [(); 2].map(|()| place.start("venv", &["test", "requirements.txt"]));
    let [one, other] = both.map(printed);
    assert_eq!(one, other);
    assert!(Path::new(&one).exists(), "{one}");
    let made = || fs::read_to_string(place.0.join("notes")).expect("notes").lines().count();
    assert_eq!(made(), 2, "one that was cut off, and one for both");
    // Other requirements get another environment, and the first one stays.
    fs::write(place.0.join("others.txt"), "\n").expect("a file");
    let third = printed(place.start("venv", &["test", "others.txt"]));
    assert!(third != one && Path::new(&one).exists());
    // A missing program is made again, although the marker file exists.
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
    assert_eq!(place.names("solvers/lib"), ["libz3.so", "libz3.so.5.3", "ortools", "ortools.libs"]);
}

/// The program as an installation has it, in `bin`.
fn installed(place: &Place) -> PathBuf {
    let program = place.0.join("bin/conjure-like");
    fs::copy(env!("CARGO_BIN_EXE_conjure-like"), &program).expect("a copy of the program");
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/forget-checkout");
    assert!(Command::new("python3").arg(tool).arg(&program).status().expect("python3").success());
    fs::write(place.0.join("seven.essence"), "find x, y : int(1..9) such that x * x + y * y = 98, x <= y\n")
        .expect("a model");
    program
}

/// The standard output and the standard error of a command.
fn told(place: &Place, program: &Path, arguments: &[&str]) -> (String, String) {
    let data = place.0.join("data");
    let done = Command::new(program).args(arguments).current_dir(&place.0).env("XDG_DATA_HOME", data).output();
    let done = done.expect("the program");
    [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).into()
}

#[test]
fn an_installed_program_finds_z3_beside_itself_and_in_the_folder_of_the_user() {
    let place = Place::new("libraries");
    let program = installed(&place);
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join(".solvers/lib/libz3.so");
    // Without a bundled library, it may find one of the system, but must not find the one of the checkout.
    let (before, _) = told(&place, &program, &["solvers"]);
    assert!(!before.contains(env!("CARGO_MANIFEST_DIR")), "{before}");
    for folder in ["data/conjure-like/lib", "data/conjure-like/lib/z3/lib", "lib/conjure-like"] {
        let folder = place.0.join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let link = folder.join("libz3.so");
        std::os::unix::fs::symlink(&library, &link).expect("a link");
        let (solvers, _) = told(&place, &program, &["solvers"]);
        let file = solvers.lines().find(|line| line.starts_with("z3 ")).expect("a line");
        let found = Path::new(file.rsplit(' ').next().expect("a file"));
        assert_eq!(found.canonicalize().ok(), library.canonicalize().ok(), "{solvers}");
        let (solution, said) = told(&place, &program, &["solve", "--solver=z3", "seven.essence"]);
        assert!(solution.contains("letting x be 7"), "{said}");
        fs::remove_file(&link).expect("the link to be removed");
    }
}

#[test]
fn without_z3_the_other_solvers_search_and_say_so() {
    let place = Place::new("without-z3");
    let program = installed(&place);
    let (solvers, _) = told(&place, &program, &["solvers", "--output-format=json"]);
    let (solution, said) = told(&place, &program, &["solve", "seven.essence"]);
    assert!(solution.contains("letting x be 7"), "{said}");
    if solvers.contains("\"library\":\"libz3") {
        println!("The system has a library of Z3, so the note is not tested.");
        return;
    }
    assert!(said.starts_with("note: Z3 was not found"), "{said}");
    fs::write(place.0.join("search.essence"), "find x, y : int(1..9) such that x + y = 7").expect("a model");
    let (_, said) = told(&place, &program, &["solve", "--solver=z3", "search.essence"]);
    assert!(said.starts_with("error[E0606]: the library of the solver `z3` cannot be loaded"), "{said}");
    let (solvers, _) = told(&place, &program, &["solvers"]);
    let command = format!("--target {} z3-solver", place.0.join("data/conjure-like/lib").display());
    assert!(solvers.contains(&command), "{solvers}");
    // Large numbers need another solver; otherwise there is an error.
    let large = "find x, y : int(0..1000000000) such that x * y = 999999000000, x - y = 1";
    fs::write(place.0.join("large.essence"), large).expect("a model");
    let (solution, said) = told(&place, &program, &["solve", "large.essence"]);
    assert!(solution.contains("letting x be 1000000\nletting y be 999999") || said.contains("error["), "{said}");
}

/// A profile section for the package once made cargo keep the symbols, a third of the program.
#[test]
#[cfg(all(target_os = "linux", not(debug_assertions)))]
fn the_program_has_no_names_of_functions() {
    let program = fs::read(env!("CARGO_BIN_EXE_conjure-like")).expect("the program");
    assert!(!program.windows(7).any(|bytes| bytes == b".symtab"));
}
