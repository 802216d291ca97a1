"""Tables of many solids: columns of numbers and words, which travel to the program in binary."""

from __future__ import annotations

import csv
import io
import math
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ._program import Data

# The largest size of one table as text, in bytes, with 20 bytes for each number. The program makes this text, and limits
# it to 1 GiB.
_MOST_TEXT = 800_000_000


def numpy_or_none() -> Any:
    """Returns NumPy, or None if it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def need_numpy(what: str) -> Any:
    """Returns NumPy or raises an ImportError that names what needs it."""
    found = numpy_or_none()
    if found is None:
        raise ImportError(f"{what} needs NumPy; install the package numpy")
    return found


class Columns:
    """The columns of a table, by name. All have the same length. Arrays are copied, so a caller may
    change them afterwards."""

    def __init__(self) -> None:
        self.names: List[str] = []
        self.arrays: Dict[str, str] = {}  # the name of the argument for each column
        self.values: List[Any] = []  # arrays, or lists without NumPy
        self.rows: Optional[int] = None
        self.first = 0  # the row of the whole table with which this part of it begins

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return self.names == other.names and self.rows == other.rows and all(list(a) == list(b) for a, b in zip(self.values, other.values))

    def _add(self, what: str, name: str, values: Any) -> None:
        if self.rows is None:
            self.rows = len(values)
        elif len(values) != self.rows:
            raise ValueError(f"{what}: want one value for each of the {self.rows} solids, got {len(values)}")
        self.names.append(name)
        self.arrays[name] = what
        self.values.append(values)

    def vectors(self, what: str, names: Sequence[str], values: Any) -> None:
        """Adds a column for each component of vectors."""
        numpy = numpy_or_none()
        if numpy is None:
            rows = [tuple(map(float, row)) for row in values]
            for i, row in enumerate(rows):
                if len(row) != len(names):
                    raise ValueError(f"{what}[{i}]: want {len(names)} numbers, got {len(row)}")
                if not all(map(math.isfinite, row)):
                    raise ValueError(f"{what}[{i}]: want finite numbers, got {list(row)}")
            for i, name in enumerate(names):
                self._add(what, name, [row[i] for row in rows])
            return
        array = numpy.array(values, dtype=float)
        if array.size == 0:
            array = array.reshape(-1, len(names))
        if array.ndim != 2 or array.shape[1] != len(names):
            raise ValueError(f"{what}: want the shape (n, {len(names)}), got {array.shape}")
        finite = numpy.isfinite(array).all(axis=1)
        if not finite.all():
            i = int(finite.argmin())
            raise ValueError(f"{what}[{i}]: want finite numbers, got {array[i].tolist()}")
        for i, name in enumerate(names):
            self._add(what, name, array[:, i])

    def numbers(self, what: str, name: str, values: Any, *, positive: bool = True) -> None:
        """Adds a column of numbers, more than 0 if positive is set; one number stands for all rows."""
        least, wanted = (0.0, "a finite number more than 0") if positive else (-math.inf, "a finite number")
        numpy = numpy_or_none()
        if numpy is None:
            single = isinstance(values, (int, float))
            column = [float(values)] if single else list(map(float, values))
            for i, x in enumerate(column):
                if not least < x < math.inf:
                    raise ValueError(f"{what if single else f'{what}[{i}]'}: want {wanted}, got {x}")
            self._add(what, name, column * (self.rows or 0) if single else column)
            return
        array = numpy.array(values, dtype=float)
        good = (array > least) & numpy.isfinite(array)
        if array.ndim <= 1 and not good.all():
            i = int(good.argmin())
            raise ValueError(f"{f'{what}[{i}]' if array.ndim else what}: want {wanted}, got {array.ravel()[i]}")
        if array.ndim == 0:
            array = numpy.broadcast_to(array, (self.rows or 0,))
        if array.ndim != 1:
            raise ValueError(f"{what}: want one number for each solid, got the shape {array.shape}")
        self._add(what, name, array)

    def words(self, what: str, name: str, values: Any) -> None:
        """Adds a column of words."""
        words = ["" if v is None else str(v) for v in values]
        numpy = numpy_or_none()
        if numpy is None:
            self._add(what, name, words)
        elif all(map(str.isascii, words)):
            self._add(what, name, numpy.array(words, dtype="S"))
        else:
            self._add(what, name, numpy.array(words, dtype="U"))

    def colors(self, values: Any) -> None:
        """Adds colors: words, rows of three floats 0..1, or rows of three integers 0..255 of the type uint8."""
        numpy = numpy_or_none()
        if len(values) and isinstance(values[0], str):
            self.words("colors", "color", values)
        elif numpy is not None and getattr(values, "dtype", None) == numpy.uint8:
            if values.ndim != 2 or values.shape[1] != 3:
                raise ValueError(f"colors: want the shape (n, 3), got {values.shape}")
            digits = numpy.array([b"%02x" % i for i in range(256)], dtype="S2")
            text = numpy.empty((len(values), 7), dtype="S1")
            text[:, 0] = b"#"
            text[:, 1:] = digits[values].view("S1").reshape(len(values), 6)
            self._add("colors", "color", text.view("S7")[:, 0])
        else:
            if len(values) and not hasattr(values[0], "__len__"):
                raise ValueError("colors: want words or rows of three numbers; for numbers that a color map turns into colors, use values, or a cmap")
            before = len(self.values)
            self.vectors("colors", ("r", "g", "b"), values)
            if any(len(channel) and (channel.max() if numpy else max(channel)) > 1 for channel in self.values[before:]):
                raise ValueError("colors: want numbers 0..1, or an array of the type uint8 with integers 0..255")

    def split(self) -> Iterator["Columns"]:
        """Returns tables with the same rows that are small enough for the program."""
        rows = self.rows or 0
        most = max(1, _MOST_TEXT // (20 * max(1, len(self.names))))
        for start in range(0, rows, most):
            part = Columns()
            part.names, part.arrays, part.rows, part.first = self.names, self.arrays, min(most, rows - start), start
            part.values = [v[start : start + most] for v in self.values]
            yield part

    def data(self) -> Tuple[str, List[Data]]:
        """Returns the extension of a file with the table, and its contents: a NumPy array, or CSV without NumPy."""
        numpy = numpy_or_none()
        if numpy is None:
            return ".csv", [self.text().encode("utf-8")]
        types = [(name, "<f8" if v.dtype.kind == "f" else v.dtype.str) for name, v in zip(self.names, self.values)]
        records = numpy.empty(self.rows or 0, dtype=types)
        for name, v in zip(self.names, self.values):
            records[name] = v
        header = f"{{'descr': {types!r}, 'fortran_order': False, 'shape': ({len(records)},), }}"
        text = header.encode("ascii") + b" " * (-(len(header) + 11) % 64) + b"\n"
        return ".npy", [b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text, memoryview(records.view("u1"))]

    def solids(self) -> Iterator[Dict[str, Any]]:
        """Yields the keys of a table for each row."""
        rows = dict(zip(self.names, (v.tolist() if hasattr(v, "tolist") else v for v in self.values)))
        keys = [(key, columns.split()) for key, columns in _KEYS if set(columns.split()) <= rows.keys()]
        for i in range(self.rows or 0):
            solid: Dict[str, Any] = {}
            for key, columns in keys:
                values = [rows[column][i] for column in columns]
                if key == "axes":
                    solid[key] = (values[:3], values[3:6], values[6:])
                elif len(values) > 1:
                    solid[key] = values
                elif values[0] not in ("", b""):
                    solid[key] = values[0].decode("ascii") if isinstance(values[0], bytes) else values[0]
            yield solid

    def text(self) -> str:
        """Returns the table as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.names)
        writer.writerows(zip(*map(_strings, self.values)))
        return out.getvalue()


# The keys of solids and their columns.
_KEYS = (
    ("center", "x y z"), ("half_extents", "hx hy hz"), ("a", "ax ay az"), ("b", "bx by bz"), ("radius", "radius"),
    ("rotate", "rx ry rz"), ("quaternion", "qw qx qy qz"), ("axes", "ax_x ax_y ax_z ay_x ay_y ay_z az_x az_y az_z"),
    ("name", "name"), ("material", "material"), ("color", "color"), ("color", "r g b"), ("value", "value"),
)


def _strings(values: Any) -> List[str]:
    """Returns the fields of a column."""
    items = values.tolist() if hasattr(values, "tolist") else values
    if items and isinstance(items[0], float):
        return list(map(repr, items))
    return [v.decode("ascii") if isinstance(v, bytes) else str(v) for v in items]
