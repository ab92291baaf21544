"""The app of a model in a notebook cell. Requires anywidget: `pip install conjure_like[app]`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Mapping

import anywidget
import traitlets

from .data_out import decode

if TYPE_CHECKING:
    from .model import Model


class App(anywidget.AnyWidget):
    """The widget that `Model.app` returns: the page of `conjure-like app`, with values that are sent back to Python.

    `data` holds the parameter values; while an entry is invalid, it keeps the last valid values. `solution` is the
    displayed solution, or `None`. You can observe both: `app.observe(print, "solution")`.
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
        # The page is sent on request rather than as a synchronised trait, so that the notebook file does not store it.
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
