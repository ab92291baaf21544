//! All shapes of a value in data have the same meaning, and `docs/parameters.md` contains the table of shapes.

use conjure_like::{Model, SolveOptions, Text, analysis::shapes::SHAPES};
use std::{fs, ops::ControlFlow};

#[test]
fn all_shapes_of_a_value_mean_it() {
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let model = format!(
            "letting colour be new type enum {{red, green}}\ngiven v : {}\nfind same : bool\nsuch that same = (v = {})",
            shape.domain, shape.essence
        );
        let model = Model::read(&Text::new("shape.essence", model)).expect("a model");
        let essence = format!("letting v be {}", shape.essence);
        let json = shape.json.iter().map(|json| format!("{{\"v\": {json}}}"));
        for data in json.chain([essence]) {
            let mut found = Vec::new();
            let solved = model.instance(&[Text::new("data", &*data)]).and_then(|instance| {
                instance.solve(&SolveOptions::default(), &mut |solution| {
                    found.push(solution.to_json());
                    ControlFlow::Break(())
                })
            });
            if found != [r#"{"same": true}"#] {
                wrong.push(format!("{data} is not {}: {found:?} {solved:?}", shape.essence));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_manual_shows_the_table() {
    let manual = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/parameters.md")).expect("the manual");
    let row = |shape: &&conjure_like::analysis::shapes::DataShape| {
        let json: Vec<String> = shape.json.iter().map(|json| format!("`{json}`")).collect();
        format!("| `{}` | `{}` | {} |", shape.domain, shape.essence, json.join(", "))
    };
    let table: Vec<String> = SHAPES.iter().map(row).collect();
    let table = format!("| domain | in Essence | in JSON |\n|---|---|---|\n{}\n", table.join("\n"));
    assert!(manual.contains(&table), "docs/parameters.md should contain\n{table}");
}
