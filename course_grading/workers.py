"""Who does the judging: processes of this machine, or an engine that is already there.

A job is plain data and a verdict is, too (see judge.py), so any engine that can map a
function over a list will do. Nothing here moves work between machines.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from .judge import judge

MEMORY = 6 << 30  # address space of a judge; what a student sends must fit, too
Result = tuple[str, dict | Exception]


def verdicts(jobs: dict[str, dict], executor: str, processes: int) -> Iterator[Result]:
    """Yield (key, verdict), or (key, what went wrong), in the order of completion.

    executor: "local", or the address of a dask scheduler, "dask://host:port"
    """
    if executor == "local":
        yield from local(jobs, processes)
    elif executor.startswith("dask://"):
        yield from dask(jobs, executor.removeprefix("dask://"))
    else:
        raise ValueError(f"executor is {executor!r}: use local or dask://HOST:PORT")


def local(jobs: dict[str, dict], processes: int) -> Iterator[Result]:
    """Judge in processes of this machine; a judge that dies takes no other job along.

    What was at work when one died is tried once more, each in a process of its own.
    """
    rest = dict(jobs)
    for key, result in pooled(rest, processes):
        if not isinstance(result, BrokenProcessPool):
            rest.pop(key)
            yield key, result
    for key, job in rest.items():
        yield from pooled({key: job}, 1)


def pooled(jobs: dict[str, dict], processes: int) -> Iterator[Result]:
    with ProcessPoolExecutor(
        max_workers=max(1, min(processes, len(jobs))),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=limit_judge,
        initargs=(os.getpid(),),
    ) as pool:
        futures = {pool.submit(judge, job): key for key, job in jobs.items()}
        for future in as_completed(futures):
            yield futures[future], result_of(future)


def result_of(future) -> dict | Exception:
    try:
        return future.result()
    except Exception as error:
        return error


def limit_judge(parent: int) -> None:
    """Limit a judge's memory, and let it end when the process that began it ended."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)  # the sandboxes end with their judge

    threading.Thread(target=watch, daemon=True).start()


def dask(jobs: dict[str, dict], address: str) -> Iterator[Result]:
    """Judge on the workers of a dask cluster; what a lost worker did, another does."""
    import distributed

    with distributed.Client(address) as client:
        futures = client.map(judge, list(jobs.values()), key=list(jobs), pure=False)
        for future in distributed.as_completed(futures):
            key, result = future.key, result_of(future)
            future.release()  # or a lost worker's results would be made once more
            yield key, result
