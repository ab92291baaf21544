//! Where libz3 and CP-SAT are found when a program runs: in the `lib` folder of an installed pair, or in the checkout's
//! `.solvers/lib` for a build in place. Without a libz3 there the linker might take one of the system, so that is an
//! error here. The packages that link programs read the folders from `DEP_CONJURE_LIKE_SOLVERS_FOLDERS`.

use std::{
    env,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    #[cfg(feature = "cpsat")]
    {
        println!("cargo::rerun-if-changed=cpsat.cc");
        cc::Build::new().cpp(true).file("cpsat.cc").compile("conjure_like_cpsat");
    }
    let links_z3 = has("Z3") && !has("VENDORED");
    if !links_z3 && !has("CPSAT") {
        return;
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest's folder"));
    let checkout = package.parent().and_then(Path::parent).expect("the package stands in `crates`");
    let is_windows = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows");
    let (folder, library) =
        if is_windows { (".solvers-windows/lib", "libz3.dll") } else { (".solvers/lib", "libz3.so") };
    let folder = checkout.join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    if links_z3 && !folder.join(library).exists() {
        println!("cargo::error=libz3 is not set up yet: run `make fetch` first");
        return;
    }
    if is_windows {
        // The system looks for libraries beside the program and in `PATH`; the linker takes them as they are.
        println!("cargo::rustc-link-search=native={}", folder.display());
        return;
    }
    let installed = PathBuf::from("$ORIGIN/../lib/conjure-like");
    let folders = [installed, folder].into_iter().flat_map(|folder| [folder.clone(), folder.join("ortools/lib")]);
    let folders: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
    println!("cargo::metadata=FOLDERS={}", folders.join(":"));
}
