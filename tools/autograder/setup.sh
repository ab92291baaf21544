#!/bin/bash
# Gradescope runs this once, when it builds the image: installs the wheel that the archive holds.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3-pip
# Newer versions of pip refuse to install beside the system's packages, and older ones do not know the option.
options=
if pip3 install --help | grep -q break-system-packages; then options=--break-system-packages; fi
pip3 install --no-index $options /autograder/source/*.whl
conjure-like --version
