"""A preprocessor of mdBook: links that leave the folder of the documentation lead to the repository, and links to the
README of the folder lead to the start page of the site, as which mdBook builds it."""

import json
import posixpath
import re
import sys

REPOSITORY = "https://github.com/parlance-project/parlance/blob/main/"
LINK = re.compile(r"(\]\()((?:\.\./)+[^)#]*)(#[^)]*)?(\))")


START_PAGE = re.compile(r"(\]\((?:\.\./)?)README\.md")


def with_repository_links(text, folder):
    def link(match):
        path = posixpath.normpath(posixpath.join("docs", folder, match[2]))
        if path.startswith("docs/") or path == "docs":
            return match[0]
        return f"{match[1]}{REPOSITORY}{path}{match[3] or ''}{match[4]}"

    return START_PAGE.sub(r"\1index.md", LINK.sub(link, text))


def change(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            folder = posixpath.dirname(chapter["path"] or "")
            chapter["content"] = with_repository_links(chapter["content"], folder)
            change(chapter["sub_items"])


def main():
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0)
    _, book = json.load(sys.stdin)
    change(book.get("items") or book["sections"])
    json.dump(book, sys.stdout)


main()
