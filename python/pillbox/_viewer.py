"""Scenes to turn and to ask, in notebooks and in files."""

from __future__ import annotations

import base64
import os
import pathlib
import re
from typing import Any, Callable, Dict, Optional, Union

from ._files import write_whole


class Viewer:
    """A scene that you can turn and query, from ``Scene.show``, or the scenes of a figure, from ``Panels.show``. In a notebook it shows
    itself: drag to turn the camera, and click a pixel to see why it has its color. It contains the renderer and needs neither a network nor a running kernel.
    Where a notebook shows no scripts, the picture remains.

    ``html`` is the HTML for a part of a page, and ``png`` the picture.

    >>> import pillbox
    >>> viewer = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1)).show(width=64)  # doctest: +SKIP
    >>> viewer.save("ball.html")  # doctest: +SKIP
    """

    def __init__(self, html: str, page: Callable[[], bytes], picture: Optional[Callable[[], bytes]] = None) -> None:
        self.html = html
        self._page = page
        self._picture = picture

    @property
    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        if self._picture is not None:
            return self._picture()
        found = re.search(r'src="data:image/png;base64,([^"]*)"', self.html)
        assert found is not None
        return base64.b64decode(found.group(1))

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes the scene, as it was when it was shown, as a page to an .html file."""
        if pathlib.Path(path).suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"a viewer is saved as .html, got {os.fspath(path)!r}; scene.render().save writes pictures")
        write_whole(path, self._page())

    def __repr__(self) -> str:
        return f"<Viewer: {len(self.html) / 1e6:.1f} MB of HTML>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        return {"text/html": self.html, "image/png": base64.b64encode(self.png).decode("ascii"), "text/plain": repr(self)}
