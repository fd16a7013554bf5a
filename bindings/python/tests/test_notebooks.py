"""The notebooks run, in their small sizes, and their committed outputs are small."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parent.parent / "notebooks"
NAMES = ["airports", "boids", "gas", "lidar", "swarm"]


def pictures_of(notebook):
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield base64.b64decode(output["data"]["image/png"])


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_and_its_asserts_hold(name, monkeypatch):
    monkeypatch.setenv("WIDEPHASE_NOTEBOOKS", "small")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert sum("assert " in cell.source for cell in notebook.cells) >= 2, "it checks itself"
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    assert len(list(pictures_of(notebook))) == 1


@pytest.mark.parametrize("name", NAMES)
def test_committed_outputs_are_whole_and_small(name):
    path = FOLDER / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert path.stat().st_size <= 150_000
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "run by execute.py"
    assert not any(output.output_type == "error" for cell in code for output in cell.outputs)
    (picture,) = pictures_of(notebook)
    assert len(picture) <= 60_000
    assert (FOLDER / "pictures" / f"{name}.png").read_bytes() == picture


def test_every_notebook_is_tested():
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NAMES
