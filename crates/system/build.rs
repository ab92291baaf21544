//! Where the libraries of the solvers are found, for a build in a checkout; elsewhere the program looks beside itself.

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let folder = |variable: &str| PathBuf::from(env::var_os(variable).expect("cargo sets the folder"));
    #[cfg(feature = "cpsat")]
    {
        println!("cargo::rerun-if-changed=cpsat.cc");
        cc::Build::new().cpp(true).file("cpsat.cc").compile("conjure_like_cpsat");
    }
    // In a checkout, the package stands in `crates`.
    let package = folder("CARGO_MANIFEST_DIR");
    let checkout = package.ancestors().nth(2).filter(|checkout| checkout.join("tools/fetch-solvers").exists());
    let libraries = checkout.map(|checkout| checkout.join(".solvers/lib")).unwrap_or_default();
    println!("cargo::rustc-env=CONJURE_LIKE_CHECKOUT={}", libraries.display());
    if has("Z3") && !has("VENDORED") {
        // `z3-sys` asks the linker for `z3`, whose functions `z3.rs` defines: this is an archive without any.
        let out = folder("OUT_DIR");
        fs::write(out.join("libz3.a"), "!<arch>\n").expect("the folder can be written");
        println!("cargo::rustc-link-search=native={}", out.display());
    }
}
