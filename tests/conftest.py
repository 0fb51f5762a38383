"""What all tests share: nothing that they expect depends on the ROCm or CUDA that is installed here."""

from __future__ import annotations

import os

from hipify.cli.releases import CUDA, NO_CUDA, TARGET
from hipify.model import DEFAULT_TARGET

# For this process and all that tests start: what a machine has installed is tested with machines made for it.
os.environ[TARGET] = DEFAULT_TARGET
os.environ[CUDA] = NO_CUDA
