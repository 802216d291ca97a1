"""Finding and running the program ``render``."""

from __future__ import annotations

import functools
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import warnings
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import IO, Any, Iterable, List, Mapping, Optional, Sequence, Type, Union, cast

from ._errors import Problem, ProgramError, SceneError, SceneWarning, _problem
from ._progress import Progress, Reporter

Data = Union[bytes, memoryview]

# Parts of the program's messages that are meant for the command line. Here, a flag is a keyword argument.
_HINT = re.compile(r"run 'render.*' for help\Z")
_PLACE = re.compile(r" at (\S+\.csv):\d+")
_LINE = re.compile(r" at line \d+")
_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


@dataclass(frozen=True)
class Member:
    """A member of an archive: a file name and its contents in pieces."""

    name: str
    data: Sequence[Data]


@dataclass(frozen=True)
class Rows:
    """The solids of a file that the user never made: those of a table in memory, from a certain row on."""

    table: str  # such as "scene.bulks[0]"
    first: int  # the row
    arrays: Mapping[str, str]  # the name of the argument with the array for each column


@dataclass(frozen=True)
class Source:
    """A scene as the program reads it: an archive, and the folder of its other files."""

    members: Sequence[Member]  # the scene first
    folder: str
    rows: Mapping[str, Rows] = field(default_factory=dict)  # by the name of the file

    def named(self, problem: Problem) -> Problem:
        """Returns a problem that names the array and the index instead of the place in a file that the user never made."""
        rows = self.rows.get(problem.file)
        message = _PLACE.sub(lambda place: "" if place.group(1) in self.rows else place.group(), problem.message)
        if rows is None:
            return replace(problem, message=message)
        index = rows.first + problem.line - 2  # below the header
        key = f"{rows.arrays[problem.key]}[{index}]" if problem.key in rows.arrays else problem.key
        return replace(problem, file=rows.table, line=0, column=0, end_column=0, key=key, message=_LINE.sub("", message))


@functools.lru_cache(maxsize=None)
def _find(override: Optional[str]) -> str:
    if override:
        found = shutil.which(override)
        if found is None:
            raise ProgramError(f"PILLBOX_RENDER: there is no program {override!r}")
        return found
    name = "render.exe" if os.name == "nt" else "render"
    package = pathlib.Path(__file__).resolve().parent
    inside = package / "bin" / name
    if inside.is_file():
        return str(inside)
    checkout = package.parent.parent
    if (checkout / "cmd" / "render" / "main.go").is_file():
        return _build(checkout, name)
    found = shutil.which(name)
    if found is None:
        raise ProgramError("the program 'render' is missing: install a wheel that contains it, put it on the PATH, or set PILLBOX_RENDER to its path")
    return found


def _build(checkout: pathlib.Path, name: str) -> str:
    """Builds the program of a checkout with Go, and returns its path. If nothing changed, this takes a moment."""
    target = checkout / "python" / "build" / name
    go = shutil.which("go")
    if go is None:
        raise ProgramError(f"building the program in {checkout} needs Go; install Go, or set PILLBOX_RENDER to the program's path")
    target.parent.mkdir(exist_ok=True)
    if not target.exists():
        print("pillbox: building the program render with Go; this takes minutes on a new machine", file=sys.stderr, flush=True)
    # With the flags of go run, packages that it has compiled are not compiled again.
    done = subprocess.run([go, "build", "-o", str(target), "./cmd/render"], cwd=checkout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise ProgramError("the program cannot be built:\n" + done.stdout.decode("utf-8", "replace"))
    return str(target)


def program() -> str:
    """Returns the path of the program ``render`` that this package runs.

    The environment variable ``PILLBOX_RENDER`` can name the program. Otherwise it is the program in the installed wheel,
    or a program built with Go from the checkout that contains the package, or the one on the PATH, in this order. Raises
    ProgramError if there is none.

    >>> import os
    >>> os.path.isfile(program())
    True
    """
    return _find(os.environ.get("PILLBOX_RENDER"))


class Process:
    """A running ``render``. It ends with this interpreter, however that ends, because its standard input then ends.

    As a context manager it kills the program on the way out unless the program has ended.
    """

    def __init__(self, args: Sequence[str], source: Optional[Source] = None, reporter: Optional[Reporter] = None, folder: Optional[str] = None) -> None:
        self._owner = os.getpid()
        self._reporter = reporter
        self._messages: List[str] = []
        self._source = source
        command = [program(), *args]
        if source is not None:
            command.append("--attached")
        # In a process group of its own, the program does not receive the Ctrl-C of a terminal. Python does, and
        # then kills the program.
        flags: Any = {"creationflags": 0x200} if os.name == "nt" else {"start_new_session": True}
        try:
            self._popen: "subprocess.Popen[bytes]" = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, cwd=source.folder if source else folder, **flags
            )
        except OSError as error:
            raise ProgramError(f"{command[0]}: {error.strerror}") from error
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout = io.BufferedReader(cast(io.RawIOBase, self._popen.stdout), 1 << 16)
        self._listener = threading.Thread(target=self._listen, args=(self._popen.stderr,), daemon=True)
        self._listener.start()
        try:
            if source is not None:
                self._send(source.members)
        except BaseException:
            self.kill()
            raise

    def _listen(self, stderr: IO[bytes]) -> None:
        with io.BufferedReader(cast(io.RawIOBase, stderr)) as lines:
            self._read_messages(lines)

    def _read_messages(self, lines: Iterable[bytes]) -> None:
        for raw in lines:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            if line.startswith('{"stage":'):
                if self._reporter is not None:
                    event = json.loads(line)
                    self._reporter.update(event["stage"], event["done"], event["all"])
            elif line:
                self._messages.append(line)

    def _send(self, members: Sequence[Member]) -> None:
        try:
            for member in members:
                size = sum(memoryview(piece).nbytes for piece in member.data)
                info = tarfile.TarInfo(member.name)
                info.size = size
                self.write(info.tobuf(tarfile.PAX_FORMAT))
                for piece in member.data:
                    self.write(piece)
                self.write(bytes(-size % tarfile.BLOCKSIZE))
            self.write(bytes(2 * tarfile.BLOCKSIZE))
        except BrokenPipeError:
            pass  # the program has ended; its messages say why

    def write(self, data: Data) -> None:
        """Writes all of data to the program."""
        rest = memoryview(data).cast("B")
        while rest.nbytes:
            rest = rest[self.stdin.write(rest) :]

    def finish(self) -> List[str]:
        """Waits for the program to end and returns its messages. Raises SceneError or ProgramError if it failed."""
        status = self._popen.wait()
        self._listener.join()
        self._close()
        if status == 0:
            return self._messages
        raise self.failure(status)

    def failure(self, status: int) -> Exception:
        """Returns the exception for an exit status other than 0."""
        if status == 2 and self._source is not None:
            problems = problems_of(self._source, "off")
            if any(p.severity == "error" for p in problems):
                return SceneError(problems)
        lines = [line for line in self._messages if not _HINT.match(line)]
        text = _FLAG.sub(lambda flag: flag.group(1).replace("-", "_"), "\n".join(lines))
        if text.startswith("render: "):
            text = text[len("render: ") :]
        return ProgramError(text or f"render ended with status {status}", status)

    def kill(self) -> None:
        """Ends the program now. Does nothing if it has ended, or in a process that was forked from its owner."""
        if not self.owned:
            return
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.wait()
        self._listener.join()
        self._close()

    def _close(self) -> None:
        for stream in (self.stdin, self.stdout):
            try:
                stream.close()
            except OSError:
                pass
        if self._reporter is not None:
            self._reporter.close()

    @property
    def owned(self) -> bool:
        """Whether this process started the program. Only its owner may use it."""
        return self._owner == os.getpid()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.kill()


def run(args: Sequence[str], source: Optional[Source] = None, progress: Progress = False, warn: int = 0, folder: Optional[str] = None) -> bytes:
    """Runs the program and returns what it writes to standard output. Without a source, it runs in a folder.

    With warn 0, warnings of the program are dropped. Otherwise each becomes a SceneWarning at the place in the user's
    code, and warn is the number of calls from there to ``run``.
    """
    with Process(args, source, Reporter.of(progress), folder) as process:
        output = process.stdout.read()
        messages = process.finish()
    if warn:
        for message in messages:
            if " warning: " in message:
                warnings.warn(message, SceneWarning, stacklevel=warn + 1)
    return output


def problems_of(source: Source, overlaps: str) -> List[Problem]:
    """Returns all problems of a scene, valid or not."""
    return _checked(["-", f"--overlaps={overlaps}"], source)


def problems_of_file(name: str, folder: str) -> List[Problem]:
    """Returns all problems of a file in a folder, such as that of a figure."""
    return _checked([name], None, folder)


def _checked(args: Sequence[str], source: Optional[Source], folder: Optional[str] = None) -> List[Problem]:
    with Process(["check", "--json", *args], source, None, folder) as process:
        output = process.stdout.read()
        try:
            process._source = None
            process.finish()
        except ProgramError as error:
            if error.status != 2:
                raise
    problems = parse_problems(output)
    return problems if source is None else [source.named(problem) for problem in problems]


def parse_problems(lines: bytes) -> List[Problem]:
    """Returns the problems that the program prints with --json."""
    return [_problem(json.loads(line)) for line in lines.decode("utf-8").splitlines() if line]


