"""Checks the wheels of a release as an installer does: their names, tags, records and programs.

    python3 check_wheels.py FILE.whl...
"""

import base64
import csv
import email
import hashlib
import io
import pathlib
import re
import sys
import zipfile

MAGIC = {"manylinux": b"\x7fELF", "musllinux": b"\x7fELF", "macosx": b"\xcf\xfa\xed\xfe", "win": b"MZ"}  # of programs
PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "pillbox"


def check(path):
    """Raises an AssertionError for an invalid wheel."""
    name, version, python, abi, platforms = path.stem.split("-")
    assert (name, python, abi) == ("pillbox", "py3", "none"), path.name
    wheel = zipfile.ZipFile(path)
    assert wheel.testzip() is None
    info = f"pillbox-{version}.dist-info/"
    files = wheel.namelist()
    assert len(set(files)) == len(files) and files[-1] == info + "RECORD"
    check_record(wheel, info, files)
    metadata = email.message_from_bytes(wheel.read(info + "METADATA"))
    assert (metadata["Name"], metadata["Version"], metadata["Requires-Python"]) == ("pillbox", version, ">=3.9")
    tags = email.message_from_bytes(wheel.read(info + "WHEEL"))
    assert tags["Root-Is-Purelib"] == "false" and tags.get_all("Tag") == [f"py3-none-{p}" for p in platforms.split(".")]
    program = "pillbox/bin/render" + (".exe" if platforms.startswith("win") else "")
    for platform in platforms.split("."):
        assert wheel.read(program).startswith(MAGIC[re.match("[a-z]+", platform).group()]), platform
    assert wheel.getinfo(program).external_attr >> 16 & 0o777 == 0o755
    assert b"render = pillbox.__main__:main" in wheel.read(info + "entry_points.txt")
    assert f'__version__ = "{version}"'.encode() in wheel.read("pillbox/__init__.py")
    assert b"github.com/BurntSushi/toml" in wheel.read(info + "NOTICE")
    for source in [*PACKAGE.glob("*.py"), PACKAGE / "py.typed"]:
        assert wheel.read(f"pillbox/{source.name}") == source.read_bytes(), source


def check_record(wheel, info, files):
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(wheel.read(info + "RECORD").decode()))}
    assert list(rows) == files
    for file, (digest, size) in rows.items():
        if not file.endswith("/RECORD"):
            data = wheel.read(file)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == ("sha256=" + want, str(len(data))), file


if __name__ == "__main__":
    assert len(sys.argv) == 7, f"want the wheels of six systems, got {sys.argv[1:]}"
    for argument in sys.argv[1:]:
        check(pathlib.Path(argument))
    print(f"{len(sys.argv) - 1} wheels are as an installer wants them")
