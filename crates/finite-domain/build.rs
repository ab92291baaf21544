//! Tells programs where to find libz3 and CP-SAT when they run.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folders = std::env::var("DEP_CONJURE_LIKE_SOLVERS_FOLDERS").unwrap_or_default();
    for folder in folders.split(':').filter(|folder| !folder.is_empty()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
