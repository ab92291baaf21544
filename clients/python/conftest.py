"""The tests use the program that CONJURE_LIKE names, or the release build of this checkout."""

import importlib.util
import os
from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "target" / "release" / "conjure-like"

if BUILT.exists():
    os.environ.setdefault("CONJURE_LIKE", str(BUILT))

# IPython is optional.
collect_ignore = [] if importlib.util.find_spec("IPython") else ["conjure_like/magics.py"]
