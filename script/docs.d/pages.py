#!/usr/bin/env python3
"""pages.py CATALOG: writes README.md and the pages of docs/ as articles of a DocC catalog, with links between them.

Links to other files of the repository become plain text, as a site doesn't have them.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ROOT = pathlib.Path(".").resolve()


def name_of(path):
    """The name of a page's article, which is unique in the catalog."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "README":
        parts = ["index-of", parts[-2] if len(parts) > 1 else "godwit"]
    elif parts[0] == "docs":
        parts = parts[1:]
    return "-".join(parts).lower()


def article(path, pages):
    def linked(found):
        text, target = found[1], found[2]
        if re.match(r"[a-z]+:", target):
            return found[0]
        file, _, _ = target.partition("#")
        if not file:
            return text
        page = (path.parent / file).resolve()
        return f"[{text}](<doc:{name_of(page)}>)" if page in pages else text

    lines, is_code = [], False
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            is_code = not is_code
        if re.fullmatch(r"<!-- .* -->", line) and not is_code:
            continue
        lines.append(line if is_code or line.startswith("    ") else LINK.sub(linked, line))
    return "\n".join(lines) + "\n"


def main():
    catalog = pathlib.Path(sys.argv[1])
    pages = {ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*/*.md")}
    folder = catalog / "Pages"
    folder.mkdir()
    for page in sorted(pages):
        (folder / f"{name_of(page)}.md").write_text(article(page, pages))
    top = catalog / f"{catalog.stem}.md"
    text = top.read_text()
    section = "### Pages\n\n- <doc:index-of-docs>\n- <doc:index-of-recipes>\n- <doc:index-of-decisions>\n\n"
    head, topics, rest = text.partition("## Topics\n\n")
    top.write_text(head + (topics or "\n## Topics\n\n") + section + rest)
    print(f"{len(pages)} pages of README.md and docs/")


main()
