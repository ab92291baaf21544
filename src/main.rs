//! The command `conjure-like`: see [`cli`].

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
