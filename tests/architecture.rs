//! The rules of docs/architecture.md that the compiler does not hold by itself: which module may use which,
//! and who may touch the world outside.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Which modules each top-level module may use. Everyone may use the vocabulary.
const VOCABULARY: [&str; 7] = ["diagnostic", "json", "language", "halt", "memory", "page", "source"];
const USES: [(&str, &[&str]); 35] = [
    // The crate `finite-domain`.
    ("error", &[]),
    ("int_set", &[]),
    ("limits", &[]),
    ("sense", &[]),
    ("source", &[]),
    ("diagnostic", &[]),
    ("json", &[]),
    ("language", &[]),
    ("halt", &[]),
    ("memory", &[]),
    ("page", &[]),
    ("import", &[]),
    ("problem", &[]),
    ("proof", &[]),
    ("solver", &["problem"]),
    ("symbolic", &["problem"]),
    ("operators", &["problem", "symbolic"]),
    ("manual", &["operators"]),
    ("syntax", &["operators"]),
    ("analysis", &["operators", "syntax"]),
    ("instance", &["analysis", "operators", "syntax"]),
    ("lowering", &["analysis", "instance", "operators", "problem", "symbolic"]),
    ("solution", &["analysis", "instance", "syntax"]),
    ("picture", &["analysis", "instance", "syntax"]),
    ("pipeline", &["analysis", "instance", "lowering", "picture", "problem", "solution", "solver", "syntax"]),
    (
        "explain",
        &[
            "analysis",
            "instance",
            "lowering",
            "operators",
            "pipeline",
            "problem",
            "solution",
            "solver",
            "symbolic",
            "syntax",
        ],
    ),
    ("search", &["analysis", "instance", "lowering", "picture", "problem", "solver", "symbolic"]),
    ("cubes", &["explain", "instance", "lowering", "problem", "solver", "symbolic"]),
    ("explore", &["explain", "instance", "lowering", "picture", "pipeline", "problem", "solver", "symbolic"]),
    ("services", &["analysis", "instance", "manual", "operators", "pipeline", "syntax"]),
    ("rewriting", &["operators", "services", "syntax"]),
    (
        "warnings",
        &["analysis", "instance", "lowering", "operators", "problem", "services", "solver", "symbolic", "syntax"],
    ),
    (
        "api",
        &[
            "analysis",
            "cubes",
            "explain",
            "explore",
            "import",
            "instance",
            "lowering",
            "manual",
            "picture",
            "pipeline",
            "problem",
            "rewriting",
            "search",
            "services",
            "solution",
            "solver",
            "syntax",
            "warnings",
        ],
    ),
    ("comparison", &["analysis", "api", "explain", "picture", "rewriting", "services", "solver", "syntax"]),
    ("grading", &["api", "comparison", "solver", "syntax"]),
];

/// The folders with sources, but for the one with unsafe code.
const CRATES: [&str; 3] = ["src", "crates/finite-domain/src", "crates/proof/src"];

/// The source files, each with its code without tests and comments.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = CRATES.into_iter().map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !is_test(&path) && path.extension().is_some_and(|extension| extension == "rs") {
                let code = code(&fs::read_to_string(&path).expect("a source file"));
                found.push((path, code));
            }
        }
    }
    assert!(found.len() > 20, "the sources are not where this test looks for them");
    found.sort();
    found
}

/// The source files of the libraries, each with the top-level module that it belongs to.
fn modules() -> Vec<(String, PathBuf, String)> {
    let module = |path: &Path| {
        if path.starts_with("crates/proof") {
            return "proof".to_owned();
        }
        let top = path.iter().skip_while(|folder| *folder != "src").nth(1);
        let top = top.expect("below src").to_str().expect("a plain name");
        top.trim_end_matches(".rs").to_owned()
    };
    let all = sources().into_iter().map(|(path, code)| (module(&path), path, code));
    all.filter(|(module, ..)| !["lib", "main", "cli"].contains(&module.as_str())).collect()
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
    // What begins with a capital letter is a type of the crate's root.
    modules.retain(|module| module.starts_with(|first: char| first.is_ascii_lowercase()));
    modules
}

fn word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[test]
fn uses_are_found_in_every_form() {
    let found = used("use crate::{a::{b, c}, d, G,\n e::F};\nfn f() -> crate::g::H { crate::a::b() }");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "d", "e", "g"]);
}

/// What is done without permission, and the permissions that nobody uses.
fn against(permitted: &BTreeSet<(String, String)>, done: &[(String, String, PathBuf)]) -> Vec<String> {
    let is_used = |who: &String, what: &String| done.iter().any(|(by, used, _)| by == who && used == what);
    let forbidden = done
        .iter()
        .filter(|(who, what, _)| !permitted.contains(&(who.clone(), what.clone())))
        .map(|(_, what, path)| format!("{} uses {what}", path.display()));
    let unused = permitted
        .iter()
        .filter(|(who, what)| !is_used(who, what))
        .map(|(who, what)| format!("{who} may use {what}, but does not: take the permission away"));
    forbidden.chain(unused).collect()
}

#[test]
fn permissions_are_kept_and_needed() {
    let one = |who: &str, what: &str| (who.to_owned(), what.to_owned());
    let done = [("a".to_owned(), "b".to_owned(), PathBuf::from("a.rs"))];
    assert_eq!(against(&BTreeSet::from([one("a", "b")]), &done), [""; 0]);
    assert_eq!(against(&BTreeSet::from([one("a", "b"), one("a", "c")]), &done).len(), 1);
    assert_eq!(against(&BTreeSet::new(), &done), ["a.rs uses b"]);
}

#[test]
fn modules_use_only_those_before_them() {
    let permitted = USES.iter().flat_map(|(who, whom)| whom.iter().map(|used| ((*who).to_owned(), (*used).to_owned())));
    let modules = modules();
    let unknown = modules.iter().find(|(module, ..)| USES.iter().all(|(known, _)| known != module));
    assert!(unknown.is_none(), "{} is not in the table of modules", unknown.expect("one").0);
    let done: Vec<_> = modules
        .iter()
        .flat_map(|(module, path, code)| used(code).into_iter().map(|used| (module.clone(), used, path.clone())))
        .filter(|(module, used, _)| module != used && !VOCABULARY.contains(&used.as_str()))
        .collect();
    let wrong = against(&permitted.collect(), &done);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_reads_and_writes() {
    let mut wrong = Vec::new();
    for (_, path, code) in modules() {
        for world in ["std::fs", "std::env", "std::process", "std::net", "io::std"] {
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
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        for printing in ["println!", "print!(", "dbg!("] {
            if code.contains(printing) {
                wrong.push(format!("{} has {printing}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates that have one home, and where that is.
const HOMES: [(&str, &str); 15] = [
    ("ariadne", "src/diagnostic"),
    ("prost", "crates/finite-domain/src/solver"),
    ("batsat", "crates/finite-domain/src/solver"),
    ("cadical_sys", "crates/finite-domain/src/solver"),
    ("clap", "src/cli"),
    ("clap_complete", "src/cli"),
    ("ctrlc", "src/cli"),
    ("lsp_server", "src/cli/lsp"),
    ("lsp_types", "src/cli/lsp"),
    ("pest", "src/syntax"),
    ("pest_derive", "src/syntax"),
    ("stacker", "crates/finite-domain/src/memory.rs"),
    ("strsim", "src/diagnostic"),
    ("tempfile", "src/cli"),
    ("::z3", "crates/finite-domain/src/solver"),
];

#[test]
fn crates_have_one_home() {
    let mut wrong = Vec::new();
    for (name, home) in HOMES {
        let users: Vec<PathBuf> =
            sources().into_iter().filter(|(_, code)| uses_crate(code, name)).map(|(path, _)| path).collect();
        let strangers = users.iter().filter(|path| !path.starts_with(home));
        wrong.extend(strangers.map(|path| format!("{} uses {name}", path.display())));
        if users.is_empty() {
            wrong.push(format!("nobody in {home} uses {name}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the name of a crate begins a path.
fn uses_crate(code: &str, name: &str) -> bool {
    code.match_indices(&format!("{name}::"))
        .any(|(at, _)| !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':'))
}

/// The columns of `rustfmt.toml`, which leaves comments alone.
const COLUMNS: usize = 120;

/// Comments fit into the columns, but for tables and examples.
#[test]
fn comments_fit_into_the_columns() {
    let mut long = Vec::new();
    for (path, _) in sources() {
        let mut in_example = false;
        for (number, line) in (1..).zip(fs::read_to_string(&path).expect("a source file").lines()) {
            let Some((_, text)) = line.trim_start().split_once("//").filter(|(before, _)| before.is_empty()) else {
                continue;
            };
            let text = text.trim_start_matches(['/', '!', ' ']);
            in_example ^= text.starts_with("```");
            if !in_example && !text.starts_with('|') && line.chars().count() > COLUMNS {
                long.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "comments of more than {COLUMNS} columns: {long:#?}");
}

/// The types that a text declares, but for associated ones, whose names traits choose.
fn types(code: &str) -> impl Iterator<Item = String> {
    code.lines().filter(|line| !line.starts_with("    type ")).filter_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        let keyword = words.next()?;
        let name = words.next()?;
        ["struct", "enum", "trait", "type"].contains(&keyword).then(|| word(name))
    })
}

/// Whoever searches for a type finds one declaration. The nodes of the syntax tree and the typed ones have the same
/// names, and so do the values of the API and those inside.
#[test]
fn each_type_is_declared_once() {
    let sources = sources();
    let mut files: BTreeMap<String, BTreeSet<&Path>> = BTreeMap::new();
    for (path, code) in &sources {
        for name in types(code) {
            files.entry(name).or_default().insert(path);
        }
    }
    let several: Vec<&String> = files.iter().filter(|(_, files)| files.len() > 1).map(|(name, _)| name).collect();
    assert_eq!(several, ["Domain", "Expr", "ExprKind", "Pattern", "Qualifier", "Value"]);
}
