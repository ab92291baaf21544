//! Prepares a build for the libraries of the solvers: a call of CP-SAT in C++, and an empty archive in place of Z3.

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    #[cfg(feature = "cpsat")]
    {
        println!("cargo::rerun-if-changed=cpsat.cc");
        cc::Build::new().cpp(true).file("cpsat.cc").compile("conjure_like_cpsat");
    }
    if has("Z3") && !has("VENDORED") {
        // `z3-sys` makes the linker look for `z3`, but `z3.rs` defines its functions, so this archive is empty.
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the folder"));
        fs::write(out.join("libz3.a"), "!<arch>\n").expect("the folder can be written");
        println!("cargo::rustc-link-search=native={}", out.display());
    }
}
