"""Pillbox: a ray tracer for spheres, capsules, oriented boxes and cylinders.

The package runs the program ``render``, which wheels contain. Scenes are built from dataclasses, or loaded from files::

    import pillbox

    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, color="teal"))
    scene.render(width=640).save("ball.png")

The same scene gives the same pixels on every machine.
"""

from ._cast import Caster, Solids, View, hit_type
from ._document import Scene, from_mjcf, from_pdb, from_urdf, load, loads
from ._errors import PillboxError, Problem, ProgramError, SceneError, SceneWarning
from ._explain import Explanation
from ._golden import assert_golden
from ._panels import Panel, Panels
from ._picture import Film, Picture
from ._program import program
from ._scene import (
    Angle, Animate, Animation, Arrow, Axes, Box, Bulk, Camera, Capsule, Checker, Colormap, Cylinder, Dimension, Fog, Gradient, Image, Label, Legend, Light, Line,
    Marker, Material, Outline, Part, Place, ScaleBar, Section, Shading, Sphere, Step, Theme, Title,
)  # fmt: skip
from ._viewer import Viewer

__version__ = "0.2.0"

__all__ = [
    "Angle", "Animate", "Animation", "Arrow", "Axes", "Box", "Bulk", "Camera", "Capsule", "Caster", "Checker", "Colormap", "Cylinder", "Dimension", "Explanation", "Film",
    "Fog", "Gradient", "Image", "Label", "Legend", "Light", "Line", "Marker", "Material", "Outline", "Panel", "Panels", "Part", "Picture", "PillboxError", "Place", "Problem", "ProgramError",
    "ScaleBar", "Scene", "SceneError", "SceneWarning", "Section", "Shading", "Solids", "Sphere", "Step", "Theme", "Title", "View", "Viewer", "assert_golden", "from_mjcf",
    "from_pdb", "from_urdf", "hit_type", "load", "loads", "program",
]  # fmt: skip
