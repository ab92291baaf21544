"""The plugin of pytest: runs the test cases of models and parameter files, as `conjure-like test` does.

The program finds and runs the cases. A file with cases is a collector, and each case an item.
"""

import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

from .errors import ConjureLikeError
from .program import Members, Process

#: The endings of the names of models and parameter files.
ENDINGS = {".essence", ".param", ".essence-param", ".model", ".eprime-param"}

#: The name of a case without a name.
WHOLE = "all"

#: The line and the name of a case. A case that runs on several instances has a name for each of them.
Key = Tuple[int, str]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Optional[CaseFile]":
    """Collects a file whose comments may be test cases."""
    if file_path.suffix not in ENDINGS or b"$" not in file_path.read_bytes():
        return None
    found: CaseFile = CaseFile.from_parent(parent, path=file_path)
    return found


class CaseFile(pytest.File):
    """A file with test cases. All chosen cases run in one process of the program, which starts with the first of them."""

    _results: "Optional[Iterator[Members]]" = None

    def collect(self) -> "Iterator[CaseItem]":
        """The cases of the file."""
        try:
            cases = list(self._run("--list"))
        except ConjureLikeError as error:
            raise self.CollectError(str(error)) from None
        for case in cases:
            yield CaseItem.from_parent(self, name=case["case"] or WHOLE, key=_key(case))

    def result(self, key: Key) -> Members:
        """The result of a case."""
        known = self._known
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
        """The option that leaves out the other cases, if one case with a name is chosen."""
        chosen = {item.key for item in self.session.items if isinstance(item, CaseItem) and item.parent is self}
        names = [name for _, name in chosen]
        return [f"--only={names[0]}"] if len(names) == 1 and names[0] else []

    def _run(self, *options: str) -> Iterator[Members]:
        """The cases of the file with their results, as soon as they are there."""
        path = self.shown_path()
        process = Process(["test", *options, "--output-format=json", "--", path])
        try:
            while (case := process.line()) is not None:
                # A model stands also for the files that name it, which have collectors of their own.
                if case["file"] == path:
                    yield case
            words = process.last_words()
            if process.has_failed():
                raise ConjureLikeError(words or "the program has ended")
        finally:
            process.close()

    def shown_path(self) -> str:
        """The path of the file for messages: from the folder in which pytest was started, if the file is below it."""
        start = self.config.invocation_params.dir
        return str(self.path.relative_to(start)) if start in self.path.parents and Path.cwd() == start else str(self.path)


class CaseItem(pytest.Item):
    """A test case of a model."""

    def __init__(self, *, key: Key, **options: Any) -> None:
        super().__init__(**options)
        self.key = key

    def runtest(self) -> None:
        """Takes the result of the case from the program."""
        assert isinstance(self.parent, CaseFile)
        result = self.parent.result(self.key)
        if result["verdict"] != "passed":
            raise CaseFailed(result)

    def repr_failure(self, excinfo: "pytest.ExceptionInfo[BaseException]", style: Any = None) -> Any:
        """The findings of the case, each with its file and line."""
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        if isinstance(excinfo.value, ConjureLikeError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> "Tuple[os.PathLike[str], int, str]":
        """The place of the case."""
        line, name = self.key
        return self.path, line - 1, f"{self.path.name}: {name}" if name else self.path.name


class CaseFailed(Exception):
    """A case that did not pass."""

    def __init__(self, result: Members) -> None:
        super().__init__("\n\n".join(_finding(result["file"], finding) for finding in result["findings"]))


def _key(case: Members) -> Key:
    return case["line"], case["case"]


def _finding(file: str, finding: Members) -> str:
    """What is wrong with one line of a case, for people."""
    return "\n\n".join(filter(None, [f"{file}:{finding['line']}: {finding['says']}", finding["text"]]))
