"""Builds the package for pip (PEP 517 and PEP 660) with Go and Python alone, so it works offline."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VERSION = re.search(r'__version__ = "(.*)"', (HERE / "pillbox" / "__init__.py").read_text("utf-8")).group(1)


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the program for this machine, and a wheel that contains it."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "render" + (".exe" if os.name == "nt" else ""))
        print("pillbox: building the program render; this takes minutes the first time", file=sys.stderr, flush=True)
        subprocess.run(["go", "build", "-v", "-trimpath", *_viewer(folder), "-ldflags=-s -w", "-o", program, "./cmd/render"], cwd=ROOT, check=True)
        print("pillbox: packing the wheel", file=sys.stderr, flush=True)
        command = ["go", "run", "./internal/tools/wheel", "-program", program, "-platform", platform, "-o", os.path.abspath(wheel_directory)]
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _viewer(folder):
    """Makes the viewer of Scene.show in a folder, and returns the flags with which go build puts it into the program. Without
    the programs that it needs, the program has no viewer, and all else works."""
    missing = [name for name in ("bash", "xz") if shutil.which(name) is None]
    if not missing:
        print("pillbox: building the viewer", file=sys.stderr, flush=True)
        if subprocess.run(["bash", "scripts/web", "--viewer", folder], cwd=ROOT, stdout=sys.stderr).returncode == 0:
            return ["-overlay", os.path.join(folder, "overlay.json")]
    print("pillbox: no viewer for Scene.show and render page" + "".join(f"; {name} is missing" for name in missing), file=sys.stderr, flush=True)
    return []


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel that refers to this folder."""
    name = f"pillbox-{VERSION}-py3-none-any.whl"
    info = f"pillbox-{VERSION}.dist-info"
    files = {
        "pillbox.pth": f"{HERE}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: pillbox\nVersion: {VERSION}\nRequires-Python: >=3.9\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: pillbox\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nrender = pillbox.__main__:main\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        for file, text in files.items():
            wheel.writestr(file, text)
    return name
