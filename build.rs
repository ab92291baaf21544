//! Tells the program where to find libz3 and CP-SAT when it runs: in the `lib` folder of an installed pair, or in the
//! checkout's `.solvers/lib` for a build in place. Without a libz3 there the linker might take one of the system, so that
//! is an error here.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let links_z3 = has("Z3") && !has("VENDORED");
    if !links_z3 && !has("CPSAT") {
        return;
    }
    let checkout = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest's folder"));
    let folder = checkout.join(".solvers/lib");
    println!("cargo::rerun-if-changed={}", folder.display());
    if links_z3 && !folder.join("libz3.so").exists() {
        println!("cargo::error=libz3 is not set up yet: run `make fetch` first");
        return;
    }
    let installed = PathBuf::from("$ORIGIN/../lib/conjure-like");
    for folder in [installed, folder] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.join("ortools/lib").display());
    }
}
