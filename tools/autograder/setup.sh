#!/bin/bash
# Gradescope runs this once, when it builds the image: installs the wheel that the archive holds.
set -eu
apt-get update
apt-get install -y python3-pip
pip3 install --break-system-packages /autograder/source/*.whl || pip3 install /autograder/source/*.whl
conjure-like --version
