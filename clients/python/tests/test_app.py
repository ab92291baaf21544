"""The app of a model as a widget. The tests send the messages of the page."""

import json
import re

import pytest

pytest.importorskip("anywidget")

from conjure_like import EssenceError, Model

MODEL = """
given item new type enum
given weight : function (total) item --> int(0..9)
given grid : matrix indexed by [int(0..1)] of bool
find chosen : set of item
"""

DATA = {"item": ["rope", "tent"], "weight": {"rope": 2, "tent": 7}, "grid": {0: True, 1: False}}


@pytest.fixture(autouse=True)
def page(tmp_path, monkeypatch):
    """A page without the engine."""
    page = tmp_path / "page.html"
    page.write_text('<title>@app title@</title><script type="application/json" id="app">@app data@</script>')
    monkeypatch.setenv("CONJURE_LIKE_APP", str(page))


def told(**more):
    data = {"item": ["rope", "map"], "weight": [["rope", 3], ["map", 1]], "grid": {"0": False, "1": True}}
    return {"data": data, "usable": True, "set": [], "solution": None, **more}


def test_the_page_holds_the_model_and_its_data_and_is_sent_when_it_is_wanted():
    app = Model(MODEL).app(DATA)
    sent = []
    app.send = lambda content, buffers=None: sent.append(content)
    app._handle_custom_msg({"wants": "page"}, [])
    [held] = re.findall(r'id="app">(.*)</script>', sent[0]["page"])
    held = json.loads(held)
    assert held["name"] == "model.essence"
    assert held["plans"][0]["values"]["item"] == ["rope", "tent"]
    # The saved notebook does not contain the page.
    assert not any("<title>" in str(value) for value in app.get_state().values())


def test_what_is_entered_comes_back_as_python_values():
    app = Model(MODEL).app(DATA)
    assert app.data == DATA and app.solution is None
    heard = []
    app.observe(lambda change: heard.append(change["new"]), "data")
    app.set_state({"_told": told()})
    assert app.data["item"] == ["rope", "map"]
    assert app.data["weight"] == {"rope": 3, "map": 1}
    assert app.data["grid"][1] is True
    assert heard == [app.data]
    # The values can be used as data.
    assert len(list(Model(MODEL).solutions(app.data))) == 4


def test_wrong_data_leave_those_before():
    app = Model(MODEL).app(DATA)
    app.set_state({"_told": told(usable=False, data={"item": ["rope"]})})
    assert app.data == DATA


def test_the_solution_comes_back():
    app = Model(MODEL).app(DATA)
    app.set_state({"_told": told(solution={"chosen": ["map"]})})
    assert app.solution["chosen"] == frozenset({"map"})
    app.set_state({"_told": told()})
    assert app.solution is None


def test_wrong_data_have_no_app():
    with pytest.raises(EssenceError):
        Model("given n : int(1..3) find x : int(1..n)").app(n=7)
