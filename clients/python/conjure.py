"""Lets notebooks that say `%load_ext conjure`, as Conjure's extension for Jupyter wants it, run with conjure-like.

This is a file and not a folder, so that Conjure's own package comes first where both are installed.
"""

from conjure_like import load_ipython_extension

__all__ = ["load_ipython_extension"]
