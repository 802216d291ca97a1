"""Explanations of pixels, rays, segments and pairs of capsules."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional, Sequence

from ._program import Source, run


class Explanation:
    """Why a pixel has its color, or what a ray, a segment or a pair of capsules does, as data, text and diagrams.

    In a notebook it shows itself. It describes the scene as it was when it was explained.

    >>> import pillbox
    >>> why = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1)).explain(ray=([0, 0, 5], [0, 0, -1]))
    >>> why.data["hit"]["t"]
    4
    >>> why.svg().startswith("<svg") or why.svg().startswith("<?xml")
    True
    """

    def __init__(self, source: Source, flags: Sequence[str]) -> None:
        self._source = source
        self._flags = list(flags)
        self.data: Dict[str, Any] = json.loads(self._run("--json"))

    def _run(self, *more: str) -> str:
        return run(["explain", "-", *self._flags, *more], self._source).decode("utf-8")

    def text(self, *, brief: bool = False, verbose: bool = False) -> str:
        """Returns the explanation as text. ``brief`` reduces it to the main steps; ``verbose`` adds what was skipped."""
        return self._run(*(["--brief"] if brief else []), *(["--verbose"] if verbose else []))

    def markdown(self) -> str:
        """Returns the explanation as Markdown."""
        return self._run("--markdown")

    def svg(self, draw: Optional[str] = None, *, colors: str = "light") -> str:
        """Returns a diagram as SVG, on a light background or, with ``colors="dark"``, on a dark one. ``draw`` is ``"solid"`` (the default), ``"path"``, ``"tree"``, ``"light"`` or ``"camera"``."""
        return self._run("--diagram=-", f"--colors={colors}", *([f"--draw={draw}"] if draw else []))

    def __repr__(self) -> str:
        return f"<Explanation: {self.data['query']}>"

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_markdown_(self) -> str:
        return self.markdown()
