"""The notebooks of the repository: each is executed, and what its cells show is compared with what is stored in it.

`UPDATE=1 pytest tests/test_notebooks.py` stores what the cells show now.
"""

import os
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
for needed in ("matplotlib", "networkx", "pandas", "ipykernel"):
    pytest.importorskip(needed)

ROOT = Path(__file__).resolve().parents[3]

#: What is compared; other forms of the same values, such as PNG, vary with the versions of the libraries that make them.
COMPARED = ("text/plain", "image/svg+xml", "text/markdown")


def executed(path):
    notebook = nbformat.read(path, as_version=4)
    paths = os.pathsep.join([str(ROOT / "clients" / "python"), os.environ.get("PYTHONPATH", "")])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False, coalesce_streams=True)
    client.execute(cwd=str(path.parent), env={**os.environ, "PYTHONPATH": paths})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if o.get("data", {}).get("text/plain") != ""]
    return notebook


def shown(notebook):
    """What each cell shows, without addresses, colours and the calls that led to an exception."""
    return [(cell.source, [said for o in cell.outputs for said in parts(o)]) for cell in notebook.cells if cell.cell_type == "code"]


def parts(output):
    if output.output_type == "stream":
        return [output.text] if output.name == "stdout" else []
    if output.output_type == "error":
        return [re.sub(r"\x1b\[[\d;]*m", "", output.evalue)]
    return [re.sub(r" at 0x[0-9a-f]+", "", output.data[form]) for form in COMPARED if form in output.data]


@pytest.mark.parametrize("path", sorted((ROOT / "clients" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_notebook_shows_what_it_stores(path):
    stored = nbformat.read(path, as_version=4)
    found = executed(path)
    if os.environ.get("UPDATE"):
        nbformat.write(found, path)
    else:
        assert shown(found) == shown(stored)
