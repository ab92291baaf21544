"""The notebooks of the repository: each is executed, and stored without output.

`UPDATE=1 pytest tests/test_notebooks.py` removes the output after you have run a notebook.
"""

import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
for needed in ("matplotlib", "networkx", "pandas", "ipykernel"):
    pytest.importorskip(needed)

ROOT = Path(__file__).resolve().parents[3]

NOTEBOOKS = sorted((ROOT / "clients" / "notebooks").glob("*.ipynb"))


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    paths = os.pathsep.join([str(ROOT / "clients" / "python"), os.environ.get("PYTHONPATH", "")])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False, coalesce_streams=True)
    client.execute(cwd=str(path.parent), env={**os.environ, "PYTHONPATH": paths})
    # A cell that shows a mistake on purpose has the tag `raises-exception`; without it, an exception ends the run.
    for cell in code(notebook):
        said = {output.output_type for output in cell.outputs}
        assert ("error" in said) == ("raises-exception" in cell.metadata.get("tags", [])), cell.source
    assert any(output.get("data") or output.get("text") for cell in code(notebook) for output in cell.outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    kept = [cell for cell in code(notebook) if cell.outputs or cell.execution_count is not None]
    if kept and os.environ.get("UPDATE"):
        for cell in kept:
            cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, path)
    else:
        assert [cell.source for cell in kept] == []
