//! Guarantees for other programs: the library runs on any thread, on several at a time, and a search can be stopped.

#[path = "common/suite.rs"]
mod suite;

use conjure_like::{
    BoardCell, BoardEvent, BoardOptions, Count, EngineOptions, ExploreOptions, ExplorePage, Extent, GeneratorOptions,
    Instance, JsonShape, Limits, Model, PartCost, Possibility, Profile, Report, SatAnswer, SearchOptions, SearchPage,
    ShownValue, SolveOptions, SolveStatus, SolverName, SymmetryDetection, Text, Values, format, solve,
};
use serde_json::json;
use std::{
    collections::BTreeSet,
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    ops::ControlFlow,
    path::Path,
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// All values that cross the API can be sent to other threads and shared between them.
const _: () = {
    const fn crosses_threads<T: Send + Sync>() {}
    macro_rules! cross_threads {
        ($($shared:ty),* $(,)?) => { $(crosses_threads::<$shared>();)* };
    }
    use conjure_like::*;
    cross_threads![
        Answer,
        CheckedProof,
        Code,
        CodeLens,
        CompareOptions,
        Comparison,
        Compiled,
        Completion,
        Cube,
        Cubes,
        DeclaredName,
        Diagnostic,
        Difference,
        Document,
        EngineOptions,
        EntryOutcome,
        Estimate,
        EvaluatedExpression,
        ExamineOptions,
        Exploration,
        ExploreOptions,
        Findings,
        GeneratorOptions,
        GradedInstance,
        Hover,
        Instance,
        Limits,
        Model,
        Outline,
        OutlineItem,
        Picture,
        Pictures,
        Profile,
        ProofFault,
        Report,
        Rewriting,
        SearchOptions,
        SearchReport,
        Sheet,
        SignatureHelp,
        Solution,
        SolveOptions,
        Source,
        Sources,
        Statistics,
        Strategy,
        Submission,
        Summary,
        Text,
        Value,
        Values,
        WordExplanation,
        Workbench,
    ];
};

/// The default stack of a thread in Rust. Many other hosts have larger ones.
const SMALL_STACK: usize = 2 << 20;

/// Runs on a small stack. Values that are created there are dropped there, too, since dropping may recurse.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(SMALL_STACK).spawn(run).expect("a thread").join().expect("no panic");
}

fn instance(text: &str) -> Result<Instance, Report> {
    Model::read(&Text::new("model.essence", text))?.instance(&[])
}

fn solutions(text: &str, solver: SolverName, solutions: Count) -> Vec<String> {
    let mut found = Vec::new();
    let options = SolveOptions::default().solver(solver).solutions(solutions);
    let solved = instance(text).and_then(|instance| {
        instance.solve(&options, &mut |solution| {
            found.push(solution.to_json());
            ControlFlow::Continue(())
        })
    });
    solved.unwrap_or_else(|report| panic!("{report}"));
    found
}

fn repeated(part: &str, between: &str, count: usize) -> String {
    vec![part; count].join(between)
}

#[test]
fn long_and_nested_models_need_no_large_stack() {
    on_small_stack(|| {
        let long = |operator: &str, end: &str| {
            format!("find x : int(0..1)\nsuch that {}{end}", repeated("x", operator, 5_000))
        };
        let nested = |count: usize| {
            format!("find x : int(0..1)\nsuch that {}x = 1{}", repeated("(", "", count), repeated(")", "", count))
        };
        let negated = format!("find b : bool\nsuch that {}b", repeated("!", "", 900));
        let sums = [long(" + ", " = 5000"), long(" * ", " = 1"), nested(900)];
        for solver in [SolverName::Z3, SolverName::Cadical, SolverName::Brute] {
            for model in &sums {
                assert_eq!(solutions(model, solver, Count::All), [r#"{"x": 1}"#], "{}", &model[..60]);
                let options = SolveOptions::default().solver(solver);
                let status = solve(&Text::new("model", model), &[], &options, &mut |_| ControlFlow::Continue(()));
                assert_eq!(status.ok(), Some(SolveStatus::Satisfied));
            }
            assert_eq!(solutions(&negated, solver, Count::All), [r#"{"b": true}"#]);
        }
        for model in sums.iter().chain([&negated]) {
            let text = Text::new("model.essence", model.as_str());
            let formatted = format(&text, 80).expect("a legal model");
            assert_eq!(format(&Text::new("again", formatted.as_str()), 80).expect("a legal model"), formatted);
            let solution = if model.contains("bool") { "letting b be true" } else { "letting x be 1" };
            Model::read(&text)
                .and_then(|model| model.validate(&[], &Text::new("1.solution", solution)))
                .expect("right");
        }
        // Deeper than the parser permits: this must be an error, not a stack overflow.
        let deep = format!("find x : {}int(0..1)", repeated("set of ", "", 5_000));
        assert!(Model::read(&Text::new("deep.essence", deep)).is_err());
    });
}

#[test]
fn searches_in_several_threads_do_not_disturb_each_other() {
    let queens = |n: usize| {
        format!(
            "find q : matrix indexed by [int(1..{n})] of int(1..{n})\nsuch that allDiff(q),\n\
             forAll i, j : int(1..{n}) . i < j -> |q[i] - q[j]| != j - i"
        )
    };
    let counts = [(4, 2), (5, 10), (6, 4), (7, 40)];
    // All searches start at the same time.
    let together = Barrier::new(counts.len() * 2);
    thread::scope(|scope| {
        for solver in [SolverName::Z3, SolverName::Cadical] {
            for (n, count) in counts {
                let (together, model) = (&together, queens(n));
                scope.spawn(move || {
                    together.wait();
                    for _ in 0..3 {
                        assert_eq!(solutions(&model, solver, Count::All).len(), count, "{n} queens, {}", solver.name());
                    }
                });
            }
        }
    });
}

/// A model whose solutions cannot all be enumerated in reasonable time.
const ENDLESS: &str = "find x : matrix indexed by [int(1..40)] of int(1..9)\nsuch that x[1] < x[2]";

#[test]
fn another_thread_ends_a_search() {
    for solver in SolverName::all().filter(|solver| solver.is_installed()) {
        let options = SolveOptions::default().solver(solver).solutions(Count::All);
        let interrupted = options.search.limits.interrupted.clone();
        let found = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                while found.load(Ordering::SeqCst) < 3 {
                    thread::sleep(Duration::from_millis(1));
                }
                interrupted.store(true, Ordering::SeqCst);
            });
            let solved = instance(if solver == SolverName::Brute { BRUTE } else { ENDLESS }).and_then(|instance| {
                instance.solve(&options, &mut |_| {
                    found.fetch_add(1, Ordering::SeqCst);
                    ControlFlow::Continue(())
                })
            });
            let summary = solved.unwrap_or_else(|report| panic!("{}: {report}", solver.name()));
            assert_eq!(summary.status, SolveStatus::Interrupted, "{}", solver.name());
            assert_eq!(summary.solutions, found.load(Ordering::SeqCst));
        });
    }
}

/// The largest number of assignments that the solver `brute` accepts; trying them all takes about an hour.
const BRUTE: &str = "find x : matrix indexed by [int(1..9)] of int(1..9)\nsuch that x[1] < x[2]";

#[test]
fn the_receiver_ends_a_search() {
    let instance = instance(ENDLESS).expect("a legal model");
    let options = SolveOptions::default().solutions(Count::All);
    let mut count = 0;
    let summary = instance.solve(&options, &mut |_| {
        count += 1;
        if count == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let summary = summary.expect("a summary");
    assert_eq!((summary.status, summary.solutions), (SolveStatus::Satisfied, 5));
}

/// The options select a part of the solution space, also in the function that does everything in one call.
#[test]
fn a_search_keeps_to_the_part_that_is_wanted() {
    let text = Text::new("part.essence", "find x : int(1..6)\nmaximising x");
    let instance = Model::read(&text).expect("a model").instance(&[]).expect("an instance");
    let all = SolveOptions::default().solutions(Count::All);
    let better = all.clone().better_than(Some(4));
    let none = all.clone().better_than(Some(6));
    for (options, status, last) in
        [(&better, SolveStatus::Optimal, Some("letting x be 6")), (&none, SolveStatus::Unsatisfiable, None)]
    {
        let mut lines = Vec::new();
        let found = solve(&text, &[], options, &mut |solution| {
            lines.extend(solution.lines().find(|line| line.starts_with("letting")).map(str::to_owned));
            ControlFlow::Continue(())
        });
        assert_eq!(found.expect("a search"), status);
        assert_eq!(lines.last().map(String::as_str), last);
        assert_eq!(instance.solve(options, &mut |_| ControlFlow::Continue(())).expect("a search").status, status);
        let profile = instance.profile(options).expect("a profile");
        assert_eq!(profile.status == SolveStatus::Unsatisfiable, last.is_none());
    }
    let text = Text::new("cubes.essence", "find s : set of int(1..4)");
    let instance = Model::read(&text).expect("a model").instance(&[]).expect("an instance");
    let cubes = instance.cubes(4, &all).expect("cubes").expect("no limit").cubes;
    assert!(cubes.len() > 1);
    let mut found = BTreeSet::new();
    for cube in cubes {
        let (options, before) = (all.clone().cube(Some(cube)), found.len());
        let status = solve(&text, &[], &options, &mut |solution| {
            assert!(found.insert(solution.to_owned()), "{solution} is in two cubes");
            ControlFlow::Continue(())
        });
        assert_eq!(status.expect("a search"), SolveStatus::AllSolutions);
        let in_cube = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a search").solutions;
        assert_eq!(found.len() - before, in_cube);
        let brute = solve(&text, &[], &options.solver(SolverName::Brute), &mut |_| ControlFlow::Continue(()));
        assert!(brute.is_err(), "trying all values knows no cubes");
    }
    assert_eq!(found.len(), 16);
}

#[test]
fn symmetries_are_broken_only_where_one_solution_is_wanted() {
    let solved = |text: &str, solutions: Count, symmetry: SymmetryDetection| {
        let options = SolveOptions::default().solver(SolverName::BatSat).solutions(solutions).symmetry(symmetry);
        let instance = instance(text).expect("a legal model");
        let summary = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a summary");
        let sizes = summary.statistics.expect("statistics").sizes;
        let broken = sizes.iter().find(|(name, _)| *name == "broken symmetries").map(|(_, number)| *number);
        (broken, summary.solutions)
    };
    let colours =
        "find c : function (total) int(1..4) --> int(1..3)\nsuch that forAll i : int(1..3) . c(i) != c(i + 1)";
    assert_eq!(solved(colours, Count::First(1), SymmetryDetection::On), (Some(2), 1));
    // With `Auto`, symmetries are not detected, because one engine answers at once.
    assert_eq!(solved(colours, Count::First(1), SymmetryDetection::Auto), (None, 1));
    assert_eq!(solved(colours, Count::First(1), SymmetryDetection::Off), (None, 1));
    assert_eq!(solved(colours, Count::First(2), SymmetryDetection::On), (None, 2));
    assert_eq!(solved(colours, Count::All, SymmetryDetection::On), (None, 24));
    let fewest = format!("{colours}\nminimising sum([toInt(c(i) = c(j)) | i, j : int(1..4), i < j])");
    assert_eq!(solved(&fewest, Count::First(1), SymmetryDetection::On).0, Some(2));
    // All best solutions are requested, so symmetric ones must be kept.
    let all = solved(&fewest, Count::All, SymmetryDetection::Off);
    assert!(all.1 > 2);
    assert_eq!(solved(&fewest, Count::All, SymmetryDetection::On), all);
}

#[test]
fn a_limit_ends_the_construction_of_a_problem() {
    let large = "find m : matrix indexed by [int(1..200), int(1..200)] of int(1..300)
        such that forAll i, j, k : int(1..200) . m[i, j] * m[k, i] % (m[j, k] + i) != m[j, i]";
    let instance = instance(large).expect("a legal model");
    let solved = |search: EngineOptions| {
        let options = SolveOptions::default().search(search);
        let compiled = instance.compile(&options).expect("no mistake");
        // The lowering was stopped, so there is no problem.
        assert_eq!(compiled.problem(), "");
        compiled.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a summary").status
    };
    let late = EngineOptions::default().limits(Instant::now());
    assert_eq!(solved(late), SolveStatus::TimeLimit);
    let search = EngineOptions::default();
    let interrupted = search.limits.interrupted.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Interrupt the lowering, which takes longer.
            thread::sleep(Duration::from_millis(20));
            interrupted.store(true, Ordering::SeqCst);
        });
        assert_eq!(solved(search), SolveStatus::Interrupted);
    });
}

#[test]
fn each_end_of_a_search_has_its_status() {
    let status = |text: &str, count: Count| {
        let options = SolveOptions::default().solutions(count);
        let instance = instance(text).expect("a legal model");
        instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a summary").status
    };
    let model = "find x : int(1..3)\nsuch that x != 2";
    assert_eq!(status(model, Count::First(1)), SolveStatus::Satisfied);
    assert_eq!(status(model, Count::First(2)), SolveStatus::Satisfied);
    assert_eq!(status(model, Count::First(3)), SolveStatus::AllSolutions);
    assert_eq!(status(model, Count::All), SolveStatus::AllSolutions);
    assert_eq!(status("find x : int(1..3)\nsuch that x > 3", Count::All), SolveStatus::Unsatisfiable);
    assert_eq!(status("find x : int(1..3)\nmaximising x", Count::First(1)), SolveStatus::Optimal);
}

#[test]
fn what_is_wrong_comes_back_as_a_report() {
    let wrong = Model::read(&Text::new("m.essence", "find x : int(1..3)\nsuch that x = y, z < 1")).unwrap_err();
    assert_eq!(wrong.diagnostics.len(), 2);
    assert_eq!(wrong.to_lines().lines().count(), 2);
    assert_eq!(wrong.to_json_lines().lines().count(), 2);
    assert!(wrong.to_terminal(false).contains("m.essence:2:15"));

    let model = Model::read(&Text::new("m.essence", "given n : int(1..9)\nfind x : int(1..n)")).expect("a legal model");
    let missing = model.instance(&[]).unwrap_err();
    assert!(missing.to_string().contains("the parameter `n` has no value"), "{missing}");
    let outside = model.instance(&[Text::new("n.param", "letting n be 10")]).unwrap_err();
    assert!(outside.to_lines().starts_with("n.param:1:14: "), "{outside}");
    let invalid = model.validate(&[Text::new("n.json", r#"{"n": 3}"#)], &Text::new("s", "letting x be 4")).unwrap_err();
    assert!(invalid.has_errors());

    let instance = model.instance(&[Text::new("n.json", r#"{"n": 3}"#)]).expect("an instance");
    let options = SolveOptions::default().representations(vec!["y=explicit".to_owned()]);
    assert!(instance.compile(&options).is_err());
    assert!(instance.representations(&options).is_err());
}

/// Members that the data list are written into the model; directives for the app must still refer to their type.
#[test]
fn comments_for_the_app_stay_right_where_members_are_written_into_a_model() {
    let model =
        "$ app: group place as The ground\n$ app: in de label place as Ort\ngiven place new type enum\nfind at : place";
    let model = Model::read(&Text::new("model", model)).expect("a model");
    let data = Text::new("data", "letting place be new type enum {gate, track}");
    let (model, data) = model.with_members(&[data], &[]).unwrap_or_else(|report| panic!("{report}"));
    assert!(model.requiring(&["at = gate".to_owned()]).and_then(|model| model.instance(&data)).is_ok());
    let unknown = Model::read(&Text::new("model", "$ app: order plase\ngiven place new type enum\nfind at : place"));
    assert!(unknown.is_err_and(|report| report.to_string().contains("did you mean `place`?")));
}

#[test]
fn data_that_mention_unnamed_types_are_read_or_refused() {
    let model = "letting row be new type of size 2\nletting column be new type enum {a, b, c}\n\
                 given d : matrix indexed by [row, column(a..b)] of int(1..2)\n\
                 find x : int(0..9)\nsuch that x = sum(flatten(d))";
    let model = Model::read(&Text::new("model", model)).expect("a model");
    let read = |members: &str| {
        let text = format!("{members}letting d be [[1, 2; column(a..b)], [1, 1; column(a..b)]; row]");
        model.instance(&[Text::new("data", text)])
    };
    for members in ["", "letting row be new type enum {first, second}\n"] {
        let mut found = None;
        let instance = read(members).unwrap_or_else(|report| panic!("{report}"));
        let solved = instance.solve(&SolveOptions::default(), &mut |solution| {
            found = solution.value("x").and_then(|value| value.as_int());
            ControlFlow::Continue(())
        });
        assert!(solved.is_ok());
        assert_eq!(found, Some(5));
    }
    for members in ["{first}", "{first, second, third}"] {
        let report =
            read(&format!("letting row be new type enum {members}\n")).expect_err("another number").to_string();
        assert!(report.contains("the type `row` has 2 members"), "{report}");
    }
}

#[test]
fn the_laboratory_shows_its_steps() {
    let instance = instance("find x, y : int(1..2)\nsuch that x != y").expect("a legal model");
    let options = SearchOptions::default().transcript(true).page(Some(SearchPage::default().title("two".to_owned())));
    let report = instance.search(&options).expect("a report");
    let [run] = report.runs.as_slice() else { panic!("one strategy") };
    assert!(run.transcript.contains("x = 1"), "{}", run.transcript);
    assert!(report.page.expect("a page").contains("two"));
}

#[path = "../examples/all_solutions.rs"]
mod all_solutions;
#[path = "../examples/best_so_far.rs"]
mod best_so_far;
#[path = "../examples/pictures.rs"]
mod pictures;
#[path = "../examples/server.rs"]
mod server;
#[path = "../examples/why.rs"]
mod why;

#[test]
fn the_examples_run() {
    let board = "· ♛ · ·\n· · · ♛\n♛ · · ·\n· · ♛ ·\n";
    let drawn = pictures::drawn("letting n be 4").expect("pictures");
    assert!(drawn.contains(board), "{drawn}");
    assert!(pictures::drawn("letting n be 0").is_err());
    let lengths = best_so_far::lengths(6, Duration::from_secs(20));
    assert!(lengths.is_sorted_by(|one, next| one > next), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&17));
    let squares = all_solutions::squares().expect("an instance").map(|square| square.expect("a square").to_json());
    assert_eq!(squares.collect::<BTreeSet<_>>().len(), 8);
    assert!(all_solutions::squares().expect("an instance").next().is_some());
    let explanation = why::explanation().expect("an answer");
    assert!(explanation.contains("slot(types) > slot(solvers)"), "{explanation}");
}

#[test]
fn the_server_answers_several_clients_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || server::serve(&listener).unwrap_or_else(|report| panic!("{report}")));
    let get = |path: &str| {
        let mut connection = TcpStream::connect(address).expect("a connection");
        write!(connection, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
        let mut response = String::new();
        connection.read_to_string(&mut response).expect("a response");
        response
    };
    thread::scope(|clients| {
        let responses: Vec<_> = (4..10).map(|n| clients.spawn(move || get(&format!("/{n}")))).collect();
        for response in responses {
            let response = response.join().expect("no panic");
            assert!(response.starts_with("HTTP/1.1 200 OK") && response.contains("queen"), "{response}");
        }
    });
    assert!(get("/3").ends_with("\"unsatisfiable\""));
    let refused = get("/x");
    assert!(refused.starts_with("HTTP/1.1 400") && refused.contains("request.json"), "{refused}");
}

#[test]
fn solutions_of_a_parameter_generator_are_parameters() {
    let options = GeneratorOptions::default().most(12);
    let models = fs::read_dir("models").expect("the models").map(|entry| entry.expect("an entry").path());
    for path in models.chain(["tests/commands/parameter-generator/types.essence".into()]) {
        let name = path.display().to_string();
        let model = Model::read(&Text::new(&name, suite::read(&path).expect("a model"))).expect("a legal model");
        if model.givens().next().is_none() {
            continue;
        }
        // Generators need fixed sizes of matrices.
        let decided = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("nonogram") => "letting width be 4 letting height be 3",
            Some("mathemagrids") => "letting m be 3",
            _ => "",
        };
        let generator = model.parameter_generator(&[Text::new("-D", decided)], options, 120);
        let generator = Text::new("generator", generator.unwrap_or_else(|report| panic!("{name}: {report}")));
        let mut parameters = None;
        let status = solve(&generator, &[], &SolveOptions::default(), &mut |solution| {
            parameters = Some(solution.to_string());
            ControlFlow::Break(())
        });
        status.unwrap_or_else(|report| panic!("{name}: {report}\n{}", generator.text));
        let parameters = parameters.unwrap_or_else(|| panic!("{name}: no parameters\n{}", generator.text));
        let bound = model.instance(&[Text::new("generated.param", &parameters)]);
        bound.unwrap_or_else(|report| panic!("{name}: {report}\n{parameters}"));
    }
}

/// The names in the profile for global constraints, in the notations that `docs/profile.md` documents.
#[test]
fn a_profile_tells_what_is_recognised() {
    let models = [
        ("all different", "find x : matrix indexed by [int(1..3)] of int(1..4) such that allDiff(x)"),
        (
            "circuits",
            "letting n be 5 given distance : function (total) tuple (int(1..n), int(1..n)) --> int(0..99)
             find tour : sequence (size n, bijective) of int(1..n)
             minimising sum i : int(1..n) . distance((tour(i), tour(i % n + 1)))",
        ),
        (
            "circuits",
            "letting n be 5 given distance : function (total) tuple (int(1..n), int(1..n)) --> int(0..99)
             find tour : sequence (maxSize n, injective) of int(1..n)
             such that (sum (i, place) in tour, i < |tour| . distance((place, tour(i + 1)))) <= 16
             maximising |tour|",
        ),
        (
            "circuits",
            "letting n be 5 given distance : function (total) tuple (int(1..n), int(1..n)) --> int(0..99)
             find tours : set (maxSize 2) of sequence (minSize 1, maxSize 4, injective) of int(1..n)
             such that forAll place : int(1..n) . (sum tour in tours . toInt(place in range(tour))) = 1
             minimising sum tour in tours . 5 + (sum (i, place) in tour, i < |tour| . distance((place, tour(i + 1))))",
        ),
        (
            "machines",
            "letting task be domain int(1..3) find start : function (total) task --> int(0..6)
             such that forAll i, j : task, i < j . start(i) + i <= start(j) \\/ start(j) + j <= start(i)",
        ),
        (
            "machines",
            "letting task be domain int(1..3) find start : function (total) task --> int(0..6)
             find machine : function (total) task --> int(1..2)
             such that forAll i, j : task, i < j . machine(i) = machine(j) -> start(i) + i <= start(j) \\/ start(j) + j <= start(i)",
        ),
        (
            "machines",
            "letting task be domain int(1..4) find start : function (total) task --> int(0..9)
             find machines : partition (maxNumParts 2) from task
             such that forAll i, j : task, i < j . together({i, j}, machines) ->
                 start(i) + i <= start(j) \\/ start(j) + j <= start(i)",
        ),
        (
            "machines",
            "letting task be domain int(1..4) find start : function (total) task --> int(0..9)
             find tasks : function (total) int(1..2) --> set of task
             such that forAll m : int(1..2) . forAll {i, j} subsetEq tasks(m) .
                 start(i) + i <= start(j) \\/ start(j) + j <= start(i)",
        ),
        (
            "machines",
            "letting task be domain int(1..3) find start : function (total) task --> int(0..6) find made : set of task
             letting time be function(1 --> 3, 2 --> 1, 3 --> 2) find fast : function (total) task --> int(1..2)
             such that forAll i, j : task, i < j . i in made /\\ j in made ->
                 start(i) + time(i) * fast(i) <= start(j) \\/ start(j) + time(j) * fast(j) <= start(i)",
        ),
        (
            "machines",
            "letting task be domain int(1..3) find start : function (total) task --> int(0..6)
             letting time be function((1, 1) --> 3, (1, 2) --> 1, (2, 1) --> 2, (2, 2) --> 4, (3, 1) --> 1, (3, 2) --> 2)
             find machine : function (total) task --> int(1..2)
             such that forAll i, j : task, i < j . machine(i) = machine(j) ->
                 start(i) + time((i, machine(i))) <= start(j) \\/ start(j) + time((j, machine(j))) <= start(i)",
        ),
        (
            "resources",
            "letting task be domain int(1..4) find start : function (total) task --> int(0..6)
             such that forAll t : int(0..9) . (sum i : task, start(i) <= t /\\ t < start(i) + 3 . i) <= 5",
        ),
        ("elements", "find x : matrix indexed by [int(1..3)] of int(1..9) find i : int(1..3) such that x[i] = 2 * i"),
        (
            "cardinalities",
            "find s : matrix indexed by [int(0..5)] of int(0..6)
             such that forAll i : int(0..5) . s[i] = (sum j : int(0..5) . toInt(s[j] = i))",
        ),
        (
            "cardinalities",
            "find x : matrix indexed by [int(1..6)] of int(1..3) find count : matrix indexed by [int(1..3)] of int(0..6)
             such that gcc(x, [1, 2, 3], count), count[1] < count[2]",
        ),
        (
            "cardinalities",
            "letting room be domain int(1..3) find place : function (total) int(1..7) --> room
             find guests : function (total) room --> int(0..7)
             such that forAll r : room . guests(r) = |preImage(place, r)|, guests(1) * guests(2) = 6",
        ),
        ("tables", "find x, y : int(1..9) such that table([x, y], [[1, 2], [3, 4], [5, 1]])"),
    ];
    for (name, text) in models {
        // A deterministic matrix of distances without structure.
        let rows = (1..=5).flat_map(|a| (1..=5).map(move |b| format!("({a}, {b}) --> {}", (a * 7 + b * 11) % 13)));
        let data = format!("letting distance be function({})", rows.collect::<Vec<_>>().join(", "));
        let data = if text.contains("given") { vec![Text::new("data.param", &data)] } else { Vec::new() };
        let instance = Model::read(&Text::new("recognised.essence", text)).expect("a model").instance(&data);
        let profile = instance.expect("an instance").profile(&SolveOptions::default()).expect("costs");
        let recognised = profile.recognised.expect("CP-SAT takes it");
        assert!(recognised.iter().any(|(found, count)| *found == name && *count > 0), "{name}: {recognised:?}");
    }
}

/// Six pigeons do not fit into five holes, for any colour, so the costs belong to the pigeons.
#[test]
fn costs_belong_to_the_constraints_that_cause_them() {
    let text = suite::read(Path::new("tests/commands/profile/pigeons.essence")).expect("a model");
    let instance =
        Model::read(&Text::new("pigeons.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let profile = |options: &SolveOptions| instance.profile(options).expect("costs");
    let first = profile(&SolveOptions::default());
    assert_eq!(first.status, SolveStatus::Unsatisfiable);
    let part = |says: &str| first.parts.iter().find(|part| part.says.starts_with(says)).expect(says);
    let (pigeons, colour) = (part("forAll i, j"), part("colour"));
    assert_eq!((pigeons.lines, pigeons.instances), ((5, 6), 6 + 6 * 5 / 2));
    assert!(pigeons.learnt > 0 && pigeons.learnt <= first.learnt, "{first:?}");
    assert!(pigeons.clauses > 15 && colour.clauses > 0, "{first:?}");
    assert_eq!(colour.learnt, 0, "{first:?}");
    assert_eq!(part("find hole").lines, (2, 2));
    // The figures do not depend on the run.
    let numbers = |profile: &Profile| -> Vec<[u64; 5]> {
        let numbers = |part: &PartCost| [part.instances, part.terms, part.variables, part.clauses, part.learnt];
        profile.parts.iter().map(numbers).collect()
    };
    assert_eq!(numbers(&first), numbers(&profile(&SolveOptions::default())));
    let search = EngineOptions::default().limits(Instant::now());
    assert_eq!(profile(&SolveOptions::default().search(search)).status, SolveStatus::TimeLimit);
}

/// BatSat behind the interface for external SAT solvers.
fn by_batsat(cnf: &str) -> SatAnswer {
    use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
    let mut solver = BasicSolver::default();
    let literal = |word: &str| -> i32 { word.parse().expect("a literal") };
    let mut most = 0;
    // The first line is the header of DIMACS.
    for clause in cnf.lines().skip(1) {
        let literals = clause.split(' ').map(literal).take_while(|literal| *literal != 0);
        let mut clause: Vec<Lit> = Vec::new();
        for literal in literals {
            most = most.max(literal.unsigned_abs());
            clause.push(Lit::new(Var::unsafe_from_idx(literal.unsigned_abs() - 1), literal > 0));
        }
        for lit in &clause {
            // BatSat needs its variables declared first.
            while solver.num_vars() <= lit.var().idx() {
                solver.new_var_default();
            }
        }
        solver.add_clause_reuse(&mut clause);
    }
    match solver.solve_limited(&[]) {
        answer if answer == lbool::TRUE => {
            let value = |variable: u32| solver.value_var(Var::unsafe_from_idx(variable - 1)) == lbool::TRUE;
            SatAnswer::Satisfiable((1..=most as i32).map(|it| if value(it as u32) { it } else { -it }).collect())
        }
        answer if answer == lbool::FALSE => SatAnswer::Unsatisfiable(None),
        _ => SatAnswer::Unknown("BatSat gave up".to_owned()),
    }
}

/// The solutions that an external SAT solver finds, in order, and the status of the search.
fn outside(
    text: &str,
    solutions: Count,
    program: impl FnMut(&str) -> SatAnswer + 'static,
) -> (Vec<String>, SolveStatus) {
    let instance = Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let options = SolveOptions::default().solutions(solutions);
    let mut found = Vec::new();
    let compiled = instance.compile(&options).expect("a problem");
    let summary = compiled.solve_with_program(&options, Box::new(program), &mut |solution| {
        found.push(solution.to_json());
        ControlFlow::Continue(())
    });
    (found, summary.expect("an answer").status)
}

#[test]
fn any_sat_solver_finds_the_solutions() {
    let queens = "find q : matrix indexed by [int(1..6)] of int(1..6)\nsuch that allDiff(q),\n\
                  forAll i, j : int(1..6) . i < j -> |q[i] - q[j]| != j - i";
    let (found, status) = outside(queens, Count::All, by_batsat);
    assert_eq!((found.len(), status), (4, SolveStatus::AllSolutions));
    let best = "find s : set of int(1..9)\nsuch that sum([i | i <- s]) <= 20\nmaximising sum([i * i | i <- s])";
    let (found, status) = outside(best, Count::First(1), by_batsat);
    assert_eq!((found.last().map(String::as_str), status), (Some("{\"s\": [3, 8, 9]}"), SolveStatus::Optimal));
    let none = "find x, y : int(1..3)\nsuch that x < y, y < x";
    assert_eq!(outside(none, Count::All, by_batsat).1, SolveStatus::Unsatisfiable);
}

#[test]
fn a_sat_solver_is_not_believed() {
    let text = "find x, y : int(1..3)\nsuch that x < y";
    let (found, status) = outside(text, Count::First(1), |_| SatAnswer::Satisfiable(Vec::new()));
    assert!(
        found.is_empty() && matches!(&status, SolveStatus::Unknown(why) if why.contains("does not satisfy")),
        "{status:?}"
    );
    // The proof claims that the first two clauses contradict each other.
    let (_, status) = outside(text, Count::First(1), |_| SatAnswer::Unsatisfiable(Some(b"99 0 1 2 0\n".to_vec())));
    assert!(matches!(&status, SolveStatus::Unknown(why) if why.contains("proof")), "{status:?}");
}

/// For a fixed seed, the estimates are within their factor, and exact counts are exact.
#[test]
fn spaces_are_explored_exactly_or_by_estimate() {
    let instance =
        |text: &str| Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let latin = |n: usize| {
        instance(&format!(
            "find s : matrix indexed by [int(1..{n}), int(1..{n})] of int(1..{n})\n\
             such that forAll i : int(1..{n}) . allDiff(s[i, ..]) /\\ allDiff(s[.., i])"
        ))
    };
    let all = latin(4).explore(&ExploreOptions::default()).expect("a space");
    assert_eq!((all.extent, all.solutions.len()), (Extent::All, 576));
    // Latin squares of order 4 have two main classes; conjugates do not matter here.
    assert_eq!(all.classes.map(|classes| classes.len()), Some(2));
    assert!(all.parts.iter().flat_map(|part| &part.values).all(|value| value.solutions == 144));

    // These spaces are larger than `most`, so their sizes are estimated from samples.
    let few = ExploreOptions::default().most(100).sample(200);
    for (space, number) in [
        (latin(4), 576.0),
        (instance("find m : matrix indexed by [int(1..14)] of bool\nsuch that !m[1], m[2] -> m[3]"), 6144.0),
        (instance("find s : set (size 3) of int(1..30)"), 4060.0),
    ] {
        let space = space.explore(&few).expect("a space");
        let estimate = space.estimate.expect("an estimate");
        let ratio = estimate.solutions / number;
        assert!(ratio < estimate.factor && ratio > 1.0 / estimate.factor, "{number}: {estimate:?}");
        assert_eq!((space.extent, space.found, space.classes), (Extent::Sample, 101, None));
        let possible = space.parts.iter().flat_map(|part| &part.values).filter(|value| value.solutions > 0);
        assert!(possible.into_iter().all(|value| value.possible == Possibility::Possible));
    }
    let bits = instance("find m : matrix indexed by [int(1..14)] of bool\nsuch that !m[1], m[2] -> m[3]");
    let bits = bits.explore(&few).expect("a space");
    assert_eq!(bits.parts[0].backbone().map(|value| &*value.says), Some("m[1] = false"));
    assert_eq!(bits.parts.iter().filter(|part| part.backbone().is_some()).count(), 1);
}

#[test]
fn a_board_tells_exactly_what_is_possible_beside_the_set_cells() {
    for (domain, constraint) in [
        ("matrix indexed by [int(1..3), int(1..2)] of int(1..3)", "x[1, 1] < x[2, 2], x[3, 1] != 2"),
        ("function int(1..3) --> bool", "|x| = 2, 2 in defined(x) -> x(2)"),
        ("function (total) (int(1..2), int(1..2)) --> int(0..2)", "x((1, 1)) + x((2, 2)) = 3"),
        ("set of int(1..4)", "|x| = 2, !({1, 2} subsetEq x)"),
        ("relation of (int(1..2) * bool)", "|x| >= 3"),
        ("partition (numParts 2) from int(1..4)", "!together({1, 2}, x)"),
        ("sequence (maxSize 2) of int(1..2)", "|x| > 0"),
        ("(int(1..3), record {a : bool, b : int(2..4)})", "x[1] = x[2][b]"),
        ("mset (maxSize 3) of int(1..2)", "|x| = 2"),
        ("set (size 1) of matrix indexed by [bool] of bool", "!([true, true; bool] in x)"),
        ("function (total) bool --> matrix indexed by [bool] of bool", "x(false) != x(true)"),
        ("function (total) int(1..2) --> set (maxSize 2) of int(1..3)", "x(1) subsetEq x(2), |x(1)| > 0"),
        ("function int(1..2) --> set of bool", "|x| = 1"),
        ("sequence (size 2) of set of bool", "!(true in x(2))"),
        ("function (total) variant {n : int(1..2), b : bool} --> set (size 1) of bool", "|range(x)| = 1"),
        ("partition from variant {n : int(1..2), b : bool}", "|parts(x)| = 2"),
        ("mset (maxSize 2) of variant {n : int(1..2), b : bool}", "|x| > 0"),
        ("function (maxSize 1) variant {n : int(1..2), b : bool} --> variant {n : int(1..2), b : bool}", "|x| = 1"),
    ] {
        let text = format!("find x : {domain}\nsuch that {constraint}");
        let solve = |further: &[&str]| {
            let text = further.iter().fold(text.clone(), |text, one| format!("{text}\nsuch that {one}"));
            let model = Model::read(&Text::new("m.essence", text)).expect("each value is a constraint");
            let options = SolveOptions::default().solver(SolverName::Brute);
            let instance = model.instance(&[]).expect("an instance");
            instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect("an answer").solutions > 0
        };
        let model = Model::read(&Text::new("m.essence", text.clone())).expect("a model");
        let instance = model.instance(&[]).expect("an instance");
        let mut cells = Vec::new();
        let ask = BoardOptions::default().possible(true);
        let mut keep = |event: BoardEvent| {
            if let BoardEvent::Cells(all, _) = event {
                cells = all.to_vec();
            }
        };
        let free = instance.board(&ask, &mut keep).expect("an answer");
        assert!(!cells.is_empty(), "{domain}");
        for (cell, possible) in cells.iter().zip(&free.possible) {
            for (value, possible) in cell.values.iter().zip(possible) {
                let expected = if solve(&[&value.says]) { Possibility::Possible } else { Possibility::Impossible };
                assert_eq!(*possible, expected, "{domain}: {}", value.says);
            }
        }
        // Repeat the comparison with the first cell set to each of its values.
        let set = &cells[0];
        for value in &set.values {
            let ask = ask.clone().set(vec![value.says.clone()]).solutions(Some(Count::First(1)));
            let mut chosen = Vec::new();
            let mut keep = |event: BoardEvent| {
                if let BoardEvent::Solution(_, all) = event {
                    chosen = all.to_vec();
                }
            };
            let answer = instance.board(&ask, &mut keep).expect("an answer");
            if !solve(&[&value.says]) {
                assert_eq!(answer.status, Some(SolveStatus::Unsatisfiable), "{domain}: {}", value.says);
                assert_eq!(answer.conflict, Some(vec![value.says.clone()]));
                continue;
            }
            let says = |(cell, shown): (&BoardCell, &ShownValue)| match shown {
                ShownValue::Listed(option) => Some(cell.values[*option].says.clone()),
                _ => None,
            };
            let found: Vec<String> = cells.iter().zip(&chosen).filter_map(says).collect();
            assert!(found.contains(&value.says), "{domain}: {found:?}");
            assert!(solve(&found.iter().map(String::as_str).collect::<Vec<_>>()), "{domain}: {found:?}");
            for (cell, possible) in cells.iter().zip(&answer.possible).skip(1) {
                for (other, possible) in cell.values.iter().zip(possible) {
                    let expected = solve(&[&value.says, &other.says]);
                    let expected = if expected { Possibility::Possible } else { Possibility::Impossible };
                    assert_eq!(*possible, expected, "{domain}: {} beside {}", other.says, value.says);
                }
            }
        }
    }
}

#[test]
fn a_board_shows_the_sets_of_a_function_by_their_members() {
    let text = "letting who be new type enum {Ada, Ben}\nfind x : function (total) who --> set of int(1..2)";
    let instance = Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let mut found = Vec::new();
    let mut keep = |event: BoardEvent| {
        if let BoardEvent::Cells(cells, _) = event {
            found.extend(cells.iter().map(|cell| (cell.name.clone(), cell.labels.join(", "), cell.values.len())));
        }
    };
    instance.board(&BoardOptions::default(), &mut keep).expect("an answer");
    let cell = |name: &str, labels: &str| (name.to_owned(), labels.to_owned(), 2);
    let ada = [cell("1 in x(Ada)", "Ada, 1"), cell("2 in x(Ada)", "Ada, 2")];
    assert_eq!(found, [&ada[..], &[cell("1 in x(Ben)", "Ben, 1"), cell("2 in x(Ben)", "Ben, 2")]].concat());
}

#[test]
fn a_board_shows_amounts_in_their_units_and_values_that_are_not_listed() {
    let text = "letting who be new type enum {Ada, \"Jan-Piet\"}\n\
                find deal : record {price : int(0..9), far : int(0..5000)}\n\
                find m : matrix indexed by [int(1..2)] of (int(5000..9000), who)\n\
                find f : function (total) who --> int(0..2000)\n\
                find s : sequence (maxSize 2) of int(0..1500)\n\
                find r : relation (size 1) of (who * int(10, 20))\n\
                find v : variant {a : int(5), b : bool}\n\
                $ unit deal.price, m.1, f, r.2: 0.5\n\
                such that deal = record {price = 3, far = 77}, m = [(5001, Ada), (8000, \"Jan-Piet\")],\n\
                f(Ada) = 1, f(\"Jan-Piet\") = 2000, s = sequence(1400), (\"Jan-Piet\", 20) in r, active(v, a)";
    let instance = Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let (mut cells, mut shown) = (Vec::new(), Vec::new());
    let ask = BoardOptions::default().solutions(Some(Count::First(1)));
    let mut keep = |event: BoardEvent| match event {
        BoardEvent::Cells(all, _) => cells = all.to_vec(),
        BoardEvent::Solution(_, all) => shown = all.to_vec(),
        _ => {}
    };
    instance.board(&ask, &mut keep).expect("an answer");
    let line = |(cell, shown): (&BoardCell, &ShownValue)| {
        let value = match shown {
            ShownValue::Listed(at) => cell.values[*at].shown.clone(),
            ShownValue::Other(text) => format!("{text}*"),
            ShownValue::Nothing => "-".to_owned(),
        };
        format!("{}: {value}", cell.labels.join("|"))
    };
    let lines: Vec<String> = cells.iter().zip(&shown).map(line).collect();
    let expected = [
        "far: 77*",
        "price: 1.5",
        "1|1: 2500.5*",
        "1|2: Ada",
        "2|1: 4000.0*",
        "2|2: Jan-Piet",
        "Ada: 0.5*",
        "Jan-Piet: 1000.0*",
        "1: 1400*",
        "2: -",
        "Ada|5.0: !((Ada, 10) in r)",
        "Ada|10.0: !((Ada, 20) in r)",
        "Jan-Piet|5.0: !((\"Jan-Piet\", 10) in r)",
        "Jan-Piet|10.0: (\"Jan-Piet\", 20) in r",
        ": variant {a = 5}*",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_board_names_a_smallest_contradiction_and_keeps_the_objective() {
    let text = "find x : matrix indexed by [int(1..4)] of int(1..9)\n\
                such that x[1] < x[2], x[3] < x[4]\nmaximising x[1] + x[3]";
    let instance = Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let set = |list: &[&str]| BoardOptions::default().set(list.iter().map(|one| (*one).to_owned()).collect());
    let ask = set(&["x[3] = 2", "x[1] = 5", "x[4] = 7", "x[2] = 5"]).possible(true);
    let answer = instance.board(&ask, &mut |_| ()).expect("an answer");
    assert_eq!(answer.conflict, Some(vec!["x[1] = 5".to_owned(), "x[2] = 5".to_owned()]));
    let ask = set(&["x[2] = 5"]).solutions(Some(Count::First(1)));
    let mut best = None;
    let mut keep = |event: BoardEvent| {
        if let BoardEvent::Solution(solution, _) = event {
            best = solution.objective().and_then(|value| value.as_int());
        }
    };
    assert_eq!(instance.board(&ask, &mut keep).expect("an answer").status, Some(SolveStatus::Optimal));
    assert_eq!(best, Some(12));
    let unknown = instance.board(&set(&["x[2] = 50"]), &mut |_| ());
    assert!(unknown.is_err_and(|report| report.to_string().contains("`x[2] = 50` does not say the value of a cell")));
}

#[test]
fn a_form_follows_the_data_and_takes_its_words_from_the_comments() {
    let text = "\
$ Teams
$
$ Who plays in which team?
language Essence 1.3

$ The people.
$
$ All of them.
given person new type enum
given n, m : int(1..9)
$ Their places.
$ app: label at as Place
given at : function (total) person --> int(0..n)
given grid : matrix indexed by [int(1..n), bool] of (int(m..), record {a : person})
given some : set (minSize 2, maxSize n) of int(1, 3..4) $ unit some: 0.5
letting level be new type enum {low, mid, high}
given levels : matrix indexed by [level(low..mid)] of level

$ picture: x as grid
find x : matrix indexed by [person] of int(1..n)
$ Enough room.
where n > 1
such that
    $ Everybody is somewhere.
    forAll p : person . x[p] >= at(p)
";
    let model = Model::read(&Text::new("m.essence", text)).expect("a model");
    let form = model.form(&[]);
    assert_eq!((&form["title"], &form["about"]), (&json!("Teams"), &json!("Who plays in which team?")));
    assert_eq!(form["directives"], json!(["label at as Place"]));
    assert_eq!(form["parameters"][0]["comment"], "All of them.");
    assert_eq!(form["parameters"][0]["domain"], json!({"kind": "type"}));
    assert_eq!(form["parameters"][5]["domain"]["parts"][0]["unit"], "0.5");
    assert_eq!(form["parameters"][4]["domain"]["parts"][0]["unit"], json!(null));
    assert_eq!(form["parameters"][3]["comment"], "Their places.");
    assert_eq!(form["parameters"][3]["domain"]["parts"][1], json!({"kind": "int", "ranges": null, "unit": null}));
    assert_eq!(form["parameters"][3]["domain"]["total"], true);
    assert_eq!(form["variables"][0]["comment"], "");
    // Indices have the name that a `letting` gives them.
    let day = "given n : int(1..9)\nletting day be domain int(1..n)\nletting pair be domain (day, bool)\n\
        find a : matrix indexed by [bool, day] of set of pair\nfind b : function day --> int(1..n)";
    let days = Model::read(&Text::new("d.essence", day)).expect("a model").form(&[]);
    let [a, b] = [0, 1].map(|at| &days["variables"][at]["domain"]["parts"]);
    assert_eq!(a[1]["parts"][0]["name"], "day");
    assert_eq!(a[1]["parts"][1]["parts"][0]["parts"][0]["name"], "day");
    assert_eq!((&b[0]["name"], &b[1]["name"]), (&json!("day"), &json!(null)));
    // A subtype must not be mistaken for the type.
    let level = |members: &[&str], partial: bool| json!({"kind": "enum", "name": "level", "partial": partial, "members": members});
    let parts = json!([level(&["low", "mid"], true), level(&["low", "mid", "high"], false)]);
    assert_eq!(form["parameters"][6]["domain"]["parts"], parts);
    let comments: Vec<&str> =
        form["requirements"].as_array().expect("a list").iter().filter_map(|one| one["comment"].as_str()).collect();
    assert_eq!(comments, ["Everybody is somewhere.", "Enough room."]);
    // Valid data are used even if other data are wrong.
    let data = |name: &str, json: &str| Text::new(name, json);
    let people = data("data person", r#"{"person": ["Ada", "Big Ben"]}"#);
    let form = model.form(&[people, data("data n", r#"{"n": 4}"#), data("data m", r#"{"m": "x"}"#)]);
    assert_eq!(form["parameters"][0]["value"], json!(["Ada", "Big Ben"]));
    assert_eq!(form["parameters"][3]["domain"]["parts"][0]["members"], json!(["Ada", "Big Ben"]));
    assert_eq!(form["parameters"][3]["domain"]["parts"][1]["ranges"], json!([[0, 4]]));
    let grid = &form["parameters"][4]["domain"];
    assert_eq!(grid["parts"][0]["ranges"], json!([[1, 4]]));
    assert_eq!(grid["parts"][1]["parts"][1]["parts"][0]["ranges"], json!(null));
    let some = &form["parameters"][5]["domain"];
    assert_eq!((&some["least"], &some["most"]), (&json!(2), &json!(4)));
    assert_eq!(some["parts"][0]["ranges"], json!([[1, 1], [3, 4]]));
    assert_eq!(form["parameters"][2]["value"], json!(null));
    assert_eq!(form["essence"], "letting person be new type enum {Ada, \"Big Ben\"}\nletting n be 4\n");
}

/// The proof that a sum of multiples of 3 never leaves the remainder 1 takes longer than the limit.
#[test]
fn a_certificate_keeps_to_its_limit() {
    let text = "find s : set of int(1..24)\nsuch that sum([3 * (i * i * 7919 % 10007) | i <- s]) = 3 * 40000 + 1";
    let instance = Model::read(&Text::new("m.essence", text)).expect("a model").instance(&[]).expect("an instance");
    let started = Instant::now();
    let options = EngineOptions::default().limits(Limits::from(started + Duration::from_millis(200)));
    let made = instance.certify(&SolveStatus::Unsatisfiable, &[], Box::new(std::io::sink()), &options);
    assert!(made.expect("no mistake").is_none(), "the certificate is made in no time");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn a_page_of_a_space_has_its_solutions() {
    let model = Model::read(&Text::new("m.essence", "find x : int(1..3)\nsuch that x != 2")).expect("a model");
    let page = Some(ExplorePage::default().title("<b>".to_owned()).pictures(model.pictures().expect("pictures")));
    let options = ExploreOptions::default().page(page);
    let page = model.instance(&[]).expect("an instance").explore(&options).expect("a space").page.expect("a page");
    assert!(page.contains(r#""columns":["AC"]"#) && page.contains("&lt;b&gt;") && !page.contains("<b>"), "{page}");
}

/// Parameters that are written as JSON are read as the same instance.
#[test]
fn parameters_go_through_json() {
    let mut tried = 0;
    for entry in fs::read_dir("params").expect("the parameters") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        let comment = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
        let Some(name) = comment("$ model: ").filter(|_| path.extension().is_some_and(|word| word == "param")) else {
            continue;
        };
        let model = fs::read_to_string(format!("models/{name}")).expect("the model");
        let model = Model::read(&Text::new(name, model)).expect("a model");
        let written = Text::new(path.display().to_string(), text.as_str());
        let values = Values::read(Some(&model), &written).expect("values");
        let json = Text::new("data.json", values.to_json());
        let read = Values::read(Some(&model), &json).unwrap_or_else(|report| panic!("{}: {report}", path.display()));
        assert_eq!(values.differences(&read), [""; 0], "{}", path.display());
        assert_eq!(values.to_json(), read.to_json(), "{}", path.display());
        model.instance(&[json]).unwrap_or_else(|report| panic!("{}: {report}", path.display()));
        tried += 1;
    }
    assert!(tried > 50, "{tried} files");
}

/// Domains that contain others: `X` is any domain, and `K` a domain without parts.
const NESTED: [&str; 17] = [
    "set (maxSize 2) of X",
    "mset (maxSize 2) of X",
    "sequence (maxSize 2) of X",
    "function (maxSize 2) K --> X",
    "function (maxSize 1) X --> K",
    "function (maxSize 2) (K, bool) --> X",
    "relation (maxSize 2) of (X * K)",
    "partition from K",
    "permutation of K",
    "matrix indexed by [int(1..2)] of X",
    "matrix indexed by [int(0, 2)] of X",
    "matrix indexed by [bool] of X",
    "matrix indexed by [E] of X",
    "matrix indexed by [U, int(1..2)] of X",
    "(X, K)",
    "record {\"b c\" : X, a : K}",
    "variant {a : X, b : K}",
];

/// Solutions of all type constructors, nested two deep, can be read as data in both shapes of JSON.
#[test]
fn solutions_in_json_are_data() {
    let types = "given E new type enum\nletting U be new type of size 2\n";
    let model = |rest: String| {
        Model::read(&Text::new("m.essence", format!("{types}{rest}"))).unwrap_or_else(|report| panic!("{report}"))
    };
    // Names that need quotation marks, or look like a formula or a number.
    let members = json!(["a", "b c", " =d", "7"]);
    let leaves = ["int(-1..1)", "bool", "E", "U"];
    let mut seen = BTreeSet::new();
    for (outer, inner) in (0..NESTED.len()).flat_map(|outer| (0..NESTED.len()).map(move |inner| (outer, inner))) {
        let leaf = |by: usize| leaves[(outer + inner * 3 + by) % leaves.len()];
        // The outer `X` becomes the inner constructor, and the remaining placeholders become scalars.
        let domain = NESTED[outer].replace('X', NESTED[inner]).replace('X', leaf(0)).replace('K', leaf(1));
        let solved = model(format!("find p : {domain}"));
        let again = model(format!("given p : {domain}\nfind x : {domain}\nsuch that x = p"));
        let options = SolveOptions::default().solutions(Count::First(4));
        let mut printed = Vec::new();
        let data = [Text::new("E.json", json!({"E": members}).to_string())];
        let instance = solved.instance(&data).unwrap_or_else(|report| panic!("{domain}: {report}"));
        let found = instance.solve(&options, &mut |solution| {
            printed.extend([JsonShape::Conjure, JsonShape::Plain].map(|shape| (shape, solution.shaped(shape))));
            ControlFlow::Continue(())
        });
        found.unwrap_or_else(|report| panic!("{domain}: {report}"));
        for (shape, mut printed) in printed {
            printed["E"] = members.clone();
            let text = printed.to_string();
            let instance = again.instance(&[Text::new("p.json", &*text)]);
            let instance = instance.unwrap_or_else(|report| panic!("{domain}\n{text}\n{report}"));
            let mut read = None;
            let found = instance.solve(&SolveOptions::default(), &mut |solution| {
                read = Some(solution.shaped(shape)["x"].clone());
                ControlFlow::Break(())
            });
            found.unwrap_or_else(|report| panic!("{domain}\n{text}\n{report}"));
            assert_eq!(read.as_ref(), Some(&printed["p"]), "{domain}\n{text}");
            seen.insert(printed["p"].to_string());
        }
    }
    // `{}` is an empty function whose arguments are sets.
    assert!(seen.contains("{}") && seen.len() > 300, "{}", seen.len());
}

/// Reporting many mistakes takes time linear in the text: a mistake is not compared with all others, nor with all names
/// beyond a bound.
#[test]
fn many_mistakes_in_data_are_few_reports() {
    let model = "given E new type enum\ngiven f : function E --> int(0..9)\nfind x : bool";
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let names = |word: &str| (0..5000).map(|number| format!("{word}_{number}")).collect::<Vec<_>>();
    let essence = |pairs: Vec<String>| {
        format!("letting E be new type enum {{{}}}\nletting f be function({})", names("a").join(", "), pairs.join(", "))
    };
    let wrong: serde_json::Map<String, serde_json::Value> =
        names("b").into_iter().chain(names("q")).map(|name| (name, json!(1))).collect();
    let texts = [
        json!({"E": names("a"), "f": wrong}).to_string(),
        essence(names("b").iter().map(|name| format!("{name} --> 1")).collect()),
        essence(names("a").iter().map(|name| format!("{name} --> true")).collect()),
        names("x").iter().map(|name| format!("letting {name} be 1 +\n")).collect(),
    ];
    // Only the syntax errors of the last text are all reported.
    let most = [110, 110, 2, 5010];
    for (text, most) in texts.into_iter().zip(most) {
        let started = Instant::now();
        let report = model.instance(&[Text::new("data", &*text)]).expect_err("mistakes");
        assert!(report.diagnostics.len() <= most, "{}: {:.80}", report.diagnostics.len(), text);
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}: {:.80}", started.elapsed(), text);
    }
}

#[test]
fn small_instances_of_shipped_models_have_small_numbers() {
    for name in ["exams", "allotment", "wedding", "carpool", "job-shop", "nurses"] {
        let path = format!("models/{name}.essence");
        let text = std::fs::read_to_string(&path).expect("a model");
        let model = Model::read(&Text::new(path, text)).expect("a model");
        let instances = model.small_instances(8, 1).expect("instances");
        assert_eq!(instances.len(), 8, "{name}");
        for data in instances.iter().flatten() {
            let numbers = data.text.split(|letter: char| !letter.is_ascii_digit());
            let largest = numbers.filter_map(|number| number.parse::<u32>().ok()).max();
            assert!(largest <= Some(9), "{name}: {}", data.text);
        }
    }
}

#[test]
fn every_shipped_model_has_small_instances() {
    for entry in std::fs::read_dir("models").expect("models") {
        let path = entry.expect("a model").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        let model = Model::read(&Text::new(path.display().to_string(), text)).expect("a model");
        let instances = model.small_instances(3, 1).expect("instances");
        let wanted = if model.givens().next().is_some() { 3 } else { 1 };
        assert_eq!(instances.len(), wanted, "{}", path.display());
        for data in instances {
            model.instance(&data).expect("data that fit");
        }
    }
}
