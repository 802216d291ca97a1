"""Files appear whole or not at all."""

import os
import resource
import threading

import pytest

from pillbox._files import write_whole


def test_folders_are_made(tmp_path):
    write_whole(tmp_path / "a" / "b" / "x.bin", b"new")
    assert (tmp_path / "a" / "b" / "x.bin").read_bytes() == b"new"
    assert os.listdir(tmp_path / "a" / "b") == ["x.bin"]


def test_a_full_disk_loses_nothing(tmp_path):
    file = tmp_path / "x.bin"
    file.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError):
            write_whole(file, bytes(100_000))
        with pytest.raises(OSError):
            write_whole(tmp_path / "other.bin", bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes() == b"old" and os.listdir(tmp_path) == ["x.bin"]


def test_links_and_permissions_are_kept(tmp_path):
    file, link = tmp_path / "x.bin", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to("x.bin")
    write_whole(link, b"new")
    assert link.is_symlink() and file.read_bytes() == b"new" and file.stat().st_mode & 0o777 == 0o640


def test_new_files_have_usual_permissions(tmp_path):
    write_whole(tmp_path / "x.bin", b"new")
    (tmp_path / "y.bin").write_bytes(b"new")
    assert (tmp_path / "x.bin").stat().st_mode == (tmp_path / "y.bin").stat().st_mode


def test_read_only_files_are_kept(tmp_path):
    file = tmp_path / "x.bin"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"


def test_pipes_are_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new")
    reader.join()
    assert got == [b"new"] and pipe.is_fifo()
