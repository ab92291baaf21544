"""The program that the tests use: CONJURE_LIKE, or the release build of this checkout."""

import os
from pathlib import Path

BUILT = Path(__file__).resolve().parents[1] / "target" / "release" / "conjure-like"

if BUILT.exists():
    os.environ.setdefault("CONJURE_LIKE", str(BUILT))
