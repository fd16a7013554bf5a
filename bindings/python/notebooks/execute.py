"""execute.py [NAME.ipynb ...]: runs the notebooks, all by default, and keeps their outputs small.

Needs widephase[test]. Pictures get a palette of 256 colours, which takes less than half of the bytes.
The last picture of a notebook is also written to pictures/, for the README.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

import nbclient
import nbformat
from PIL import Image

HERE = Path(__file__).parent


def reduced(png: bytes) -> bytes:
    """The same picture with 256 colours."""
    palette = Image.open(io.BytesIO(png)).convert("RGB").quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    out = io.BytesIO()
    palette.save(out, "png", optimize=True)
    return out.getvalue()


def execute(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbclient.NotebookClient(
        notebook, timeout=600, record_timing=False, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    # The version of this Python is of no interest.
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    picture = None
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                picture = reduced(base64.b64decode(data["image/png"]))
                data["image/png"] = base64.b64encode(picture).decode()
    nbformat.write(notebook, path)
    print(f"{path.name}: {path.stat().st_size:,} bytes")
    if picture is not None:
        (HERE / "pictures").mkdir(exist_ok=True)
        (HERE / "pictures" / f"{path.stem}.png").write_bytes(picture)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(HERE.glob("*.ipynb")):
        execute(Path(name).resolve())
