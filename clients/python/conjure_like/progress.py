"""The progress of a running search."""

import sys
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, Union

from .data_out import objective
from .program import Members


class Progress(NamedTuple):
    """A progress report: the seconds since the search started, the best objective so far, and the number of solutions
    so far.

    The objective is a number in its unit, a tuple if there are several goals, and `None` if the model has no objective.
    """

    seconds: float
    objective: Union[None, float, Tuple[float, ...]] = None
    solutions: Optional[int] = None

    def __str__(self) -> str:
        found = f"{self.solutions} solutions" if self.objective is None else f"objective {self.objective}"
        return f"{found} after {self.seconds:.1f} s"


#: A function that is called with the progress, or `True` for a display below the cell or on standard error.
Listener = Union[Callable[[Progress], None], bool]

def read(line: Members) -> Progress:
    """Parses a progress line.

    >>> read({"seconds": 5.0, "solutions": 2, "objective": [4, -7]})
    Progress(seconds=5.0, objective=(4, -7), solutions=2)
    """
    value = objective(line["objective"])
    return Progress(line["seconds"], tuple(value) if isinstance(value, list) else value, line["solutions"])


class Display:
    """Shows progress: a line and a curve below the notebook cell that update in place, or lines on standard error."""

    def __init__(self) -> None:
        self._reports: List[Progress] = []
        self._handle: Any = None

    def __call__(self, progress: Progress) -> None:
        self._reports.append(progress)
        if not _in_notebook():
            print(progress, file=sys.stderr)
        elif self._handle is None:
            from IPython.display import display

            self._handle = display(self, display_id=True)
        else:
            self._handle.update(self)

    def clear(self) -> None:
        """Empties the display when the search has ended."""
        self._reports.clear()
        if self._handle is not None:
            self._handle.update(self)

    def __repr__(self) -> str:
        return str(self._reports[-1]) if self._reports else ""

    def _repr_html_(self) -> str:
        return f"<div>{self}</div>{_curve(self._reports)}" if self._reports else ""


def _curve(reports: List[Progress]) -> str:
    """Draws the objective over time as steps, or the first of several goals."""
    first = [(r.seconds, r.objective) for r in reports if r.objective is not None]
    points = [(seconds, value[0] if isinstance(value, tuple) else value) for seconds, value in first]
    if len(points) < 2:
        return ""
    (start, _), (end, _) = points[0], points[-1]
    low, high = min(v for _, v in points), max(v for _, v in points)
    placed = [(300 * (t - start) / ((end - start) or 1), 60 * (high - v) / ((high - low) or 1)) for t, v in points]
    # The best value stays until the next solution, so the curve consists of steps.
    path = f"M{placed[0][0]:.1f},{placed[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in placed[1:])
    box = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="70" viewBox="-5 -5 320 70">'
    return f'{box}<path d="{path}" fill="none" stroke="#3b82c4" stroke-width="2"/></svg>'


def _in_notebook() -> bool:
    """Returns true if this process is a Jupyter kernel."""
    loaded = sys.modules.get("IPython")
    shell = loaded.get_ipython() if loaded else None
    return hasattr(shell, "kernel")
