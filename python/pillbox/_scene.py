"""The parts of a scene as dataclasses. Their fields are the keys of the scene format; None means that a key is absent."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._program import Rows
from ._table import Columns
from ._toml import plain

if TYPE_CHECKING:  # so that type checkers accept arrays, and the package runs without NumPy
    from numpy.typing import NDArray

    Numbers = Union[Sequence[float], NDArray[Any]]
else:
    Numbers = Sequence[float]

#: A point or a vector: three numbers, such as a list, a tuple or an array.
Vector = Numbers

#: A point to which an annotation refers: coordinates, the name of a solid or placement, or several names.
Point = Union[str, Sequence[str], Numbers]

#: A color: ``"#rgb"``, ``"#rrggbb"``, the name of a CSS color, or three numbers 0..1.
Color = Union[str, Numbers]

T = TypeVar("T")


class _Table:
    """A table of the scene format. Arrays become tuples of numbers when they are assigned. The field ``from_`` is the key
    ``from``, because ``from`` is a word of Python."""

    _more: Dict[str, Any]  # keys of a file that have no field

    def __post_init__(self) -> None:
        self._more = {}

    if not TYPE_CHECKING:  # so that type checkers report unknown attributes, too

        def __setattr__(self, name: str, value: Any) -> None:
            fields = self.__dataclass_fields__
            if name not in fields and name != "_more":
                raise AttributeError(f"{type(self).__name__} has no key {name!r}; its keys are {', '.join(fields)}")
            if name == "material" and isinstance(value, Material):
                raise TypeError("material is a name; write scene.materials[name] = Material(...), and the name here")
            object.__setattr__(self, name, plain(value))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._given().items())})"

    def _given(self) -> Dict[str, Any]:
        """Returns the values that are present, by field."""
        keys = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.repr}
        return {**{key: value for key, value in keys.items() if value is not None}, **self._more}

    def _keys(self) -> Dict[str, Any]:
        return {name.rstrip("_"): v._keys() if isinstance(v, _Table) else v for name, v in self._given().items()}

    @classmethod
    def _of(cls: Type[T], keys: Mapping[str, Any]) -> T:
        names = {f.name.rstrip("_"): f.name for f in dataclasses.fields(cls)}
        table = cls(**{names[key]: v for key, v in keys.items() if key in names})
        table._more = {key: plain(v) for key, v in keys.items() if key not in names}  # type: ignore[attr-defined]
        return table


@dataclass(eq=False, repr=False)
class Sphere(_Table):
    """A sphere: all points within ``radius`` of ``center``. It has a ``material`` or a ``color`` or neither.

    >>> Sphere([0, 1, 0], 1, name="ball", color="teal").center
    (0, 1, 0)
    """

    center: Vector
    radius: float
    name: Optional[str] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    ghost: Optional[float] = None
    value: Optional[float] = None


@dataclass(eq=False, repr=False)
class Capsule(_Table):
    """A capsule: all points within ``radius`` of the segment from ``a`` to ``b``. The two ends may be equal.

    >>> Capsule([0, 0, 0], [0, 2, 0], 0.5).b
    (0, 2, 0)
    """

    a: Vector
    b: Vector
    radius: float
    name: Optional[str] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    ghost: Optional[float] = None
    value: Optional[float] = None


@dataclass(eq=False, repr=False)
class Box(_Table):
    """A box, turned in at most one way: ``rotate`` (degrees about x, y and z), ``axis`` and ``angle`` (degrees),
    ``quaternion`` (w, x, y, z), or ``axes`` (three unit vectors).

    >>> Box([0, 0, 0], [1, 1, 1], rotate=[0, 45, 0]).rotate
    (0, 45, 0)
    """

    center: Vector
    half_extents: Vector
    rotate: Optional[Vector] = None
    axis: Optional[Vector] = None
    angle: Optional[float] = None
    quaternion: Optional[Sequence[float]] = None
    axes: Optional[Sequence[Vector]] = None
    name: Optional[str] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    ghost: Optional[float] = None
    value: Optional[float] = None


@dataclass(eq=False, repr=False)
class Cylinder(_Table):
    """A cylinder with flat ends, whose centers are ``a`` and ``b``.

    >>> Cylinder([0, 0, 0], [0, 1, 0], 0.2).radius
    0.2
    """

    a: Vector
    b: Vector
    radius: float
    name: Optional[str] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    ghost: Optional[float] = None
    value: Optional[float] = None


Solid = Union[Sphere, Capsule, Box, Cylinder]


@dataclass(eq=False, repr=False)
class Light(_Table):
    """A point light has a ``position``, parallel light a ``direction``, a spot light both and a ``cone`` (degrees).
    Shadows have soft edges if the light has a size: a ``radius``, or for parallel light an ``angle`` (degrees).
    ``attach="camera"`` moves the light with the camera.

    >>> Light(position=[3, 6, 4], intensity=0.9).intensity
    0.9
    """

    position: Optional[Vector] = None
    direction: Optional[Vector] = None
    cone: Optional[float] = None
    edge: Optional[float] = None
    color: Optional[Color] = None
    intensity: Optional[float] = None
    radius: Optional[float] = None
    angle: Optional[float] = None
    attach: Optional[str] = None
    name: Optional[str] = None
    visible: Optional[bool] = None


@dataclass(eq=False, repr=False)
class Checker(_Table):
    """Squares of a second color on the faces of boxes.

    >>> Checker("black", 0.5).size
    0.5
    """

    color: Color
    size: float


@dataclass(eq=False, repr=False)
class Material(_Table):
    """A surface: a matte ``color``, the weight 0..1 of a ``mirror``, and a ``checker`` on boxes.

    >>> Material("#dfe7ea", mirror=0.8).mirror
    0.8
    """

    color: Optional[Color] = None
    mirror: Optional[float] = None
    checker: Optional[Checker] = None
    ghost: Optional[float] = None

    @classmethod
    def _of(cls, keys: Mapping[str, Any]) -> "Material":
        keys = dict(keys)
        if "checker" in keys:
            keys["checker"] = Checker(**keys["checker"])
        return super()._of(keys)


@dataclass(eq=False, repr=False)
class Camera(_Table):
    """Where the picture is taken from. ``fov`` is the vertical field of view in degrees. Without ``position`` and
    ``look_at``, the camera looks along ``direction`` and shows the solids as large as possible.

    >>> Camera([4, 3, 6], [0, 0.5, 0], fov=30).look_at
    (0, 0.5, 0)
    >>> Camera(direction=[0, 0, -1], margin=0.1).margin
    0.1
    """

    position: Optional[Vector] = None
    look_at: Optional[Vector] = None
    up: Optional[Vector] = None
    fov: Optional[float] = None
    projection: Optional[str] = None
    view_height: Optional[float] = None
    direction: Optional[Vector] = None
    fit: Union[None, str, Sequence[str]] = None
    margin: Optional[float] = None
    fit_time: Optional[str] = None


@dataclass(eq=False, repr=False)
class Gradient(_Table):
    """Two colors of a background, or two colors or numbers of ambient light: from above and from below.

    >>> Gradient("#9cc3f0", "#f2f6fb").top
    '#9cc3f0'
    """

    top: Union[float, Color]
    bottom: Union[float, Color]


@dataclass(eq=False, repr=False)
class Image(_Table):
    """The picture: its size in pixels, n x n rays per pixel (``antialias``), and its ``background``.

    >>> Image(320, 180, background="transparent").width
    320
    """

    width: Optional[int] = None
    height: Optional[int] = None
    antialias: Optional[int] = None
    antialias_mode: Optional[str] = None
    background: Union[None, Color, Gradient] = None

    @classmethod
    def _of(cls, keys: Mapping[str, Any]) -> "Image":
        return super()._of(_gradient(keys, "background"))


@dataclass(eq=False, repr=False)
class Shading(_Table):
    """Ambient light, shadows, the largest number of reflections, and the number of ``samples``, a power of two, of lights
    with a size and of ambient occlusion. ``occlusion`` has the keys of the table ``[shading.occlusion]``; with an empty
    dictionary solids darken the ambient light near them. ``color`` is ``"lit"`` or ``"flat"``: with flat colors, each
    surface shows its own color, without light.

    >>> Shading(ambient=0.2, shadows=False).bounces is None
    True
    """

    ambient: Union[None, float, Color, Gradient] = None
    shadows: Optional[bool] = None
    bounces: Optional[int] = None
    samples: Optional[int] = None
    occlusion: Optional[Dict[str, Any]] = None
    color: Optional[str] = None

    @classmethod
    def _of(cls, keys: Mapping[str, Any]) -> "Shading":
        return super()._of(_gradient(keys, "ambient"))


@dataclass(eq=False, repr=False)
class Outline(_Table):
    """Lines along the edges of the visible surfaces: their ``width`` in pixels, their color, and what they follow.

    >>> Outline(2, contacts=False).width
    2
    """

    width: Optional[float] = None
    color: Optional[Color] = None
    silhouettes: Optional[bool] = None
    creases: Optional[bool] = None
    contacts: Optional[bool] = None
    depth: Optional[float] = None
    hidden: Optional[str] = None


@dataclass(eq=False, repr=False)
class Fog(_Table):
    """A color that is mixed in by depth, from the depth ``near`` to the depth ``far``.

    >>> Fog(far=20, color="#dde6ee").far
    20
    """

    near: Union[None, float, str] = None
    far: Union[None, float, str] = None
    color: Optional[Color] = None
    strength: Optional[float] = None
    background: Optional[bool] = None


def _gradient(keys: Mapping[str, Any], name: str) -> Dict[str, Any]:
    result = dict(keys)
    if isinstance(result.get(name), dict):
        result[name] = Gradient(**result[name])
    return result


@dataclass(eq=False, repr=False)
class Animation(_Table):
    """The film of a scene: its ``duration`` in seconds, frames per second, and the times with goldens.

    >>> Animation(4.0, fps=24).fps
    24
    """

    duration: float
    fps: Optional[float] = None
    golden: Optional[Sequence[float]] = None


@dataclass(eq=False, repr=False)
class Section(_Table):
    """A plane that cuts solids: what lies on the side that its ``normal`` points to is taken away.

    >>> Section([0, 0, 0], [0, 0, 1], hatch=True, on="housing").hatch
    True
    """

    point: Vector
    normal: Vector
    color: Optional[Color] = None
    name: Optional[str] = None
    hatch: Optional[bool] = None
    hatch_distance: Optional[float] = None
    hatch_width: Optional[float] = None
    hatch_angle: Optional[float] = None
    hatch_color: Optional[Color] = None
    on: Union[None, str, Sequence[str]] = None
    except_: Union[None, str, Sequence[str]] = None
    light: Optional[str] = None


@dataclass(eq=False, repr=False)
class Animate(_Table):
    """A key whose value changes over time: ``values`` at ascending ``times`` in seconds.

    >>> Animate("walker/arm.rotate", [0, 2], [[0, 0, -30], [0, 0, 30]], ease="smooth").target
    'walker/arm.rotate'
    """

    target: str
    times: Sequence[float]
    values: Sequence[Any]
    ease: Optional[str] = None


@dataclass(eq=False, repr=False)
class Label(_Table):
    """A text that is drawn over the picture, at a point or on named solids.

    >>> Label("palm", on="hand", offset=[20, -10], leader=True).on
    'hand'
    """

    text: str
    at: Optional[Vector] = None
    on: Union[None, str, Sequence[str]] = None
    offset: Optional[Sequence[float]] = None
    anchor: Optional[str] = None
    leader: Optional[bool] = None
    hidden: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Dimension(_Table):
    """A line with arrows and its length, between two points or along a named solid.

    >>> Dimension([0, 0, 0], [2, 0, 0], unit="cm").to
    (2, 0, 0)
    """

    from_: Optional[Vector] = None
    to: Optional[Vector] = None
    on: Optional[str] = None
    across: Optional[str] = None
    offset: Optional[Vector] = None
    text: Optional[str] = None
    factor: Optional[float] = None
    unit: Optional[str] = None
    digits: Optional[int] = None
    hidden: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Line(_Table):
    """A line between two points: coordinates, or names of solids and placements.

    >>> Line([0, 0, 0], "hand", dash=True, width=2).to
    'hand'
    """

    from_: Point
    to: Point
    color: Optional[Color] = None
    width: Optional[float] = None
    dash: Union[None, bool, Sequence[float]] = None
    heads: Optional[str] = None
    head: Optional[float] = None
    depth: Optional[bool] = None
    hidden: Optional[str] = None


@dataclass(eq=False, repr=False)
class Arrow(_Table):
    """A line with an arrowhead at its end.

    >>> Arrow([0, 0, 0], [1, 0, 0], color="crimson").to
    (1, 0, 0)
    """

    from_: Point
    to: Point
    color: Optional[Color] = None
    width: Optional[float] = None
    dash: Union[None, bool, Sequence[float]] = None
    heads: Optional[str] = None
    head: Optional[float] = None
    depth: Optional[bool] = None
    hidden: Optional[str] = None


@dataclass(eq=False, repr=False)
class Angle(_Table):
    """An arc at a point, between the directions to two other points, with the angle as a number.

    >>> Angle([0, 0, 0], [1, 0, 0], [0, 1, 0], text="θ = {}").text
    'θ = {}'
    """

    at: Point
    from_: Point
    to: Point
    radius: Optional[float] = None
    text: Optional[str] = None
    unit: Optional[str] = None
    digits: Optional[int] = None
    width: Optional[float] = None
    dash: Union[None, bool, Sequence[float]] = None
    heads: Optional[str] = None
    head: Optional[float] = None
    depth: Optional[bool] = None
    hidden: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Marker(_Table):
    """A sign at a point.

    >>> Marker("hand", shape="cross").shape
    'cross'
    """

    at: Point
    shape: Optional[str] = None
    size: Optional[float] = None
    width: Optional[float] = None
    color: Optional[Color] = None
    depth: Optional[bool] = None
    hidden: Optional[str] = None


@dataclass(eq=False, repr=False)
class Title(_Table):
    """A text at the top or bottom of the picture.

    >>> Title("Two helices", side="bottom").side
    'bottom'
    """

    text: str
    side: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Axes(_Table):
    """Arrows along the axes of the scene, at a point or in a corner of the picture.

    >>> Axes(length=50, corner="bottom-left").length
    50
    """

    at: Optional[Vector] = None
    length: Optional[float] = None
    corner: Optional[str] = None
    texts: Optional[Sequence[str]] = None
    hidden: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class ScaleBar(_Table):
    """A line of a known length. With a perspective camera, ``depth`` is the distance at which it has this length.

    >>> ScaleBar(10, unit="Å").length
    10
    """

    length: float
    depth: Optional[float] = None
    corner: Optional[str] = None
    factor: Optional[float] = None
    unit: Optional[str] = None
    digits: Optional[int] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Legend(_Table):
    """The colors of materials, with their names or other texts.

    >>> Legend(["steel"], ["stainless steel"]).texts
    ('stainless steel',)
    """

    materials: Optional[Sequence[str]] = None
    texts: Optional[Sequence[str]] = None
    corner: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None
    sections: Optional[Sequence[str]] = None


@dataclass(eq=False, repr=False)
class Colormap(_Table):
    """The colors of values, with a color bar: ``range`` holds the values of the first and the last color.

    >>> Colormap("coolwarm", range=[-1, 1], label="Charge", unit="e").range
    (-1, 1)
    """

    name: Optional[str] = None
    range: Optional[Sequence[float]] = None
    label: Optional[str] = None
    unit: Optional[str] = None
    bar: Optional[bool] = None
    length: Optional[float] = None
    corner: Optional[str] = None
    size: Union[None, float, str] = None
    color: Optional[Color] = None
    halo: Optional[Color] = None


@dataclass(eq=False, repr=False)
class Theme(_Table):
    """Defaults for the look of a scene: the color of texts and lines (``ink``), a border around letters (``halo``), the size of texts
    and the width of lines. Each further key holds defaults for the keys of the tables with its name.

    >>> Theme("white", size="8pt", image={"background": "#101820"}).ink
    'white'
    """

    ink: Optional[Color] = None
    halo: Optional[Color] = None
    size: Union[None, float, str] = None
    width: Optional[float] = None
    image: Optional[Mapping[str, Any]] = None
    shading: Optional[Mapping[str, Any]] = None
    outline: Optional[Mapping[str, Any]] = None
    fog: Optional[Mapping[str, Any]] = None
    title: Optional[Mapping[str, Any]] = None
    axes: Optional[Mapping[str, Any]] = None
    scale_bar: Optional[Mapping[str, Any]] = None
    legend: Optional[Mapping[str, Any]] = None
    colormap: Optional[Mapping[str, Any]] = None
    label: Optional[Mapping[str, Any]] = None
    dimension: Optional[Mapping[str, Any]] = None
    line: Optional[Mapping[str, Any]] = None
    arrow: Optional[Mapping[str, Any]] = None
    angle: Optional[Mapping[str, Any]] = None
    marker: Optional[Mapping[str, Any]] = None


@dataclass(eq=False, repr=False)
class Step(_Table):
    """The offset from each copy of a placement to the next.

    >>> Step(position=[0, 0.5, 0], axis=[0, 1, 0], angle=45).angle
    45
    """

    position: Optional[Vector] = None
    axis: Optional[Vector] = None
    angle: Optional[float] = None


@dataclass(eq=False, repr=False)
class Place(_Table):
    """Copies of a part. They are scaled, turned in at most one way, and moved to ``position``.

    >>> Place("pawn", position=[0, 0, 1], count=8, step=Step(position=[1, 0, 0])).count
    8
    """

    part: str
    name: Optional[str] = None
    position: Optional[Vector] = None
    rotate: Optional[Vector] = None
    axis: Optional[Vector] = None
    angle: Optional[float] = None
    quaternion: Optional[Sequence[float]] = None
    axes: Optional[Sequence[Vector]] = None
    scale: Optional[float] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    count: Optional[int] = None
    step: Optional[Step] = None
    ghost: Optional[float] = None

    @classmethod
    def _of(cls, keys: Mapping[str, Any]) -> "Place":
        result = dict(keys)
        if isinstance(result.get("step"), dict):
            result["step"] = Step(**result["step"])
        return super()._of(result)


@dataclass(eq=False, repr=False)
class Bulk(_Table):
    """A table of many solids: a CSV ``file`` in the scene's folder, or columns in memory.

    The methods ``spheres``, ``capsules``, ``boxes`` and ``cylinders`` of a scene or part make tables in memory; ``save``
    writes them as CSV files. ``radius``, ``half_extents``, ``material`` and ``color`` are defaults for the solids.

    >>> Bulk("sphere", file="atoms.csv", radius=0.4).file
    'atoms.csv'
    """

    shape: str
    file: Optional[str] = None
    radius: Optional[float] = None
    half_extents: Optional[Vector] = None
    material: Optional[str] = None
    color: Optional[Color] = None
    columns: Optional[Columns] = field(default=None, repr=False)

    def __repr__(self) -> str:
        table = super().__repr__()
        return f"<{table[:-1]}): {len(self)} solids in memory>" if self.columns else table

    def __len__(self) -> int:
        """The number of solids in memory; 0 for a table in a file."""
        return (self.columns.rows or 0) if self.columns else 0


def keys_of(table: Any, cls: Any, what: str) -> Dict[str, Any]:
    """Returns the keys of a table. Raises TypeError if the table is not of the class cls."""
    if not isinstance(table, cls):
        names = " or ".join(c.__name__ for c in (cls if isinstance(cls, tuple) else (cls,)))
        raise TypeError(f"{what}: want {names}(...), got {table!r:.60}")
    return table._keys()  # type: ignore[no-any-return]


def _advice(thing: Any) -> str:
    """Returns advice on how to put a thing into a scene that ``add`` does not accept."""
    kind = type(thing).__name__
    if isinstance(thing, (list, tuple)):
        return "write add(*things) for a list"
    if isinstance(thing, (Material, Part)):
        return f"write scene.{kind.lower()}s[name] = {kind}(...)"
    if isinstance(thing, (Image, Camera, Shading, Outline, Fog, Animation, Title, Axes, ScaleBar, Legend, Colormap, Theme)):
        return f"write scene.{'scale_bar' if kind == 'ScaleBar' else kind.lower()} = {kind}(...)"
    return f"got {kind}"


Thing = Union[Sphere, Capsule, Box, Cylinder, Light, Place, Bulk, Section]

_SOLIDS: Dict[str, Any] = {"sphere": Sphere, "capsule": Capsule, "box": Box, "cylinder": Cylinder}


@dataclass
class Part:
    """Solids and lights with coordinates of their own, which a Place copies into a scene. ``sections`` move with each copy
    and cut only its solids. ``more`` has the tables for which this package has no class, as dictionaries and lists.

    >>> finger = Part().add(Capsule([0, 0, 0], [0, 1, 0], 0.2, name="bone"))
    >>> len(finger.solids)
    1
    """

    solids: List[Solid] = field(default_factory=list)
    lights: List[Light] = field(default_factory=list)
    places: List[Place] = field(default_factory=list)
    bulks: List[Bulk] = field(default_factory=list)
    more: Dict[str, Any] = field(default_factory=dict)
    sections: List[Section] = field(default_factory=list)

    if not TYPE_CHECKING:  # so that type checkers report unknown attributes, too

        def __setattr__(self, name: str, value: Any) -> None:
            cls = type(self)  # a class derived by a user may have other attributes
            if name not in cls.__dataclass_fields__ and not name.startswith("_") and cls.__module__.startswith("pillbox."):
                raise AttributeError(f"{cls.__name__} has no attribute {name!r}; it has {', '.join(cls.__dataclass_fields__)}")
            object.__setattr__(self, name, value)

    def add(self: T, *things: Thing) -> T:
        """Adds solids, lights, placements, bulk tables and sections, and returns this object."""
        assert isinstance(self, Part)
        for thing in things:
            if isinstance(thing, (Sphere, Capsule, Box, Cylinder)):
                self.solids.append(thing)
            elif isinstance(thing, Light):
                self.lights.append(thing)
            elif isinstance(thing, Place):
                self.places.append(thing)
            elif isinstance(thing, Bulk):
                self.bulks.append(thing)
            elif isinstance(thing, Section):
                self.sections.append(thing)
            else:
                raise TypeError(f"add takes solids, lights, placements, bulk tables and sections, and for scenes annotations and animated keys (in a Part, use more); {_advice(thing)}")
        return self  # type: ignore[return-value]

    def spheres(self, centers: Any, radii: Any, colors: Any = None, *, names: Any = None, materials: Any = None, color: Optional[Color] = None, material: Optional[str] = None, values: Any = None, cmap: Optional[str] = None) -> Bulk:
        """Adds many spheres at once and returns their table.

        ``centers`` has the shape (n, 3); ``radii`` is one number or n. ``colors`` are n words, or have the shape (n, 3):
        floats 0..1, or integers 0..255 of the type uint8. ``names`` and ``materials`` are n words; an empty word stands
        for none. ``color`` or ``material`` is for the solids without one of their own, as is a single word for ``colors``
        or ``materials``. ``values`` are one number or n, which the scene's color map turns into colors; ``cmap`` is the
        name of this map, and makes numbers of ``colors`` values. The arrays are copied.

        >>> import pillbox
        >>> len(pillbox.Scene().spheres([[0, 0, 0], [1, 0, 0]], 0.5, ["red", "#00f"]))
        2
        """
        columns = Columns()
        columns.vectors("centers", ("x", "y", "z"), centers)
        columns.numbers("radii", "radius", radii)
        return self._bulk("sphere", columns, colors, names, materials, color, material, values, cmap)

    def capsules(self, a: Any, b: Any, radii: Any, colors: Any = None, *, names: Any = None, materials: Any = None, color: Optional[Color] = None, material: Optional[str] = None, values: Any = None, cmap: Optional[str] = None) -> Bulk:
        """Adds many capsules at once, like ``spheres``: their ends have the shape (n, 3).

        >>> import pillbox
        >>> len(pillbox.Scene().capsules([[0, 0, 0]], [[0, 1, 0]], 0.1))
        1
        """
        return self._round("capsule", a, b, radii, colors, names, materials, color, material, values, cmap)

    def cylinders(self, a: Any, b: Any, radii: Any, colors: Any = None, *, names: Any = None, materials: Any = None, color: Optional[Color] = None, material: Optional[str] = None, values: Any = None, cmap: Optional[str] = None) -> Bulk:
        """Adds many cylinders at once, like ``spheres``: the centers of their ends have the shape (n, 3).

        >>> import pillbox
        >>> len(pillbox.Scene().cylinders([[0, 0, 0]], [[0, 1, 0]], [0.1]))
        1
        """
        return self._round("cylinder", a, b, radii, colors, names, materials, color, material, values, cmap)

    def boxes(self, centers: Any, half_extents: Any, colors: Any = None, *, rotate: Any = None, quaternions: Any = None, axes: Any = None, names: Any = None, materials: Any = None, color: Optional[Color] = None, material: Optional[str] = None, values: Any = None, cmap: Optional[str] = None) -> Bulk:
        """Adds many boxes at once, like ``spheres``.

        ``half_extents`` has the shape (n, 3). The boxes are turned by at most one of ``rotate`` with the shape (n, 3), in
        degrees, ``quaternions`` with the shape (n, 4), in the order w, x, y, z, and ``axes`` with the shape (n, 3, 3): for
        each box its x, y and z axes as rows.

        >>> import pillbox
        >>> len(pillbox.Scene().boxes([[0, 0, 0]], [[1, 1, 1]], rotate=[[0, 45, 0]]))
        1
        """
        columns = Columns()
        columns.vectors("centers", ("x", "y", "z"), centers)
        columns.vectors("half_extents", ("hx", "hy", "hz"), half_extents)
        if rotate is not None:
            columns.vectors("rotate", ("rx", "ry", "rz"), rotate)
        if quaternions is not None:
            columns.vectors("quaternions", ("qw", "qx", "qy", "qz"), quaternions)
        if axes is not None:
            columns.vectors("axes", [f"{a}_{c}" for a in ("ax", "ay", "az") for c in "xyz"], [[x for axis in box for x in axis] for box in axes])
        return self._bulk("box", columns, colors, names, materials, color, material, values, cmap)

    def _use_colormap(self, name: str) -> None:
        raise ValueError("cmap: a part has no color map; write scene.colormap = Colormap(name)")

    def _round(self, shape: str, a: Any, b: Any, radii: Any, *rest: Any) -> Bulk:
        columns = Columns()
        columns.vectors("a", ("ax", "ay", "az"), a)
        columns.vectors("b", ("bx", "by", "bz"), b)
        columns.numbers("radii", "radius", radii)
        return self._bulk(shape, columns, *rest)

    def _bulk(self, shape: str, columns: Columns, colors: Any, names: Any, materials: Any, color: Optional[Color], material: Optional[str], values: Any, cmap: Optional[str]) -> Bulk:
        if cmap is not None:
            if values is None:
                colors, values = None, colors
            self._use_colormap(cmap)
        if isinstance(colors, str):
            color, colors = colors, None
        if isinstance(materials, str):
            material, materials = materials, None
        if colors is not None:
            columns.colors(colors)
        if values is not None:
            columns.numbers("values", "value", values, positive=False)
        if names is not None:
            columns.words("names", "name", names)
        if materials is not None:
            columns.words("materials", "material", materials)
        if values is not None and not (colors is None and materials is None):
            raise ValueError("values decide the colors: leave out colors and materials, or values")
        bulk = Bulk(shape, color=color, material=material)
        bulk.columns = columns
        self.bulks.append(bulk)
        return bulk


class Tables:
    """Collects the bulk tables in memory of a scene and gives them files."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self.files: List[Tuple[str, Columns]] = []
        self.rows: Dict[str, Rows] = {}

    def keys(self, bulk: Bulk, what: str) -> List[Dict[str, Any]]:
        """Returns the keys of a bulk table, which messages call what. If it is too large for one file, it becomes several tables."""
        keys = keys_of(bulk, Bulk, "bulks")
        if bulk.columns is None:
            return [keys]
        result = []
        for columns in bulk.columns.split():
            number = len(self.files) + 1
            while f"{bulk.shape}-{number}.csv" in self._taken:
                number += 1
            name = f"{bulk.shape}-{number}.csv"
            self._taken.add(name)
            self.files.append((name, columns))
            self.rows[name] = Rows(what, columns.first, columns.arrays)
            result.append({**keys, "file": name})
        return result


def _rows(bulk: Bulk) -> Iterator[Dict[str, Any]]:
    """Yields the keys of the solids of a bulk table in memory."""
    assert bulk.columns is not None
    surface = {key: value for key, value in (("color", bulk.color), ("material", bulk.material)) if value is not None}
    for solid in bulk.columns.solids():
        yield solid if solid.keys() & {"color", "material", "value"} else {**solid, **surface}


def group_keys(group: Part, tables: Optional[Tables], what: str) -> Dict[str, Any]:
    """Returns the arrays of tables of a part or scene, which messages call what. Without tables, rows of bulk tables in memory become tables of
    solids."""
    keys: Dict[str, Any] = {}
    solids = tuple(_SOLIDS.values())
    own = [(s, keys_of(s, solids, f"solids[{i}]")) for i, s in enumerate(group.solids)]
    for kind, cls in _SOLIDS.items():
        keys[kind] = [k for s, k in own if isinstance(s, cls)]
    keys["light"] = [keys_of(light, Light, f"lights[{i}]") for i, light in enumerate(group.lights)]
    keys["place"] = [keys_of(place, Place, f"places[{i}]") for i, place in enumerate(group.places)]
    if tables is None:
        for bulk in group.bulks:
            if bulk.columns is not None:
                keys[bulk.shape] += _rows(bulk)
        keys["bulk"] = [keys_of(bulk, Bulk, "bulks") for bulk in group.bulks if bulk.columns is None]
    else:
        keys["bulk"] = [k for i, bulk in enumerate(group.bulks) for k in tables.keys(bulk, f"{what}.bulks[{i}]")]
    keys["section"] = [keys_of(section, Section, f"sections[{i}]") for i, section in enumerate(group.sections)]
    return {**{key: value for key, value in keys.items() if value}, **group.more}


def fill_group(group: Part, keys: Mapping[str, Any], others: Iterable[str] = ()) -> None:
    """Fills a part or scene with the tables of a document; others are keys that do not belong to groups."""
    for kind, cls in _SOLIDS.items():
        group.solids.extend(cls._of(k) for k in keys.get(kind, ()))
    group.lights.extend(Light._of(k) for k in keys.get("light", ()))
    group.places.extend(Place._of(k) for k in keys.get("place", ()))
    group.bulks.extend(Bulk._of(k) for k in keys.get("bulk", ()))
    group.sections.extend(Section._of(k) for k in keys.get("section", ()))
    known = {*_SOLIDS, "light", "place", "bulk", "section", *others}
    group.more.update((key, value) for key, value in keys.items() if key not in known)
