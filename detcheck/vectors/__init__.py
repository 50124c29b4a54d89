"""Known-answer vectors: holding every executor's arithmetic to files of raw inputs and outputs, and making such files.

report = check("float_pinned_32.jsonl")     # a CheckReport; DetcheckError when the file is malformed
for line in make("fixed_point_16_16", "mul", 1000, 1): ...
"""

from detcheck.vectors.checking import CheckReport, Difference, EngineReport, check
from detcheck.vectors.making import make
from detcheck.vectors.ops import OPS
from detcheck.vectors.show import report_lines

__all__ = ["OPS", "CheckReport", "Difference", "EngineReport", "check", "make", "report_lines"]
