"""The notebooks run, and their pictures are small."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parent.parent / "notebooks"
NAMES = ["airports", "boids", "gas", "lidar", "swarm"]


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs(name, tmp_path):
    """Its own asserts compare what it finds."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    (tmp_path / "pictures").mkdir()
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    made = tmp_path / "pictures" / f"{name}.png"
    assert made.stat().st_size <= 60_000
    for committed in (FOLDER / "pictures").glob("*.png"):
        assert committed.stat().st_size <= 60_000, committed
    shutil.rmtree(tmp_path / "pictures")
