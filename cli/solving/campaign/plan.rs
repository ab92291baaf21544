//! Plans: the models, data and settings of many runs.

use super::inputs::Inputs;
use crate::{
    inputs::{digest::Digest, instances::defined, invocation, named_table::TableArgument},
    solving::cubes::CubesFile,
};
use conjure_like::{Code, Diagnostic, Model, Text};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// A plan whose files have been found. Tasks are numbered from 0, in an order that depends on the plan only.
pub(super) struct CampaignPlan {
    folder: PathBuf,
    settings: PlanSettings,
    families: Vec<FoundFamily>,
    /// The instances; there may be a million.
    instances: Vec<PlannedInstance>,
    options: Vec<(String, Vec<String>)>,
}

/// The common properties of the instances of a family.
struct FoundFamily {
    name: String,
    model: PathBuf,
    /// The digest of the model's file, if that can be read.
    digest: Option<Digest>,
    /// The tables of each instance, as words of a command line.
    tables: Vec<PathBuf>,
    /// The first cube of the only instance, if that is split.
    cubes: Option<PlannedCube>,
}

/// A model with or without a parameter file, or a cube of these.
struct PlannedInstance {
    /// The position of the family.
    family: u32,
    /// The number of the cube; 0 for the whole instance.
    cube: u32,
    parameters: Option<Box<Path>>,
    /// The digest of the parameter file, if that can be read. The first cube stores it for all cubes.
    digest: OnceLock<Option<Digest>>,
}

/// A part of an instance.
#[derive(Clone, Debug)]
pub(super) struct PlannedCube {
    /// The file of the cubes.
    pub file: PathBuf,
    /// The number of the cube in the file, starting from 1.
    pub number: usize,
    /// The number of cubes in the file.
    pub of: usize,
    /// The digest of the file.
    pub digest: Digest,
    /// With an objective, true if it is maximised.
    pub maximises: Option<bool>,
}

/// The file of a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlanSettings {
    /// The time limit of each run in seconds.
    #[serde(default = "minute")]
    time: f64,
    /// The memory limit of each run in megabytes.
    #[serde(default = "default_memory")]
    memory: u64,
    #[serde(default)]
    seeds: Vec<u32>,
    #[serde(default = "once")]
    repeats: usize,
    instances: Vec<ModelFamily>,
    /// The options of `solve`, by the name of the setting.
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ModelFamily {
    /// The name in tables; by default the name of the model.
    name: Option<String>,
    model: String,
    /// A pattern of parameter files, which may contain `*`, or several; and tables, as in `cost=costs.csv`.
    #[serde(default)]
    parameters: OneOrMore,
    /// A file of `conjure-like cubes make`.
    cubes: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    Several(Vec<String>),
}

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        match self {
            OneOrMore::One(pattern) => std::slice::from_ref(pattern),
            OneOrMore::Several(patterns) => patterns,
        }
    }
}

impl Default for OneOrMore {
    fn default() -> Self {
        OneOrMore::Several(Vec::new())
    }
}

fn minute() -> f64 {
    60.0
}

fn default_memory() -> u64 {
    2000
}

fn once() -> usize {
    1
}

/// One run of the program.
#[derive(Clone, Debug)]
pub(super) struct CampaignTask {
    pub number: usize,
    pub family: String,
    pub model: PathBuf,
    pub parameters: Option<PathBuf>,
    /// The tables, as words of a command line.
    pub tables: Vec<PathBuf>,
    /// The names of the model and the parameter file in the folder of the plan.
    pub names: (String, Option<String>),
    /// The name of the setting.
    pub setting: String,
    pub options: Vec<String>,
    pub cube: Option<PlannedCube>,
    pub seed: Option<u32>,
    pub repeat: usize,
    pub time: f64,
    pub memory: u64,
}

impl CampaignTask {
    /// The current inputs of the task, on which its result depends.
    pub(super) fn inputs(&self) -> Inputs {
        Inputs {
            model: Digest::of_file(&self.model),
            parameters: Digest::of_files(self.parameters.iter().chain(&self.tables).map(PathBuf::as_path)),
            cubes: self.cube.as_ref().and_then(|cube| Digest::of_file(&cube.file)),
            options: self.options.clone(),
            time: self.time,
            memory: self.memory,
        }
    }

    /// A unique description of the task in the plan.
    pub(super) fn key(&self) -> String {
        let (model, parameters) = &self.names;
        let parameters = parameters.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let seed = self.seed.map(|seed| format!(" seed {seed}")).unwrap_or_default();
        let cube = self.cube.as_ref().map(|cube| format!(" cube {}", cube.number)).unwrap_or_default();
        let repeat = if self.repeat > 0 { format!(" repeat {}", self.repeat + 1) } else { String::new() };
        format!("{model}{parameters}{cube} [{}]{seed}{repeat}", self.setting)
    }

    /// The description of the run without its setting.
    pub(super) fn name_of_run(&self) -> String {
        self.key().replacen(&format!(" [{}]", self.setting), "", 1)
    }

    /// The description of the cubes' instance with the setting.
    pub(super) fn of_cubes(&self) -> String {
        CampaignTask { cube: None, ..self.clone() }.key()
    }
}

impl CampaignPlan {
    /// Reads a plan and finds its files, relative to the plan.
    pub(super) fn read(path: &Path, text: &Text) -> Result<Self, Diagnostic> {
        let wrong = |what: &str| Diagnostic::error(Code::PLAN, format!("`{}` is not a plan: {what}", text.name));
        let settings: PlanSettings = toml::from_str(&text.text).map_err(|error| {
            // A line number helps the user more than the parser's offset.
            let before = error.span().and_then(|span| text.text.get(..span.start));
            let line = before.map_or(String::new(), |before| format!("line {}: ", before.matches('\n').count() + 1));
            wrong(&format!("{line}{}", error.message().trim_end()))
        })?;
        // This also refuses NaN, for which every comparison is false.
        if !(settings.time > 0.0 && settings.time < 1e9) || settings.repeats == 0 {
            return Err(wrong("`time` must be a number of seconds above 0, and `repeats` a number of at least 1"));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut options: Vec<(String, Vec<String>)> = Vec::new();
        for (name, text) in &settings.settings {
            let words = shell_words::split(text).map_err(|error| wrong(&format!("the setting `{name}`: {error}")))?;
            options.push((name.clone(), words));
        }
        // Without settings, a plan has the default setting.
        if options.is_empty() {
            options.push(("default".to_owned(), Vec::new()));
        }
        let mut families = Vec::new();
        let mut instances = Vec::new();
        for (position, family) in (0..).zip(&settings.instances) {
            let model = folder.join(&family.model);
            // Every task of the family would fail later, so this is reported now.
            if !model.is_file() {
                return Err(wrong(&format!("there is no model `{}`", model.display())));
            }
            let name = family.name.clone().or_else(|| Some(model.file_stem()?.to_string_lossy().into_owned()));
            let name = name.unwrap_or_default();
            let patterns = family.parameters.as_slice();
            // Words such as `cost=costs.csv` are tables and not patterns.
            let table = |pattern: &String| TableArgument::read(Path::new(pattern), folder);
            let tables: Vec<PathBuf> = patterns.iter().filter_map(table).map(|table| table.word()).collect();
            let patterns: Vec<&String> = patterns.iter().filter(|pattern| table(pattern).is_none()).collect();
            let first = instances.len();
            let instance =
                |cube, parameters| PlannedInstance { family: position, cube, parameters, digest: OnceLock::new() };
            // Without parameter files, a model is one instance.
            if patterns.is_empty() {
                instances.push(instance(0, None));
            }
            for pattern in patterns {
                let pattern = folder.join(pattern).display().to_string();
                let paths = glob::glob(&pattern).map_err(|error| wrong(&format!("`{pattern}`: {error}")))?;
                let mut files: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
                // The order of the file system varies, but the numbers of tasks must not.
                files.sort();
                // `glob` does not find `data.json#2`, which is an instance in a file.
                if files.is_empty() && invocation::instance_in(Path::new(&pattern)).is_some() {
                    files.push(pattern.clone().into());
                }
                if files.is_empty() {
                    return Err(wrong(&format!("there is no parameter file `{pattern}`")));
                }
                let files = files.iter().flat_map(|file| invocation::instances_of_file(file));
                instances.extend(files.map(|file| instance(0, Some(file.into_boxed_path()))));
            }
            let cubes = match (&family.cubes, &instances[first..]) {
                (None, _) => None,
                (Some(file), [whole]) => {
                    let data: Vec<&Path> =
                        whole.parameters.as_deref().into_iter().chain(tables.iter().map(PathBuf::as_path)).collect();
                    Some(first_cube(&folder.join(file), &model, &data, &options)?)
                }
                (Some(_), _) => return Err(wrong(&format!("`{name}` has cubes, but several parameter files"))),
            };
            if let Some(cubes) = &cubes {
                // The cubes of an instance replace the instance.
                let whole = instances.pop().and_then(|whole| whole.parameters);
                instances.extend((1..=cubes.of as u32).map(|cube| instance(cube, whole.clone())));
            }
            families.push(FoundFamily { name, digest: Digest::of_file(&model), model, tables, cubes });
        }
        Ok(CampaignPlan { folder: folder.to_owned(), settings, families, instances, options })
    }

    /// The number of tasks.
    pub(super) fn len(&self) -> usize {
        self.instances.len() * self.options.len() * self.settings.seeds.len().max(1) * self.settings.repeats
    }

    /// The task with this number, below [`CampaignPlan::len`]. The runs of one instance are consecutive.
    pub(super) fn task(&self, number: usize) -> CampaignTask {
        // The task is a number in mixed radix: the repeat is the lowest digit, followed by the seed, the setting and
        // the instance.
        let mut rest = number;
        let mut digit = |base: usize| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let repeat = digit(self.settings.repeats);
        let seed = digit(self.settings.seeds.len().max(1));
        let (setting, options) = &self.options[digit(self.options.len())];
        let instance = &self.instances[rest];
        let family = &self.families[instance.family as usize];
        let name = |path: &Path| path.strip_prefix(&self.folder).unwrap_or(path).display().to_string();
        CampaignTask {
            number,
            family: family.name.clone(),
            model: family.model.clone(),
            parameters: instance.parameters.as_deref().map(Path::to_owned),
            tables: family.tables.clone(),
            names: (name(&family.model), instance.parameters.as_deref().map(name)),
            setting: setting.clone(),
            options: options.clone(),
            cube: family.cubes.as_ref().map(|first| PlannedCube { number: instance.cube as usize, ..first.clone() }),
            seed: self.settings.seeds.get(seed).copied(),
            repeat,
            time: self.settings.time,
            memory: self.settings.memory,
        }
    }

    /// The inputs of a task. Each file is read only once.
    pub(super) fn inputs(&self, number: usize) -> Inputs {
        let task = self.task(number);
        let at = self.first_of_cubes(number) / (self.len() / self.instances.len());
        let instance = &self.instances[at];
        let tables = self.families[instance.family as usize].tables.iter().map(PathBuf::as_path);
        // A million tasks may share a few files, so each digest is computed only once.
        let parameters =
            instance.digest.get_or_init(|| Digest::of_files(instance.parameters.as_deref().into_iter().chain(tables)));
        Inputs {
            model: self.families[instance.family as usize].digest,
            parameters: *parameters,
            cubes: task.cube.map(|cube| cube.digest),
            options: task.options,
            time: task.time,
            memory: task.memory,
        }
    }

    /// The number of the task for the first cube of the same instance, with the same setting, seed and repeat; without
    /// cubes, the task itself.
    pub(super) fn first_of_cubes(&self, number: usize) -> usize {
        let tasks = self.len() / self.instances.len();
        let cube = self.instances[number / tasks].cube.saturating_sub(1);
        number - cube as usize * tasks
    }

    /// The number of tasks of an instance with one setting.
    fn seeds_and_repeats(&self) -> usize {
        self.settings.seeds.len().max(1) * self.settings.repeats
    }

    /// The position of a task's instance; all cubes of an instance share it.
    pub(super) fn instance(&self, number: usize) -> usize {
        self.first_of_cubes(number) / (self.seeds_and_repeats() * self.options.len())
    }

    /// The family of a task, and the name of its setting.
    pub(super) fn family_and_setting(&self, number: usize) -> (&str, &str) {
        let setting = number / self.seeds_and_repeats();
        let instance = &self.instances[setting / self.options.len()];
        (&self.families[instance.family as usize].name, &self.options[setting % self.options.len()].0)
    }

    /// The tasks that differ only in their settings, in the order of the settings; `run` is below [`CampaignPlan::len`]
    /// divided by the number of settings.
    pub(super) fn same_run(&self, run: usize) -> impl Iterator<Item = usize> + Clone {
        let (tasks, settings) = (self.seeds_and_repeats(), self.options.len());
        // A task has the number (instance * settings + setting) * tasks + rest, and its run has the number instance *
        // tasks + rest.
        (0..settings).map(move |setting| (run / tasks * settings + setting) * tasks + run % tasks)
    }

    /// The time limit of a run in seconds.
    pub(super) fn time(&self) -> f64 {
        self.settings.time
    }

    /// The names of the settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(|(name, _)| name.as_str())
    }
}

/// The first cube of a file, which must belong to this model with these data in every setting.
fn first_cube(
    file: &Path,
    model: &Path,
    data: &[&Path],
    settings: &[(String, Vec<String>)],
) -> Result<PlannedCube, Diagnostic> {
    let cubes = CubesFile::read(file)?;
    let model = invocation::read(model)?;
    let texts = data.iter().map(|path| invocation::read(path)).collect::<Result<Vec<Text>, Diagnostic>>()?;
    // A setting may change the data by -D.
    for (_, options) in settings {
        let data: Vec<Text> = texts.iter().cloned().chain(defined(&definitions(options))).collect();
        cubes.must_be_of(&model, &data)?;
    }
    let maximises = Model::read(&model).ok().and_then(|model| model.maximises());
    Ok(PlannedCube { file: file.to_owned(), number: 1, of: cubes.len(), digest: cubes.digest(), maximises })
}

/// The statements of `-D` among options of `solve`.
fn definitions(options: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.strip_prefix("-D") {
            // `-D 'letting n be 4'` and `-D'letting n be 4'` have the same meaning.
            Some("") => found.extend(options.next().cloned()),
            Some(statements) => found.push(statements.strip_prefix('=').unwrap_or(statements).to_owned()),
            None => {}
        }
    }
    found
}
