"""Casting rays and segments."""

from __future__ import annotations

import json
import math
import struct
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Optional, Type, cast

from ._errors import ProgramError
from ._program import Data, Process, Source
from ._table import need_numpy

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

# The requests of `render cast --serve`.
_FIRST, _AHEAD, _LINE, _SEGMENT, _THROUGH = range(5)
_PIXELS, _NAMES, _TIME, _BOUNDS = 16, 17, 18, 19
_COUNT = 256

_HEADER = struct.Struct("<IIQ")  # of a request: its kind, a width and a number of rows
_ROW_BYTES = 48
_WHOLE_ROWS = 4096  # the program reads requests of up to this many rows before it answers


def hit_type() -> "numpy.dtype[Any]":
    """Returns the type of the arrays that ``cast`` and ``segments`` return.

    ``ray`` is the index of the ray or segment. ``distance`` is the distance from the origin, or the fraction of the way
    along a segment; +inf if nothing was hit. ``point`` and ``normal`` are NaN then. The normal points out of the solid.
    ``object`` is the number of the solid, or -1. ``inside`` tells whether the ray leaves the solid at the point.
    ``touches``, for segments, tells whether the segment and the solid have a point in common. ``face`` is 1 + the index of
    the section on whose cut face the point lies, or 0 on the solid's own surface.

    >>> hit_type().names
    ('ray', 'distance', 'point', 'normal', 'object', 'inside', 'touches', 'error', 'face')
    """
    np = need_numpy("hit_type")
    return cast(
        "numpy.dtype[Any]",
        np.dtype({
            "names": ["ray", "distance", "point", "normal", "object", "inside", "touches", "error", "face"],
            "formats": ["<i8", "<f8", ("<f8", 3), ("<f8", 3), "<i4", "?", "?", "?", "u1"],
            "offsets": [0, 8, 16, 40, 64, 68, 69, 70, 71],
            "itemsize": 72,
        }),
    )


def _count_type() -> "numpy.dtype[Any]":
    import numpy as np

    return np.dtype({"names": ["ray", "count", "touches", "error"], "formats": ["<i8", "<i4", "?", "?"], "offsets": [0, 8, 13, 14], "itemsize": 16})


class Solids:
    """The solids of a scene: how many there are of each kind, and their names by number.

    Solids are numbered from 0, kind by kind: spheres, capsules, boxes, cylinders.

    >>> import pillbox
    >>> scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, name="ball"), pillbox.Box([0, -2, 0], [1, 1, 1]))
    >>> solids = scene.solids_table()
    >>> len(solids), solids.kind(1), solids.names, solids.number("ball")
    (2, 'box', {0: 'ball'}, 0)
    """

    def __init__(self, kinds: Mapping[str, int], names: Mapping[int, str]) -> None:
        self.kinds = dict(kinds)
        self.names = dict(names)
        self._numbers = {name: number for number, name in self.names.items()}

    def __len__(self) -> int:
        return sum(self.kinds.values())

    def __repr__(self) -> str:
        return f"<Solids: {len(self)}, {len(self.names)} with names>"

    def kind(self, number: int) -> str:
        """Returns the kind of a solid: ``"sphere"``, ``"capsule"``, ``"box"`` or ``"cylinder"``."""
        if number >= 0:
            for kind in ("sphere", "capsule", "box", "cylinder"):
                if number < self.kinds[kind]:
                    return kind
                number -= self.kinds[kind]
        raise IndexError(f"there is no solid with this number; the scene has {len(self)}")

    def name(self, number: int) -> str:
        """Returns the name of a solid; an empty text if it has none, and for -1, no solid."""
        return self.names.get(int(number), "")

    def number(self, name: str) -> int:
        """Returns the number of the solid with a name. Raises KeyError if there is none."""
        return self._numbers[name]


class View:
    """What the camera sees at each pixel's center, as arrays with the shape (height, width) or (height, width, 3).

    >>> import pillbox
    >>> view = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), camera=pillbox.Camera([0, 0, 5], [0, 0, 0])).view(width=3, height=3)
    >>> view.depth[1, 1], view.object[1, 1], view.normal[1, 1]
    (4.0, 0, array([0., 0., 1.]))
    """

    def __init__(self, hits: "NDArray[numpy.void]") -> None:
        self.hits = hits

    def __repr__(self) -> str:
        return f"<View {self.hits.shape[1]} x {self.hits.shape[0]}>"

    @property
    def depth(self) -> "NDArray[numpy.float64]":
        """The distance along the ray; +inf where there is no solid."""
        return self.hits["distance"]

    @property
    def point(self) -> "NDArray[numpy.float64]":
        """The points that are visible; NaN where there is no solid."""
        return self.hits["point"]

    @property
    def normal(self) -> "NDArray[numpy.float64]":
        """The unit normals, turned to face the camera; NaN where there is no solid."""
        import numpy as np

        result: "NDArray[numpy.float64]" = np.where(self.hits["inside"][..., None], -self.hits["normal"], self.hits["normal"])
        return result

    @property
    def object(self) -> "NDArray[numpy.int32]":
        """The numbers of the solids; -1 where there is none."""
        return self.hits["object"]


class Caster:
    """A scene that is kept ready for many calls: one process and one search tree.

    Use it as a context manager, or call ``close``; otherwise it ends with the interpreter. It keeps the scene as it was
    when the Caster was made. Threads can share a Caster; their calls take turns. Needs NumPy.

    >>> import pillbox
    >>> scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, name="ball"))
    >>> with pillbox.Caster(scene) as caster:
    ...     hit = caster.cast([0, 0, 5], [0, 0, -1])[0]
    ...     float(hit["distance"]), hit["normal"].tolist(), caster.solids.name(hit["object"])
    (4.0, [0.0, 0.0, 1.0], 'ball')
    """

    def __init__(self, scene: Any, *, workers: Optional[int] = None) -> None:
        need_numpy("Caster")
        self._hit = hit_type()
        self._counted = _count_type()
        self._lock = threading.Lock()
        self._solids: Optional[Solids] = None
        if not callable(getattr(scene, "_source", None)):
            raise TypeError(f"want a Scene, got {type(scene).__name__}")
        source: Source = scene._source()
        args = ["cast", "-", "--serve"] + (["--workers", str(workers)] if workers else [])
        self._process = Process(args, source)
        self._broken = False
        try:
            self.solids  # raises the exception for an invalid scene
        except BaseException:
            self._process.kill()
            raise

    def cast(self, origins: "ArrayLike", directions: "ArrayLike", *, all: bool = False, line: bool = False) -> "NDArray[numpy.void]":
        """Casts rays and returns their hits, an array of the type ``hit_type``.

        ``origins`` and ``directions`` have the shape (n, 3), or (3,) for one that all rays share. Directions have any
        length but 0. By default the result has the closest hit of each ray, or a record with the object -1. With ``all``
        it has all crossings ahead of the origin, and with ``line`` also those behind it, where the distance is negative.
        Then the field ``ray`` is the index of the ray, and a ray that hits nothing has one record with the object -1.
        """
        return self._ask(_LINE if line else _AHEAD if all else _FIRST, origins, directions)

    def segments(self, starts: "ArrayLike", ends: "ArrayLike", *, all: bool = False) -> "NDArray[numpy.void]":
        """Casts segments and returns the first crossing of each, or with ``all`` every crossing.

        ``starts`` and ``ends`` are like the arguments of ``cast``. The field ``distance`` is the fraction of the way from
        start to end, 0 to 1. A segment inside a solid touches the solid without crossing its surface: the record has
        ``touches`` and ``inside`` set and the distance +inf.
        """
        return self._ask(_THROUGH if all else _SEGMENT, starts, ends)

    def count(self, origins: "ArrayLike", directions: "ArrayLike", *, line: bool = False) -> "NDArray[numpy.int32]":
        """Returns for each ray the number of crossings ahead of its origin, or with ``line`` those of its whole line."""
        return self._ask((_LINE if line else _AHEAD) | _COUNT, origins, directions)["count"]

    def touches(self, starts: "ArrayLike", ends: "ArrayLike") -> "NDArray[numpy.bool_]":
        """Returns for each segment whether it touches any solid, as a test for collisions and lines of sight needs."""
        return self._ask(_THROUGH | _COUNT, starts, ends)["touches"]

    def view(self, width: int, height: int) -> View:
        """Returns what the camera sees in a picture of this size."""
        import numpy as np

        hits = np.empty(width * height, self._hit)
        self._request(_HEADER.pack(_PIXELS, width, width * height), hits)
        return View(hits.reshape(height, width))

    def at(self, time: float) -> "Caster":
        """Moves the scene to a time of its animation, in seconds, for the calls that follow. Returns this object."""
        try:
            row = struct.pack("<6d", time, 0, 0, 0, 0, 0)
        except struct.error:
            raise TypeError(f"want a time in seconds, got {time!r:.60}") from None
        if not math.isfinite(time):
            raise ValueError(f"want a finite time in seconds, got {time!r}")  # and the process goes on
        self._request(_HEADER.pack(_TIME, 0, 1) + row)
        return self

    def bounds(self) -> "NDArray[numpy.float64]":
        """Returns the axis-aligned bounds of each solid, with the shape (n, 2, 3): the least and the greatest coordinates."""
        import numpy as np

        result = np.empty((len(self.solids), 2, 3))
        self._request(_HEADER.pack(_BOUNDS, 0, 0), result)
        return result

    @property
    def solids(self) -> Solids:
        """The numbers, kinds and names of the solids."""
        if self._solids is None:
            table = json.loads(self._request(_HEADER.pack(_NAMES, 0, 0)))
            self._solids = Solids(table["kinds"], {int(number): name for number, name in table["names"].items()})
        return self._solids

    def close(self) -> None:
        """Ends the process. Later calls raise ValueError."""
        self._broken = True
        self._process.kill()

    def __enter__(self) -> "Caster":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        process = getattr(self, "_process", None)
        if process is not None:
            process.kill()

    def __repr__(self) -> str:
        return "<Caster: closed>" if self._broken else f"<Caster: {len(self.solids)} solids>"

    def __reduce__(self) -> Any:
        raise TypeError("a Caster cannot be pickled or copied; make one of the scene in each process")

    def _ask(self, kind: int, first: "ArrayLike", second: "ArrayLike") -> "NDArray[Any]":
        import numpy as np

        a, b = np.asarray(first, float), np.asarray(second, float)
        names = ("starts", "ends") if kind & ~_COUNT in (_SEGMENT, _THROUGH) else ("origins", "directions")
        for name, x in zip(names, (a, b)):
            if x.ndim not in (1, 2) or x.shape[-1] != 3:
                raise ValueError(f"{name}: want the shape (n, 3) or (3,), got {x.shape}")
        counts = {len(x) for x in (a, b) if x.ndim == 2 and len(x) != 1} or {1}
        if len(counts) > 1:
            raise ValueError(f"want as many {names[0]} as {names[1]}, got {a.shape} and {b.shape}")
        count = min(counts)
        request = np.empty(_HEADER.size + count * _ROW_BYTES, np.uint8)
        _HEADER.pack_into(request.data, 0, kind, 0, count)
        rows = request[_HEADER.size :].view(float).reshape(count, 6)
        rows[:, :3], rows[:, 3:] = a, b
        result: "NDArray[Any]"
        if kind & _COUNT or kind in (_FIRST, _SEGMENT):  # one record for each row
            result = np.empty(count, self._counted if kind & _COUNT else self._hit)
            self._request(request.data, result)
        else:
            result = np.frombuffer(self._request(request.data), self._hit)
        if result["error"].any():
            row = int(result["ray"][np.argmax(result["error"])])
            for name, x, values in zip(names, (a, b), (rows[row, :3], rows[row, 3:])):
                place = f"{name}[{row}]" if x.ndim == 2 and len(x) > 1 else name
                if not (np.abs(values) <= 1e15).all():
                    raise ValueError(f"{place}: want finite numbers of at most 1e15 in magnitude, got {values.tolist()}")
            raise ValueError(f"{place}: want a direction other than 0, got {values.tolist()}")
        return result

    def _request(self, request: Data, into: Any = None) -> bytearray:
        """Sends a request. The answer fills the array into or, if that is None, is returned."""
        if not self._process.owned:
            raise RuntimeError("this Caster belongs to another process; make one of the scene in each process")
        with self._lock:
            if self._broken:
                raise ValueError("the Caster is closed")
            self._broken = True  # unless the whole answer arrives
            data = self._exchange(request, into)
            self._broken = False
            return data

    def _exchange(self, request: Data, into: Any) -> bytearray:
        writer = threading.Thread(target=self._write, args=(request,), daemon=True)
        whole = len(request) <= _HEADER.size + _WHOLE_ROWS * _ROW_BYTES
        try:
            if whole:
                self._write(request)
            else:
                writer.start()
            return self._read(into)
        except BaseException:
            self._process.kill()
            raise
        finally:
            if not whole:
                writer.join()

    def _write(self, request: Data) -> None:
        try:
            self._process.write(request)
        except (BrokenPipeError, ValueError):
            pass  # the program has ended; the reader reports it

    def _read(self, into: Any) -> bytearray:
        whole = bytearray()
        place = memoryview(into).cast("B") if into is not None and into.nbytes else memoryview(b"")
        while True:
            (size,) = struct.unpack("<Q", self._fill(memoryview(bytearray(8))))
            if size == 0:
                break
            if into is None:
                piece = memoryview(bytearray(size))
                whole += self._fill(piece)
            else:
                self._fill(place[:size])
                place = place[size:]
        return whole

    def _fill(self, place: memoryview) -> memoryview:
        rest = place
        while rest.nbytes:
            count = self._process.stdout.readinto(rest)
            if not count:
                self._process.finish()
                raise ProgramError("render ended before it had answered")
            rest = rest[count:]
        return place
