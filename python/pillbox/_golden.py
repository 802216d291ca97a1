"""Golden pictures in tests."""

from __future__ import annotations

import ast
import gzip
import hashlib
import inspect
import json
import os
import pathlib
import re
import shutil
import tempfile
import zlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._errors import ProgramError
from ._files import write_whole
from ._picture import Picture
from ._program import Process

if TYPE_CHECKING:
    from ._document import Path, Scene


def assert_golden(got: "Union[Scene, Picture]", name: str, *, folder: "Optional[Path]" = None, width: Optional[int] = None, time: Optional[float] = None, max_channel: int = 0, max_pixels: int = 0, update: Optional[bool] = None) -> None:
    """Asserts that a scene renders to its accepted picture, pixel for pixel.

    The accepted picture is ``NAME.png`` in ``folder``, by default the folder ``golden`` beside the calling file. At most
    ``max_pixels`` pixels may differ by more than ``max_channel`` in a channel. If the pictures differ, NAME.new.png and
    the difference, NAME.diff.png, are written there. ``update`` accepts the picture; by default it is set by the
    environment variable GOLDEN_UPDATE=1.

    Accepting also writes a copy of the scene, NAME.scene.toml, and stores the files that it reads: NAME.scene.files lists
    them, and the folder ``files`` contains each content once, as ``render golden accept`` does. A later failure then reports what ``render golden check`` reports: the
    annotations that changed, the edits of the scene with the pixels that they change, and the solids there.

    >>> import tempfile, pillbox
    >>> ball = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     assert_golden(ball, "ball", folder=folder, width=32, update=True)
    ...     assert_golden(ball, "ball", folder=folder, width=32)
    """
    __tracebackhide__ = True
    if not hasattr(got, "render") and not isinstance(got, Picture):
        raise TypeError(f"want a Scene or a Picture, then a name, got {type(got).__name__}")
    if folder is None:
        caller = inspect.stack()[1].filename
        folder = pathlib.Path(caller).resolve().parent / "golden"
    golden = pathlib.Path(folder) / f"{name}.png"
    new, diff = golden.with_suffix(".new.png"), golden.with_suffix(".diff.png")
    picture = got if isinstance(got, Picture) else got.render(width=width, time=time, progress=False)
    if update is None:
        update = os.environ.get("GOLDEN_UPDATE") == "1"
    if update:
        _keep_scene(got, golden)
        if not golden.exists() or Picture.open(golden) != picture:
            write_whole(golden, picture.png)
    elif not golden.exists():
        write_whole(new, picture.png)
        raise AssertionError(_report(name, "new", ["no picture was accepted yet"], f"got {new}"))
    else:
        problem = _difference(golden, picture, diff, max_channel, max_pixels)
        if problem:
            verdict, detail = problem
            write_whole(new, picture.png)
            lines = [detail] if isinstance(got, Picture) else _explained(golden, new, got, time, detail)
            raise AssertionError(_report(name, verdict, lines, f"got {new}, drawn beside the accepted picture in {diff}"))
    for file in (new, diff):
        if file.exists():
            file.unlink()


def _report(name: str, verdict: str, lines: List[str], got: str) -> str:
    """Returns the message of a failure, with the lines of ``render golden check``."""
    first, *others = lines
    return "\n    ".join([f"{name}: {verdict}: {first}", *others, got, "accept with GOLDEN_UPDATE=1"])


def _keep_scene(got: "Union[Scene, Picture]", golden: pathlib.Path) -> None:
    """Writes the scene of an accepted picture, and stores its files. Removes those of an earlier one."""
    accepted, copies, listed = (golden.with_suffix(ending) for ending in (".scene.toml", ".scene", ".scene.files"))
    if copies.is_dir() and not copies.is_symlink():
        shutil.rmtree(copies)
    before = set(_listed(golden).values())
    files: "Dict[str, bytes]" = {}
    if isinstance(got, Picture):
        accepted.unlink(missing_ok=True)
    else:
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / _SCENE
            got.save(scene)
            files = {file.relative_to(folder).as_posix(): _to_lf(file.read_bytes()) for file in sorted(scene.parent.rglob("*")) if file.is_file() and file != scene}
            write_whole(accepted, scene.read_bytes())
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    if sums:
        write_whole(listed, "".join(f"{sum}  {_quoted(name)}\n" for name, sum in sorted(sums.items())).encode())
    else:
        listed.unlink(missing_ok=True)
    for name, sum in sums.items():
        try:
            stored: "Optional[bytes]" = _content(golden, sum)
        except (OSError, EOFError, zlib.error):
            stored = None
        if stored is None or hashlib.sha256(stored).hexdigest() != sum:
            write_whole(_stored(golden, sum), gzip.compress(files[name], mtime=0))
    others = "".join(file.read_text(encoding="utf-8", errors="replace") for file in golden.parent.glob("*.scene.files")).lower()
    for sum in before - set(sums.values()):
        if sum not in others:
            _stored(golden, sum).unlink(missing_ok=True)


def _to_lf(data: bytes) -> bytes:
    """Returns a text with LF in place of CR LF, and other files as they are."""
    return data if b"\0" in data else data.replace(b"\r\n", b"\n")


def _stored(golden: pathlib.Path, sum: str) -> pathlib.Path:
    """Returns the path of the file that stores the content with a sum, which all goldens in the folder share."""
    return golden.parent / "files" / f"{sum}.gz"


def _content(golden: pathlib.Path, sum: str) -> bytes:
    return gzip.decompress(_stored(golden, sum).read_bytes())


def _listed(golden: pathlib.Path) -> "Dict[str, str]":
    """Returns the SHA-256 sums of the files that the accepted scene reads, by name."""
    listed = golden.with_suffix(".scene.files")
    if not listed.exists():
        return {}
    lines = re.findall(r"^([0-9a-f]{64})  (.+?)\r?$", listed.read_bytes().decode("utf-8", "replace"), re.MULTILINE)
    names = {_unquoted(name): sum for sum, name in lines}
    # Somebody else may have written the list, so a name must not lead out of a folder.
    return {name: sum for name, sum in names.items() if ".." not in name.split("/") and not re.search(r"^/|[\\:]", name)}


def _unquoted(name: str) -> str:
    """Undoes the quotation of a name. The program's escapes are among those of Python."""
    return str(ast.literal_eval(name)) if name.startswith('"') else name


def _quoted(name: str) -> str:
    """Returns a name for a list of files: unusual characters are quoted."""
    return json.dumps(name, ensure_ascii=False) if re.search(r'["\\\x00-\x1f\x7f]', name) else name


# The name of a scene in a temporary folder. No other file of a scene ends in .toml.toml.
_SCENE = "scene.toml.toml"


def _explained(golden: pathlib.Path, new: pathlib.Path, got: Scene, time: Optional[float], detail: str) -> List[str]:
    """Returns the annotations that differ, the difference, and its causes."""
    accepted, copies = golden.with_suffix(".scene.toml"), golden.with_suffix(".scene")
    if not accepted.exists():
        return [detail, f"cause unknown: there is no {accepted}, so the accepted scene is not known"]
    with tempfile.TemporaryDirectory() as folder:
        was, now = pathlib.Path(folder) / "was" / _SCENE, pathlib.Path(folder) / "now" / _SCENE
        try:
            for name, sum in _listed(golden).items():
                write_whole(was.parent / name, _content(golden, sum))
        except (OSError, EOFError, zlib.error, ValueError) as error:
            return [detail, f"cause unknown: the accepted scene cannot be used: {error}"]
        if copies.is_dir() and not _listed(golden):
            shutil.copytree(copies, was.parent)  # an earlier version kept copies
        write_whole(was, accepted.read_bytes())
        got.save(now)
        args = ["diff", str(golden.resolve()), str(new.resolve()), "--json", f"--want-scene={was}", f"--got-scene={now}"]
        if time is not None:
            args.append(f"--time={time}")
        with Process(args) as process:
            output = process.stdout.read()
            try:
                process.finish()
            except ProgramError as error:
                if error.status != 1:  # an accepted scene that is invalid, for example
                    problem = str(error).splitlines()[0].replace(str(was), str(accepted))
                    return [detail, f"cause unknown: the accepted scene cannot be used: {problem}"]
    found = json.loads(output)
    annotations, why = found.get("annotations"), found.get("why")
    lines = [change["text"] for change in annotations["changes"]] if annotations else []
    lines.append(detail)
    if annotations and annotations["elsewhere"] == 0:
        lines.append("all pixels outside the annotations are equal")
    if why is None:
        return [*lines, "cause unknown: the picture is not that of the scene"]
    return [*lines, *why["text"].splitlines()]


def _difference(golden: pathlib.Path, picture: Picture, diff: pathlib.Path, max_channel: int, max_pixels: int) -> Optional[Tuple[str, str]]:
    """Returns the verdict and what differs; None if the picture passes. Writes the difference to the file diff."""
    if golden.read_bytes() == picture.png:
        return None
    with Process(["diff", str(golden.resolve()), "-", "--json", "-o", str(diff.resolve())]) as process:
        try:
            process.write(picture.png)
            process.stdin.close()
        except BrokenPipeError:
            pass
        output = process.stdout.read()
        try:
            process.finish()
            return None
        except ProgramError as error:
            if error.status != 1:
                raise
    data = json.loads(output)
    if data["want"] != data["got"]:
        return "size", "{0} x {1}, want {2} x {3}".format(*data["got"], *data["want"])
    if data["changed"] <= max_pixels or data["max"] <= max_channel:
        return None
    if max_channel == 0:
        return "changed", _sentence(data)
    from ._table import need_numpy

    np = need_numpy("assert_golden with a tolerance")
    want, have = Picture.open(golden).array.astype(int), picture.array.astype(int)
    if want.shape != have.shape:
        return "changed", "one of the pictures is transparent"
    wrong = int((np.abs(want - have).max(axis=2) > max_channel).sum())
    return None if wrong <= max_pixels else ("changed", f"{wrong} pixels differ by more than {max_channel}")


def _sentence(data: Dict[str, Any]) -> str:
    """Returns a difference in words, as the program prints it."""

    def count(n: int, what: str) -> str:
        return f"{n} {what}" if n == 1 else f"{n} {what}s"

    clusters = len(data["clusters"]) + data["more_clusters"]
    return f"{count(data['changed'], 'pixel')} of {data['got'][0] * data['got'][1]} changed in {count(clusters, 'cluster')}, largest channel difference {data['max']} at {tuple(data['max_at'])}, first at {tuple(data['first'])}"
