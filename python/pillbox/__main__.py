"""Runs the program ``render``, as ``python -m pillbox`` and as the command ``render`` of an installed package."""

import os
import subprocess
import sys
from typing import NoReturn

from . import program


def main() -> NoReturn:
    """Runs the program with the arguments of this process, and exits with its status."""
    command = [program(), *sys.argv[1:]]
    if os.path.realpath(command[0]) == os.path.realpath(sys.argv[0]):
        sys.exit("pillbox: the program render is missing; install the wheel, or set PILLBOX_RENDER")
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
