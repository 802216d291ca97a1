"""Scenes: building, loading, saving, rendering, asking."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._cast import Caster, Solids, View
from ._errors import Problem, ProgramError, SceneError
from ._explain import Explanation
from ._files import whole_file, write_whole
from ._picture import Film, Picture
from ._program import Member, Process, Source, parse_problems, problems_of, run
from ._progress import Progress
from ._scene import (
    Angle, Animate, Animation, Arrow, Axes, Camera, Colormap, Dimension, Fog, Image, Label, Legend, Line, Marker, Material, Numbers, Outline, Part, ScaleBar, Section, Shading, Tables, Theme, Thing, Title, fill_group, group_keys, keys_of,
)  # fmt: skip
from ._toml import dumps, loads as _loads, plain
from ._viewer import Viewer

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

Path = Union[str, "os.PathLike[str]"]
Region = Tuple[int, int, int, int]

Annotation = Union[Label, Dimension, Line, Arrow, Angle, Marker]

# The tables of a scene that are attributes, and the arrays of tables with the attributes that list them.
_TABLES = {
    "image": Image, "camera": Camera, "shading": Shading, "outline": Outline, "fog": Fog, "animation": Animation, "title": Title, "axes": Axes, "scale_bar": ScaleBar, "legend": Legend, "colormap": Colormap, "theme": Theme,
}  # fmt: skip
_LISTS = {
    "label": ("labels", Label), "dimension": ("dimensions", Dimension), "line": ("lines", Line), "arrow": ("arrows", Arrow), "angle": ("angles", Angle), "marker": ("markers", Marker),
    "animate": ("animate", Animate),
}  # fmt: skip


@dataclass
class Scene(Part):
    """A scene. Its fields are the tables of the scene format; None and empty lists mean that a table is absent.

    The arguments of the constructor are the things to add, and the other tables by keyword. ``folder`` is the folder of
    the files that the scene names, such as those of ``include``. ``allow_overlaps`` are pairs of name patterns of solids
    that may overlap. The program checks a scene when it is used: methods raise SceneError for an invalid one, and
    ProgramError for invalid arguments.

    >>> scene = Scene(camera=Camera([4, 3, 6], [0, 0.5, 0]))
    >>> scene.materials["steel"] = Material("#dfe7ea", mirror=0.8)
    >>> from pillbox import Box, Light, Sphere
    >>> _ = scene.add(Sphere([0, 1, 0], 1, material="steel"), Box([0, -0.1, 0], [5, 0.1, 5]), Light([3, 6, 4]))
    >>> scene.render(width=64)
    <Picture 64 x 36>
    """

    image: Optional[Image] = None
    camera: Optional[Camera] = None
    shading: Optional[Shading] = None
    outline: Optional[Outline] = None
    fog: Optional[Fog] = None
    animation: Optional[Animation] = None
    title: Optional[Title] = None
    axes: Optional[Axes] = None
    scale_bar: Optional[ScaleBar] = None
    legend: Optional[Legend] = None
    colormap: Optional[Colormap] = None
    theme: Optional[Theme] = None
    labels: List[Label] = field(default_factory=list)
    dimensions: List[Dimension] = field(default_factory=list)
    lines: List[Line] = field(default_factory=list)
    arrows: List[Arrow] = field(default_factory=list)
    angles: List[Angle] = field(default_factory=list)
    markers: List[Marker] = field(default_factory=list)
    animate: List[Animate] = field(default_factory=list)
    allow_overlaps: List[Sequence[str]] = field(default_factory=list)
    materials: Dict[str, Material] = field(default_factory=dict)
    parts: Dict[str, Part] = field(default_factory=dict)
    include: List[str] = field(default_factory=list)
    format: Optional[int] = None
    up: Optional[str] = None
    name: str = field(default="scene.toml", compare=False)
    folder: str = field(default=".", compare=False)

    def __init__(
        self,
        *things: Union[Thing, Annotation, Animate],
        image: Optional[Image] = None,
        camera: Optional[Camera] = None,
        shading: Optional[Shading] = None,
        outline: Optional[Outline] = None,
        fog: Optional[Fog] = None,
        animation: Optional[Animation] = None,
        title: Optional[Title] = None,
        axes: Optional[Axes] = None,
        scale_bar: Optional[ScaleBar] = None,
        legend: Optional[Legend] = None,
        colormap: Optional[Colormap] = None,
        theme: Optional[Theme] = None,
        labels: Sequence[Label] = (),
        dimensions: Sequence[Dimension] = (),
        lines: Sequence[Line] = (),
        arrows: Sequence[Arrow] = (),
        angles: Sequence[Angle] = (),
        markers: Sequence[Marker] = (),
        sections: Sequence[Section] = (),
        animate: Sequence[Animate] = (),
        allow_overlaps: Sequence[Sequence[str]] = (),
        materials: Optional[Dict[str, Material]] = None,
        parts: Optional[Dict[str, Part]] = None,
        include: Sequence[str] = (),
        format: Optional[int] = None,
        up: Optional[str] = None,
        more: Optional[Dict[str, Any]] = None,
        name: str = "scene.toml",
        folder: Path = ".",
    ) -> None:
        super().__init__()
        self.image, self.camera, self.shading, self.outline, self.fog = image, camera, shading, outline, fog
        self.animation, self.title, self.axes, self.scale_bar, self.legend, self.colormap = animation, title, axes, scale_bar, legend, colormap
        self.theme = theme
        self.labels, self.dimensions = list(labels), list(dimensions)
        self.lines, self.arrows, self.angles, self.markers = list(lines), list(arrows), list(angles), list(markers)
        self.sections, self.animate = list(sections), list(animate)
        self.allow_overlaps = list(allow_overlaps)
        self.materials, self.parts = dict(materials or {}), dict(parts or {})
        self.include, self.format, self.up, self.more = list(include), format, up, dict(more or {})
        self.name, self.folder = name, os.fspath(folder)
        self._files: List[str] = []  # the files that a loaded scene names
        self.add(*things)

    def add(self, *things: Union[Thing, Annotation, Animate]) -> "Scene":
        """Adds solids, lights, placements, bulk tables, labels and other annotations, sections and animated keys,
        and returns this scene.

        >>> from pillbox import Sphere
        >>> Scene().add(Sphere([0, 0, 0], 1, name="ball"), Label("a ball", on="ball")).labels
        [Label(text='a ball', on='ball')]
        """
        for thing in things:
            for name, cls in _LISTS.values():
                if isinstance(thing, cls):
                    getattr(self, name).append(thing)
                    break
            else:
                super().add(thing)  # type: ignore[arg-type]
        return self

    def _use_colormap(self, name: str) -> None:
        if self.colormap is None:
            self.colormap = Colormap(name)
        elif self.colormap.name is None:
            self.colormap.name = name
        elif self.colormap.name != name:
            raise ValueError(f"cmap: a scene has one color map, and it is {self.colormap.name!r} already, got {name!r}")

    def __repr__(self) -> str:
        return f"<Scene {self.name}: {len(self.solids)} solids, {len(self.places)} placements, {len(self.bulks)} bulk tables, {len(self.lights)} lights>"

    # Files

    def dumps(self) -> str:
        """Returns the scene as TOML. Rows of tables in memory become tables of solids; ``save`` writes CSV files instead.

        >>> from pillbox import Sphere
        >>> print(Scene(Sphere([0, 0, 0], 1)).dumps().strip())
        [[sphere]]
        center = [0, 0, 0]
        radius = 1
        """
        self._taken()
        return dumps(self._keys(None))

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the scene to a .toml file, its tables in memory to CSV files beside it, and copies of the files that it
        names. Raises FileExistsError if a file with other contents exists, unless ``overwrite`` is set.

        >>> import tempfile
        >>> from pillbox import load, Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).save(folder + "/ball.toml")
        ...     load(folder + "/ball.toml").solids
        [Sphere(center=(0, 0, 0), radius=1)]
        """
        target = pathlib.Path(path)
        if target.suffix.lower() in (".png", ".jpg", ".jpeg", ".gif", ".webp"):
            raise ValueError(f"save writes the scene as TOML; scene.render().save({str(path)!r}) writes a picture")
        tables = Tables(self._taken())
        texts = {target: dumps(self._keys(tables))}
        for name, columns in tables.files:
            texts[target.parent / name] = columns.text()
        copies = {target.parent / name: pathlib.Path(self.folder) / name for name in self._files}
        for file, text in texts.items():
            if not overwrite and file.exists() and file.read_text("utf-8") != text:
                raise FileExistsError(f"{file} exists; save(..., overwrite=True) replaces it")
        for file, original in copies.items():
            if not overwrite and file.exists() and not file.samefile(original) and file.read_bytes() != original.read_bytes():
                raise FileExistsError(f"{file} exists; save(..., overwrite=True) replaces it")
        for file, original in copies.items():
            if not (file.exists() and file.samefile(original)):
                with original.open("rb") as source, whole_file(file) as copy:
                    shutil.copyfileobj(source, copy)
        for file, text in reversed(list(texts.items())):  # the scene last
            write_whole(file, text.encode("utf-8"))

    def _taken(self) -> List[str]:
        """Returns the files that the scene names. Its tables in memory must get other names."""
        for name, part in self.parts.items():
            if not isinstance(part, Part):
                raise TypeError(f"scene.parts[{name!r}]: want Part().add(...), got {part!r:.60}")
        groups = [self, *self.parts.values()]
        return self._files + [b.file for g in groups for b in g.bulks if b.file]

    def _keys(self, tables: Optional[Tables]) -> Dict[str, Any]:
        keys: Dict[str, Any] = {"format": self.format, "up": self.up, "include": plain(self.include) or None}
        for key, cls in _TABLES.items():
            table = getattr(self, key)
            keys[key] = None if table is None else keys_of(table, cls, f"scene.{key}")
        keys["overlaps"] = {"allow": plain(self.allow_overlaps)} if self.allow_overlaps else None
        keys["material"] = {name: keys_of(m, Material, f"scene.materials[{name!r}]") for name, m in self.materials.items()} or None
        own = group_keys(self, tables, "scene")
        keys["part"] = {name: group_keys(p, tables, f"scene.parts[{name!r}]") for name, p in self.parts.items()} or None
        keys.update(own)
        for key, (name, kind) in _LISTS.items():
            keys[key] = [keys_of(table, kind, f"scene.{name}[{i}]") for i, table in enumerate(getattr(self, name))] or None
        return keys

    def _source(self) -> Source:
        """Returns the scene for the program."""
        tables = Tables(self._taken())
        members = [Member(self.name, [dumps(self._keys(tables)).encode("utf-8", "surrogatepass")])]
        for name, columns in tables.files:
            extension, data = columns.data()
            members.append(Member(name[: -len(".csv")] + extension, data))
        return Source(members, self.folder, tables.rows)

    # See

    def render(
        self,
        *,
        width: Optional[int] = None,
        height: Optional[int] = None,
        antialias: Optional[int] = None,
        time: Optional[float] = None,
        region: Optional[Region] = None,
        view: Optional[str] = None,
        theme: Optional[Path] = None,
        workers: Optional[int] = None,
        progress: Progress = None,
    ) -> Picture:
        """Renders the scene.

        ``width`` and ``height`` are in pixels; one alone keeps the proportions. ``antialias`` n means n x n rays per pixel.
        ``time`` is in seconds of the animation. ``region`` is (x0, y0, x1, y1): only the pixels x0 <= x < x1 and
        y0 <= y < y1. ``view`` shows all solids from a side: ``"front"``, ``"top"``, ``"iso"``, ``"-x"`` and so on. ``theme`` is a file with a theme that replaces the scene's.
        ``workers`` is the number of threads, which does not affect the picture. ``progress`` shows a bar in
        terminals and notebooks by default; False shows none, and a function is called with a stage and two numbers.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).render(width=64, region=(0, 0, 10, 20)).size
        (10, 20)
        """
        flags = _flags(width=width, height=height, antialias=antialias, time=time, region=region, view=view, theme=self._theme(theme), workers=workers)
        source = self._source()
        picture = Picture(run(["-", "-o", "-", *flags], source, progress, warn=2))
        picture._vectors = lambda path: run(["-", "-o", path, *flags], source, progress)
        return picture

    def _repr_png_(self) -> bytes:
        return self.render().png

    def show(self, *, width: Optional[int] = None, height: Optional[int] = None, time: Optional[float] = None, view: Optional[str] = None, theme: Optional[Path] = None) -> Viewer:
        """Returns the scene to turn and to ask in a notebook, or to save as a page: see Viewer. Each call adds about 3.5 MB to a
        notebook. The arguments are those of ``render``. Needs a program with the viewer, as in wheels and releases.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).show(width=640)  # doctest: +SKIP
        <Viewer: 3.6 MB of HTML>
        """
        flags = _flags(width=width, height=height, time=time, view=view, theme=self._theme(theme))
        source = self._source()
        return Viewer(run(["page", "-", "-o", "-", "--fragment", *flags], source, warn=2).decode("utf-8"), lambda: run(["page", "-", "-o", "-", *flags], source))

    def _theme(self, theme: Optional[Path]) -> Optional[str]:
        if theme is None:
            return None
        beside = os.path.join(self.folder, os.fspath(theme))
        return os.path.abspath(beside if not os.path.exists(theme) and os.path.exists(beside) else theme)

    def view(self, *, width: Optional[int] = None, height: Optional[int] = None) -> View:
        """Returns depth, normals, points and solids at the centers of the pixels, as arrays. Needs NumPy.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).view(width=16).depth.shape
        (9, 16)
        """
        own = self.image or Image()
        full = (own.width or 1280, own.height or 720)
        if width is None and height is None:
            size = full
        elif height is None:
            assert width is not None
            size = (width, max(1, (2 * width * full[1] + full[0]) // (2 * full[0])))
        elif width is None:
            size = (max(1, (2 * height * full[0] + full[1]) // (2 * full[1])), height)
        else:
            size = (width, height)
        with Caster(self) as caster:
            return caster.view(*size)

    def film(self, path: Path, *, start: Optional[float] = None, end: Optional[float] = None, fps: Optional[float] = None, turntable: Optional[float] = None, view: Optional[str] = None, width: Optional[int] = None, height: Optional[int] = None, antialias: Optional[int] = None, workers: Optional[int] = None, progress: Progress = None) -> Film:
        """Renders the scene's animation to a file: .gif, animated .png, .mp4, .webm, or numbered pictures such as
        ``frames/%04d.png``. ``start`` and ``end`` are in seconds. ``turntable`` moves the camera once around its target in
        this time. ``view`` is that of ``render``.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     film = Scene(Sphere([0, 0, 0], 1)).film(folder + "/ball.gif", turntable=0.2, fps=10, width=16)
        ...     film.path.stat().st_size > 0
        True
        """
        args = ["animate", "-", "-o", os.path.abspath(path)]
        args += _flags(**{"from": start}, to=end, fps=fps, turntable=turntable, view=view, width=width, height=height, antialias=antialias, workers=workers)
        run(args, self._source(), progress, warn=2)
        return Film(path)

    def frames(self, *, turntable: Optional[float] = None, view: Optional[str] = None, fps: Optional[float] = None, width: Optional[int] = None, height: Optional[int] = None, antialias: Optional[int] = None) -> Iterator[Picture]:
        """Yields the frames of the scene's animation as pictures: frame i shows the time i / fps. ``turntable`` and ``view``
        are those of ``film``.

        >>> from pillbox import Animate, Sphere
        >>> scene = Scene(Sphere([0, 0, 0], 1, name="ball"), animation=Animation(0.2, fps=10))
        >>> scene.animate.append(Animate("ball.radius", [0, 1], [1, 2]))
        >>> len(list(scene.frames(width=16)))
        2
        >>> len(list(Scene(Sphere([0, 0, 0], 1)).frames(turntable=0.3, fps=10, width=16)))
        3
        """
        if turntable is not None:
            with tempfile.TemporaryDirectory() as folder:
                self.film(os.path.join(folder, "%07d.png"), turntable=turntable, view=view, fps=fps, width=width, height=height, antialias=antialias, progress=False)
                for name in sorted(os.listdir(folder)):
                    yield Picture.open(os.path.join(folder, name))
            return
        if self.animation is None:
            raise ValueError("the scene has no animation; turntable=SECONDS circles the camera about any scene")
        rate = fps or self.animation.fps or 30
        for i in range(round(self.animation.duration * rate)):
            yield self.render(view=view, width=width, height=height, antialias=antialias, time=i / rate, progress=False)

    # Ask

    def caster(self, *, workers: Optional[int] = None) -> Caster:
        """Returns a Caster, which keeps this scene ready for many calls.

        >>> from pillbox import Sphere
        >>> with Scene(Sphere([0, 0, 0], 1)).caster() as caster:
        ...     caster.count([[0, 0, 5], [0, 9, 5]], [0, 0, -1]).tolist()
        [2, 0]
        """
        return Caster(self, workers=workers)

    def cast(self, origins: "ArrayLike", directions: "ArrayLike", *, all: bool = False, line: bool = False) -> "NDArray[numpy.void]":
        """Casts rays once, as ``Caster.cast`` does. For many calls, a Caster is faster.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).cast([0, 0, 5], [0, 0, -1])["distance"]
        array([4.])
        """
        with Caster(self) as caster:
            return caster.cast(origins, directions, all=all, line=line)

    def segments(self, starts: "ArrayLike", ends: "ArrayLike", *, all: bool = False) -> "NDArray[numpy.void]":
        """Casts segments once, as ``Caster.segments`` does.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).segments([0, 0, 4], [0, 0, -4])["distance"]
        array([0.375])
        """
        with Caster(self) as caster:
            return caster.segments(starts, ends, all=all)

    def count(self, origins: "ArrayLike", directions: "ArrayLike", *, line: bool = False) -> "NDArray[numpy.int32]":
        """Counts the crossings of rays once, as ``Caster.count`` does.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).count([0, 0, 5], [0, 0, -1])
        array([2], dtype=int32)
        """
        with Caster(self) as caster:
            return caster.count(origins, directions, line=line)

    def solids_table(self) -> Solids:
        """Returns the numbers, kinds and names of all solids, also those of parts and tables.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1, name="ball")).solids_table().number("ball")
        0
        """
        with Caster(self) as caster:
            return caster.solids

    def check(self, *, overlaps: bool = True) -> List[Problem]:
        """Returns all errors and warnings of the scene and, with ``overlaps``, notes about solids that overlap or touch.

        >>> from pillbox import Sphere
        >>> [p.message for p in Scene(Sphere([0, 0, 0], -1)).check() if p.severity == "error"]
        ['must be positive and finite']
        """
        return problems_of(self._source(), "info" if overlaps else "off")

    def overlaps(self) -> List[Problem]:
        """Returns the notes of ``check`` about solids that overlap, identical ones included. Similar pairs have one note.

        >>> from pillbox import Sphere
        >>> [p.key for p in Scene(Sphere([0, 0, 0], 1), Sphere([1, 0, 0], 1), Sphere([3, 0, 0], 1)).overlaps()]
        ['sphere[0]']
        """
        return [p for p in self.check() if p.code in ("overlap", "identical")]

    def touches(self) -> List[Problem]:
        """Returns the notes of ``check`` about solids that touch and do not overlap, as ``overlaps`` does.

        >>> from pillbox import Sphere
        >>> [p.key for p in Scene(Sphere([0, 0, 0], 1), Sphere([1, 0, 0], 1), Sphere([3, 0, 0], 1)).touches()]
        ['sphere[1]']
        """
        return [p for p in self.check() if p.code == "touch"]

    def explain(
        self,
        pixel: Optional[Tuple[int, int]] = None,
        *,
        ray: Optional[Tuple[Numbers, Numbers]] = None,
        segment: Optional[Tuple[Numbers, Numbers]] = None,
        capsules: Optional[Tuple[str, str]] = None,
        solid: Optional[str] = None,
        width: Optional[int] = None,
        height: Optional[int] = None,
        antialias: Optional[int] = None,
        time: Optional[float] = None,
        view: Optional[str] = None,
        theme: Optional[Path] = None,
    ) -> Explanation:
        """Explains why a pixel has its color; or what a ray hits, given as origin and direction; or which solids a segment
        touches, given as two points; or whether two named capsules or spheres overlap. ``solid`` also derives the solid
        with this name. ``view`` and ``theme`` are those of ``render``.

        >>> from pillbox import Sphere
        >>> Scene(Sphere([0, 0, 0], 1)).explain((320, 180), width=640).data["hit"]["kind"]
        'sphere'
        """
        numbers: Dict[str, Any] = {"ray": ray, "segment": segment}
        flat = {key: plain(v) and [x for p in plain(v) for x in p] for key, v in numbers.items()}
        return Explanation(self._source(), _flags(pixel=pixel, **flat, capsules=capsules, solid=solid, width=width, height=height, antialias=antialias, time=time, view=view, theme=self._theme(theme)))

    # Out

    def to_toml(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the scene with a table for every solid, without parts, bulk tables and included files. Raises FileExistsError
        if the file exists and could be a scene, unless ``overwrite`` is set.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).to_toml(folder + "/flat.toml")
        """
        try:
            self._export(path, "toml", None, *(["--force"] if overwrite else []))
        except ProgramError as error:
            if overwrite or "force replaces it" not in str(error):
                raise
            raise FileExistsError(f"{path} exists; to_toml(..., overwrite=True) replaces it") from None

    def to_gltf(self, path: Path, *, lights: str = "standard", time: Optional[float] = None) -> None:
        """Writes the scene as glTF 2.0 in one binary file, .glb. ``lights="blender"`` is for Blender's importer.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).to_gltf(folder + "/ball.glb")
        ...     os.path.getsize(folder + "/ball.glb") > 1000
        True
        """
        if pathlib.Path(path).suffix.lower() == ".gltf":
            raise ValueError("to_gltf writes binary glTF, whose files end in .glb")
        self._export(path, "glb", time, *([] if lights == "standard" else ["--lights", lights]))

    def to_povray(self, path: Path, *, time: Optional[float] = None) -> None:
        """Writes the scene for POV-Ray, which renders the same picture. The file's second line is the command to run.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).to_povray(folder + "/ball.pov")
        """
        self._export(path, "pov", time)

    def to_mjcf(self, path: Path, *, time: Optional[float] = None) -> None:
        """Writes the scene as a model of MuJoCo: a body for each placement, without joints.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).to_mjcf(folder + "/ball.xml")
        """
        self._export(path, "mjcf", time)

    def to_urdf(self, path: Path, *, time: Optional[float] = None) -> None:
        """Writes the scene as a robot for ROS: a link for each placement, with fixed joints.

        >>> import tempfile
        >>> from pillbox import Sphere
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Scene(Sphere([0, 0, 0], 1)).to_urdf(folder + "/ball.urdf")
        """
        self._export(path, "urdf", time)

    def _export(self, path: Path, format: str, time: Optional[float], *more: str) -> None:
        run(["export", "-", "--format", format, "-o", os.path.abspath(path), *more, *_flags(time=time)], self._source())


def _flags(**values: Any) -> List[str]:
    """Returns the flags of the program for the values that are not None."""
    flags: List[str] = []
    for name, value in values.items():
        if value is None:
            continue
        value = plain(value)
        text = ",".join(str(v) for v in value) if isinstance(value, tuple) else str(value)
        flags.append(f"--{name.replace('_', '-')}={text}")
    return flags


def _parse(args: Sequence[str], text: Optional[bytes], folder: str, name: str) -> Scene:
    """Returns the scene that `render dump` reads."""
    source = None if text is None else Source([Member(name, [text])], folder)
    with Process(["dump", *args], source) as process:
        output = process.stdout.read()
        process._source = None
        try:
            process.finish()
        except ProgramError as error:
            if error.status != 2 or not output:
                raise
            raise SceneError(parse_problems(output)) from None
    document = _loads(output)
    scene = _of(document["scene"])
    scene.name, scene.folder, scene._files = name, folder, document["files"]
    return scene


def _of(keys: Dict[str, Any]) -> Scene:
    """Returns the scene with the given tables."""
    scene = Scene(include=keys.get("include", ()), format=keys.get("format"), up=keys.get("up"))
    for key, cls in _TABLES.items():
        if key in keys:
            setattr(scene, key, cls._of(keys[key]))  # type: ignore[attr-defined]
    scene.allow_overlaps = list(keys.get("overlaps", {}).get("allow", ()))
    scene.materials = {name: Material._of(m) for name, m in keys.get("material", {}).items()}
    for name, part in keys.get("part", {}).items():
        scene.parts[name] = Part()
        fill_group(scene.parts[name], part)
    fill_group(scene, keys, ("format", "up", "include", "overlaps", "material", "part", *_TABLES, *_LISTS))
    for key, (name, kind) in _LISTS.items():
        setattr(scene, name, [kind._of(table) for table in keys.get(key, ())])  # type: ignore[attr-defined]
    return scene


def load(path: Path) -> Scene:
    """Reads a scene file. Raises SceneError with all its problems if it is invalid, and OSError if it cannot be read.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ball.toml")
    ...     _ = file.write_text("[[sphere]]\\ncenter = [0, 0, 0]\\nradius = 1")
    ...     load(file).solids[0].radius
    1
    """
    full = _readable(path)
    return _parse([full], None, os.path.dirname(full), os.path.basename(full))


def _readable(path: Path) -> str:
    """Returns the absolute path of a file, or raises the OSError that says why it cannot be read."""
    with open(path, "rb"):
        return os.path.abspath(path)


def loads(text: str, *, folder: Path = ".", name: str = "scene.toml") -> Scene:
    """Reads a scene from TOML. ``folder`` has the files that the scene names; ``name`` is its name in messages.

    >>> loads("[[sphere]]\\ncenter = [0, 0, 0]\\nradius = 1").solids[0].radius
    1
    """
    return _parse(["-"], text.encode("utf-8"), os.fspath(folder), name)


def _import(path: Path, *flags: str) -> Scene:
    text = run(["import", _readable(path), "-o", "-", *flags])
    name = pathlib.Path(path).name.split(".")[0] + ".toml"
    return loads(text.decode("utf-8"), folder=".", name=name)


def _switch(**values: bool) -> List[str]:
    return [f"--{name.replace('_', '-')}" for name, value in values.items() if value]


def from_mjcf(path: Path, *, qpos: Optional["ArrayLike"] = None, keyframe: Union[None, int, str] = None, camera: Optional[str] = None, groups: Optional[Sequence[int]] = None, ghost: Optional[Sequence[int]] = None, sites: bool = False, approximate: bool = False, fit: Optional[int] = None, root: Optional[Path] = None, strict: bool = False) -> Scene:
    """Returns the scene of a MuJoCo model. ``qpos`` has the positions of all joints, as ``mjData.qpos``. Geoms of the
    groups ``ghost`` are shown as a ghost.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "arm.xml")
    ...     _ = file.write_text('<mujoco><worldbody><body name="arm"><joint axis="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>')
    ...     list(from_mjcf(file, qpos=[0.5]).parts)
    ['arm']
    """
    return _import(path, *_flags(qpos=qpos, keyframe=keyframe, camera=camera, groups=groups, ghost=ghost, fit=fit, root=root), *_switch(sites=sites, approximate=approximate, strict=strict))


def from_urdf(path: Path, *, joints: Optional[Dict[str, float]] = None, geometry: Optional[str] = None, ghost: Optional[str] = None, camera: Optional[str] = None, approximate: bool = False, fit: Optional[int] = None, root: Optional[Path] = None, strict: bool = False) -> Scene:
    """Returns the scene of a robot. ``joints`` has positions by name, in radians or meters; ``geometry`` is
    ``"collision"`` or ``"visual"``, and so is ``ghost``, which is shown as a ghost.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ball.urdf")
    ...     _ = file.write_text('<robot name="r"><link name="base"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>')
    ...     list(from_urdf(file).parts)
    ['base']
    """
    if joints is not None and not isinstance(joints, Mapping):
        raise TypeError(f"joints: want a dictionary of positions by name, got {type(joints).__name__}")
    positions = [f"--joint={name}={float(value)!r}" for name, value in (joints or {}).items()]
    return _import(path, *positions, *_flags(geometry=geometry, ghost=ghost, camera=camera, fit=fit, root=root), *_switch(approximate=approximate, strict=strict))


def from_pdb(path: Path, *, style: Optional[str] = None, color: Optional[str] = None, model: Optional[int] = None, select: Optional[str] = None, ghost: Optional[str] = None, assembly: Optional[str] = None, label: Union[None, str, Sequence[str]] = None, look: Optional[str] = None, cell: bool = False, fill_cell: bool = False, water: bool = True, hydrogens: bool = True) -> Scene:
    """Returns the scene of a molecule: a file of the Protein Data Bank (PDB or mmCIF), SDF or XYZ.

    ``style`` is ``"spacefill"``, ``"sticks"``, ``"balls-and-sticks"``, ``"tube"`` or ``"spheres"``; ``color`` is ``"element"``,
    ``"chain"``, ``"residue"``, ``"bfactor"`` or ``"position"``. ``select`` chooses atoms, such as ``"chain A and not water"``;
    ``ghost`` chooses atoms whose van der Waals spheres are shown as a ghost.
    ``assembly`` names a biological assembly. ``label`` is ``"chain"``, ``"ligand"`` or both in a list. ``look="print"`` is for
    paper, ``cell`` shows the edges of a crystal's unit cell, and ``fill_cell`` fills it with
    all symmetry images of the atoms.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "water.xyz")
    ...     _ = file.write_text("3\\nwater\\nO 0 0 0\\nH 0.76 0.59 0\\nH -0.76 0.59 0\\n")
    ...     len(from_pdb(file, style="balls-and-sticks").solids)
    7
    """
    return _import(path, *_flags(style=style, color=color, model=model, select=select, ghost=ghost, assembly=assembly, label=label, look=look), *_switch(cell=cell, fill_cell=fill_cell, no_water=not water, no_hydrogens=not hydrogens))
