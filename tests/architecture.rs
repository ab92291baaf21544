//! The rules of docs/architecture.md that the compiler does not enforce: which module may use which, and which code may
//! do input and output.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The modules that every module may use.
const VOCABULARY: [&str; 7] = ["diagnostic", "json", "language", "halt", "memory", "page", "source"];
// Each top-level module with the modules that it may use. A missing permission is an error, and so is an unused one.
const USES: [(&str, &[&str]); 44] = [
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
    ("tables", &["analysis", "syntax"]),
    ("instance", &["analysis", "operators", "syntax"]),
    // A certificate starts with a formula that shares no code with lowering and the solvers.
    ("reference", &["analysis", "instance", "operators"]),
    ("certify", &["instance", "reference", "solver"]),
    ("lowering", &["analysis", "instance", "operators", "problem", "symbolic"]),
    ("solution", &["analysis", "instance", "syntax"]),
    ("picture", &["analysis", "instance", "syntax"]),
    ("pipeline", &["analysis", "instance", "lowering", "picture", "problem", "solution", "solver", "syntax", "tables"]),
    (
        "explain",
        &[
            "analysis",
            "certify",
            "instance",
            "lowering",
            "operators",
            "picture",
            "pipeline",
            "problem",
            "reference",
            "solution",
            "solver",
            "symbolic",
            "syntax",
        ],
    ),
    ("laboratory", &["analysis", "instance", "lowering", "picture", "problem", "solver", "symbolic"]),
    ("cubes", &["explain", "instance", "lowering", "pipeline", "problem", "solver", "symbolic"]),
    ("explore", &["explain", "instance", "lowering", "picture", "pipeline", "problem", "solver", "symbolic"]),
    ("generation", &["analysis", "explain", "instance", "lowering", "problem", "solver", "symbolic"]),
    ("services", &["analysis", "instance", "manual", "operators", "pipeline", "syntax"]),
    ("rewriting", &["operators", "services", "syntax"]),
    (
        "warnings",
        &[
            "analysis",
            "instance",
            "lowering",
            "manual",
            "operators",
            "problem",
            "services",
            "solver",
            "symbolic",
            "syntax",
        ],
    ),
    (
        "api",
        &[
            "analysis",
            "certify",
            "cubes",
            "explain",
            "explore",
            "generation",
            "import",
            "instance",
            "laboratory",
            "lowering",
            "manual",
            "picture",
            "pipeline",
            "problem",
            "rewriting",
            "services",
            "solution",
            "solver",
            "syntax",
            "tables",
            "warnings",
        ],
    ),
    ("comparison", &["analysis", "api", "explain", "picture", "rewriting", "services", "solver", "syntax"]),
    ("improvement", &["api", "comparison", "operators", "solver", "syntax"]),
    ("streamlining", &["api", "improvement", "solver", "syntax"]),
    ("grading", &["api", "comparison", "solver", "syntax"]),
    ("protocol", &["api", "solver"]),
    ("testing", &["api", "comparison", "explain", "picture", "solver", "syntax"]),
    ("language_server", &["api", "protocol"]),
];

/// The rooms of the program that each of its rooms may use, besides the library.
const PROGRAM: &str = "cli";
const PROGRAM_USES: [(&str, &[&str]); 13] = [
    ("runtime", &[]),
    ("bug", &["runtime"]),
    ("inputs", &["runtime"]),
    ("outputs", &["inputs", "runtime"]),
    ("about", &["inputs", "runtime"]),
    ("texts", &["inputs", "runtime"]),
    ("checking", &["inputs", "outputs", "runtime", "texts"]),
    ("explaining", &["inputs", "outputs", "runtime"]),
    ("solving", &["checking", "inputs", "outputs", "runtime"]),
    ("servers", &["inputs", "runtime"]),
    ("teaching", &["inputs", "outputs", "runtime"]),
    ("command_line", &["inputs", "runtime"]),
    (
        "main",
        &[
            "about",
            "bug",
            "checking",
            "command_line",
            "explaining",
            "inputs",
            "outputs",
            "runtime",
            "servers",
            "solving",
            "teaching",
            "texts",
        ],
    ),
];

/// Hard limit on the files in one folder of the program.
const FILES_OF_ROOM: usize = 12;

/// The source folders, without the crate of unsafe code.
const CRATES: [&str; 4] = ["src", PROGRAM, "crates/finite-domain/src", "crates/proof/src"];

/// The source files, each with its code without tests and comments.
fn sources() -> Vec<(PathBuf, String)> {
    // Test modules and comments are left out: they may name what the code must not use.
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

/// The source files of the libraries, each with its top-level module.
fn modules() -> Vec<(String, PathBuf, String)> {
    let module = |path: &Path| {
        if path.starts_with("crates/proof") {
            return "proof".to_owned();
        }
        let top = path.iter().skip_while(|folder| *folder != "src").nth(1);
        let top = top.expect("below src").to_str().expect("a plain name");
        top.trim_end_matches(".rs").to_owned()
    };
    let of_libraries = sources().into_iter().filter(|(path, _)| !path.starts_with(PROGRAM));
    let all = of_libraries.map(|(path, code)| (module(&path), path, code));
    all.filter(|(module, ..)| module != "lib").collect()
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

fn code(text: &str) -> String {
    // Inline test modules are the last item of a file.
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The top-level modules in `crate::a` and `crate::{a::…, b}`.
fn used(code: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => {
                modules.insert(word(rest));
            }
            Some(list) => {
                // Only names at depth 0 are modules: in `{a::{b, c}, d}` these are `a` and `d`.
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
    // A capital letter marks a type of the crate's root, not a module.
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

/// Uses without a permission, and permissions without a use.
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
    // A new module must get a place in the table, which is the order of the architecture.
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
fn rooms_of_the_program_use_only_those_below_them() {
    let mut done = Vec::new();
    let mut files: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, code) in sources().into_iter().filter(|(path, _)| path.starts_with(PROGRAM)) {
        *files.entry(path.parent().expect("a folder").to_owned()).or_default() += 1;
        let room =
            path.iter().nth(1).expect("a room").to_str().expect("a plain name").trim_end_matches(".rs").to_owned();
        // The root declares the rooms, so it names them without `crate::`.
        let code = if room == "main" { rooms_as_used(&code) } else { code };
        done.extend(
            used(&code).into_iter().filter(|used| *used != room).map(|used| (room.clone(), used, path.clone())),
        );
    }
    // Everything else that the program uses belongs to the library.
    done.retain(|(_, used, _)| PROGRAM_USES.iter().any(|(room, _)| room == used));
    let permitted =
        PROGRAM_USES.iter().flat_map(|(who, whom)| whom.iter().map(|used| ((*who).to_owned(), (*used).to_owned())));
    let mut wrong = against(&permitted.collect(), &done);
    let full = files.iter().filter(|(_, count)| **count > FILES_OF_ROOM);
    wrong.extend(full.map(|(folder, count)| format!("{} has {count} files", folder.display())));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code of the root with `crate::` inserted before the names of the rooms.
fn rooms_as_used(code: &str) -> String {
    PROGRAM_USES
        .iter()
        .fold(code.to_owned(), |code, (room, _)| code.replace(&format!("{room}::"), &format!("crate::{room}::")))
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

/// The macros panic if standard output or standard error is closed or full.
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

/// Crates that only one folder or file may use.
const HOMES: [(&str, &str); 13] = [
    ("ariadne", "src/diagnostic"),
    ("prost", "crates/finite-domain/src/solver"),
    ("batsat", "crates/finite-domain/src/solver"),
    ("cadical_sys", "crates/finite-domain/src/solver"),
    ("clap", PROGRAM),
    ("clap_complete", PROGRAM),
    ("ctrlc", PROGRAM),
    ("pest", "src/syntax"),
    ("pest_derive", "src/syntax"),
    ("stacker", "crates/finite-domain/src/memory.rs"),
    ("strsim", "src/diagnostic"),
    ("tempfile", PROGRAM),
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

/// True if a path in the code starts with the name of a crate.
fn uses_crate(code: &str, name: &str) -> bool {
    code.match_indices(&format!("{name}::"))
        .any(|(at, _)| !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':'))
}

/// The line width of `rustfmt.toml`; rustfmt does not wrap comments.
const COLUMNS: usize = 120;

/// Code and comments must fit the line width, except tables in comments.
#[test]
fn lines_fit_into_the_columns() {
    let mut long = Vec::new();
    for (path, _) in sources() {
        for (number, line) in (1..).zip(fs::read_to_string(&path).expect("a source file").lines()) {
            let comment = line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!', ' ']));
            let is_table = comment.is_some_and(|text| text.starts_with('|'));
            if !is_table && line.chars().count() > COLUMNS {
                long.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "lines of more than {COLUMNS} columns: {long:#?}");
}

/// The types that a file declares, without associated types, whose names are given by traits.
fn types(code: &str) -> impl Iterator<Item = String> {
    code.lines().filter(|line| !line.starts_with("    type ")).filter_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        let keyword = words.next()?;
        let name = words.next()?;
        ["struct", "enum", "trait", "type"].contains(&keyword).then(|| word(name))
    })
}

/// A search for a type must find one declaration. The exceptions are `Value`, which the API declares, too, and the
/// types of the protocol, which are named after their contents.
#[test]
fn each_type_is_declared_once() {
    let sources = sources();
    let mut files: BTreeMap<String, BTreeSet<&Path>> = BTreeMap::new();
    for (path, code) in sources.iter().filter(|(path, _)| !path.starts_with("src/protocol")) {
        for name in types(code) {
            files.entry(name).or_default().insert(path);
        }
    }
    let several: Vec<&String> = files.iter().filter(|(_, files)| files.len() > 1).map(|(name, _)| name).collect();
    assert_eq!(several, ["Value"]);
}

/// Hard limit on the files that name one type constructor.
const FILES_OF_CONSTRUCTOR: usize = 20;

/// Most code should ask for the form of the members, so that a new constructor changes few files.
#[test]
fn few_files_name_a_type_constructor() {
    let sources = sources();
    let table = sources.iter().find(|(path, _)| path.ends_with("language/collection/mod.rs")).expect("the table");
    let variants = table.1.split("enum Collection {").nth(1).and_then(|rest| rest.split('}').next()).expect("variants");
    let constructors: Vec<&str> = variants.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    assert!(constructors.contains(&"Set") && constructors.len() > 5, "{constructors:?}");
    for constructor in constructors {
        let names = |code: &str| code.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == constructor);
        let files = sources.iter().filter(|(_, code)| names(code)).map(|(path, _)| &**path);
        // The reference formula shares no code, so it must treat each constructor itself.
        let files: Vec<&Path> = files.filter(|path| !path.starts_with("src/reference")).collect();
        assert!(files.len() <= FILES_OF_CONSTRUCTOR, "{} files name `{constructor}`: {files:#?}", files.len());
    }
}

/// A file of each permitted cycle. Each cycle is one recursion that is split over several files.
const CIRCLES: [&str; 4] =
    ["instance/evaluate", "language/domain/enumerate", "syntax/print/expressions", "solver/cpsat/tour"];

/// Files that use each other in a cycle can only be understood together.
#[test]
fn files_use_each_other_in_one_direction() {
    let graph = FileGraph::new();
    let circles = graph.circles();
    let is_known = |circle: &Vec<String>| circle.iter().any(|file| CIRCLES.contains(&file.as_str()));
    let unknown: Vec<&Vec<String>> = circles.iter().filter(|circle| !is_known(circle)).collect();
    assert!(unknown.is_empty(), "these files use each other: {unknown:#?}");
    assert_eq!(circles.len(), CIRCLES.len(), "some circles are gone: {circles:#?}");
}

/// The uses between files. A folder's `mod.rs` is its interface, so its uses of files inside the folder do not count.
struct FileGraph {
    /// The names of the modules, such as `crates/proof/src` and `drat`.
    modules: Vec<Vec<String>>,
    uses: Vec<BTreeSet<usize>>,
}

impl FileGraph {
    fn new() -> Self {
        let sources = sources();
        let name = |path: &Path| {
            let root = CRATES.into_iter().find(|root| path.starts_with(root)).expect("a crate");
            let inside = path.strip_prefix(root).expect("below the crate").with_extension("");
            let inside: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let mut module: Vec<String> = [root.to_owned()].into_iter().chain(inside).collect();
            // The `mod.rs` of a folder is the module of that name.
            module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            module
        };
        let modules: Vec<Vec<String>> = sources.iter().map(|(path, _)| name(path)).collect();
        let paths: Vec<Vec<(Vec<String>, bool)>> = sources.iter().map(|(_, code)| named(code)).collect();
        let mut graph = FileGraph { modules, uses: Vec::new() };
        graph.uses = (0..paths.len())
            .map(|file| {
                let own = &graph.modules[file];
                let used = paths[file].iter().filter_map(|(path, _)| graph.resolved(own, path, &paths, 0));
                // Uses of files inside the own folder do not count, nor do uses of the crate's root.
                used.filter(|used| !graph.modules[*used].starts_with(own) && graph.modules[*used].len() > 1).collect()
            })
            .collect();
        graph
    }

    /// The file that declares the last name of a path. `all` has the paths that each file imports.
    fn resolved(
        &self,
        from: &[String],
        path: &[String],
        all: &[Vec<(Vec<String>, bool)>],
        depth: usize,
    ) -> Option<usize> {
        let at = |module: &[String]| self.modules.iter().position(|other| other == module);
        let mut module = from.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                module.truncate(1);
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                at(&[from, &[child.to_owned()]].concat())?;
            }
        }
        for name in rest {
            let inner = [module.as_slice(), std::slice::from_ref(name)].concat();
            if at(&inner).is_some() {
                module = inner;
                continue;
            }
            // A re-exported name belongs to the file that declares it.
            let handed_on = |(path, public): &&(Vec<String>, bool)| *public && path.last() == Some(name);
            let here = at(&module)?;
            // Re-exports may be chained; the limit ends a cycle of them.
            if depth < 5
                && let Some((path, _)) = all[here].iter().find(handed_on)
                && let Some(file) = self.resolved(&module.clone(), path, all, depth + 1)
            {
                return Some(file);
            }
            break;
        }
        at(&module)
    }

    /// The strongly connected components of the graph with more than one file.
    fn circles(&self) -> Vec<Vec<String>> {
        let reached: Vec<BTreeSet<usize>> = (0..self.uses.len())
            .map(|start| {
                let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
                while let Some(file) = open.pop() {
                    open.extend(self.uses[file].iter().copied().filter(|next| seen.insert(*next)));
                }
                seen
            })
            .collect();
        let circle = |file: usize| -> BTreeSet<usize> {
            reached[file].iter().copied().filter(|other| reached[*other].contains(&file)).collect()
        };
        let circles: BTreeSet<BTreeSet<usize>> = (0..self.uses.len()).map(circle).filter(|all| all.len() > 1).collect();
        circles.into_iter().map(|all| all.into_iter().map(|file| self.modules[file][1..].join("/")).collect()).collect()
    }
}

/// The paths that a file names in imports, each with a flag for re-exports, and in its code.
fn named(code: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut rest = String::new();
    // Imports end with a semicolon, so no parser is needed to find them.
    for statement in code.split_inclusive(';') {
        let begins = |at: &usize| {
            let before = statement[..*at].trim_end_matches(' ');
            before.is_empty() || before.ends_with(['\n', '{', '}', ']']) || hands_on(before)
        };
        match statement.match_indices("use ").map(|(at, _)| at).find(begins) {
            Some(at) => {
                let public = hands_on(statement[..at].trim_end());
                expand(statement[at + "use ".len()..].trim_end_matches(';'), &[], &mut |path| {
                    found.push((path, public))
                });
                rest.push_str(&statement[..at]);
            }
            None => rest.push_str(statement),
        }
    }
    for (at, _) in rest.match_indices("crate::").chain(rest.match_indices("super::")) {
        let is_first = !rest[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':');
        let path = rest[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':').collect::<String>();
        if is_first {
            found.push((path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect(), false));
        }
    }
    found
}

/// True if an import after this text is a re-export.
fn hands_on(before: &str) -> bool {
    before.ends_with("pub") || before.ends_with("pub(crate)") || before.ends_with("pub(super)")
}

/// Expands a tree of imports, such as `a::{b, c::d}`, into its paths.
fn expand(tree: &str, before: &[String], visit: &mut impl FnMut(Vec<String>)) {
    let tree = tree.trim();
    let (path, list) = tree.split_once('{').map_or((tree, None), |(path, list)| (path, Some(list)));
    let path = path.split(" as ").next().unwrap_or_default();
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "self");
    let path: Vec<String> = before.iter().cloned().chain(names.map(str::to_owned)).collect();
    let Some(list) = list.map(|list| list.trim_end().strip_suffix('}').unwrap_or(list)) else {
        if !path.is_empty() {
            visit(path);
        }
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, character) in list.char_indices().chain([(list.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = &list[start..at];
                if !item.trim().is_empty() {
                    expand(item, &path, visit);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Hard limit on the folders that have a file of the same name.
const FOLDERS_OF_NAME: usize = 3;

/// A file is named after its contents, not its kind. Only `mod.rs`, `lib.rs` and `tests.rs` have fixed roles.
#[test]
fn few_files_have_the_same_name() {
    let mut folders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (path, _) in sources() {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if !["mod.rs", "lib.rs", "tests.rs"].contains(&name.as_str()) {
            folders.entry(name).or_default().push(path);
        }
    }
    let common: Vec<_> = folders.values().filter(|paths| paths.len() > FOLDERS_OF_NAME).collect();
    assert!(common.is_empty(), "{common:#?}");
}
