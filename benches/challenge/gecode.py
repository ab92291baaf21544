"""Gecode as Debian has it, for models that use MiniZinc's newer library.

Debian's Gecode brings definitions of global constraints for MiniZinc before 2.6, which hide those of MiniZinc 2.6: most
of `globals.mzn` is then refused. Debian's MiniZinc has definitions of the new kind, for a Gecode that knows some
constraints by other names. `solver` writes a copy of these with Debian's names, and a description of the solver that
uses them.
"""

import json
import re
from pathlib import Path

LIBRARY = Path("/usr/share/minizinc")


def renamed(call):
    name, parameters = call.groups()
    names = ", ".join(re.findall(r":\s*(\w+)\s*(?:,|$)", parameters))
    return f"predicate gecode_{name}({parameters});\npredicate fzn_{name}({parameters}) = gecode_{name}({names});"


def solver(folder):
    """Writes the library into a folder; returns what `minizinc --solver` is given."""
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for file in (LIBRARY / "gecode_presolver").glob("*.mzn"):
        original = LIBRARY / "gecode" / file.name
        text = (original if file.name.startswith("redefinitions") else file).read_text()
        text = re.sub(r"predicate\s+fzn_(\w+)\s*\(([^()]*)\)\s*;", renamed, text)
        places = r"array\[int\] of var int: x,"
        text = re.sub(rf"(gecode_m\w+_arg_int)\({places}", r"\1_offset(array[int] of var int: x, int: first,", text)
        text = re.sub(r"(gecode_m\w+_arg_int)\(x,\(i-(min\(index_set\(x\)\))\)::domain\)", r"\1_offset(x, \2, i)", text)
        (folder / file.name).write_text(text)
    description = json.loads(re.sub(r",(\s*\])", r"\1", (LIBRARY / "solvers/gecode.msc").read_text()))
    file = folder / "gecode.msc"
    file.write_text(json.dumps(description | {"id": "gecode.debian", "mznlib": str(folder)}, indent=1) + "\n")
    return file
