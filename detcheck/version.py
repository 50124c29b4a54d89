"""Versions of headers, reports and `--version`: one place, so that nothing reads installed metadata at start-up."""

__version__ = "0.1.0"

GOLDEN_FORMAT = 1
DUMP_FORMAT = 1
VECTORS_FORMAT = 1
REPORT_FORMAT = 1

#: The pinned arithmetic's own version, per backend: raised when a backend's bits change on purpose.
MATH_VERSIONS = {
    "fixed_point_16_16": 1,
    "fixed_wrapping_16_16": 1,
    "float_pinned_32": 1,
}
