"""Which operation parts two executors: a tick is taken apart until one op, on one row, is left."""

from detcheck.engine.first_operation.search import REFERENCE, Answer, first_operation
from detcheck.engine.first_operation.suspect import WORK_LIMIT

__all__ = ["REFERENCE", "WORK_LIMIT", "Answer", "first_operation"]
