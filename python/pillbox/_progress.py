"""Progress of a running program, in a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

#: How progress is shown: None shows a bar in terminals and notebooks, False nothing. A function is called about ten
#: times a second with the stage, such as ``"rendering"``, and the numbers of finished and of all steps.
Progress = Union[None, bool, Callable[[str, int, int], None]]

_DELAY = 0.5  # seconds before a bar appears
_WIDTH = 30


class Reporter:
    """Shows the progress of one run of the program."""

    def __init__(self, show: Callable[[str, int, int], None], close: Callable[[], None]) -> None:
        self._show = show
        self._close = close
        self._begun = time.monotonic()
        self._delay = 0.0

    @staticmethod
    def of(progress: Progress) -> "Optional[Reporter]":
        """Returns the reporter for a value of the argument ``progress``, or None if nothing is shown."""
        if callable(progress):
            return Reporter(progress, lambda: None)
        if progress is False:
            return None
        display = _notebook()
        reporter = None
        if display is not None:
            bar = _NotebookBar(display)
            reporter = Reporter(bar.show, bar.close)
        elif progress or (sys.stderr is not None and sys.stderr.isatty()):
            line = _TerminalBar()
            reporter = Reporter(line.show, line.close)
        if reporter is not None:
            reporter._delay = _DELAY
        return reporter

    def update(self, stage: str, done: int, every: int) -> None:
        """Shows that done of every steps are finished."""
        if time.monotonic() - self._begun >= self._delay:
            self._show(stage, done, every)

    def close(self) -> None:
        """Removes what is shown."""
        self._close()


def _notebook() -> Any:
    """Returns IPython.display in a notebook, otherwise None."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return None
    current = shell.get_ipython()
    if current is None or not hasattr(current, "kernel"):
        return None
    import importlib

    return importlib.import_module("IPython.display")


def _bar(stage: str, done: int, every: int) -> str:
    share = done / every if every else 0.0
    full = int(share * _WIDTH)
    return f"{stage} [{'#' * full}{' ' * (_WIDTH - full)}] {share:4.0%}"


class _TerminalBar:
    def __init__(self) -> None:
        self._shown = 0

    def show(self, stage: str, done: int, every: int) -> None:
        text = _bar(stage, done, every)
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0


class _NotebookBar:
    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, stage: str, done: int, every: int) -> None:
        content = self._display.HTML(f"<progress value='{done}' max='{every}'></progress> {stage}")
        if self._handle is None:
            self._handle = self._display.display(content, display_id=True)
        else:
            self._handle.update(content)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update(self._display.HTML(""))
            self._handle = None
