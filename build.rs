//! Sets the stack size of programs.

/// The stack size of the main thread in bytes.
const STACK: u32 = 8 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // As on other systems: the default on Windows is an eighth of this.
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    match (&*target("OS"), &*target("ENV")) {
        ("windows", "msvc") => println!("cargo::rustc-link-arg=/STACK:{STACK}"),
        ("windows", _) => println!("cargo::rustc-link-arg=-Wl,--stack,{STACK}"),
        _ => {}
    }
}
