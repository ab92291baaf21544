"""The app of a model in a cell of a notebook. It needs anywidget: `pip install conjure_like[app]`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Mapping

import anywidget
import traitlets

from .data_out import decode

if TYPE_CHECKING:
    from .model import Model


class App(anywidget.AnyWidget):
    """What `Model.app` returns: the page that `conjure-like app` makes. What people enter and find in it comes back.

    `data` has the values of the parameters, as long as something is wrong with them those before; `solution` is the solution that is
    shown, or `None`. Both can be observed: `app.observe(print, "solution")`.
    """

    _esm = Path(__file__).with_name("app.js")
    _told = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(800).tag(sync=True)
    data = traitlets.Dict()
    solution = traitlets.Any(allow_none=True)

    def __init__(self, model: "Model", page: str, data: Mapping[str, Any], **how: Any):
        self._model = model
        self._page = page
        super().__init__(data=dict(data), **how)
        # The page is sent on demand, so that a notebook does not keep it.
        self.on_msg(self._answer)

    def _answer(self, _: Any, content: Dict[str, Any], __: Any) -> None:
        if content.get("wants") == "page":
            self.send({"page": self._page})

    @traitlets.observe("_told")
    def _hear(self, change: Any) -> None:
        told = change["new"]
        if told.get("usable"):
            self.data = self._model._given_values(told["data"])
        found = told.get("solution")
        self.solution = None if found is None else self._model._session_reader(self.data)(found)
