#!/usr/bin/env python3
"""Functions for the tests of packages: they unpack an archive, a wheel, a package for Debian, or an extension of Visual Studio Code, and check that it
fits its metadata.

Run as a program, it checks the given packages.
"""

import base64
import csv
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The tag of a wheel, Visual Studio Code's name, and the end of the name of a package for Debian, for each platform.
PLATFORMS = {
    "windows-x86_64": ("win_amd64", "win32-x64"),
    "macos-aarch64": ("macosx_13_0_arm64", "darwin-arm64"),
    "macos-x86_64": ("macosx_13_0_x86_64", "darwin-x64"),
    "linux-aarch64": ("manylinux_2_28_aarch64", "linux-arm64", "arm64.deb"),
    "linux-x86_64": ("manylinux_2_28_x86_64", "linux-x64", "amd64.deb"),
}


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def platform_of(package):
    """The platform of a package, from its name."""
    (found,) = [there for there, names in PLATFORMS.items() if re.search(rf"[-_]({'|'.join([there, *names])})(\.|$)", package.name)]
    return found


def unpack(package, folder):
    """Unpacks a package into a folder, with the layout of an installation, and returns the program in it."""
    if package.suffix == ".whl":
        top = wheel(package, folder)
    elif package.suffix == ".vsix":
        top = extension(package, folder)
    elif package.suffix == ".deb":
        subprocess.run(["dpkg-deb", "--extract", package, folder / "system"], check=True)
        top = folder / "system/usr"
        check((top / "share/man/man1/conjure-like-solve.1.gz").is_file(), f"{package.name} has no page for man")
    else:
        shutil.unpack_archive(package, folder)
        (top,) = folder.iterdir()
    program = top / "bin" / ("conjure-like.exe" if platform_of(package).startswith("windows") else "conjure-like")
    check(program.is_file(), f"{package.name} has no program")
    licences = top / "share/doc/conjure-like/licences.txt"
    check(licences.is_file() and licences.stat().st_size > 0, f"{package.name} does not say what it contains")
    return program


def wheel(package, folder):
    """Unpacks a wheel, and checks that its name has its tag and its record lists each file. Returns the folder of the environment."""
    place = folder / "unpacked"
    with zipfile.ZipFile(package) as packed:
        packed.extractall(place)
    (described,) = place.glob("*.dist-info")
    about = (described / "WHEEL").read_text("utf-8")
    tag = f"py3-none-{PLATFORMS[platform_of(package)][0]}"
    check(package.stem.endswith(f"-{tag}") and f"\nTag: {tag}\n" in about.replace("\r\n", "\n"), f"{package.name} says\n{about}")
    with open(described / "RECORD", encoding="utf-8", newline="") as lines:
        record = {name: (digest, size) for name, digest, size in csv.reader(lines)}
    files = {file.relative_to(place).as_posix(): file for file in place.rglob("*") if file.is_file()}
    check(record.keys() == files.keys(), f"{package.name} records other files than it has: {record.keys() ^ files.keys()}")
    for name, file in files.items():
        if name != f"{described.name}/RECORD":
            content = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            check(record[name] == (f"sha256={digest}", str(len(content))), f"{package.name} records another {name}")
    check((place / "conjure_like/__init__.py").is_file(), f"{package.name} has no package of Python")
    (data,) = place.glob("*.data")
    top = folder / "environment"
    shutil.copytree(data / "data", top)
    shutil.copytree(data / "scripts", top / "bin")
    for program in (top / "bin").iterdir():
        program.chmod(0o755)
    return top


def extension(package, folder):
    """Unpacks an extension, and checks that its manifest names the platform and its program is executable. Returns the folder of the program."""
    with zipfile.ZipFile(package) as packed:
        packed.extractall(folder)
        modes = {one.filename: one.external_attr >> 16 for one in packed.infolist()}
    manifest = (folder / "extension.vsixmanifest").read_text("utf-8")
    there = platform_of(package)
    check(f'TargetPlatform="{PLATFORMS[there][1]}"' in manifest, f"{package.name} says\n{manifest}")
    check((folder / "extension/dist/extension.js").is_file(), f"{package.name} has no code")
    name = "extension/program/bin/conjure-like"
    # Visual Studio Code sets the modes from the package; Python's zipfile does not.
    check(there.startswith("windows") or modes[name] & 0o111, f"{package.name} has a program that nobody may run")
    if not there.startswith("windows"):
        (folder / name).chmod(0o755)
    return folder / "extension/program"


def names_of_this_machine(file):
    """The folders of this machine that a program mentions."""
    code = file.read_bytes()
    return [place for place in (ROOT, Path.home()) if f"{place}/".encode() in code]


if __name__ == "__main__":
    for package in map(Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as place:
            unpack(package, Path(place))
        print(f"{package.name} is what it says.")
