#!/usr/bin/env python3
"""Runs the commands in Conjure's documentation with conjure-like under the name `conjure`, and reports which ones work.

    benches/documentation.py FOLDER [PROGRAM]

FOLDER holds the documentation: `docs` in a checkout of Conjure. The default of PROGRAM is
target/release/conjure-like. A command runs in a temporary folder with the files that it names: the file beside the page with the
most similar name, or the page's last block of code before the first mention of the name. Cells of notebooks that start with
`%%conjure` are models.
"""

import collections
import difflib
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FILE = re.compile(r"[\w.-]+\.(?:essence-param|essence|param|solution)\b")
LIMIT = 60  # seconds for each command


def blocks(page):
    """The blocks of code of a page with the offsets at which they end."""
    for block in re.finditer(r"^( *)\.\. code(?:-block)?::[^\n]*\n((?:\1 +[^\n]*\n|\s*\n)+)", page, re.M):
        yield block.end(), re.sub(r"^ *:\w+:.*$", "", block.group(2), flags=re.M)


def commands(path):
    """The commands of a page or of a notebook, each with the files that it needs, or `None` for one that is not there."""
    if path.suffix == ".ipynb":
        for cell in json.loads(path.read_text())["cells"]:
            head, _, model = "".join(cell["source"]).partition("\n")
            if re.match(r"%%conjure\b(?!\+)", head):
                options = re.sub(r"--print-output=\S+", "", head.removeprefix("%%conjure"))
                yield f"conjure solve {options} model.essence", {"model.essence": model}
        return
    page = path.read_text()
    for command in re.findall(r"^ +\$? ?(conjure [a-z-]+ .*)$", page, re.M):
        yield command, {name: text(path, page, name) for name in FILE.findall(command)}


def text(path, page, name):
    """The contents of a file that a page mentions."""
    # Some pages and the folder use different names for a file.
    beside = {file.name: file for file in path.parent.glob("*" + pathlib.Path(name).suffix)}
    if nearest := difflib.get_close_matches(name, beside, n=1, cutoff=0):
        return beside[nearest[0]].read_text()
    before = [block for end, block in blocks(page) if end <= page.find(name) and "conjure " not in block]
    return before[-1] if before else None


def run(program, command, files):
    """The verdict on a command, with the reason."""
    absent = [name for name, text in files.items() if text is None]
    if absent:
        return "not runnable", "the page does not show " + ", ".join(absent)
    with tempfile.TemporaryDirectory() as folder:
        conjure = pathlib.Path(folder, "conjure")
        conjure.symlink_to(program)
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text)
        words = [str(conjure), *shlex.split(command)[1:]]
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return "refused", f"no answer within {LIMIT} s"
    said = next(iter((done.stderr + done.stdout).splitlines()), "")
    if done.returncode == 0:
        return "run", ""
    # E0401: the page does not contain the data. E0101 and E0201: the page shows a part of a model.
    is_part = re.match(r"error\[E0(401|101|201)\]", said)
    return ("not runnable" if is_part else "refused"), said


def main():
    folder = pathlib.Path(sys.argv[1])
    program = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "target/release/conjure-like").resolve()
    count = collections.Counter()
    for path in sorted([*folder.rglob("*.rst"), *folder.rglob("*.ipynb")]):
        for command, files in commands(path):
            verdict, reason = run(program, command, files)
            count[verdict] += 1
            if verdict != "run":
                print(f"{verdict}: {path.relative_to(folder)}: {command}\n    {reason}")
    print(", ".join(f"{verdict} {number}" for verdict, number in count.most_common()))


if __name__ == "__main__":
    main()
