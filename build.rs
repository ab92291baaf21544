//! Tells the program where to find libz3 when it runs: in the `lib` folder of an installed pair, or in
//! the checkout's `.z3/lib` for a build in place. Without `.z3` the linker might take a Z3 of the
//! system, so that is an error here.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() || env::var_os("CARGO_FEATURE_Z3").is_none() {
        return;
    }
    let checkout = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest's folder"));
    let folder = checkout.join(".z3/lib");
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.join("libz3.so").exists() {
        println!("cargo::error=libz3 is not set up yet: run `make z3` first");
        return;
    }
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/conjure-like");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
