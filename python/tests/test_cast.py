"""Casting."""

import os
import pathlib
import struct
import subprocess
import threading

import numpy as np
import pytest

import pillbox

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def demo():
    return pillbox.load(ROOT / "scenes" / "demo.toml")


def rays(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-4, 4, (n, 3)), rng.normal(size=(n, 3))


def by_program(scene_file, a, b, *flags):
    """What `render cast` answers in the format f64."""
    done = subprocess.run([pillbox.program(), "cast", scene_file, "--format", "f64", *flags], input=np.hstack([a, b]).astype("<f8").tobytes(), stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout)


@pytest.mark.parametrize("n", [0, 1, 7, 256, 257, 1000, 30000])
def test_cast_is_that_of_the_program(demo, n):
    a, b = rays(n, n)
    with demo.caster() as caster:
        for args, flags in (({}, []), ({"all": True}, ["--all"]), ({"line": True}, ["--line"])):
            same(caster.cast(a, b, **args), by_program(demo_file(), a, b, *flags).reshape(-1, 10))
        same(caster.segments(a, b), by_program(demo_file(), a, b, "--segments").reshape(-1, 11))
        same(caster.segments(a, b, all=True), by_program(demo_file(), a, b, "--segments", "--all").reshape(-1, 11))
        want = by_program(demo_file(), a, b, "--count").reshape(-1, 2)
        assert caster.count(a, b).tolist() == want[:, 1].tolist()
        want = by_program(demo_file(), a, b, "--segments", "--count").reshape(-1, 3)
        assert caster.touches(a, b).tolist() == want[:, 2].astype(bool).tolist()


def demo_file():
    return ROOT / "scenes" / "demo.toml"


def same(got, want):
    assert len(got) == len(want)
    missed = np.isnan(want[:, 8])
    assert (got["ray"] == want[:, 0]).all()
    distance = np.where(np.isnan(want[:, 1]), np.inf, want[:, 1])
    assert (got["distance"] == distance).all()
    assert np.array_equal(got["point"], want[:, 2:5], equal_nan=True)
    assert np.array_equal(got["normal"], want[:, 5:8], equal_nan=True)
    assert (got["object"] == np.where(missed, -1, want[:, 8])).all()
    assert (got["inside"] == (want[:, 9] == 1)).all()
    if want.shape[1] == 11:
        assert (got["touches"] == (want[:, 10] == 1)).all()


def test_cut_faces():
    scene = pillbox.loads("""
        [[section]]
        point = [0, 0, 9]
        normal = [0, 0, 1]
        [[section]]
        point = [0, 0, 0.5]
        normal = [0, 0, 1]
        [[sphere]]
        center = [0, 0, 0]
        radius = 1
    """)
    hits = scene.cast([[0, 0, 5], [0, 0, -5], [3, 0, 5]], [[0, 0, -1], [0, 0, 1], [0, 0, -1]])
    assert hits["face"].tolist() == [2, 0, 0]
    assert hits["distance"].tolist()[:2] == [4.5, 4.0]


def test_one_origin_for_all_rays(demo):
    _, b = rays(20)
    want = demo.cast(np.tile([0, 3, 9], (20, 1)), b)
    for origin in ([0, 3, 9], [[0, 3, 9]]):
        assert demo.cast(origin, b).tobytes() == want.tobytes()


def test_invalid_rays(demo):
    with demo.caster() as caster:
        for bad in (np.nan, np.inf, 1e16):
            a, b = rays(5)
            a[3, 1] = bad
            with pytest.raises(ValueError, match=r"^origins\[3\]: want finite numbers of at most 1e15"):
                caster.cast(a, b)
            with pytest.raises(ValueError, match=r"^ends\[3\]: want finite numbers"):
                caster.segments(b, a)
            with pytest.raises(ValueError, match=r"^starts: want finite numbers"):
                caster.touches(a[3], b)
        with pytest.raises(ValueError, match="^directions: want a direction other than 0"):
            caster.count([0, 0, 0], [0, 0, 0])
        with pytest.raises(ValueError, match=r"^directions\[1\]: want a direction other than 0"):
            caster.cast([[0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
        with pytest.raises(ValueError, match=r"^ends: want the shape \(n, 3\) or \(3,\), got \(2, 2\)"):
            caster.segments(np.zeros((2, 3)), np.zeros((2, 2)))
        for a, b in ((np.zeros((2, 2)), np.zeros((2, 3))), (np.zeros((2, 3)), np.ones((3, 3))), (1.0, [0, 0, 1])):
            with pytest.raises(ValueError, match="want"):
                caster.cast(a, b)
        assert len(caster.cast([0, 0, 9], [0, 0, -1])) == 1  # it still works


def test_view_is_that_of_aov(demo, tmp_path):
    view = demo.view(width=64)
    subprocess.run([pillbox.program(), demo_file(), "--width=64", "-o", tmp_path / "p.png", "--aov", f"depth={tmp_path / 'd.pfm'}", "--quiet"], check=True)
    data = (tmp_path / "d.pfm").read_bytes()
    height, width = view.depth.shape
    depth = np.frombuffer(data[-4 * width * height :], "<f4").reshape(height, width)[::-1]
    assert (view.depth.astype(np.float32) == depth).all()
    seen = view.object >= 0
    assert seen.any() and not seen.all()
    eye = np.array(demo.camera.position)
    toward = eye - view.point[seen]
    assert ((view.normal[seen] * toward).sum(1) > -1e-9).all()
    assert np.allclose(np.linalg.norm(toward, axis=1), view.depth[seen])


@pytest.mark.parametrize("size", [{}, {"width": 33}, {"height": 21}, {"width": 10, "height": 40}])
def test_view_has_the_size_of_the_picture(size):
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(100, 62))
    picture = scene.render(**size)
    assert scene.view(**size).depth.shape == (picture.height, picture.width)


def test_names_and_kinds():
    scene = pillbox.Scene(pillbox.Box([0, 0, 0], [1, 1, 1], name="é\n"), pillbox.Sphere([3, 0, 0], 1))
    solids = scene.solids_table()
    assert [solids.kind(i) for i in range(2)] == ["sphere", "box"]
    assert solids.name(1) == "é\n" and solids.name(-1) == "" and solids.number("é\n") == 1
    for bad in (-1, 2):
        with pytest.raises(IndexError):
            solids.kind(bad)


def test_time_and_bounds():
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1, name="ball"), pillbox.Box([0, -5, 0], [2, 1, 1]), animation=pillbox.Animation(2))
    scene.animate.append(pillbox.Animate("ball.center", [0, 2], [[0, 0, 0], [10, 0, 0]]))
    with scene.caster() as caster:
        assert np.allclose(caster.bounds(), [[[-1, -1, -1], [1, 1, 1]], [[-2, -6, -1], [2, -4, 1]]])
        for time in (0.5, 2, 0):
            assert np.allclose(caster.at(time).bounds()[0].mean(0), [5 * time, 0, 0])
            assert caster.cast([5 * time, 0, 9], [0, 0, -1])["object"][0] == 0
        with pytest.raises(TypeError, match="want a time in seconds, got 'a'"):
            caster.at("a")
        with pytest.raises(ValueError, match="want a finite time in seconds, got nan"):
            caster.at(float("nan"))
        assert caster.at(1).bounds()[0].mean(0)[0] == 5
    still = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1)).caster()
    with pytest.raises(pillbox.ProgramError, match="no \\[animation\\]"):
        still.at(1)
    with pytest.raises(ValueError, match="closed"):
        still.bounds()


def test_a_caster_needs_a_scene():
    with pytest.raises(TypeError, match="want a Scene, got list"):
        pillbox.Caster([pillbox.Sphere([0, 0, 0], 1)])


def test_threads_share_a_caster(demo):
    wrong = []
    with demo.caster() as caster:

        def work(seed):
            a, b = rays(400 if seed % 2 else 20, seed)
            want = caster.cast(a, b).tobytes()
            for _ in range(10):
                if caster.cast(a, b).tobytes() != want:
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        a, b = rays(20, 0)
        assert caster.cast(a, b).tobytes() == demo.cast(a, b).tobytes()
    assert not wrong


def test_closed_caster(demo):
    caster = demo.caster()
    caster.close()
    caster.close()
    with pytest.raises(ValueError, match="closed"):
        caster.cast([0, 0, 9], [0, 0, -1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forked_process_leaves_the_caster_alone(demo):
    with demo.caster() as caster:
        child = os.fork()
        if child == 0:
            try:
                caster.cast([0, 0, 9], [0, 0, -1])
            except RuntimeError:
                caster.close()
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert len(caster.cast([0, 0, 9], [0, 0, -1])) == 1


def test_caster_cannot_be_copied(demo):
    import copy
    import pickle

    with demo.caster() as caster:
        for use in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="in each process"):
                use(caster)


def test_representations(demo):
    with demo.caster() as caster:
        assert repr(caster) == f"<Caster: {len(caster.solids)} solids>"
        assert repr(caster.view(16, 9)) == "<View 16 x 9>"
    assert repr(caster) == "<Caster: closed>"
    assert repr(demo.explain((3, 4))) == "<Explanation: pixel>"
    assert repr(caster.solids).startswith("<Solids: ")


def test_type_of_hits():
    assert pillbox.hit_type().itemsize == struct.calcsize("<q7di4B")
