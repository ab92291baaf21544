//! Campaigns whose inputs change between two runs, and foreign files in the folder of the results.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};
use tempfile::TempDir;

/// A folder with a plan.
struct Site(TempDir);

impl Site {
    /// A campaign for all solutions of six queens, without cubes.
    fn new() -> Self {
        let site = Site(TempDir::new().expect("a folder"));
        fs::copy("models/n-queens.essence", site.at("m.essence")).expect("a model");
        site.write("d.param", "letting n be 6\n");
        site.write("plan.toml", &plan("", "--solver=cadical -n all"));
        site
    }

    /// A campaign for all solutions of eight queens, with cubes.
    fn with_cubes(number: &str) -> Self {
        let site = Site::new();
        site.write("plan.toml", &plan("cubes = \"d.cubes\"", "--solver=cadical -n all"));
        site.write("d.param", "letting n be 8\n");
        site.make(number);
        site
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).expect("a text")
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
        command.current_dir(&self.0).args(words).output().expect("the program")
    }

    fn make(&self, number: &str) {
        let made = self.run(&["cubes", "make", "m.essence", "d.param", "--all", "-n", number]);
        assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
    }

    /// The standard output and the standard error of `campaign run`.
    fn campaign(&self) -> (String, String) {
        let output = self.run(&["campaign", "run", "plan.toml", "--workers=2"]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        (String::from_utf8_lossy(&output.stdout).into_owned(), errors(&output))
    }

    fn lines(&self) -> usize {
        self.read("plan.results/runs.jsonl").lines().count()
    }
}

fn plan(more: &str, options: &str) -> String {
    format!(
        "[[instances]]\nmodel = \"m.essence\"\nparameters = \"d.param\"\n{more}\n[settings]\n\"=all\" = \"{options}\"\n"
    )
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn results_of_other_cubes_do_not_count() {
    let site = Site::with_cubes("4");
    assert!(site.campaign().0.contains("there are 92 solutions"));
    let before = site.lines();
    site.make("20");
    let status = site.run(&["campaign", "status", "plan.toml"]);
    assert!(
        String::from_utf8_lossy(&status.stdout)
            .contains(&format!("{before} results are out of date: `d.cubes` has changed."))
    );
    let (says, errors) = site.campaign();
    assert!(says.contains("there are 92 solutions"), "{says}");
    assert!(errors.contains("`d.cubes` has changed. These tasks run again."), "{errors}");
    // Outdated results stay for the record.
    assert!(site.lines() > 2 * before);
    assert_eq!(site.campaign().1, "");
    // The same cubes again: results are identified by the inputs, not by the time of the run.
    site.make("4");
    assert_eq!(site.campaign().1, "", "the first results count again");
}

#[test]
fn cubes_that_do_not_belong_to_the_instance_are_refused() {
    let site = Site::with_cubes("20");
    site.campaign();
    let refused = |why: &str| {
        for words in [
            &["campaign", "run", "plan.toml"][..],
            &["campaign", "status", "plan.toml"],
            &["campaign", "results", "plan.toml"],
            &["campaign", "task", "plan.toml", "1"],
            &["solve", "m.essence", "d.param", "--cubes", "d.cubes", "--cube", "1", "-n", "all"],
            &["cubes", "check", "d.cubes", "m.essence", "d.param"],
        ] {
            let output = site.run(words);
            assert!(output.status.code() == Some(2) && errors(&output).contains(why), "{words:?}: {}", errors(&output));
        }
    };
    let cubes = site.read("d.cubes");
    let count = cubes.lines().count() - 1;
    // Line 0 is the heading of the file, the others are cubes.
    let without = |line: usize| -> String {
        let lines = cubes.split_inclusive('\n').enumerate();
        lines.filter(|(number, _)| *number != line).map(|(_, text)| text).collect()
    };
    // Remove the first, a middle and the last cube.
    for line in [1, 4, count] {
        site.write("d.cubes", &without(line));
        refused(&format!("has {} cubes, but `conjure-like cubes make` wrote {count}", count - 1));
    }
    site.write("d.cubes", &without(0));
    refused("is not a file of cubes");
    site.write("d.cubes", &cubes.replacen("[\"1\"]", "[\"2\"]", 1));
    refused("has changed since");
    site.write("d.cubes", &cubes);
    site.write("d.param", "letting n be 7\n");
    refused("belong to other data than `d.param`");
    site.write("d.param", "letting n be 8\n");
    site.write("m.essence", &(site.read("m.essence") + "such that true\n"));
    refused("belong to another model than `m.essence`");
    site.make("20");
    let (says, errors) = site.campaign();
    assert!(says.contains("there are 92 solutions") && errors.contains("`m.essence` has changed"), "{says}{errors}");
}

#[test]
fn cubes_of_data_on_the_command_line_belong_to_them() {
    let site = Site::new();
    let define = ["-D", "letting n be 6"];
    let made = site.run(&[&["cubes", "make", "m.essence", "--all", "-n", "5", "-o", "d.cubes"][..], &define].concat());
    assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
    let plan = |n: u32| {
        format!(
            "[[instances]]\nmodel = \"m.essence\"\ncubes = \"d.cubes\"\n[settings]\nall = \"-n all -D 'letting n be {n}'\"\n"
        )
    };
    site.write("plan.toml", &plan(6));
    assert!(site.campaign().0.contains("there are 4 solutions"));
    site.write("plan.toml", &plan(8));
    let refused = site.run(&["campaign", "run", "plan.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("belong to other data than `-D 'letting n be 8'`"), "{}", errors(&refused));
}

/// The value of an objective with a unit is a decimal number in the results and for later cubes.
#[test]
fn cubes_tell_each_other_prices() {
    let site = Site::new();
    let model = "find price : int(0..9999) $ unit price: 0.01\nfind x, y : int(0..60)\n\
                 such that price = 7 * x + 11 * y, x + y >= 40, x - y <= 9\nminimising price\n";
    site.write("m.essence", model);
    let made = site.run(&["cubes", "make", "m.essence", "-n", "6", "-o", "d.cubes"]);
    assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
    site.write(
        "plan.toml",
        "[[instances]]\nmodel = \"m.essence\"\ncubes = \"d.cubes\"\n[settings]\none = \"--solver=cadical\"\n",
    );
    let (says, errors) = site.campaign();
    assert!(says.contains("the optimum is 3.44"), "{says}{errors}");
    assert!(site.read("plan.results/runs.jsonl").contains("\"objective\":3.44"));
    assert!(!site.read("plan.results/runs.jsonl").contains("\"status\":\"error\""));
}

#[test]
fn results_of_other_inputs_do_not_count() {
    let site = Site::new();
    let solutions = || {
        let results = site.run(&["campaign", "results", "plan.toml", "--output-format=json"]);
        let text = String::from_utf8_lossy(&results.stdout).into_owned();
        let result: serde_json::Value = serde_json::from_str(&text).expect("one result");
        result["solutions"].as_u64()
    };
    let changed = |why: &str| {
        let (_, errors) = site.campaign();
        assert_eq!(errors, format!("1 result is out of date: {why}. These tasks run again.\n"));
        assert_eq!(site.campaign().1, "", "{why}: the new result counts");
    };
    site.campaign();
    assert_eq!(solutions(), Some(4));
    let model = site.read("m.essence");
    site.write("m.essence", &(model.clone() + "such that false\n"));
    changed("`m.essence` has changed");
    assert_eq!(solutions(), Some(0));
    site.write("m.essence", &model);
    assert_eq!((site.campaign().1.as_str(), solutions()), ("", Some(4)), "the model of the first result is back");
    site.write("d.param", "letting n be 7\n");
    changed("`d.param` has changed");
    assert_eq!(solutions(), Some(40));
    site.write("plan.toml", &plan("", "--solver=cadical -n 3"));
    changed("the setting `=all` has other options");
    assert_eq!(solutions(), Some(3));
    // A result counts if it is an answer within the new limits; a result without an answer counts only for its own
    // limits.
    site.write("plan.toml", &format!("time = 30\n{}", plan("", "--solver=cadical -n 3")));
    assert_eq!(site.campaign().1, "");
    site.write("plan.toml", &format!("time = 0.001\n{}", plan("", "--solver=cadical -n 3")));
    changed("the plan has other limits");
    site.write("plan.toml", &format!("time = 20\n{}", plan("", "--solver=cadical -n 3")));
    assert_eq!((site.campaign().1.as_str(), solutions()), ("", Some(3)), "the answer that was found within 20 seconds");
    site.write("plan.toml", &plan("", "--solver=cadical -n 3").replace("=all", "three"));
    changed("the plan has other tasks with these numbers");
}

#[test]
fn a_task_whose_model_changes_meanwhile_has_no_result() {
    let site = Site::new();
    fs::copy("models/golomb-ruler.essence", site.at("m.essence")).expect("a model");
    site.write("d.param", "letting n be 13\n");
    site.write("plan.toml", &format!("time = 3\n{}", plan("", "")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    let child =
        command.current_dir(&site.0).args(["campaign", "run", "plan.toml"]).stderr(std::process::Stdio::piped());
    let child = child.spawn().expect("the program");
    // Wait for the file of results: it shows that the task runs, and the task takes all of its time.
    while !site.at("plan.results/runs.jsonl").is_file() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // The task has read its model by then.
    std::thread::sleep(std::time::Duration::from_millis(800));
    site.write("m.essence", &(site.read("m.essence") + "\n"));
    let output = child.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(errors(&output).contains("`m.essence` has changed while task 1 ran"), "{}", errors(&output));
    assert_eq!(site.read("plan.results/runs.jsonl").trim(), "");
}

#[test]
fn each_instance_of_a_list_is_a_task_whose_result_depends_on_it_alone() {
    let site = Site::new();
    site.write("d.json", r#"[{"n": 4}, {"n": 5}, {"n": 6}]"#);
    site.write("plan.toml", &plan("", "-n all").replace("d.param", "d.json"));
    site.campaign();
    let results = site.read("plan.results/runs.jsonl");
    for (number, solutions) in [(1, 2), (2, 10), (3, 4)] {
        let line = results.lines().find(|line| line.contains(&format!("d.json#{number}"))).expect("a result");
        assert!(line.contains(&format!(r#""solutions":{solutions},"#)), "{line}");
    }
    // Change another instance.
    site.write("d.json", r#"[{"n": 4}, {"n": 7}, {"n": 6}]"#);
    let (_, says) = site.campaign();
    assert!(says.contains("1 result is out of date: `d.json#2` has changed."), "{says}");
    assert_eq!(site.lines(), 4);
    // Run one instance alone.
    site.write("plan.toml", &plan("", "-n all").replace("d.param", "d.json#3"));
    site.campaign();
    let status = site.run(&["campaign", "status", "plan.toml"]);
    assert!(String::from_utf8_lossy(&status.stdout).contains("1 of 1"), "{status:?}");
}

#[test]
fn a_setting_is_no_formula_in_a_table() {
    let site = Site::new();
    site.campaign();
    let table = site.run(&["campaign", "results", "plan.toml"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.contains(",'=all,"), "{table}");
}

#[cfg(unix)]
#[test]
fn what_the_program_has_not_written_stays() {
    use std::os::unix::fs::symlink;
    let site = Site::new();
    let theirs = "{\"a\": 1}\nno line break";
    let refused = |words: &[&str], name: &str| {
        // Links are refused, because writing through one would destroy a file outside the folder.
        for is_link in [true, false] {
            let path = site.at("plan.results").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            site.write("theirs", theirs);
            match is_link {
                true => symlink(site.at("theirs"), &path).expect("a link"),
                false => fs::write(&path, theirs).expect("a file"),
            }
            let output = site.run(words);
            assert_eq!(output.status.code(), Some(2), "{words:?} {}", errors(&output));
            let why = if is_link { "it is a link" } else { "conjure-like has not written" };
            assert!(errors(&output).contains(why), "{words:?}: {}", errors(&output));
            assert_eq!(site.read("theirs"), theirs);
            assert_eq!(fs::read_to_string(&path).expect("a text"), theirs);
            fs::remove_file(&path).expect("the end of the file");
        }
    };
    refused(&["campaign", "run", "plan.toml"], "runs.jsonl");
    refused(&["campaign", "task", "plan.toml", "1"], "task-1.json");
    refused(&["campaign", "submit", "plan.toml", "--on", "slurm", "--dry-run"], "job.sh.1");
    refused(&["campaign", "report", "plan.toml"], "report.html");
    // The results must not be read from a link either: this one never ends.
    symlink("/dev/zero", site.at("plan.results/runs.jsonl")).expect("a link");
    let status = site.run(&["campaign", "status", "plan.toml", "--limit-time=10"]);
    assert_eq!((status.status.code(), &*status.stdout), (Some(0), &b"0 of 1 tasks have a result.\n"[..]));
    fs::remove_file(site.at("plan.results/runs.jsonl")).expect("the end of the link");
    // Other files in the folder are ignored.
    site.write("plan.results/task-list.json", "mine");
    fs::create_dir(site.at("plan.results/task-2.json")).expect("a folder");
    assert!(site.campaign().0.starts_with("1 of 1 tasks"));
    assert!(site.run(&["campaign", "status", "plan.toml"]).status.success());
}

/// The rest of a first line that a killed run has left is removed. Its first bytes identify the file as one of the
/// program's.
#[test]
fn a_part_of_the_first_line_is_removed() {
    let site = Site::new();
    site.campaign();
    let path = site.at("plan.results/runs.jsonl");
    let text = fs::read_to_string(&path).expect("results");
    // Cut off the line break, a part of the record, and all but the first bytes.
    for length in [text.len() - 1, 20, 4, 3] {
        fs::write(&path, &text[..length]).expect("results");
        assert!(site.campaign().0.starts_with("1 of 1 tasks"), "{length}");
        assert_eq!(site.lines(), 1, "{length}");
    }
}
