"""Exceptions and warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Problem:
    """A problem of a scene: an error, a warning or a note, with its place.

    ``line`` and ``column`` count from 1, and ``column`` counts characters. All of ``line``, ``column`` and
    ``end_column`` are 0 for a problem of a whole file. ``key`` is the path of the key, such as
    ``sphere[1].radius``: the second sphere of the scene. ``severity`` is ``"error"``, ``"warning"`` or ``"info"``.
    ``code`` identifies the kind of problem and never changes. ``value`` is the value as written, shortened, and
    ``suggestion`` the known word most similar to an unknown one; either can be empty.

    >>> str(Problem("lamp.toml", 7, 10, 12, "sphere[1].radius", "error", "out-of-range", "must be positive", "-1", ""))
    'lamp.toml:7:10: sphere[1].radius: must be positive, got -1'
    """

    file: str
    line: int
    column: int
    end_column: int
    key: str
    severity: str
    code: str
    message: str
    value: str
    suggestion: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: "
        kind = {"warning": "warning: ", "info": "note: "}.get(self.severity, "")
        text = place + kind + (f"{self.key}: " if self.key else "") + self.message
        if self.value:
            text += f", got {self.value}"
        if self.suggestion:
            text += f", did you mean `{self.suggestion}`?"
        return text


def _problem(data: Mapping[str, Any]) -> Problem:
    return Problem(*(data.get(name, 0 if name in ("line", "column", "end_column") else "") for name in _FIELDS))


_FIELDS = ("file", "line", "column", "end_column", "key", "severity", "code", "message", "value", "suggestion")


class PillboxError(Exception):
    """The base class of all exceptions of this package.

    >>> issubclass(SceneError, PillboxError) and issubclass(ProgramError, PillboxError)
    True
    """


class SceneError(PillboxError, ValueError):
    """A scene is invalid. ``problems`` lists all its errors and warnings.

    >>> import pillbox
    >>> try:
    ...     pillbox.loads('[[sphere]]\\ncenter = [0, 0, 0]\\nradios = 1')
    ... except pillbox.SceneError as error:
    ...     for problem in error.problems:
    ...         print(problem.line, problem.key, problem.suggestion)
    3 sphere[0].radios radius
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: Tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.problems,)


class ProgramError(PillboxError, RuntimeError):
    """The program ``render`` failed, or it is missing.

    ``status`` is its exit status: 2 for an invalid argument, 3 for a file that cannot be read or written, None if the
    program did not run. ``message`` is what it printed.

    >>> import pillbox
    >>> try:
    ...     pillbox.Scene().render(width=0)
    ... except pillbox.ProgramError as error:
    ...     error.status
    2
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.message, self.status)


class SceneWarning(UserWarning):
    """A scene can be rendered but probably contains a mistake, such as a light inside a solid.

    >>> import warnings, pillbox
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = pillbox.Scene().render(width=8)
    >>> caught[0].category.__name__
    'SceneWarning'
    """
