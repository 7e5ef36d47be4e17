"""Workers on other machines, through Dask, which carries the batches: each worker has a warm process of its own."""

from __future__ import annotations

from concurrent.futures import Executor

import distributed


class DaskCrew:
    """The workers of a Dask scheduler. Each needs this course, solutions included, and a numpy of the same version.

    Parameters
    ----------
    address : str
        The scheduler's: ``tcp://127.0.0.1:8786``.

    Raises
    ------
    ValueError
        If there is no scheduler, or it has no worker.
    """

    batch = 10  # a task costs Dask some 10 ms, a submission about 100
    lost: tuple[type[BaseException], ...] = (
        distributed.KilledWorker,
    )  # after several workers died of one batch; what died by the way is done again

    def __init__(self, address: str) -> None:
        try:
            self._client = distributed.Client(address, timeout="10s", set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ValueError(f"got --scheduler {address}, expected a Dask scheduler there ({error}).") from None
        self.size = sum(self._client.nthreads().values())
        if not self.size:
            raise ValueError(f"got --scheduler {address}, which has no worker. Start some: `dask worker {address}`.")

    def start(self) -> Executor:
        """Return Dask's executor."""
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def stop(self, executor: Executor) -> None:
        """Leave the scheduler, which forgets what is still at work."""
        executor.shutdown(wait=False)
        self._client.close()
