"""Adds the program to the wheel, from the folder `stage` that tools/build-wheel makes here. pyproject.toml has
everything else.
"""

from pathlib import Path

from setuptools import setup

from distutils.command.build_scripts import build_scripts


class Programs(build_scripts):
    """Copies the files of `bin` into the folder of scripts; the base class would read them as Python scripts."""

    def run(self):
        self.mkpath(self.build_dir)
        for file in self.scripts:
            self.copy_file(file, self.build_dir)


files = sorted(f for f in Path("stage").rglob("*") if f.is_file())
programs = [f for f in files if f.parent.name == "bin"]
folders = sorted({f.parent for f in files} - {f.parent for f in programs})
setup(
    cmdclass={"build_scripts": Programs},
    scripts=[str(f) for f in programs],
    data_files=[(str(d.relative_to("stage")), [str(f) for f in files if f.parent == d]) for d in folders],
)
