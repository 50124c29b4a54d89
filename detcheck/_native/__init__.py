"""The C extension, where it was built: `detcheck._native.core`. Only `detcheck.engine` speaks to it."""
