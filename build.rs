//! Gives the program a run path relative to itself: the `lib` folder of an installed pair, and the
//! checkout's `.z3/lib` for a build in place.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_VENDORED").is_none() {
        let checkout = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest's folder"));
        println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/conjure-like");
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", checkout.join(".z3/lib").display());
    }
}
