#!/bin/bash
# Gradescope runs this once, when it builds the image. It installs the wheel in the archive.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3-pip
# Newer versions of pip refuse to install into the system's environment without this option, and older ones do not know
# it.
options=
if pip3 install --help | grep -q break-system-packages; then options=--break-system-packages; fi
pip3 install --no-index $options /autograder/source/*.whl
conjure-like --version
