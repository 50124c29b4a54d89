"""Several replays at a time, through concurrent.futures in this one place; results come in the order of the work.

Native replays release the interpreter lock: threads. The others hold it: processes, started by `spawn`, so that each
has its own string-hash seed. Another engine is another entry of POOLS.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor as Pool
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeVar

from detcheck.errors import DetcheckError

Item = TypeVar("Item")
Result = TypeVar("Result")
Stop = Callable[[], bool]


class StopFlag(Protocol):
    """What threading.Event and multiprocessing.Event have in common here."""

    def set(self) -> None: ...

    def is_set(self) -> bool: ...


#: in a worker process: answers whether the parent wants it to stop
_worker_stop: Stop | None = None


def _threads(jobs: int) -> tuple[Pool, StopFlag]:
    return ThreadPoolExecutor(jobs, thread_name_prefix="replay"), threading.Event()


def _processes(jobs: int) -> tuple[Pool, StopFlag]:
    context = multiprocessing.get_context("spawn")
    flag = context.Event()
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker, initargs=(flag,)), flag


#: kind of executor -> what makes a pool and the flag that stops its work
POOLS: dict[str, Callable[[int], tuple[Pool, StopFlag]]] = {"threads": _threads, "processes": _processes}


def pool_kind(executor: str) -> str:
    """Which pool an executor (a resolved name) is best run in."""
    return "threads" if executor.startswith("native") else "processes"


def in_order(function: Callable[[Item, Stop], Result], items: Sequence[Item], jobs: int, kind: str) -> Iterator[Result]:
    """`function(item, stop)` for each item, `jobs` at a time, results in the order of the items.

    Closing the iterator, or Ctrl-C, makes `stop` answer true and waits for what is running. For processes, function
    and items are pickled. Raises DetcheckError when a worker process dies.
    """
    if jobs <= 1 or len(items) <= 1:
        for item in items:
            yield function(item, _never)
        return
    pool, flag = POOLS[kind](min(jobs, len(items)))
    call: Callable[..., Any] = _call_in_worker if kind == "processes" else _call_here
    futures = [pool.submit(call, function, item, *(() if kind == "processes" else (flag,))) for item in items]
    try:
        for future in futures:
            yield future.result()
    except BrokenProcessPool:
        hint = "was it out of memory? fewer at a time: -j 1"
        raise DetcheckError("jobs.worker_died", "a worker process died during a replay", None, hint) from None
    finally:
        flag.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _never() -> bool:
    return False


def _call_here(function: Callable[[Item, Stop], Result], item: Item, flag: StopFlag) -> Result:
    return function(item, flag.is_set)


def _call_in_worker(function: Callable[[Item, Stop], Result], item: Item) -> Result:
    assert _worker_stop is not None
    return function(item, _worker_stop)


def _begin_worker(flag: StopFlag) -> None:
    """Ctrl-C reaches the whole group: only the parent answers it. A worker whose parent was killed ends too."""
    global _worker_stop
    _worker_stop = flag.is_set
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import os

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
