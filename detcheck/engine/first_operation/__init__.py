"""Which operation parts two executors: a tick is taken apart until one op, on one row, is left."""

from detcheck.engine.first_operation.search import REFERENCE, Answer, first_operation

__all__ = ["REFERENCE", "Answer", "first_operation"]
