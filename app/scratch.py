"""The directory in which the workers of one start count together, for `app.metrics`."""

import atexit
import os
import shutil
import signal
import sys
from tempfile import mkdtemp

from app.settings import refuse_to_start

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which Prometheus' client library is told of it, before it is imported."""


def prepare() -> None:
    """Make it, for this process and those that it starts, and remove it at the end.

    It is always a fresh one, inside the one that the variable names or among the temporary files: what an earlier
    start left behind must not be counted again. Where none can be made the start ends with a sentence.
    """
    try:
        os.environ[FOLDER] = folder = mkdtemp(prefix="gameboard-metrics-", dir=os.environ.get(FOLDER) or None)
    except OSError as error:
        refuse_to_start(
            "Metrics need a directory for temporary files that can be written: "
            f"{error.strerror}. {FOLDER} or TMPDIR may name one."
        )
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # uvicorn raises the signal that stopped it once more when it is done, which would end the process on the spot.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
