"""Adds the program to the wheel, from the folder `stage` that tools/build-wheel has put here. pyproject.toml says all else."""

from pathlib import Path

from setuptools import setup

files = sorted(f for f in Path("stage").rglob("*") if f.is_file())
folders = sorted({f.parent for f in files})
setup(data_files=[(str(d.relative_to("stage")), [str(f) for f in files if f.parent == d]) for d in folders])
