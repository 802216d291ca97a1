"""Golden pictures in tests."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
from typing import TYPE_CHECKING, Optional, Union

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
        if not golden.exists() or Picture.open(golden) != picture:
            write_whole(golden, picture.png)
    elif not golden.exists():
        write_whole(new, picture.png)
        raise AssertionError(f"there is no accepted picture {golden}. Look at {new}; GOLDEN_UPDATE=1 accepts it")
    else:
        problem = _difference(golden, picture, diff, max_channel, max_pixels)
        if problem:
            write_whole(new, picture.png)
            raise AssertionError(f"{golden}: {problem}. Look at {new} and {diff}; GOLDEN_UPDATE=1 accepts the new picture")
    for file in (new, diff):
        if file.exists():
            file.unlink()


def _difference(golden: pathlib.Path, picture: Picture, diff: pathlib.Path, max_channel: int, max_pixels: int) -> str:
    """Returns what differs, or an empty text. Writes the difference to the file diff."""
    if golden.read_bytes() == picture.png:
        return ""
    with Process(["diff", str(golden.resolve()), "-", "--json", "-o", str(diff.resolve())]) as process:
        try:
            process.write(picture.png)
            process.stdin.close()
        except BrokenPipeError:
            pass
        output = process.stdout.read()
        try:
            process.finish()
            return ""
        except ProgramError as error:
            if error.status != 1:
                raise
    data = json.loads(output)
    if data["want"] != data["got"]:
        return f"the picture has {data['got'][0]} x {data['got'][1]} pixels instead of {data['want'][0]} x {data['want'][1]}"
    if data["changed"] <= max_pixels or data["max"] <= max_channel:
        return ""
    if max_channel == 0:
        return f"{data['changed']} pixels have changed, by up to {data['max']} at {tuple(data['max_at'])}"
    from ._table import need_numpy

    np = need_numpy("assert_golden with a tolerance")
    want, have = Picture.open(golden).array.astype(int), picture.array.astype(int)
    if want.shape != have.shape:
        return "one of the pictures is transparent"
    wrong = int((np.abs(want - have).max(axis=2) > max_channel).sum())
    return "" if wrong <= max_pixels else f"{wrong} pixels differ by more than {max_channel}"
