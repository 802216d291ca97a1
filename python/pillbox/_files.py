"""Files that are written whole or not at all, by the same rules as the outputs of the program ``render``."""

from __future__ import annotations

import contextlib
import errno
import os
import pathlib
import stat
import uuid
from typing import BinaryIO, Iterator, Union


def write_whole(path: "Union[str, os.PathLike[str]]", data: bytes) -> None:
    """Writes a file as ``whole_file`` does."""
    with whole_file(path) as file:
        file.write(data)


@contextlib.contextmanager
def whole_file(path: "Union[str, os.PathLike[str]]") -> Iterator[BinaryIO]:
    """Opens a file for writing that appears only if the block ends without an exception. Until then the data is in a
    temporary file in the same folder.

    Missing folders are made. An existing file keeps its permissions, and a read-only file is not replaced. A symbolic link
    is kept, and its target is replaced. A device or a named pipe is written to directly.
    """
    target = pathlib.Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        with target.open("wb") as file:  # fails for a folder
            yield file
        return
    if mode is not None:
        if not mode & 0o222:  # not replaced by the superuser either
            raise PermissionError(errno.EACCES, "a read-only file", str(path))
        target.open("ab").close()  # fails where access control lists or the file system forbid writing
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with draft.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(stat.S_IMODE(mode))
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        raise
