"""The pytest plugin: runs the test cases of models and parameter files, as `conjure-like test` does.

The program finds and runs the cases. A file with cases is a collector, and each case is an item.
"""

import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

from .errors import ConjureLikeError
from .program import Members, Process

#: The suffixes of models and parameter files.
ENDINGS = {".essence", ".param", ".essence-param", ".model", ".eprime-param"}

#: The item name for a case without a name.
WHOLE = "all"

#: The line and the name of a case. A case that runs on several instances has one name for each instance.
Key = Tuple[int, str]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Optional[CaseFile]":
    """Collects a file that may contain test cases: they are in comments, which start with `$`."""
    # A file without comments has no cases; this test saves a run of the program for it.
    if file_path.suffix not in ENDINGS or b"$" not in file_path.read_bytes():
        return None
    found: CaseFile = CaseFile.from_parent(parent, path=file_path)
    return found


class CaseFile(pytest.File):
    """A file with test cases. All selected cases run in one process, which starts when the first result is needed."""

    _results: "Optional[Iterator[Members]]" = None

    def collect(self) -> "Iterator[CaseItem]":
        """Yields the cases of the file."""
        try:
            cases = list(self._run("--list"))
        except ConjureLikeError as error:
            raise self.CollectError(str(error)) from None
        for case in cases:
            yield CaseItem.from_parent(self, name=case["case"] or WHOLE, key=_key(case))

    def result(self, key: Key) -> Members:
        """Returns the result of a case."""
        known = self._known
        # Results arrive in the order of the file, but pytest may run the items in another order.
        while key not in known:
            if self._results is None:
                self._results = self._run(*self._only())
            case = next(self._results, None)
            if case is None:
                raise ConjureLikeError("the program has not run this case")
            known[_key(case)] = case
        return known[key]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._known: Dict[Key, Members] = {}

    def _only(self) -> List[str]:
        """Returns the option that restricts the run to a single named case, if no other case is selected."""
        chosen = {item.key for item in self.session.items if isinstance(item, CaseItem) and item.parent is self}
        names = [name for _, name in chosen]
        # With `pytest -k NAME`, the other cases of the file would take time for nothing.
        return [f"--only={names[0]}"] if len(names) == 1 and names[0] else []

    def _run(self, *options: str) -> Iterator[Members]:
        """Yields the cases of the file with their results, as they arrive."""
        path = self.shown_path()
        process = Process(["test", *options, "--output-format=json", "--", path])
        try:
            while (case := process.line()) is not None:
                # The program also reads files that name this model; those have their own collectors.
                if case["file"] == path:
                    yield case
            words = process.last_words()
            if process.has_failed():
                raise ConjureLikeError(words or "the program has ended")
        finally:
            process.close()

    def shown_path(self) -> str:
        """Returns the path for messages: relative to the folder where pytest was started if the file is below it."""
        start = self.config.invocation_params.dir
        return str(self.path.relative_to(start)) if start in self.path.parents and Path.cwd() == start else str(self.path)


class CaseItem(pytest.Item):
    """A test case of a model."""

    def __init__(self, *, key: Key, **options: Any) -> None:
        super().__init__(**options)
        self.key = key

    def runtest(self) -> None:
        """Runs the case, and raises `CaseFailed` unless it passes."""
        assert isinstance(self.parent, CaseFile)
        result = self.parent.result(self.key)
        if result["verdict"] != "passed":
            raise CaseFailed(result)

    def repr_failure(self, excinfo: "pytest.ExceptionInfo[BaseException]", style: Any = None) -> Any:
        """Returns the findings of the case, each with its file and line."""
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        if isinstance(excinfo.value, ConjureLikeError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> "Tuple[os.PathLike[str], int, str]":
        """Returns the position of the case."""
        line, name = self.key
        return self.path, line - 1, f"{self.path.name}: {name}" if name else self.path.name


class CaseFailed(Exception):
    """Raised for a case that did not pass; the text lists its findings."""

    def __init__(self, result: Members) -> None:
        super().__init__("\n\n".join(_finding(result["file"], finding) for finding in result["findings"]))


def _key(case: Members) -> Key:
    return case["line"], case["case"]


def _finding(file: str, finding: Members) -> str:
    """Returns the text for one finding."""
    return "\n\n".join(filter(None, [f"{file}:{finding['line']}: {finding['says']}", finding["text"]]))
