"""Models, searches and mistakes."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from conjure_like import ConjureLikeError, DataError, EssenceError, LimitReached, Model, NoSolution, ProgramNotFound, instances
from conjure_like.program import Run, find
from conjure_like.progress import Display, Progress

ROOT = Path(__file__).resolve().parents[3]

#: Items in a box, worth half of all items to each of four people. A solution is found at once, but no proof that one is
#: the best.
SHARES = """
    letting worth be [[(i ** 3 * (h + 6)) % 997 | i : int(1..40)] | h : int(1..4)]
    find box : set of int(1..40)
    find difference : matrix indexed by [int(1..4)] of int(0..40000)
    such that forAll h : int(1..4) .
        difference[h] = |2 * (sum i in box . worth[h, i]) - sum(worth[h, ..])|
    minimising sum(difference)
"""

#: A model with more solutions than a test can enumerate.
MANY = "find m : matrix indexed by [int(1..40)] of bool"

#: A model without solutions, because the number is prime; no solver finds that out soon.
PRIME = "find x, y : int(2..20000000) such that x * y = 100000000000031"


#: A model without solutions, which only an assumption shows.
SUPPOSING = "find a, b : bool such that a \\/ b, a \\/ !b, !a \\/ b, !a \\/ !b"


def running(run):
    return run._process.poll() is None


#: The data of the models with tables, by parameter: a file in the model's folder below `params` and its columns, or a
#: number.
TABLES = {
    "duty-roster": {
        "person": "staff.csv:name",
        "hours": "staff.csv:name,hours",
        "wage": "staff.csv:name,wage",
        "shift": "shifts.csv:shift",
        "begins": "shifts.csv:shift,from@time",
        "length": "shifts.csv:shift,hours",
        "needed": "needed.csv",
        "away": "away.csv:who,date@date=2026-11-02",
        "leads": "leads.csv",
    },
    "portfolio": {
        "fund": "funds.csv:fund",
        "price": "funds.csv:fund,price",
        "gain": "funds.csv:fund,gain",
        "loss": "funds.csv:fund,loss",
        "branch": "funds.csv:branch",
        "about": "funds.csv:fund,branch",
        "budget": 30000,
        "most": 3,
    },
    "deliveries": {
        "customer": "customers.csv:customer",
        "opens": "customers.csv:customer,from@time",
        "closes": "customers.csv:customer,until@time",
        "boxes": "customers.csv:customer,boxes",
        "away": "customers.csv:customer,depot",
        "drive": "drive.csv",
        "van": "vans.csv:van",
        "holds": "vans.csv:van,boxes",
        "START": 390,
        "UNLOADING": 10,
    },
    "rain": {"team": "teams.csv", "court": "courts.csv", "busy": "busy.csv", "closed": "dry.csv", "SLOTS": 12},
}


@pytest.mark.parametrize("path", sorted((ROOT / "models").glob("*.essence")), ids=lambda p: p.stem)
def test_the_models_of_the_repository(path):
    """All declarations are understood, and a solution has a value of the right type for each decision variable."""
    model = Model(path)
    parameters = sorted((ROOT / "params").glob(f"{path.stem}-*.param"))
    data = parameters[0] if parameters else None
    if path.stem in TABLES:
        folder = ROOT / "params" / path.stem
        data = {name: folder / value if isinstance(value, str) else value for name, value in TABLES[path.stem].items()}
    result = model.solve(data, time_limit=20)
    if result:
        assert list(result.solution) == list(model.variables)
        assert "<svg" in result.picture()


def test_a_model_is_a_path_or_a_text(tmp_path):
    file = tmp_path / "square.essence"
    file.write_text("find x : int(1..9) such that x * x = 49")
    assert Model(file).solve()["x"] == Model(str(file)).solve()["x"] == Model(file.read_text()).solve()["x"] == 7
    with pytest.raises(EssenceError, match="no such file"):
        Model(tmp_path / "circle.essence")
    with pytest.raises(EssenceError, match="no such file"):
        Model("circle.essence")


def test_parameters_by_name_in_a_dict_and_in_a_file(tmp_path):
    model = Model("given n, m : int find x : int(0..99) such that x = 10 * n + m")
    (tmp_path / "a.param").write_text("letting n be 4 letting m be 2")
    assert model.solve(n=4, m=2)["x"] == model.solve({"n": 4}, m=2)["x"] == model.solve(str(tmp_path / "a.param"))["x"] == 42
    with pytest.raises(TypeError):
        model.solve(tmp_path / "a.param", n=3)
    with pytest.raises(DataError, match="has no `k`; it has n, m"):
        model.solve(k=3)


def test_several_instances_in_a_file(tmp_path):
    model = Model("given E new type enum given n : int find x : E find y : int(n..n)")
    boards = tmp_path / "boards.json"
    boards.write_text('[{"E": ["red"], "n": 4}, {"E": ["green", "blue"], "n": 5}]')
    assert instances(boards) == [f"{boards}#1", f"{boards}#2"]
    assert [(model.count(one), model.solve(one)["y"]) for one in instances(boards)] == [(1, 4), (2, 5)]
    with pytest.raises(DataError, match=r"contains 2 instances: choose one, such as .*boards.json#1"):
        model.solve(boards)
    with pytest.raises(EssenceError, match="the file holds 2 instances"):
        model.solve(f"{boards}#3")
    one = tmp_path / "one.param"
    one.write_text("letting E be new type enum {red} letting n be 4")
    assert instances(one) == [str(one)]
    assert model.solve(one)["x"] == "red"


def test_a_mistake_in_the_model_is_an_exception(tmp_path):
    file = tmp_path / "bad.essence"
    file.write_text("find x : int(1..3)\nsuch that y = 1")
    with pytest.raises(EssenceError) as caught:
        Model(file).solve()
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == ("E0201", str(file), 2, 11)
    assert error.message == "the name `y` is not declared"
    assert "such that y = 1" in str(error) and error.diagnostics[0].help
    assert error._render_traceback_() == str(error).splitlines()


def test_a_mistake_in_the_data_names_the_parameters():
    model = Model("given n : int(1..3) find x : int(1..n)")
    with pytest.raises(EssenceError) as caught:
        model.solve(n=7)
    assert caught.value.file == "parameters.json"
    assert "/tmp" not in str(caught.value)
    with pytest.raises(EssenceError, match="`n` has no value"):
        model.solve()


def test_a_mistake_in_the_options():
    with pytest.raises(EssenceError, match="--fast") as caught:
        Model("find x : bool").solve(options=["--fast"])
    assert caught.value.line is None


def test_a_syntax_error_is_found_at_once():
    with pytest.raises(EssenceError):
        Model("find x int(1..3)")


def test_no_solution():
    result = Model("find x : int(1..3) such that x > 3").solve()
    assert not result
    assert result.status.state == "unsatisfiable" and result.status.complete
    with pytest.raises(NoSolution):
        result["x"]


def test_several_solutions():
    model = Model("find x : int(1..9)")
    assert len(model.solve(number=3).solutions) == 3
    assert sorted(s.x for s in model.solutions()) == list(range(1, 10))
    assert len(list(model.solutions(number=4))) == 4
    assert model.count() == 9


def test_the_solutions_of_a_model_with_an_objective_are_all_best_ones():
    found = Model("find x, y : int(1..3) maximising x + y such that x + y < 5").solutions()
    assert sorted((s.x, s.y, s.objective_value) for s in found) == [(1, 3, 4), (2, 2, 4), (3, 1, 4)]
    assert found.status.state == "optimal"
    assert Model("find x : int(1..3)").solve().solution.objective_value is None


def test_the_objective_of_a_result():
    assert Model("find x : int(1..3) minimising x").solve().objective == 1
    assert Model("find x : int(1..3)").solve().objective is None
    with pytest.raises(NoSolution):
        Model("find x : int(1..3) such that x > 3 minimising x").solve().objective


def test_a_table_of_the_solutions():
    found = Model("find x : int(1..3) find s : set (size 1) of int(4..4)").solve(number=9).to_frame()
    assert list(found.columns) == ["s", "x"] or list(found.columns) == ["x", "s"]
    assert sorted(found["x"]) == [1, 2, 3] and found["s"].tolist() == [[4]] * 3
    assert list(found.index) == [1, 2, 3]
    assert Model("find x : int(1..3) such that x > 3").solve().to_frame().empty


#: Ends searches in every way, for a Python that turns unclosed resources into errors.
TIDY = """
import gc
from conjure_like import ConjureLikeError, EssenceError, Model
model = Model("given n : int find x : int(1..n) maximising x")
assert model.solve(n=2, progress=lambda progress: None).objective == 2
model.solve(n=2).picture()
model.why(n=0)
for solution in Model("find x, y : int(1..100000)").solutions():
    break
begun = Model("find x, y : int(1..100000)").solutions()
next(begun)
begun.close()
for wrong in (lambda: Model("find x : int(1..3) such that y = x"), lambda: model.solve(n=2, time_limit=0), lambda: model.solve(n=2, options=["-n"])):
    try:
        wrong()
    except ConjureLikeError:
        pass
    gc.collect()
"""


def test_nothing_is_left_open():
    """`-X dev` makes Python report unclosed resources, and `-W error` makes reports errors."""
    tidy = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", TIDY], cwd=ROOT / "clients/python", capture_output=True, text=True)
    assert (tidy.returncode, tidy.stdout, tidy.stderr) == (0, "", "")


def test_a_model_without_decision_variables():
    result = Model("letting n be 3 such that n > 2").solve()
    assert result and result.solution == {}
    assert Model("letting n be 3 such that n > 2").count() == 1


def test_a_time_limit_keeps_the_best_solution():
    result = Model(SHARES).solve(time_limit=4)
    status = result.status
    assert status.state == "satisfiable" and not status.complete
    assert status.stopped_by == "the time limit"
    assert len(result["difference"]) == 4


def test_progress_is_told_while_the_search_runs(capsys):
    told = []
    best = Model("find x, y : int(1..50) such that x * y < 300 maximising x + y").solve(progress=told.append)
    assert told[-1].objective == best["x"] + best["y"]
    counted = Model(MANY).solve(number=10**9, time_limit=3, progress=told.append)
    assert 0 < told[-1].solutions <= len(counted.solutions)
    two = Model("find x, y : int(1..50) such that x * y < 300 maximising (x + y, x)").solve(progress=told.append)
    assert told[-1].objective == (two["x"] + two["y"], two["x"])
    Model("find cost : int(150..151) $ unit cost: 0.01\nminimising cost").solve(progress=told.append)
    assert told[-1].objective == 1.5
    Model("find x : int(1..2) maximising x").solve(progress=True)
    assert "objective 2 after" in capsys.readouterr().err


def test_progress_is_drawn():
    display = Display()
    display._reports = [Progress(1.0, objective=9), Progress(2.5, objective=4)]
    assert str(display) == "objective 4 after 2.5 s"
    assert 'd="M0.0,0.0H300.0V60.0"' in display._repr_html_()
    display.clear()
    assert display._repr_html_() == ""


def test_an_interval_of_the_best_value(tmp_path, monkeypatch):
    """A script replaces the program, because the bounds of the solver at a given time depend on the machine."""
    model = Model("find x : int(1..99) minimising x")
    script = tmp_path / "script"
    script.write_text("""#!/bin/sh\necho '{"type":"solution","json":{"x":14},"objective":14}'
echo '{"type":"result","status":"interrupted","stopped_by":"Ctrl-C","between":[3,14]}'; exit 3""")
    script.chmod(0o755)
    monkeypatch.setenv("CONJURE_LIKE", str(script))
    result = model.solve()
    assert result["x"] == 14 and result.status.between == (3, 14)
    assert str(result.status) == "satisfiable (stopped by Ctrl-C)"


def test_a_time_limit_without_a_solution_is_an_exception():
    with pytest.raises(LimitReached, match="time limit"):
        Model(MANY).solve(time_limit=0)


def test_a_time_limit_while_counting_is_an_exception():
    with pytest.raises(ConjureLikeError, match="after [0-9]+ solutions"):
        Model(MANY).count(time_limit=0.5)


def test_solutions_are_lazy_and_leaving_the_loop_ends_the_program():
    found = Model(MANY).solutions()
    process = found._run._process
    for solution in found:
        break
    assert process.poll() is None
    del found
    assert process.poll() is not None


def test_with_ends_the_program():
    with Model(MANY).solutions() as found:
        assert next(found)
    assert not running(found._run)
    assert not found.status.complete
    assert next(found, None) is None


def test_interrupting_the_solutions_ends_the_iteration():
    found = Model(MANY).solutions()
    next(found)
    found.interrupt()
    assert sum(1 for _ in found) >= 0
    assert found.status.stopped_by == "Ctrl-C"


@pytest.mark.parametrize("model, solutions", [("SHARES", 1), ("MANY", 2)])
def test_ctrl_c_keeps_what_was_found(model, solutions):
    """The test starts another Python, which gets the signal while it waits for the program."""
    number = "None" if model == "SHARES" else "10 ** 9"
    script = (
        "from test_models import *\n"
        f"r = Model({model}).solve(number={number}, progress=lambda p: print('ready', flush=True))\n"
        "print(r.status.stopped_by, len(r.solutions))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    *_, said, count = process.communicate(timeout=30)[0].split()
    assert said == "Ctrl-C"
    assert int(count) >= solutions


def is_at_work(process):
    """Returns true if a process is running. One that has ended may still be in the table as a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", process], stdout=subprocess.PIPE, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    "start",
    [
        "run = Model(PRIME).solutions()._run\nprint(run._process.pid, flush=True)\nrun.line()",
        "Model(PRIME)\nprint(SHARED._process._process.pid, flush=True)\ntime.sleep(99)",
    ],
    ids=["search", "service"],
)
def test_the_program_ends_with_python(start, sent):
    """The program ends with Python for every reason, during a search or between two requests."""
    python = subprocess.Popen(
        [sys.executable, "-c", f"from test_models import *\nfrom conjure_like.service import SHARED\n{start}"],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with python.stdout:
        process = python.stdout.readline().strip()
    assert is_at_work(process)
    python.send_signal(sent)
    python.wait()
    deadline = time.monotonic() + 10
    while is_at_work(process):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_no_path_is_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-m.essence").write_text("given n : int find x : int(1..n)")
    Path("-n.param").write_text("letting n be 3")
    Path("-x.solution").write_text("letting x be 2")
    Model("find x : bool")
    model = Model("-m.essence")
    assert model.count("-n.param") == model.count(Path("-n.param")) == 3
    assert model.explain("-x.solution", "-n.param").verdict == "right"
    assert model.hint("-n.param", known="-x.solution").verdict


def test_ctrl_c_without_a_solution_is_passed_on():
    found = Model(PRIME).solutions()
    threading.Timer(0.7, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        found.collect()
    assert not running(found._run)


def test_ctrl_c_in_a_loop_ends_the_program():
    found = Model(PRIME).solutions()
    threading.Timer(0.7, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        next(found)
    assert not running(found._run)


def test_ctrl_c_while_explaining(tmp_path, monkeypatch):
    def soon(seconds):
        threading.Timer(seconds, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()

    model = Model(PRIME)
    soon(0.7)
    with pytest.raises(KeyboardInterrupt):
        model.why()
    script = tmp_path / "script"
    script.write_text("""#!/bin/sh
        trap 'echo "{\\"type\\":\\"result\\",\\"answer\\":{\\"verdict\\":\\"none\\"},\\"text\\":\\"\\"}"; exit 3' INT
        sleep 20 >/dev/null 2>&1 & wait""")
    script.chmod(0o755)
    monkeypatch.setenv("CONJURE_LIKE", str(script))
    soon(0.7)
    assert model.why().verdict == "none"


def test_two_models_at_the_same_time():
    one = Model("find x : int(1..100)").solutions()
    two = Model("find y : int(1..100)").solutions()
    pairs = [(a.x, b.y) for a, b in zip(one, two)]
    assert sorted(a for a, _ in pairs) == sorted(b for _, b in pairs) == list(range(1, 101))


def test_two_threads():
    model = Model("given n : int find x : int(1..n)")
    counts = {}
    threads = [threading.Thread(target=lambda n=n: counts.update({n: model.count(n=n)})) for n in (30, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == {30: 30, 40: 40}


def test_why():
    answer = Model("given n : int find x : int(1..n) such that x > 3").why(n=3)
    assert answer.verdict == "none"
    assert "x > 3" in answer.reasons
    assert any("change" in c for c in answer.changes)
    forced = Model("find x : int(1..3) such that x > 2").why(forced="x = 3")
    assert forced.verdict == "forced"
    assert str(Model("find x : int(1..3) such that x > 2").why()).endswith("letting x be 3")


def test_why_in_steps(tmp_path):
    square = "find s : matrix indexed by [int(1..4), int(1..4)] of int(1..3) such that forAll i : int(1..4) . allDiff(s[i, ..])"
    for text in ("find x, y : int(1..9) such that x > y, y > 4, x + y = 10", square, SUPPOSING):
        model = Model(text)
        answer = model.why(steps=True)
        assert answer.verdict == "none" and answer.steps and answer.reasons
        assert Model(text).why().steps == []
        # The command line prints the same lines.
        (tmp_path / "model.essence").write_text(text)
        shown = subprocess.run([find(), "why", tmp_path / "model.essence", "--steps"], capture_output=True)
        lines = shown.stdout.decode().splitlines()
        assert str(answer).splitlines()[:8] == lines[:8]
    assert any("Suppose" in step for step in answer.steps)
    assert pickle.loads(pickle.dumps(answer)).steps == answer.steps
    part = Model("find x, y : int(1..9) such that x > y, x + y = 7").explain({"x": 3}, steps=True)
    assert part.verdict == "not extensible" and part.steps
    with pytest.raises(EssenceError):
        model.why(forced="true", steps=True)


def test_explain(tmp_path):
    model = Model("find x, y : int(1..3) such that x < y")
    assert model.explain({"x": 2, "y": 1}).verdict == "wrong"
    assert model.explain({"x": 1}).verdict == "extensible"
    assert model.explain("letting x be 1 letting y be 2").verdict == "right"
    (tmp_path / "mine.solution").write_text("letting x be 3")
    assert model.explain(tmp_path / "mine.solution").verdict == "not extensible"
    with pytest.raises(DataError):
        model.explain({"z": 1})


def test_hint():
    model = Model("find x, y, z : int(1..3) such that x < y, y < z")
    first = model.hint()
    assert first.verdict == "next" and len(first.steps) == 1
    assert "Next: " in str(first)
    assert model.hint(all=True).verdict == "solved"
    assert str(Model("find x : int(1..2)").hint()) == "Nothing more follows: x is not the same in all solutions."
    assert model.hint(known={"x": 1, "y": 2}).steps == ["z = 3"]


def test_pictures():
    model = Model("given n : int find m : matrix indexed by [int(1..2), int(1..2)] of int(1..n)")
    assert "1  1" in model.picture(n=1, format="text")
    assert model.picture(n=1)._repr_svg_().startswith("<svg")
    assert model.picture(n=1, format="html")._repr_html_() is not None
    assert model.picture(n=1)._repr_html_() is None


def test_a_picture_needs_a_solution():
    with pytest.raises(NoSolution, match="nothing to draw"):
        Model("find x : int(1..3) such that x > 3").picture()


def test_a_limit_without_an_answer_is_an_exception():
    model = Model(PRIME)
    for question in (model.why, model.hint, model.picture):
        with pytest.raises(LimitReached, match="time limit"):
            question(time_limit=0.2)


def test_a_solution_is_drawn_as_it_is():
    model = Model(
        """
        letting colour be new type enum {red, green}
        find m : matrix indexed by [colour, int(0..1)] of int(1..2)
        find s : set (size 1) of record {a : bool, b : (int(1..1), colour)}
        find v : variant {p : int(1..2), q : bool}
        find f : function colour --> sequence (maxSize 1) of bool
        find r : relation of (int(1..1) * colour)
        find p : partition from int(1..2)
        find q : permutation of int(1..2)
        find t : mset (size 1) of tuple (int(1..2))
        """
    )
    for solution in model.solutions(number=5):
        text = solution.picture("text")
        assert all(f"{name}" in text for name in solution)


def test_a_solution_that_is_longer_than_an_argument_may_be_is_drawn():
    solution = Model("find m : matrix indexed by [int(1..70000)] of int(10..10)").solve().solution
    assert len(json.dumps(solution.json)) > 1 << 17
    assert str(solution.picture("text")).startswith("m")


def test_an_empty_function_is_drawn():
    model = Model("find f : function int(1..2) --> partition from int(1..2) such that |f| = 0")
    assert model.solve().solution.picture("text") == "f = function()"


def test_members_of_unnamed_types_are_drawn():
    model = Model("letting person be new type of size 2 find m : matrix indexed by [person] of person")
    assert "person_" in model.solve().picture("text")
    assert "person_" in model.picture(format="text")


def test_the_program_is_found(tmp_path, monkeypatch):
    program = find()
    monkeypatch.setenv("CONJURE_LIKE", str(tmp_path / "none"))
    with pytest.raises(ProgramNotFound, match="CONJURE_LIKE"):
        find()
    monkeypatch.delenv("CONJURE_LIKE")
    (tmp_path / "conjure-like").symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find() == str(tmp_path / "conjure-like")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ProgramNotFound, match="PATH"):
        find()


def test_a_program_that_fails_is_an_exception(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho this is a bug >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CONJURE_LIKE", str(broken))
    with pytest.raises(ConjureLikeError, match="this is a bug"):
        Run(["--version"]).finish()
    broken.write_text("#!/bin/sh\nkill -9 $$\n")
    with pytest.raises(ConjureLikeError, match="signal 9"):
        Run(["--version"]).finish()


def test_declarations():
    model = Model(
        """
        language Essence 1.3
        $ find not : this
        given n, m: int(1..9)
        given t new type enum
        letting D be domain set (size n) of t
        letting k be [ 1, 2; int(1..2) ]
        find f: function (total, injective) (int, t) --> D
        find g: function (bool, t) --> matrix indexed by [int(1..(n + 1))] of matrix indexed by [t] of bool
        find h: relation (size 2) of (t * int(-1..1, 5))
        minimising n
        such that and([ x | x : bool ])
        """
    )
    assert {name: str(d) for name, d in model.parameters.items()} == {"n": "int", "m": "int", "t": "type"}
    assert {name: str(d) for name, d in model.variables.items()} == {
        "f": "function (int, t) --> set of t",
        "g": "function (bool, t) --> matrix indexed by [int, t] of bool",
        "h": "relation of (t * int)",
    }


def test_a_parameter_called_like_an_argument():
    assert Model("given number : int find x : int(0..9) such that x = number").solve({"number": 7})["x"] == 7


SQUARE = """
    given colour new type enum
    find m : matrix indexed by [int(0..1), colour] of int(1..2)
    find f : function (total) colour --> int(1..2)
    such that forAll i : int(0..1) . allDiff(m[i, ..]), forAll c : colour . allDiff(m[.., c]), allDiff([f(c) | c : colour])
"""


def test_names_that_are_not_words():
    model = Model('letting C be new type enum {red, "dark red"} find "a b", c : C find m : matrix indexed by [C] of int(1..2)')
    assert "dark red" in model.solve().solution.picture("text")
    assert model.hint(known={"a b": "dark red", "c": None}).verdict
    for known in ({"c": "red, m[red] = 1"}, {"m": {("red] = 1 \\/ m[red",): 2}}, {"c": 'red" "red'}, {"c": "_"}):
        with pytest.raises(EssenceError, match="no strings|is not declared"):
            model.hint(known={"a b": None, **known})


def test_strings_of_data_come_back_as_they_are():
    model = Model("given tent new type enum given size_ : function tent --> int find best : tent find m : matrix indexed by [tent] of bool")
    found = model.solve({"tent": ["big tent", "2024-05-01", 'a "b"'], "size_": {"big tent": 3}}, options=["--show=best,m"])
    assert found["best"] in ("big tent", "2024-05-01", 'a "b"')
    assert set(found.solution.plain()["m"]) == {"big tent", "2024-05-01", 'a "b"'}
    assert found["best"] in found.solution.picture("text")


def test_values_with_unknown_parts():
    model = Model(SQUARE)
    colours = {"colour": ["red", "blue"]}
    first = {"m[0, blue] = 2", "m[1, red] = 2", "m[1, blue] = 1"}
    for known in ({(0, "red"): 1}, [[1, None], [None, None]], {0: {"red": 1, "blue": None}, 1: None}):
        assert first == set(model.hint(colours, known={"m": known}, all=True).steps)
    assert model.hint(colours, known={"f": {"red": 1, "blue": None}}).steps == ["f(blue) = 2"]
    assert model.explain({"m": {(0, "red"): 1, (1, "red"): 1}}, colours).verdict == "not extensible"
    with pytest.raises(DataError):
        model.explain({"m": {(0,): 1}}, colours)
    with pytest.raises(DataError, match="must be complete"):
        Model("given s : sequence of int find x : int(1..2)").solve(s=[1, None])


def test_results_can_be_pickled():
    model = Model("given n : int find r : record {a : int(1..n), b : bool} find m : matrix indexed by [int(0..1)] of bool")
    result = model.solve(n=3)
    again = pickle.loads(pickle.dumps(result))
    assert again == result and again["r"].a == result["r"].a
    assert again.picture() == result.picture() and pickle.loads(pickle.dumps(result.picture())).kind == "svg"
    assert pickle.loads(pickle.dumps(model)).solve(n=3) == result
    assert pickle.loads(pickle.dumps(model.why(n=0))).verdict == "none"
    with pytest.raises(EssenceError) as raised:
        Model("find x : y").solve()
    assert pickle.loads(pickle.dumps(raised.value)).code == raised.value.code


def test_a_path_is_a_table(tmp_path):
    table = tmp_path / "staff.csv"
    table.write_text("name,hours\nAnna-Lena Ø,8\n08:30,7\n", encoding="utf-8")
    model = Model("""
        given staff new type enum
        given hours : function (total) staff --> int(0..12)
        given n : int
        find x : staff
        such that hours(x) = n
    """)
    members = Path(f"{table}:name")
    assert model.solve(staff=members, hours=table, n=8)["x"] == "Anna-Lena Ø"
    assert model.solve(staff=members, hours=table, n=7)["x"] == "08:30"
    table.write_text("name,hours\nAnna-Lena Ø,8\n08:30,x\n", encoding="utf-8")
    with pytest.raises(EssenceError, match="row 3, column hours"):
        model.solve(staff=members, hours=table, n=8)
