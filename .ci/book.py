"""Finishes the book: `python3 .ci/book.py target/book`, in the root of the repository.

Links of the pages to files outside of docs/ are made to lead to the checkout. Then each link of the
book, and of the documents outside of it, must lead to a file, and to a heading of it if it names one.
"""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

ROOT = Path.cwd()
BOOK = Path(sys.argv[1]).resolve()
OUTSIDE = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "benches/beside/README.md", "benches/peers/README.md"]
OUTSIDE += ["examples/README.md", "benches/mechanisms.md"]


class Page(HTMLParser):
    """The links and the names of the places of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key == "id":
                self.ids.add(value)
            elif (tag, key) in [("a", "href"), ("img", "src")] and value:
                self.links.append(value)


def prose(text):
    """Markdown without code."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def places(path):
    """The places of a file that a link can name."""
    if path.suffix == ".html":
        return Page(path.read_text()).ids
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
    headings = [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def fault(page, link):
    """What is wrong with a link of a page, if anything."""
    file, place = urldefrag(link)
    target = (page.parent / unquote(file)).resolve() if file else page
    if not target.exists():
        return "no such file"
    if place and target.suffix in [".md", ".html"] and unquote(place) not in places(target):
        return "no such place"
    return None


def lead_out(text, link):
    """The page with this link to a file outside of docs/ leading to the checkout."""
    file, place = urldefrag(link)
    target = ROOT / "docs" / file
    if not target.exists() and target.suffix == ".html":
        target = target.with_suffix(".md")  # mdbook took it for one of its pages
    path = "../" * len(BOOK.relative_to(ROOT).parts) + str(target.resolve().relative_to(ROOT))
    return text.replace(f'="{link}"', f'="{path}{"#" + place if place else ""}"')


checked = []
for page in sorted(BOOK.glob("*.html")):
    if page.name == "404.html":  # it is served at any address
        continue
    text = page.read_text()
    for link in set(filter(lambda link: link.startswith("../"), Page(text).links)):
        text = lead_out(text, link)
    page.write_text(text)
    checked += [(page, link) for link in sorted(set(Page(text).links))]
for page in map(ROOT.joinpath, OUTSIDE):
    checked += [(page, link) for link in re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text()))]

checked = [(page, link) for page, link in checked if not re.match(r"[a-z]+:", link)]
broken = [(page, link, what) for page, link in checked if (what := fault(page, link))]

# Paths that the text names as code, except what a run makes.
FOLDERS = r"`((?:src|tests|benches|cli|cluster|docs|examples|fuzz|\.ci)/[\w./-]+)`"
for page in [*map(ROOT.joinpath, OUTSIDE[:4]), *sorted((ROOT / "docs").glob("*.md"))]:
    for path in re.findall(FOLDERS, page.read_text()):
        if not (ROOT / path).exists() and path not in ["src/main.rs", "fuzz/corpus"]:
            broken.append((page, path, "no such file"))
for page, link, what in broken:
    print(f"{page.relative_to(ROOT)}: {link}: {what}", file=sys.stderr)
print(f"{len(checked)} links, {len(broken)} broken")
sys.exit(bool(broken))
