//! Tells the fuzz targets where libz3 is.

use std::{env, path::PathBuf};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest's folder"));
    let folder = here.join("../.z3/lib");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
