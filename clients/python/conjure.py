"""Lets notebooks that contain `%load_ext conjure`, for Conjure's Jupyter extension, run with conjure-like.

This is a file and not a folder, so that Conjure's own package takes precedence if both are installed.
"""

from conjure_like import load_ipython_extension

__all__ = ["load_ipython_extension"]
