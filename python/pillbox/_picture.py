"""Pictures and films."""

from __future__ import annotations

import base64
import hashlib
import importlib
import io
import os
import pathlib
import struct
import tempfile
import zlib
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Tuple, Union, cast

from ._files import write_whole
from ._table import need_numpy

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Picture:
    """A rendered picture. In a notebook it shows itself.

    ``png`` is the picture as the bytes of a PNG file.

    >>> import pillbox
    >>> picture = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1)).render(width=32)
    >>> picture.size
    (32, 18)
    >>> picture.array.shape, str(picture.array.dtype)
    ((18, 32, 3), 'uint8')
    """

    def __init__(self, png: bytes) -> None:
        if png[:8] != _SIGNATURE:
            raise ValueError("want the bytes of a PNG file")
        self.png = png
        self._vectors: Optional[Callable[[str], object]] = None  # renders the picture again, to a file with vectors

    @classmethod
    def open(cls, path: "Union[str, os.PathLike[str]]") -> "Picture":
        """Reads a PNG file that Pillbox wrote."""
        return cls(pathlib.Path(path).read_bytes())

    @property
    def size(self) -> Tuple[int, int]:
        """The width and height in pixels."""
        width, height = struct.unpack(">II", self.png[16:24])
        return width, height

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.size[0]

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self.size[1]

    @property
    def array(self) -> "NDArray[numpy.uint8]":
        """The pixels as a new array of 8-bit sRGB values, with the shape (height, width, 3), or 4 with straight alpha if
        the background is transparent. Row 0 is the top. Needs NumPy."""
        np = need_numpy("Picture.array")
        try:
            image = self.pil()
        except ImportError:
            return _decode(self.png)
        return cast("NDArray[numpy.uint8]", np.array(image))

    def __array__(self, dtype: Any = None, copy: "Optional[bool]" = None) -> "NDArray[Any]":
        if copy is False:
            raise ValueError("the pixels of a Picture are compressed; an array of them is a copy")
        return self.array if dtype is None else self.array.astype(dtype)

    def pil(self) -> Any:
        """Returns the picture as a PIL.Image.Image. Needs Pillow."""
        return importlib.import_module("PIL.Image").open(io.BytesIO(self.png))

    @property
    def hash(self) -> str:
        """The hash of the pixels that ``render hash`` prints. It does not depend on the compression of the PNG."""
        pixels = self.array
        np = need_numpy("Picture.hash")
        rgba = np.full(pixels.shape[:2] + (4,), 255, dtype=np.uint8)
        rgba[..., : pixels.shape[2]] = pixels
        return hashlib.sha256(struct.pack(">II", *self.size) + rgba.tobytes()).hexdigest()

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes the picture to a .png file or, with Pillow, to a file of any format that Pillow writes. The file appears whole
        or not at all, and missing folders are made. In .svg and .pdf, the annotations are vectors and text; for these, the scene
        is rendered again, as it was when the picture was rendered."""
        suffix = pathlib.Path(path).suffix.lower()
        if suffix in (".svg", ".pdf"):
            write_whole(path, self._with_vectors(suffix))
            return
        write_whole(path, self.png if suffix == ".png" else self._encode(suffix))

    def _with_vectors(self, suffix: str) -> bytes:
        """Returns the picture as SVG or PDF."""
        if self._vectors is None:
            raise ValueError(f"only a picture that Scene.render returned can be saved as {suffix}; this one was read from a file")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / ("picture" + suffix)
            self._vectors(str(file))
            return file.read_bytes()

    def _encode(self, suffix: str) -> bytes:
        """Returns the picture in the format of a file name's extension, which Pillow must know."""
        picture, data = self.pil().convert("RGB"), io.BytesIO()
        format = importlib.import_module("PIL.Image").registered_extensions().get(suffix)
        if format is None:
            raise ValueError(f"Pillow knows no format for the file extension {suffix!r}; .png needs no Pillow")
        picture.save(data, format)
        return data.getvalue()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return self.png == other.png or self.size == other.size and self.hash == other.hash

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Picture {self.width} x {self.height}>"

    def _repr_png_(self) -> bytes:
        return self.png


class Film:
    """A film that was written to ``path``. In a notebook a GIF or an animated PNG shows itself.

    >>> Film("walk.gif")
    <Film walk.gif>
    """

    def __init__(self, path: "Union[str, os.PathLike[str]]") -> None:
        self.path = pathlib.Path(path)

    def __repr__(self) -> str:
        return f"<Film {self.path}>"

    def _repr_html_(self) -> str:
        kinds = {".gif": "image/gif", ".png": "image/png", ".mp4": "video/mp4", ".webm": "video/webm"}
        kind = kinds.get(self.path.suffix.lower())
        if kind is None or "%" in self.path.name:
            return repr(self).replace("<", "&lt;")
        data = base64.b64encode(self.path.read_bytes()).decode("ascii")
        if kind.startswith("video"):
            return f'<video controls loop src="data:{kind};base64,{data}"></video>'
        return f'<img src="data:{kind};base64,{data}">'


def _chunks(png: bytes) -> Iterator[Tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def _decode(png: bytes) -> "NDArray[numpy.uint8]":
    """Returns the pixels of an RGB or RGBA picture with 8 bits per channel, as Pillbox writes them."""
    import numpy as np

    width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", png[16:29])
    if depth != 8 or color not in (2, 6) or interlace:
        raise ValueError("want a PNG that Pillbox wrote: RGB or RGBA, 8 bits per channel")
    channels = 3 if color == 2 else 4
    data = zlib.decompress(b"".join(body for kind, body in _chunks(png) if kind == b"IDAT"))
    rows = np.frombuffer(data, np.uint8).reshape(height, 1 + width * channels)
    filters, deltas = rows[:, 0], rows[:, 1:].reshape(height, width, channels)
    pixels = np.zeros((height + 1, width + 1, channels), np.uint8)  # with a border of zeros above and to the left
    first = 0
    while first < height:
        after = first + 1
        while after < height and filters[after] == filters[first]:
            after += 1
        _unfilter(int(filters[first]), deltas[first:after], pixels[first : after + 1])
        first = after
    return pixels[1:, 1:].copy()


def _unfilter(kind: int, deltas: "NDArray[numpy.uint8]", pixels: "NDArray[numpy.uint8]") -> None:
    """Undoes a filter of PNG (section 9 of its specification) for some rows, below the row pixels[0]."""
    import numpy as np

    inner = pixels[1:, 1:]
    if kind == 0:
        inner[:] = deltas
    elif kind == 1:
        np.cumsum(deltas, axis=1, dtype=np.uint8, out=inner)
    elif kind == 2:
        np.cumsum(np.concatenate([pixels[:1, 1:], deltas]), axis=0, dtype=np.uint8, out=pixels[:, 1:])
    else:
        _unfilter_diagonals(kind, deltas, pixels)


def _unfilter_diagonals(kind: int, deltas: "NDArray[numpy.uint8]", pixels: "NDArray[numpy.uint8]") -> None:
    """Undoes the filters that depend on three neighbors: the pixels of a diagonal depend only on earlier diagonals."""
    import numpy as np

    height, width = deltas.shape[:2]
    for diagonal in range(height + width - 1):
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        left, up = pixels[y + 1, x].astype(np.int16), pixels[y, x + 1].astype(np.int16)
        if kind == 3:
            guess = (left + up) // 2
        else:
            corner = pixels[y, x].astype(np.int16)
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = np.where((to_left <= to_up) & (to_left <= to_corner), left, np.where(to_up <= to_corner, up, corner))
        pixels[y + 1, x + 1] = deltas[y, x] + guess.astype(np.uint8)
