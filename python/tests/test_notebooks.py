"""The notebooks and the guide in docs run, and show what they contain."""

import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import pillbox

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "python").glob("*.ipynb"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files of docs/python, as the working directory."""
    shutil.copytree(DOCS / "python", tmp_path / "docs")
    monkeypatch.chdir(tmp_path / "docs")
    return tmp_path / "docs"


def run(source, names):
    """Runs a cell. Returns what it prints, and the value of its last line."""
    tree = ast.parse(source, feature_version=(3, 9))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_have_current_outputs(path, folder):
    names = {"__name__": "__main__"}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed, value = run("".join(cell["source"]), names)
        outputs = {"stream": "", "text/plain": None, "image/png": None}
        for output in cell["outputs"]:
            assert output["output_type"] in ("stream", "execute_result") and output.get("name", "stdout") == "stdout"
            found = {"stream": output["text"]} if "text" in output else output["data"]
            outputs.update((kind, "".join(text)) for kind, text in found.items())
        assert printed == outputs["stream"]
        assert (None if value is None else repr(value)) == outputs["text/plain"]
        if outputs["image/png"] is not None:
            assert pillbox.Picture(value._repr_png_()) == pillbox.Picture(base64.b64decode(outputs["image/png"]))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("default")
def test_notebooks_run_in_jupyter(path, folder, monkeypatch):
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    preprocessors = pytest.importorskip("nbconvert.preprocessors")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(pillbox.__file__).parents[1]))
    notebook = nbformat.read(path, as_version=4)
    preprocessors.ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(folder)}})
    assert not any(output.get("name") == "stderr" for cell in notebook.cells for output in cell.get("outputs", ()))


def test_guide_runs_and_shows_its_pictures(folder):
    """The blocks of docs/python.md run one after the other, and write the pictures that the page shows."""
    guide = (DOCS / "python.md").read_text("utf-8")
    shown = re.findall(r"!\[.*?\]\(python/(.*?)\)", guide)
    for name in shown:
        (folder / name).unlink()
    names = {"__name__": "__main__"}
    for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL):
        run(block, names)
    assert len(shown) > 2
    for name in shown:
        assert pillbox.Picture.open(folder / name) == pillbox.Picture.open(DOCS / "python" / name), name


def test_sources_are_for_python_3_9():
    """Their syntax is that of Python 3.9; mypy, with python_version in pyproject.toml, checks what they import and call."""
    for path in pathlib.Path(pillbox.__file__).parent.glob("*.py"):
        ast.parse(path.read_text("utf-8"), feature_version=(3, 9))


def examples():
    """Yields the name and the code of each page with Python, and of each notebook."""
    for page in [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        if blocks:
            yield page.stem, "\n".join(blocks)
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        yield path.stem, "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_examples_have_valid_types(tmp_path):
    """mypy --strict accepts the code of the pages and notebooks."""
    mypy = shutil.which("mypy")
    if mypy is None:
        pytest.skip("needs mypy")
    names = []
    for name, code in examples():
        (tmp_path / f"example_{name.replace('-', '_')}.py").write_text(code, "utf-8")
        names.append(f"example_{name.replace('-', '_')}.py")
    assert len(names) >= 6
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-PIL.*]\nignore_missing_imports = True\n")  # older releases of Pillow have no types
    environment = {**os.environ, "MYPYPATH": str(pathlib.Path(pillbox.__file__).parents[1])}
    done = subprocess.run([mypy, "--cache-dir", str(tmp_path / "cache"), *names], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout.decode()
