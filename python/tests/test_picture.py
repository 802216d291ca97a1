"""Pictures, films, explanations, goldens, other formats."""

import base64
import builtins
import hashlib
import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import pillbox
from pillbox import _picture, _program

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", sorted((ROOT / "golden").glob("*.png"))[::4], ids=lambda p: p.stem)
def test_decoder_agrees_with_pillow(path):
    pil = pytest.importorskip("PIL.Image")
    assert np.array_equal(_picture._decode(path.read_bytes()), np.array(pil.open(path)))


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("channels", [3, 4])
def test_filters_of_png(kind, channels):
    """Each filter is undone, also in rows below others: the definition of section 9, pixel by pixel."""
    rng = np.random.default_rng(kind)
    pixels = rng.integers(0, 256, (5, 7, channels), np.uint8)
    deltas = np.zeros_like(pixels)
    value = lambda y, x, c: int(pixels[y, x, c]) if y >= 0 and x >= 0 else 0
    for y, x, c in np.ndindex(pixels.shape):
        left, up, corner = value(y, x - 1, c), value(y - 1, x, c), value(y - 1, x - 1, c)
        nearest = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
        guess = (0, left, up, (left + up) // 2, nearest)[kind]
        deltas[y, x, c] = (int(pixels[y, x, c]) - guess) % 256
    out = np.zeros((6, 8, channels), np.uint8)
    _picture._unfilter(kind, deltas[:2], out[:3])
    _picture._unfilter(kind, deltas[2:], out[2:])
    assert (out[1:, 1:] == pixels).all()


def test_array_without_pillow(monkeypatch):
    picture = pillbox.Picture.open(ROOT / "golden" / "transparent.png")
    want = picture.array
    monkeypatch.setattr(picture.__class__, "pil", lambda self: (_ for _ in ()).throw(ImportError()))
    assert (picture.array == want).all() and want.shape[2] == 4


def test_pictures_are_arrays():
    picture = pillbox.Picture.open(ROOT / "golden" / "sphere.png")
    assert (np.asarray(picture) == picture.array).all() and np.asarray(picture, dtype=float).dtype == float


def test_region_is_part_of_the_picture():
    scene = pillbox.load(ROOT / "scenes" / "demo.toml")
    whole = scene.render(width=80).array
    part = scene.render(width=80, region=(10, 5, 40, 25)).array
    assert (whole[5:25, 10:40] == part).all()


def test_equal_pictures():
    picture = pillbox.Picture.open(ROOT / "golden" / "sphere.png")
    assert picture == pillbox.Picture(picture.png) and picture != pillbox.Picture.open(ROOT / "golden" / "box.png")
    assert picture != 3
    with pytest.raises(ValueError):
        pillbox.Picture(b"GIF")


def test_save_in_other_formats(tmp_path):
    pytest.importorskip("PIL")
    picture = pillbox.Picture.open(ROOT / "golden" / "sphere.png")
    picture.save(tmp_path / "x.bmp")
    import PIL.Image

    assert (np.array(PIL.Image.open(tmp_path / "x.bmp")) == picture.array[..., :3]).all()
    with pytest.raises(ValueError, match="[.]odd"):
        picture.save(tmp_path / "x.odd")
    assert not (tmp_path / "x.odd").exists()


def test_frames_are_those_of_the_film(tmp_path):
    scene = pillbox.load(ROOT / "scenes" / "wave.toml")
    film = scene.film(tmp_path / "f%02d.png", fps=2, width=32)
    frames = list(scene.frames(fps=2, width=32))
    files = sorted(film.path.parent.glob("f*.png"))
    assert len(frames) == len(files) > 2
    for frame, file in zip(frames, files):
        assert frame == pillbox.Picture.open(file)
    assert scene.film(tmp_path / "f.gif", fps=2, width=32)._repr_html_().startswith('<img src="data:image/gif;base64,R0lG')
    with pytest.raises(ValueError):
        next(pillbox.Scene().frames())


def test_explanations():
    scene = pillbox.load(ROOT / "scenes" / "demo.toml")
    why = scene.explain((64, 40), width=128)
    color = scene.render(width=128).array[40, 64]
    assert why.data["color"]["srgb8"] == color.tolist()
    assert "sRGB" in why.text() and len(why.text(brief=True)) < len(why.text()) <= len(why.text(verbose=True))
    assert why.markdown().startswith("#")
    assert "<svg" in why.svg("path", colors="dark") != why.svg()
    origin, direction = [0, 3, 9], [0, -0.3, -1]
    ray = scene.explain(ray=(np.array(origin), direction))
    assert ray.data["hit"]["object"] == scene.cast(origin, direction)["object"][0]
    assert scene.explain(segment=([0, 0, 0], [1, 1, 1])).data["query"] == "segment"
    with pytest.raises(pillbox.ProgramError):
        scene.explain((10**6, 0))


def test_golden(tmp_path):
    eye = pillbox.Camera([0, 0, 5], [0, 0, 0])
    ball = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, color="teal"), camera=eye)
    other = pillbox.Scene(pillbox.Sphere([0.1, 0, 0], 1, color="teal"), camera=eye)
    put = {"folder": tmp_path, "width": 64}
    with pytest.raises(AssertionError, match="^ball: new: no picture was accepted yet\n    got .*ball.new.png\n    accept with GOLDEN_UPDATE=1$"):
        pillbox.assert_golden(ball, "ball", **put)
    assert (tmp_path / "ball.new.png").exists()
    pillbox.assert_golden(ball, "ball", update=True, **put)
    pillbox.assert_golden(ball, "ball", **put)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ball.png", "ball.scene.toml"]
    with pytest.raises(AssertionError, match=r"^ball: changed: \d+ pixels of 2304 changed in \d clusters, largest channel difference \d+ at "):
        pillbox.assert_golden(other, "ball", **put)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ball.diff.png", "ball.new.png", "ball.png", "ball.scene.toml"]
    pillbox.assert_golden(other, "ball", max_channel=255, **put)
    pillbox.assert_golden(other, "ball", max_pixels=64 * 36, **put)
    with pytest.raises(AssertionError):
        pillbox.assert_golden(other, "ball", max_channel=1, max_pixels=1, **put)
    with pytest.raises(AssertionError, match="^ball: size: 32 x 18, want 64 x 36\n"):
        pillbox.assert_golden(ball, "ball", folder=tmp_path, width=32, max_pixels=10**6, max_channel=255)


def test_golden_names_annotations(tmp_path):
    def labeled(x, text="A"):
        eye = pillbox.Camera([0, 0, 5], [0, 0, 0], projection="orthographic", view_height=6)
        return pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), pillbox.Label(text, at=[x, 2, 0]), camera=eye)

    put = {"folder": tmp_path, "width": 480}
    pillbox.assert_golden(labeled(0), "ball", update=True, **put)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ball.png", "ball.scene.toml"]
    pillbox.assert_golden(labeled(0), "ball", **put)
    with pytest.raises(AssertionError, match=r'^ball: changed: label "A" moved by \(9.0, 0.0\) pixels\n    \d+ pixels of .*\n    all pixels outside the annotations are equal\n    label\[0\].at\[0\], 0 to 0.2: \d+ by itself\n'):
        pillbox.assert_golden(labeled(0.2), "ball", **put)
    with pytest.raises(AssertionError, match='reads "B", was "A"'):
        pillbox.assert_golden(labeled(0, "B"), "ball", **put)
    with pytest.raises(AssertionError, match=r"^ball: changed: \d+ pixels of \d+ changed .*\n    got "):
        pillbox.assert_golden(labeled(0.2).render(width=480), "ball", **put)
    (tmp_path / "ball.scene.toml").write_text("not a scene")
    with pytest.raises(AssertionError, match=r"^ball: changed: \d+ pixels of .*\n    cause unknown: the accepted scene cannot be used: .*ball.scene.toml"):
        pillbox.assert_golden(labeled(0.2), "ball", **put)
    pillbox.assert_golden(labeled(0.2).render(width=480), "ball", update=True, **put)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ball.png"]
    with pytest.raises(AssertionError, match=r"cause unknown: there is no .*ball.scene.toml"):
        pillbox.assert_golden(labeled(0), "ball", **put)


def test_golden_reports_what_the_command_reports(tmp_path):
    """The message has the lines that `render golden check` prints for the same scenes, also with tables and included files."""
    (tmp_path / "scenes" / "lib").mkdir(parents=True)
    (tmp_path / "scenes" / "lib" / "look.toml").write_text('[material.red]\ncolor = "#d1495b"\n')
    (tmp_path / "scenes" / "beads.csv").write_text("x,y,z\n-1,1,0\n0,1,0\n1,1,0\n")
    text = """include = ["lib/look.toml"]
[image]
width = 64
height = 48
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[[sphere]]
name = "c"
center = [0, -1, 0]
radius = 1
material = "red"
[[bulk]]
file = "beads.csv"
shape = "sphere"
radius = 0.3
"""
    file = tmp_path / "scenes" / "ball.toml"
    file.write_text(text)
    golden = tmp_path / "golden"
    pillbox.assert_golden(pillbox.load(file), "ball", folder=golden, update=True)
    stored = [os.path.join("files", hashlib.sha256((tmp_path / "scenes" / name).read_bytes()).hexdigest() + ".gz") for name in ("beads.csv", "lib/look.toml")]
    assert sorted(str(p.relative_to(golden)) for p in golden.rglob("*") if p.is_file()) == sorted(["ball.png", "ball.scene.files", "ball.scene.toml", *stored])
    pillbox.assert_golden(pillbox.load(file), "ball", folder=golden)
    file.write_text(text.replace('"c"', '"ball"').replace("radius = 1\n", "radius = 1.1\n"))
    (tmp_path / "scenes" / "lib" / "look.toml").write_text('[material.red]\ncolor = "#a1495b"\n')
    (tmp_path / "scenes" / "beads.csv").write_text("x,y,z\n-1,1,0\n0,1.2,0\n1,1,0\n")
    with pytest.raises(AssertionError) as failure:
        pillbox.assert_golden(pillbox.load(file), "ball", folder=golden)
    command = subprocess.run([_program.program(), "golden", "check", "--ci", str(file)], capture_output=True, text=True)
    reported = [line.strip() for line in command.stdout.splitlines()[:-1]]
    got = [line.strip() for line in str(failure.value).splitlines()]
    assert command.returncode == 1 and got[: len(reported)] == reported, (got, reported)
    assert 'sphere[0].radius of "ball", renamed from "c", 1 to 1.1: ' in str(failure.value)
    assert got[len(reported) :] == [f"got {golden / 'ball.new.png'}, drawn beside the accepted picture in {golden / 'ball.diff.png'}", "accept with GOLDEN_UPDATE=1"]


def test_golden_arguments_in_the_wrong_order():
    with pytest.raises(TypeError, match="want a Scene or a Picture, then a name, got str"):
        pillbox.assert_golden("ball", pillbox.Scene())


def test_golden_is_updated_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("GOLDEN_UPDATE", "1")
    ball = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1))
    pillbox.assert_golden(ball, "ball", folder=tmp_path, width=16)
    monkeypatch.setenv("GOLDEN_UPDATE", "0")
    pillbox.assert_golden(ball, "ball", folder=tmp_path, width=16)


def test_exports(tmp_path):
    scene = pillbox.load(ROOT / "scenes" / "chess.toml")
    scene.to_toml(tmp_path / "flat.toml")
    assert pillbox.load(tmp_path / "flat.toml").render(width=48).png == scene.render(width=48).png
    scene.to_gltf(tmp_path / "a.glb")
    scene.to_gltf(tmp_path / "b.glb", lights="blender")
    assert (tmp_path / "a.glb").read_bytes() != (tmp_path / "b.glb").read_bytes()
    scene.to_povray(tmp_path / "c.pov")
    scene.to_mjcf(tmp_path / "c.xml")
    scene.to_urdf(tmp_path / "c.urdf")
    assert "povray" in (tmp_path / "c.pov").read_text() and "<mujoco" in (tmp_path / "c.xml").read_text() and "<robot" in (tmp_path / "c.urdf").read_text()
    with pytest.raises(pillbox.ProgramError):
        scene.to_gltf("/proc/no/a.glb")
    with pytest.raises(ValueError, match=".glb"):
        scene.to_gltf(tmp_path / "a.gltf")


MODEL = """<mujoco><worldbody><body name="arm" pos="0 0 1"><joint axis="0 1 0"/>
<geom name="bone" type="capsule" size=".1" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>"""


def test_qpos_turns_a_joint(tmp_path):
    (tmp_path / "arm.xml").write_text(MODEL)
    tip = lambda q: pillbox.from_mjcf(tmp_path / "arm.xml", qpos=q).caster().bounds()[0]
    assert np.allclose(tip([0.0])[:, 2], [0.9, 1.1]) and np.allclose(tip(np.array([np.pi / 2]))[:, 2], [-0.1, 1.1], atol=1e-9)
    with pytest.raises(pillbox.ProgramError, match="qpos"):
        pillbox.from_mjcf(tmp_path / "arm.xml", qpos=[0.0, 1.0])


def test_joints_of_a_urdf(tmp_path):
    (tmp_path / "arm.urdf").write_text(
        '<robot name="r"><link name="base"/><link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius=".1"/></geometry></collision></link>'
        '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>'
    )
    scene = pillbox.from_urdf(tmp_path / "arm.urdf", joints={"j": np.pi / 2})
    assert np.allclose(scene.caster().bounds()[0].mean(0), [0, 1, 0], atol=1e-9)
    with pytest.raises(TypeError, match="joints: want a dictionary of positions by name, got list"):
        pillbox.from_urdf(tmp_path / "arm.urdf", joints=[1])


def test_ghosts(tmp_path):
    (tmp_path / "water.xyz").write_text("3\nwater\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n")
    scene = pillbox.from_pdb(tmp_path / "water.xyz", style="sticks", ghost="element O")
    assert len(scene.solids) == 5 and scene.materials["ghost"].ghost == 0.35
    (tmp_path / "arm.xml").write_text('<mujoco><worldbody><geom size="1"/><geom size="2" group="3"/></worldbody></mujoco>')
    assert len(pillbox.from_mjcf(tmp_path / "arm.xml", ghost=[3]).solids) == 2
    shape = "<geometry><sphere radius='1'/></geometry>"
    (tmp_path / "arm.urdf").write_text(f"<robot><link name='a'><visual>{shape}</visual><collision>{shape}</collision></link></robot>")
    assert [s.material for s in pillbox.from_urdf(tmp_path / "arm.urdf", ghost="collision").parts["a"].solids] == [None, "ghost"]


def test_molecule(tmp_path):
    (tmp_path / "water.xyz").write_text("3\nwater\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n")
    scene = pillbox.from_pdb(tmp_path / "water.xyz", hydrogens=False)
    assert len(scene.solids) == 1 and scene.name == "water.toml"
    assert len(pillbox.from_pdb(tmp_path / "water.xyz", select="element H", look="print").solids) == 2
    atom = "ATOM  {:5d}  CA  ALA {}{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n"
    (tmp_path / "two.pdb").write_text("".join(atom.format(i, chain, i, 3.8 * i, y, 0) for chain, y in (("A", 0), ("B", 9)) for i in range(1, 5)))
    labeled = pillbox.from_pdb(tmp_path / "two.pdb", style="tube", label="chain")
    assert [label.text for label in labeled.labels] == ["A", "B"] and labeled.render(width=32).width == 32
    with pytest.raises(pillbox.ProgramError, match="label: .* has no ligands"):
        pillbox.from_pdb(tmp_path / "two.pdb", label=["chain", "ligand"])


def test_json_of_problems_is_complete():
    problem = pillbox.Scene(pillbox.Sphere([0, 0, 0], -1)).check()[0]
    assert json.dumps(problem.__dict__) and builtins.all(hasattr(problem, name) for name in ("file", "line", "column", "end_column", "key", "severity", "code", "message", "value", "suggestion"))


@pytest.mark.filterwarnings("ignore::pillbox.SceneWarning")
def test_panels_contain_the_pictures_of_their_scenes(tmp_path):
    camera = pillbox.Camera(direction=[0, 0, -1])
    ball = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, color="teal"), image=pillbox.Image(90, 60), camera=camera)
    cloud = pillbox.Scene(image=pillbox.Image(90, 60), camera=camera)
    cloud.spheres(np.random.default_rng(1).random((20, 3)), 0.1, values=np.arange(20), cmap="viridis")
    figure = pillbox.Panels([ball, pillbox.Panel(cloud, view="top", title="From *above*"), cloud], columns=3, gap=10)
    with pytest.warns(pillbox.SceneWarning, match="^panel-2/scene.toml:"):
        picture = figure.render()
    bottom = picture.array[-60:]
    for i, want in enumerate((ball.render(), cloud.render(view="top"), cloud.render())):
        assert np.array_equal(bottom[:, 100 * i : 100 * i + 90, :3], want.array[..., :3]), i
    cloud.camera = None  # the picture remains as it was rendered
    picture.save(tmp_path / "f.svg")
    assert "From " in (tmp_path / "f.svg").read_text("utf-8")
    figure.save(tmp_path / "out" / "figure.toml")
    assert sorted(os.listdir(tmp_path / "out")) == ["figure.toml", "panel-1", "panel-2"]
    figure.save(tmp_path / "out" / "figure.toml")
    figure.gap = 11
    with pytest.raises(FileExistsError, match="overwrite=True"):
        figure.save(tmp_path / "out" / "figure.toml")


def test_panels_have_themes(tmp_path):
    (tmp_path / "dark.toml").write_text('[theme]\nimage = { background = "black" }\n')
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(60, 40), folder=tmp_path)
    figure = pillbox.Panels([scene, pillbox.Panel(scene, theme="dark.toml")], gap=0, letters=False)
    pixels = figure.render().array
    assert (pixels[0, 60] == 0).all() and (pixels[0, 0] != 0).any()
    assert (figure.render(theme=tmp_path / "dark.toml").array[0, 0] == 0).all()


def test_themes_of_panels_may_share_a_name_with_each_other_and_with_the_scene(tmp_path):
    names = ["a/dark.toml", "b/dark.toml", "scene.toml", "part.toml"]
    colors = [(0, 0, 0), (255, 0, 0), (0, 0, 255), (0, 255, 0)]
    for name, color in zip(names, colors):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('[theme]\nimage = { background = "#%02x%02x%02x" }\n' % color)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "part.toml").write_text("[[part.ball.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
    (tmp_path / "home" / "s.toml").write_text('include = ["part.toml"]\nimage = { width = 60, height = 40 }\nplace = [{ part = "ball" }]\n')
    scene = pillbox.load(tmp_path / "home" / "s.toml")
    panels = [pillbox.Panel(scene, theme=str(tmp_path / name)) for name in names]
    pixels = pillbox.Panels(panels, columns=4, gap=0, letters=False).render().array
    assert [tuple(pixels[0, 60 * i, :3]) for i in range(4)] == colors
    for i in range(4):
        assert (pixels[20, 60 * i + 30, :3] != colors[i]).any()  # the sphere


def test_errors_of_panels_name_the_figure_or_the_scene():
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1))
    wrong = pillbox.Scene(pillbox.Sphere([0, 0, 0], -1), name="wrong.toml")
    for figure, key, file in [
        (pillbox.Panels([scene], columns=0), "panels.columns", "figure.toml"),
        (pillbox.Panels([]), "panel", "figure.toml"),
        (pillbox.Panels([scene, pillbox.Panel(scene, view="tob")]), "panel[1].view", "figure.toml"),
        (pillbox.Panels([scene, wrong]), "sphere[0].radius", "wrong.toml"),
    ]:
        with pytest.raises(pillbox.SceneError) as error:
            figure.render()
        assert (error.value.problems[0].key, error.value.problems[0].file) == (key, file)
    with pytest.raises(TypeError, match=r"panels\[1\]: want Panel"):
        pillbox.Panels([scene, "a.toml"]).render()


def test_panels_show_their_scenes(monkeypatch, tmp_path):
    """Panels.show puts the viewers of the scenes beside each other, with letters and titles. The picture is that of the figure."""
    calls = []

    def show(scene, **arguments):
        calls.append(arguments)
        return pillbox.Viewer(f"<div>viewer {len(calls)}</div>", lambda: b"")

    monkeypatch.setattr(pillbox.Scene, "show", show)
    ball = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(60, 40))
    figure = pillbox.Panels([ball, pillbox.Panel(ball, view="top", title="a < b")])
    viewer = figure.show(width=50)
    assert calls == [dict(width=50, time=None, view=None, theme=None), dict(width=50, time=None, view="top", theme=None)]
    bundle = viewer._repr_mimebundle_()
    assert re.findall(r"<div>viewer \d</div><figcaption>.*?</figcaption>", bundle["text/html"]) == [
        "<div>viewer 1</div><figcaption>(a)</figcaption>",
        "<div>viewer 2</div><figcaption>(b) a &lt; b</figcaption>",
    ]
    assert "repeat(2, " in viewer.html
    assert pillbox.Picture(base64.b64decode(bundle["image/png"])) == figure.render()
    viewer.save(tmp_path / "figure.html")
    assert viewer.html in (tmp_path / "figure.html").read_text("utf-8")
    assert "(a)" not in pillbox.Panels([ball], letters=False).show().html


@pytest.fixture
def shown():
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(60, 40))
    scene.spheres([[2, 0, 0]], 0.5)
    try:
        return scene, scene.show()
    except pillbox.ProgramError as error:
        if "without the viewer" not in str(error):
            raise
        pytest.skip("needs a program with the viewer")


def test_show_contains_the_picture_and_the_scene(shown, tmp_path):
    scene, viewer = shown
    bundle = viewer._repr_mimebundle_()
    assert pillbox.Picture(viewer.png) == scene.render() == pillbox.Picture(base64.b64decode(bundle["image/png"]))
    assert bundle["text/html"].startswith("<div") and 'sandbox="allow-scripts"' in bundle["text/html"]
    assert not re.search(r'(src|href)="(?!data:)', bundle["text/html"].split("srcdoc=")[0])
    viewer.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    text = json.loads(re.search(r'<script type="application/json" id="scene">(.*?)</script>', page).group(1))["text"]
    assert pillbox.loads(text).render() == scene.render()
    with pytest.raises(ValueError, match=".html"):
        viewer.save(tmp_path / "page.png")
