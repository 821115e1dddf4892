#!/usr/bin/env python3
"""merge.py INTO PACKAGE…: puts generated packages into one module and one module of tests, to compile them at once.

Files get the name of their package in front of theirs. Types that are the same in all clients are kept once.
"""

import pathlib
import re
import sys

SUITE = re.compile(r"^(struct )(\w+Tests\b)", re.MULTILINE)


def place(path, text, seen):
    """Writes a file; one that exists must have the same text."""
    if path in seen:
        if seen[path] != text:
            sys.exit(f"merge.py: {path.name} differs between clients")
        return
    seen[path] = text
    path.write_text(text)


def merge(package, into, seen):
    sources = next((package / "Sources").iterdir())
    module = sources.name
    for file in sorted(sources.rglob("*.swift")):
        parts = file.relative_to(sources).parts
        name = "-".join(parts if parts[0] == "Support" else (module,) + parts)
        place(into / "Sources" / "Corpus" / name, file.read_text(), seen)
    tests = package / "Tests" / f"{module}Tests"
    for file in sorted(tests.rglob("*.swift")):
        text = file.read_text()
        text = re.sub(rf"^((?:@testable )?import ){module}$", r"\1Corpus", text, flags=re.MULTILINE)
        text = re.sub(rf"^(typealias \w+ = ){module}\.", r"\1Corpus.", text, flags=re.MULTILINE)
        text = SUITE.sub(rf"\1{module}\2", text)
        place(into / "Tests" / "-".join((module,) + file.relative_to(tests).parts), text, seen)


def main():
    into, seen = pathlib.Path(sys.argv[1]), {}
    for folder in ("Sources/Corpus", "Tests"):
        (into / folder).mkdir(parents=True)
    for package in map(pathlib.Path, sys.argv[2:]):
        merge(package, into, seen)


main()
