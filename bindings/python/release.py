"""Prepares the sources of the package for an index, in place.

    python release.py ADDRESS REF

An index shows README.md without the repository around it. So its relative links become links to
the repository at ADDRESS (https://host/owner/name), as it is at REF (a tag), and pyproject.toml
gets the addresses. With --check, a built wheel is read instead: whether all links of its page are
absolute, whether it has addresses, authors and licenses, and no path of the machine that built it.

    python release.py --check WHEEL
"""

from __future__ import annotations

import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The line of pyproject.toml that addresses replace.
NO_ADDRESSES = "# Addresses: release.py adds them.\n"
# The target of a link or a picture of Markdown.
TARGET = re.compile(r"(!?)(\[(?:[^\[\]]|\[[^\[\]]*\]\([^()]*\))*\])\(([^()\s]+)\)")


def absolute_links(text: str, address: str, ref: str) -> str:
    """The text with links to the repository in place of relative ones."""

    def absolute(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        # The label of a link may be a picture.
        label = TARGET.sub(absolute, label)
        if not re.match(r"https?:|#", target):
            path, hash_mark, anchor = target.partition("#")
            file = (HERE / path).resolve()
            if not file.exists():
                raise SystemExit(f"README.md links to {target}, which does not exist")
            kind = "raw" if picture else "blob"
            target = f"{address}/{kind}/{ref}/{file.relative_to(ROOT).as_posix()}{hash_mark}{anchor}"
        return f"{picture}{label}({target})"

    return TARGET.sub(absolute, text)


def prepare(address: str, ref: str) -> None:
    """Writes README.md and pyproject.toml."""
    readme, project = HERE / "README.md", HERE / "pyproject.toml"
    readme.write_text(absolute_links(readme.read_text(), address, ref))
    urls = f"""[project.urls]
Repository = "{address}"
Documentation = "{address}/blob/{ref}/docs/python.md"
Changelog = "{address}/blob/{ref}/CHANGELOG.md"
"""
    text = project.read_text()
    if NO_ADDRESSES not in text:
        raise SystemExit("pyproject.toml has addresses already")
    project.write_text(text.replace(NO_ADDRESSES, urls))


def check(wheel: str) -> None:
    """Ends the program if the page of the wheel or its licenses are not complete."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        [metadata] = [files.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")]
        [extension] = [files.read(name) for name in names if name.endswith((".so", ".pyd"))]
    header, page = metadata.split("\n\n", 1)
    # Nothing is left for links that are absolute, pictures inside of links included.
    if absolute_links(page, "https:", "") != page:
        raise SystemExit("the page of the wheel has relative links")
    if re.search(rb"[/\\\\]\.cargo[/\\\\]registry", extension):
        raise SystemExit("the extension has paths of the machine that built it")
    for field in ("Author: ", "License-Expression: ", "Project-URL: Repository, "):
        if not any(line.startswith(field) for line in header.splitlines()):
            raise SystemExit(f"no {field.strip()} in the metadata")
    for file in ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.md"):
        if not any(name.endswith(f".dist-info/licenses/{file}") for name in names):
            raise SystemExit(f"no {file} in the wheel")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--check", wheel]:
            check(wheel)
        case [address, ref]:
            prepare(address.rstrip("/"), ref)
        case _:
            raise SystemExit(__doc__)
