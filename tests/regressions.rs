//! Inputs that once failed under `fuzz/run` must not fail again.

use conjure_like::properties;
use std::{fs, path::Path};

type Property = (&'static str, fn(&str));

/// The properties, with the names of their fuzz targets.
const PROPERTIES: [Property; 6] = [
    ("parse", properties::parse),
    ("format", properties::format),
    ("json", properties::json),
    ("bind", properties::bind),
    ("import", properties::import),
    ("solve", properties::solve),
];

#[test]
fn what_once_failed_does_not_fail_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut replayed = 0;
    for (name, property) in PROPERTIES {
        let Ok(inputs) = fs::read_dir(folder.join(name)) else { continue };
        for input in inputs {
            let text = fs::read_to_string(input.unwrap().path()).unwrap();
            properties::on_a_large_stack(|| property(&text));
            replayed += 1;
        }
    }
    assert!(replayed > 0, "there are no inputs in {}", folder.display());
}

#[test]
fn the_properties_hold_for_a_model_of_each_kind() {
    let satisfiable = "given n : int(1..3)\nfind x, y : int(0..n)\nsuch that x + y > 3\n%%%%\nletting n be 3\n";
    let best = "find s : set of int(1..4)\nsuch that |s| < 3\nmaximising sum([i | i <- s])\n";
    let contradiction = "find x : int(1..5)\nsuch that x > 2, x < 2\n";
    for text in [satisfiable, best, contradiction] {
        properties::bind(text);
        properties::solve(text);
        properties::parse(text);
        properties::format(text);
    }
}
