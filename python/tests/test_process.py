"""The processes of the program."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import pillbox
from pillbox import _program

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = "pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(16384, 16384, antialias=16)).render(progress=lambda *a: print('begun', flush=True))"
CASTER = "c = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1)).caster(); print('begun', flush=True); time.sleep(600)"


def children(pid):
    """The processes whose parent is pid."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("code", [LONG, CASTER], ids=["render", "caster"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_program_ends_with_the_interpreter(code, how):
    # A shell's background jobs ignore SIGINT, and their children inherit that.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    python = subprocess.Popen([sys.executable, "-c", f"{heed}; import pillbox, time; {code}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert python.stdout.readline() == "begun\n", python.stderr.read()
    (child,) = children(python.pid)
    python.send_signal(how)
    _, errors = python.communicate(timeout=60)
    assert python.returncode != 0
    assert ("KeyboardInterrupt" in errors) == (how == signal.SIGINT)
    end = time.monotonic() + 60
    while alive(child) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(child)


def test_interrupt_ends_the_child(monkeypatch):
    """An exception in Python while the program runs leaves no process behind."""
    from pillbox import _program

    started = []
    popen = subprocess.Popen

    def record(*args, **kwargs):
        started.append(popen(*args, **kwargs))
        return started[-1]

    monkeypatch.setattr(_program.subprocess, "Popen", record)
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(16384, 16384, antialias=16))
    with pytest.raises(KeyboardInterrupt):
        with _program.Process(["-", "-o", "-"], scene._source()):
            raise KeyboardInterrupt
    assert started[0].poll() is not None


def test_missing_program(monkeypatch):
    monkeypatch.setenv("PILLBOX_RENDER", "/does/not/exist")
    with pytest.raises(pillbox.ProgramError, match="PILLBOX_RENDER"):
        pillbox.Scene().render()


def test_invalid_arguments():
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1))
    with pytest.raises(pillbox.ProgramError, match="^width: must be") as caught:
        scene.render(width=-3)
    assert caught.value.status == 2
    assert str(caught.value).count("\n") == 0  # without "run 'render --help'"
    with pytest.raises(pillbox.ProgramError, match="want one of pixel, ray, segment and capsules"):
        scene.explain()
    for read in (pillbox.load, pillbox.from_mjcf, pillbox.from_urdf, pillbox.from_pdb):
        with pytest.raises(FileNotFoundError):
            read("/does/not/exist.toml")
    with pytest.raises(pillbox.ProgramError, match=r"\[animation\]"):
        scene.render(time=1)


def test_progress_function():
    calls = []
    scene = pillbox.Scene(pillbox.Sphere([0, 0, 0], 1), image=pillbox.Image(4096, 4096, antialias=4))
    scene.render(progress=lambda *event: calls.append(event))
    assert calls and all(stage == "rendering" and 0 < done <= every == 4096 * 4096 for stage, done, every in calls)
    assert [c[1] for c in calls] == sorted(c[1] for c in calls)


def test_progress_bar_in_a_terminal(monkeypatch, capsys):
    from pillbox import _progress

    monkeypatch.setattr(_progress, "_DELAY", 0)
    reporter = _progress.Reporter.of(True)
    reporter.update("rendering", 5, 10)
    reporter.close()
    shown = capsys.readouterr().err
    assert "rendering [###############               ]  50%" in shown and shown.endswith("\r")
    assert _progress.Reporter.of(False) is None
    assert _progress.Reporter.of(None) is None  # standard error is not a terminal here


def test_progress_bar_in_a_notebook(monkeypatch):
    from pillbox import _progress

    shown = []

    class Display:
        HTML = staticmethod(str)

        @staticmethod
        def display(content, display_id):
            shown.append(content)
            return Display

        @staticmethod
        def update(content):
            shown.append(content)

    monkeypatch.setattr(_progress, "_notebook", lambda: Display)
    monkeypatch.setattr(_progress, "_DELAY", 0)
    reporter = _progress.Reporter.of(None)
    reporter.update("rendering", 1, 4)
    reporter.update("rendering", 2, 4)
    reporter.close()
    assert shown == ["<progress value='1' max='4'></progress> rendering", "<progress value='2' max='4'></progress> rendering", ""]


def test_program_of_the_environment():
    assert os.path.exists(pillbox.program())


@pytest.mark.parametrize("arguments, status, text", [(["version"], 0, "render "), (["check", "missing.toml"], 3, "missing.toml")])
def test_the_package_runs_as_the_program(arguments, status, text):
    done = subprocess.run([sys.executable, "-m", "pillbox", *arguments], cwd=ROOT / "python", capture_output=True, text=True)
    assert done.returncode == status and text in done.stdout + done.stderr, done


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_first_build_is_announced(tmp_path, monkeypatch, capsys):
    """The first build of a checkout takes minutes, so it says what it does; later ones print nothing."""
    go = tmp_path / "bin" / "go"
    go.parent.mkdir()
    go.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ntouch "$2"\n')
    go.chmod(0o755)
    monkeypatch.setenv("PATH", str(go.parent), prepend=os.pathsep)
    (tmp_path / "python").mkdir()
    for want in ["pillbox: building the program render with Go; this takes minutes on a new machine\n", ""]:
        assert _program._build(tmp_path, "render") == str(tmp_path / "python" / "build" / "render")
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == ("", want)
