"""The instances in tests/certificates/instances.txt."""

import pathlib
import shlex

ROOT = pathlib.Path(__file__).resolve().parent.parent


def instances():
    """Each line of the list: a name, the model, the words of its data in the folder params, the claim, and the text to append to the model."""
    for line in (ROOT / "tests/certificates/instances.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            model, data, claim, *added = [word.strip() for word in line.split(" |", 3)]
            data = [] if data == "-" else shlex.split(data)
            files = [f"{word}.param" if (ROOT / f"params/{word}.param").exists() else word for word in data]
            name = data[0] if files != data else model
            yield name, model, files, claim, added[0] if added else ""


def write_model(model, added, path):
    """Writes a model with the appended text."""
    text = (ROOT / f"models/{model}.essence").read_text()
    path.write_text(text + (f"\nsuch that {added}\n" if added else ""))
