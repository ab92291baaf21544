//! The rules of docs/architecture.md that the compiler does not hold by itself: which module may use which,
//! and who may touch the world outside.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Which modules each top-level module may use. Everyone may use the vocabulary.
const VOCABULARY: [&str; 4] = ["diagnostic", "language", "memory", "source"];
const USES: [(&str, &[&str]); 21] = [
    ("source", &[]),
    ("diagnostic", &[]),
    ("language", &[]),
    ("memory", &[]),
    ("import", &[]),
    ("problem", &[]),
    ("proof", &[]),
    ("symbolic", &["problem"]),
    ("operators", &["problem", "symbolic"]),
    ("manual", &["operators"]),
    ("syntax", &["operators"]),
    ("analysis", &["operators", "syntax"]),
    ("instance", &["analysis", "operators", "syntax"]),
    ("lowering", &["analysis", "instance", "operators", "problem", "symbolic"]),
    ("solver", &["problem", "proof"]),
    ("solution", &["analysis", "instance", "lowering", "problem", "symbolic", "syntax"]),
    ("picture", &["analysis", "instance", "syntax"]),
    (
        "explain",
        &["analysis", "instance", "lowering", "operators", "problem", "solution", "solver", "symbolic", "syntax"],
    ),
    ("search", &["analysis", "instance", "lowering", "problem", "solver", "symbolic"]),
    (
        "pipeline",
        &["analysis", "explain", "instance", "lowering", "picture", "problem", "solution", "solver", "syntax"],
    ),
    (
        "api",
        &[
            "analysis", "explain", "import", "instance", "lowering", "picture", "pipeline", "problem", "search",
            "solution", "solver", "syntax",
        ],
    ),
];

/// The library's source files, each with the top-level module that it belongs to and its code without tests and
/// comments.
fn modules() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix("src").expect("below src");
            let top = inside.iter().next().expect("a name").to_str().expect("a plain name");
            let module = top.trim_end_matches(".rs").to_owned();
            if !["lib", "main", "cli"].contains(&module.as_str()) && !is_test(inside) {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((module, path, code(&text)));
            }
        }
    }
    assert!(found.len() > 20, "the sources are not where this test looks for them");
    found
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The top-level modules named by `crate::a` and `crate::{a::…, b}`.
fn used(code: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => {
                modules.insert(word(rest));
            }
            Some(list) => {
                let mut depth = 0;
                let mut start = true;
                for (at, character) in list.char_indices() {
                    match character {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ if start && character.is_alphanumeric() => {
                            modules.insert(word(&list[at..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    modules.retain(|module| !module.is_empty());
    modules
}

fn word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[test]
fn uses_are_found_in_every_form() {
    let found = used("use crate::{a::{b, c}, d,\n e::F};\nfn f() -> crate::g::H { crate::a::b() }");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "d", "e", "g"]);
}

#[test]
fn modules_use_only_those_before_them() {
    let allowed: BTreeMap<&str, &[&str]> = USES.into_iter().collect();
    let mut wrong = Vec::new();
    for (module, path, code) in modules() {
        let allowed = allowed.get(module.as_str()).unwrap_or_else(|| panic!("{module} is not in the table of modules"));
        for other in used(&code) {
            if other != module && !VOCABULARY.contains(&other.as_str()) && !allowed.contains(&other.as_str()) {
                wrong.push(format!("{} uses {other}", path.display()));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_reads_and_writes() {
    let mut wrong = Vec::new();
    for (_, path, code) in modules() {
        for world in ["std::fs", "std::env", "std::process", "std::net", "io::std", "println!", "print!(", "dbg!("] {
            if code.contains(world) {
                wrong.push(format!("{} has {world}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The macros panic where standard output or standard error is closed or full.
#[test]
fn nobody_prints_without_a_look_at_what_became_of_it() {
    let mut folders = vec![PathBuf::from("src")];
    let mut wrong = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !is_test(&path) && path.extension().is_some_and(|extension| extension == "rs") {
                let code = code(&fs::read_to_string(&path).expect("a source file"));
                for printing in ["println!", "print!(", "dbg!("] {
                    if code.contains(printing) {
                        wrong.push(format!("{} has {printing}", path.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn crates_have_one_home() {
    let homes =
        [("ariadne", "src/diagnostic"), ("pest", "src/syntax"), ("::z3", "src/solver"), ("cadical_sys", "src/solver")];
    let mut wrong = Vec::new();
    for (_, path, code) in modules() {
        for (name, home) in homes {
            if code.contains(&format!("{name}::")) && !path.starts_with(home) {
                wrong.push(format!("{} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_code_could_stand_in_the_bindings_of_solvers_alone() {
    let wrong: Vec<_> = modules()
        .into_iter()
        .filter(|(_, path, code)| code.contains("unsafe ") && !path.starts_with("src/solver"))
        .map(|(_, path, _)| path)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
