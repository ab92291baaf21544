"""Tests use the program named by CONJURE_LIKE, or the release build of this checkout."""

import importlib.util
import os
from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "target" / "release" / "conjure-like"

if BUILT.exists():
    os.environ.setdefault("CONJURE_LIKE", str(BUILT))

# The modules that need optional packages.
OPTIONAL = {"IPython": "conjure_like/magics.py", "anywidget": "conjure_like/app.py"}
collect_ignore = [module for package, module in OPTIONAL.items() if not importlib.util.find_spec(package)]
