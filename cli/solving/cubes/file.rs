//! Files of cubes: a line of JSON about all cubes, then one line for each.
//!
//! A cube has a meaning only with the model and the data that it was made of, and the results of cubes can be combined
//! only if none is missing. So the first line has the number of cubes, and digests of the model, the data and the other
//! lines.

use crate::inputs::{digest::Digest, invocation};
use conjure_like::{Code, Cube, CubeStep, Cubes, Diagnostic, Text, counted, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;

/// A complete and unchanged file of `cubes make`.
pub(crate) struct CubesFile {
    text: Text,
    heading: Heading,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Heading {
    /// The number of cubes.
    cubes: usize,
    model: Digest,
    data: Digest,
    /// The digest of the other lines.
    lines: Digest,
}

/// The text of a file with the cubes of an instance.
pub(super) fn cubes_text(cubes: &Cubes, model: &Text, data: &[Text]) -> String {
    let line = |(position, cube): (usize, &Cube)| {
        let steps = cube.steps.iter().map(|step| json!({"part": step.cell, "values": step.options, "says": step.says}));
        let object = json!({
            "cube": position + 1,
            "essence": cube.to_string(),
            "share": cube.share,
            "upToSymmetry": cube.up_to_symmetry,
            "steps": steps.collect::<Vec<_>>(),
        });
        to_json(&object) + "\n"
    };
    let lines: String = cubes.cubes.iter().enumerate().map(line).collect();
    let heading = Heading {
        cubes: cubes.cubes.len(),
        model: Digest::of([&*model.text]),
        data: of_data(data),
        lines: Digest::of([&*lines]),
    };
    to_json(&serde_json::to_value(heading).unwrap_or_default()) + "\n" + &lines
}

fn of_data(data: &[Text]) -> Digest {
    Digest::of(data.iter().map(|text| &*text.text))
}

impl CubesFile {
    pub(crate) fn read(path: &Path) -> Result<Self, Diagnostic> {
        let text = invocation::read(path)?;
        let heading: Option<Heading> = text.text.lines().next().and_then(|line| serde_json::from_str(line).ok());
        let Some(heading) = heading else { return Err(not_cubes(format!("`{}` is not a file of cubes", text.name))) };
        let file = CubesFile { text, heading };
        let (name, expected, found) = (&file.text.name, file.len(), file.lines().count());
        // A solution may be in one of the missing cubes.
        if found != expected {
            let found = counted(found, "cube");
            return Err(not_cubes(format!("`{name}` has {found}, but `conjure-like cubes make` wrote {expected}")));
        }
        let lines = file.text.text.split_once('\n').map_or("", |(_, lines)| lines);
        if Digest::of([lines]) != file.heading.lines {
            return Err(not_cubes(format!("`{name}` has changed since `conjure-like cubes make` wrote it")));
        }
        Ok(file)
    }

    /// The number of cubes.
    pub(crate) fn len(&self) -> usize {
        self.heading.cubes
    }

    /// The digest of the whole file.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of([&*self.text.text])
    }

    /// The lines of the cubes.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.text.lines().skip(1)
    }

    /// The cube with this number; numbers start from 1.
    pub(crate) fn cube(&self, number: usize) -> Result<Cube, Diagnostic> {
        let line = self.lines().nth(number - 1).ok_or_else(|| {
            let cubes = counted(self.len(), "cube");
            Diagnostic::error(Code::CUBES, format!("there is no cube {number}: `{}` has {cubes}", self.text.name))
        })?;
        self.understood(line, number)
    }

    pub(super) fn cubes(&self) -> Result<Vec<Cube>, Diagnostic> {
        self.lines().enumerate().map(|(position, line)| self.understood(line, position + 1)).collect()
    }

    fn understood(&self, line: &str, number: usize) -> Result<Cube, Diagnostic> {
        understood(line).ok_or_else(|| not_cubes(format!("line {} of `{}` is not a cube", number + 1, self.text.name)))
    }

    /// Refuses cubes of another model or other data.
    pub(crate) fn must_be_of(&self, model: &Text, data: &[Text]) -> Result<(), Diagnostic> {
        let named = |text: &Text| match &*text.name {
            "-D" => format!("`-D {}`", shell_words::quote(&text.text)),
            name => format!("`{name}`"),
        };
        let other = if self.heading.model != Digest::of([&*model.text]) {
            format!("another model than {}", named(model))
        } else if self.heading.data != of_data(data) {
            match data {
                [] => "an instance with data, but no data are given".to_owned(),
                _ => format!("other data than {}", data.iter().map(named).collect::<Vec<_>>().join(" and ")),
            }
        } else {
            return Ok(());
        };
        let mut words = vec!["conjure-like", "cubes", "make", &model.name];
        for text in data {
            let defines = text.name == "-D";
            words.extend(defines.then_some("-D").into_iter().chain([if defines { &*text.text } else { &*text.name }]));
        }
        let number = self.len().to_string();
        words.extend(["-n", &number, "-o", &self.text.name]);
        // If the cubes keep symmetric solutions, they were made with --all.
        if self.cube(1).is_ok_and(|cube| !cube.up_to_symmetry) {
            words.push("--all");
        }
        let message = format!("the cubes in `{}` belong to {other}", self.text.name);
        Err(Diagnostic::error(Code::CUBES, message)
            .note("cubes are parts of one instance; if its model or its data change, they may leave out solutions")
            .help(format!("make new cubes: {}", shell_words::join(words))))
    }
}

fn not_cubes(message: String) -> Diagnostic {
    Diagnostic::error(Code::CUBES, message).help("make new cubes with `conjure-like cubes make`")
}

fn understood(line: &str) -> Option<Cube> {
    let object: Value = serde_json::from_str(line).ok()?;
    let steps = object.get("steps")?.as_array()?.iter().map(|step| {
        let word = |key: &str| Some(step.get(key)?.as_str()?.to_owned());
        let values = step.get("values")?.as_array()?.iter().map(|value| Some(value.as_str()?.to_owned()));
        Some(CubeStep { cell: word("part")?, options: values.collect::<Option<_>>()?, says: word("says")? })
    });
    let (steps, share) = (steps.collect::<Option<_>>()?, object.get("share")?.as_f64()?);
    Some(Cube { steps, share, up_to_symmetry: object.get("upToSymmetry")?.as_bool()? })
}
