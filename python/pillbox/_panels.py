"""Figures of several pictures."""

from __future__ import annotations

import copy
import html
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Union

from ._document import Path, Scene, _flags
from ._errors import ProgramError, SceneError
from ._files import write_whole
from ._picture import Picture
from ._program import problems_of_file, run
from ._progress import Progress
from ._scene import Color, _Table
from ._toml import dumps
from ._viewer import Viewer


def _letter(index: int) -> str:
    """Returns the letter of a panel, the first one at 0: a to z, then aa, ab and so on."""
    return (_letter(index // 26 - 1) if index >= 26 else "") + chr(ord("a") + index % 26)


@dataclass(eq=False, repr=False)
class Panel(_Table):
    """One picture of a figure: a scene, seen by its own camera or from a side (``view``), at a ``time`` of its animation, with a
    ``title`` beside the letter.

    >>> from pillbox import Sphere
    >>> Panel(Scene(Sphere([0, 0, 0], 1)), view="top", title="From above").view
    'top'
    """

    scene: Scene
    view: Optional[str] = None
    theme: Optional[str] = None
    title: Optional[str] = None
    time: Optional[float] = None


@dataclass(eq=False, repr=False)
class Panels(_Table):
    """A figure of several pictures in rows, with the letters (a), (b) and so on. A panel is a Panel or a Scene.

    >>> from pillbox import Sphere
    >>> ball = Scene(Sphere([0, 0, 0], 1))
    >>> Panels([ball, Panel(ball, view="top", title="From above")], gap=10).render(width=210).size
    (209, 62)
    """

    panels: Sequence[Union[Panel, Scene]] = field(repr=False)
    columns: Optional[int] = None
    width: Optional[int] = None
    gap: Optional[float] = None
    letters: Optional[bool] = None
    scale: Optional[str] = None
    background: Optional[Color] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None

    def __repr__(self) -> str:
        return f"<{super().__repr__()}: {len(self.panels)} panels>"

    def render(
        self,
        *,
        width: Optional[int] = None,
        antialias: Optional[int] = None,
        theme: Optional[Path] = None,
        workers: Optional[int] = None,
        progress: Progress = None,
    ) -> Picture:
        """Renders the figure. ``width`` is that of the whole figure in pixels: letters and gaps grow in proportion. The other
        arguments are those of ``Scene.render``. The picture can be saved as .svg and .pdf, too.

        >>> from pillbox import Sphere
        >>> Panels([Scene(Sphere([0, 0, 0], 1))], letters=False).render(width=64).size
        (64, 36)
        """
        flags = _flags(width=width, antialias=antialias, theme=None if theme is None else os.path.abspath(theme), workers=workers)
        frozen = copy.deepcopy(self)
        picture = Picture(frozen._draw("-", flags, progress))
        picture._vectors = lambda path: frozen._draw(path, flags, False)
        return picture

    def _draw(self, out: str, flags: Sequence[str], progress: Progress) -> bytes:
        """Renders the figure to a file, or for "-" to the result."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(os.path.join(folder, "figure.toml"))
            try:
                return run(["figure.toml", "-o", out, *flags], None, progress, warn=3, folder=folder)
            except ProgramError as error:
                if error.status == 2:
                    for problems in (problems_of_file("figure.toml", folder), *(p.scene.check(overlaps=False) for p in self._list())):
                        if any(p.severity == "error" for p in problems):
                            raise SceneError(problems) from None
                raise

    def show(self, *, width: Optional[int] = None, theme: Optional[Path] = None) -> Viewer:
        """Returns the scenes of the figure, to turn and query them in a notebook, or to save them as a page: see Viewer. Each has
        its letter, its title, and its own camera or ``view``. ``width`` is that of each scene's picture in pixels. ``png`` of the result is the picture
        of the figure. Each panel adds about 3.5 MB. Needs a program with the viewer, as in wheels and releases.

        >>> from pillbox import Sphere
        >>> Panels([Scene(Sphere([0, 0, 0], 1))]).show(width=320)  # doctest: +SKIP
        <Viewer: 3.6 MB of HTML>
        """
        panels = self._list()
        cells = []
        for i, p in enumerate(panels):
            viewer = p.scene.show(width=width, time=p.time, view=p.view, theme=theme if p.theme is None else p.theme)
            caption = " ".join(x for x in (f"({_letter(i)})" if self.letters is not False else "", p.title or "") if x)
            cells.append(f'<figure style="margin: 0">{viewer.html}<figcaption>{html.escape(caption)}</figcaption></figure>\n')
        columns = min(self.columns or 2, len(panels))
        grid = f'<div style="display: grid; grid-template-columns: repeat({columns}, minmax(0, 1fr)); gap: 1em">\n{"".join(cells)}</div>\n'
        page = f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Figure</title>\n{grid}</html>\n'
        frozen = copy.deepcopy(self)
        return Viewer(grid, lambda: page.encode("utf-8"), lambda: frozen.render(theme=theme).png)

    def _list(self) -> List[Panel]:
        """Returns the panels. Raises TypeError if one is something else."""
        panels = [Panel(p) if isinstance(p, Scene) else p for p in self.panels]
        for i, p in enumerate(panels):
            if not isinstance(p, Panel) or not isinstance(p.scene, Scene):
                raise TypeError(f"panels[{i}]: want Panel(scene) or a Scene, got {p!r:.60}")
        return panels

    def _repr_png_(self) -> bytes:
        return self.render().png

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the figure to a .toml file, which ``render`` renders, and each scene with its files to a folder beside it:
        panel-1, panel-2 and so on. Raises FileExistsError if a file with other contents exists, unless ``overwrite`` is set.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Panels([Scene(Sphere([0, 0, 0], 1))]).save(folder + "/figure.toml")
        ...     sorted(os.listdir(folder))
        ['figure.toml', 'panel-1']
        """
        target, panels = pathlib.Path(path), self._list()
        scenes = list({id(p.scene): p.scene for p in panels}.values())
        files: Dict[pathlib.Path, bytes] = {}
        tables: List[Dict[str, Any]] = []
        for panel in panels:
            folder = f"panel-{1 + next(i for i, s in enumerate(scenes) if s is panel.scene)}"
            keys = {**panel._keys(), "scene": f"{folder}/scene.toml"}
            if panel.theme is not None:
                theme = pathlib.Path(panel.scene._theme(panel.theme) or "")
                data, name, number = theme.read_bytes(), theme.name, 1
                taken = {"scene.toml", *panel.scene._taken()}
                while name in taken or files.get(target.parent / folder / name, data) != data:
                    number += 1
                    name = f"{theme.stem}-{number}{theme.suffix}"
                keys["theme"] = name
                files[target.parent / folder / name] = data
            tables.append(keys)
        files[target] = dumps({"panels": self._keys(), "panel": tables}).encode("utf-8")
        for file, data in files.items():
            if not overwrite and file.exists() and file.read_bytes() != data:
                raise FileExistsError(f"{file} exists; save(..., overwrite=True) replaces it")
        for number, scene in enumerate(scenes, 1):
            scene.save(target.parent / f"panel-{number}" / "scene.toml", overwrite=overwrite)
        for file, data in files.items():  # the figure last
            write_whole(file, data)
