//! The folder of an exercise: `exercise.toml`, `reference.essence`, `instances/*.param`.

use crate::inputs::invocation::Invocation;
use conjure_like::{Code, Diagnostic, Model, Shortcoming, Text};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// An exercise, as its folder describes it.
pub(super) struct Exercise {
    pub settings: ExerciseSettings,
    pub reference: Text,
    /// The instances: first the small generated ones, then the given ones in the order of their names.
    pub instances: Vec<Text>,
    /// The number of generated instances.
    pub made_up: usize,
}

/// The file `exercise.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExerciseSettings {
    pub title: String,
    #[serde(default = "ten")]
    pub points: u32,
    /// The time limit of each instance in seconds.
    #[serde(default = "five")]
    time: f64,
    /// The memory limit in megabytes.
    #[serde(default = "thousand")]
    pub memory: u64,
    /// The number of small instances to generate.
    #[serde(default = "four")]
    made_up: usize,
    /// True if the feedback shows requirements of the reference.
    #[serde(default)]
    pub reveal: bool,
    /// The name of the cell with the model, for notebooks that contain several models.
    #[serde(default)]
    pub cell: Option<String>,
    /// Hints by shortcoming.
    #[serde(default)]
    pub hints: BTreeMap<String, String>,
}

fn ten() -> u32 {
    10
}

fn five() -> f64 {
    5.0
}

fn thousand() -> u64 {
    1000
}

fn four() -> usize {
    4
}

impl ExerciseSettings {
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    pub(super) fn hint(&self, shortcoming: Shortcoming) -> Option<&str> {
        self.hints.get(shortcoming.name()).map(|hint| hint.trim())
    }

    fn read(text: &Text) -> Result<Self, Diagnostic> {
        let wrong = |what: &str| {
            Diagnostic::error(Code::EXERCISE, format!("`{}` does not describe an exercise: {what}", text.name))
        };
        let settings: ExerciseSettings = toml::from_str(&text.text).map_err(|error| {
            let before = error.span().and_then(|span| text.text.get(..span.start));
            let line = before.map_or(String::new(), |before| format!("line {}: ", before.matches('\n').count() + 1));
            wrong(&format!("{line}{}", error.message().trim_end()))
        })?;
        let kinds = Shortcoming::ALL.map(Shortcoming::name);
        if let Some(unknown) = settings.hints.keys().find(|kind| !kinds.contains(&kind.as_str())) {
            let help = format!("the kinds of hints are {}", kinds.map(|kind| format!("`{kind}`")).join(", "));
            return Err(wrong(&format!("there are no hints for `{unknown}`")).help(help));
        }
        if !(settings.time > 0.0 && settings.time < 86_400.0) {
            return Err(wrong("`time` must be a number of seconds above 0, at most a day"));
        }
        Ok(settings)
    }
}

impl Exercise {
    /// Reads the folder, and generates small instances.
    pub(super) fn read(folder: &Path, seed: u32, invocation: &mut Invocation) -> Option<Self> {
        let settings = folder.join("exercise.toml");
        if folder.is_file() || folder.is_dir() && !settings.exists() {
            let what =
                if folder.is_file() { "is a file, not the folder of an exercise" } else { "has no `exercise.toml`" };
            let message = format!("`{}` {what}", folder.display());
            return invocation.fail(Diagnostic::error(Code::EXERCISE, message).help(LAYOUT));
        }
        let text = invocation.read(&settings)?;
        let settings = match ExerciseSettings::read(&text) {
            Ok(settings) => settings,
            Err(wrong) => return invocation.fail(wrong),
        };
        let reference = invocation.read(&folder.join("reference.essence"))?;
        let model = invocation.accept(Model::read(&reference))?;
        let mut instances: Vec<Text> = Vec::new();
        if settings.made_up > 0 && model.givens().next().is_some() {
            let made_up = invocation.accept(model.small_instances(settings.made_up, seed))?;
            let named = |(at, text): (usize, Text)| text.named(format!("small {}", at + 1));
            instances.extend(made_up.into_iter().flatten().enumerate().map(named));
        }
        let made_up = instances.len();
        for path in parameter_files(&folder.join("instances")) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            // One file may have several instances.
            instances.extend(invocation.read(&path)?.named(name.unwrap_or_default()).instances().map(Text::alone));
        }
        if instances.is_empty() {
            if model.givens().next().is_some() {
                let message = format!("the exercise in `{}` has no instances", folder.display());
                return invocation.fail(Diagnostic::error(Code::EXERCISE, message).help(LAYOUT));
            }
            // Without parameters, the model itself is the only instance.
            instances.push(Text::new("the problem", ""));
        }
        Some(Exercise { settings, reference, instances, made_up })
    }
}

const LAYOUT: &str = "an exercise is a folder with `exercise.toml`, `reference.essence` and `instances/*.param`";

/// The parameter files in a folder, in the order of their names; numbers in names count as numbers.
fn parameter_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_data =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "param" || extension == "json");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_data).collect();
    paths.sort_by_key(|path| {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let number: Option<u64> = name.parse().ok();
        (number.is_none(), number, name)
    });
    paths
}
