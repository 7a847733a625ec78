"""Checks the built site of the documentation. The arguments are the folder of its source and the folder of the site."""

import html.parser
import pathlib
import posixpath
import re
import sys
import urllib.parse

LINK_ATTRIBUTES = {("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")}


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if (tag, name) in LINK_ATTRIBUTES and value:
                self.links.add(value)
            if name == "id" and value:
                self.anchors.add(value)


def listed_pages(text):
    """The pages that a list or a table of the source links to, in their order."""
    return [page for page in re.findall(r"^(?:\s*- |\| )\[[^\]]*\]\(([^)#]+\.md)\)", text, re.M) if "://" not in page]


def order_problems(source):
    summary, index = (listed_pages((source / name).read_text()) for name in ("SUMMARY.md", "README.md"))
    pages = {path.relative_to(source).as_posix() for path in source.rglob("*.md")} - {"SUMMARY.md", "README.md"}
    for name, listed in (("SUMMARY.md", summary), ("README.md", index)):
        yield from (f"docs/{name} does not list {page}" for page in sorted(pages - set(listed)))
    if [page for page in index if page in summary] != summary:
        yield "docs/SUMMARY.md and docs/README.md list the pages in different orders"


def link_problems(site):
    pages = {path.relative_to(site).as_posix(): Page(path.read_text()) for path in site.rglob("*.html")}
    for name, page in pages.items():
        for link in sorted(page.links):
            target = urllib.parse.urlsplit(link)
            if target.scheme or target.netloc:
                if target.scheme not in ("http", "https"):
                    yield f"{name}: {link} has no known scheme"
                continue
            base = "" if name == "404.html" else posixpath.dirname(name)
            path = posixpath.normpath(posixpath.join(base, urllib.parse.unquote(target.path))) if target.path else name
            path = path.lstrip("/")
            path = posixpath.join(path, "index.html") if (site / path).is_dir() else path
            if not (site / path).is_file():
                yield f"{name}: {link} leads to no file"
            elif target.fragment and path in pages and urllib.parse.unquote(target.fragment) not in pages[path].anchors:
                yield f"{name}: {link} leads to no heading"


def main():
    source, site = (pathlib.Path(folder) for folder in sys.argv[1:])
    problems = [*order_problems(source), *link_problems(site)]
    if not list(site.glob("searchindex*.js*")):
        problems.append("the site has no search index")
    if problems:
        sys.exit("\n".join(problems))
    print(f"the site has {len(list(site.rglob('*.html')))} pages, and every link leads somewhere")


main()
