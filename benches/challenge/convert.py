#!/usr/bin/env python3
"""Makes parameter files in Essence of the challenge's data.

    benches/challenge/convert.py SITE [FOLDER]

SITE is a checkout of the repository that manifest.json names; of each file that is read, the checksum is compared. The
parameter files are FOLDER/CLASS/INSTANCE.param (target/challenge without FOLDER). CLASS/convert.py knows how the data
of a class are called in the Essence model, and which decision variables of MiniZinc's model a solution gives values to.
"""

import hashlib
import importlib.util
import json
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import values  # noqa: E402
from measure import ROOT  # noqa: E402
from parameters import essence  # noqa: E402

FOLDER = ROOT / "target/challenge"

# Classes whose Essence model is in another folder.
MODELS = {
    "steelmillslab": HERE.parent / "abstract/steel-mill/model.essence",
    "vrp": HERE.parent / "abstract/vehicle-routing/model.essence",
}


@dataclass
class Instance:
    """An instance of the challenge: the Essence model, the parameter file, and MiniZinc's model and data file."""

    group: str
    name: str
    is_minimised: bool
    best: int
    optimal: bool
    published: dict
    minizinc: Path
    data: Path
    model: Path
    file: Path

    def converter(self):
        specification = importlib.util.spec_from_file_location("converter", HERE / self.group / "convert.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    def write(self):
        """Writes the parameter file."""
        parameters = self.converter().parameters(values.data(self.data))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text("".join(f"letting {name} be {essence(value)}\n" for name, value in parameters.items()))


def checked(file, checksum):
    if hashlib.sha256(file.read_bytes()).hexdigest() != checksum:
        sys.exit(f"{file} is not the file that manifest.json means")
    return file


def instances(site, folder=FOLDER):
    """All instances that the manifest names, in its order."""
    for one in json.loads((HERE / "manifest.json").read_text())["classes"]:
        group = one["class"]
        for instance in one["instances"]:
            yield Instance(
                group=group,
                name=instance["name"],
                is_minimised=one["kind"] == "min",
                best=instance["best"],
                optimal=instance["proved"],
                published=instance["published"],
                minizinc=checked(site / one["model"], one["sha256"]),
                data=checked(site / instance["file"], instance["sha256"]),
                model=MODELS.get(group, HERE / group / "model.essence"),
                file=folder / group / f"{instance['name']}.param",
            )


def main():
    for instance in instances(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER):
        instance.write()


if __name__ == "__main__":
    main()
