"""Golden pictures in tests."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
from typing import TYPE_CHECKING, List, Optional, Union

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

    If the scene has annotations and no bulk tables or other files, NAME.scene.toml keeps it with the accepted picture. A
    later failure then first names the annotations that moved, are new or gone, or read differently.

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
    new, diff, accepted = golden.with_suffix(".new.png"), golden.with_suffix(".diff.png"), golden.with_suffix(".scene.toml")
    picture = got if isinstance(got, Picture) else got.render(width=width, time=time, progress=False)
    if update is None:
        update = os.environ.get("GOLDEN_UPDATE") == "1"
    if update:
        if not golden.exists() or Picture.open(golden) != picture:
            write_whole(golden, picture.png)
        _keep_scene(got, accepted)
    elif not golden.exists():
        write_whole(new, picture.png)
        raise AssertionError(f"there is no accepted picture {golden}. Look at {new}; GOLDEN_UPDATE=1 accepts it")
    else:
        problem = _difference(golden, picture, diff, max_channel, max_pixels)
        if problem:
            write_whole(new, picture.png)
            problem = "; ".join([*_annotations(golden, new, accepted, got, time), problem])
            raise AssertionError(f"{golden}: {problem}. Look at {new} and {diff}; GOLDEN_UPDATE=1 accepts the new picture")
    for file in (new, diff):
        if file.exists():
            file.unlink()


def _keep_scene(got: "Union[Scene, Picture]", accepted: pathlib.Path) -> None:
    """Writes the scene of an accepted picture, or removes an earlier one that the picture no longer shows."""
    text = None if isinstance(got, Picture) else got._annotated_text()
    if text is not None:
        write_whole(accepted, text.encode("utf-8"))
    elif accepted.exists():
        accepted.unlink()


def _annotations(golden: pathlib.Path, new: pathlib.Path, accepted: pathlib.Path, got: "Union[Scene, Picture]", time: Optional[float]) -> List[str]:
    """Returns how the annotations differ; nothing if that is not known."""
    if isinstance(got, Picture) or not accepted.exists():
        return []
    args = ["diff", str(golden.resolve()), str(new.resolve()), "--json", f"--want-scene={accepted.resolve()}", "--got-scene=-"]
    if time is not None:
        args.append(f"--time={time}")
    with Process(args, got._source()) as process:
        output = process.stdout.read()
        try:
            process.finish()
        except ProgramError as error:
            if error.status != 1:  # an accepted scene that is invalid, for example
                return []
    found = json.loads(output).get("annotations")
    if found is None:
        return []
    lines = [change["text"] for change in found["changes"]]
    return [*lines, "all pixels outside the annotations are equal"] if found["elsewhere"] == 0 else lines


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
