"""The C extension, where it was built: `detcheck._native.core`.

`detcheck.engine` runs it; `detcheck.dumps.newlines` counts lines with it. Nothing else speaks to it.
"""
