#!/usr/bin/env python3
"""select.py PATTERN: prints the test targets that a filter needs, and `servers` if a matching test needs a real server.

Reads the sources, as nothing may be built yet. Prints nothing if no test matches: then everything is needed.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path("Tests")
# The variables that script/servers sets, and the hint for programs that script/setup --servers installs.
SERVERS = re.compile(r"GODWIT_TEST_(?:NGINX|OAUTH|PYTHON|CA\b|CLIENT|CERTIFICATES)|script/setup --servers")
TYPE = re.compile(r"^( *)(?:@\S+ +)*(?:[a-z]+ +)*(?:struct|class|enum|actor|extension) +(\w+)")
TEST = re.compile(r"^( *)(?:@\S+ +)*(?:[a-z]+ +)*func +(\w+|`[^`]*`)(?:<.*>)?\((.*)")
LABEL = re.compile(r"(?:^|, )(\w+)(?: \w+)?: ")


def target_of(path, manifest):
    folder = path.parts[1]
    named = re.search(rf'\.tests\(\s*"(\w+)",(?:(?!\.tests\().)*?at: "Tests/{folder}"', manifest, re.DOTALL)
    return named[1] if named else folder


def identifiers(target, text):
    """The identifiers of a file's tests as `swift test list` prints them: Target.Suite/test(label:)."""
    nesting, is_test = [], False
    for line in text.splitlines():
        if found := TYPE.match(line):
            nesting[len(found[1]) // 4:] = [found[2]]
        is_test = is_test or line.lstrip().startswith("@Test")
        if is_test and (found := TEST.match(line)):
            labels = "".join(label + ":" for label in LABEL.findall(found[3]))
            yield f"{target}.{'/'.join(nesting[:len(found[1]) // 4] + [found[2]])}({labels})"
            is_test = False


def needing_servers(texts):
    """The files that use a server, by a variable or by a type that a file with such a variable declares."""
    files = {path for path, text in texts.items() if SERVERS.search(text)}
    types = {found[2] for path in files for found in map(TYPE.match, texts[path].splitlines())
             if found and "extension " not in found[0]}
    users = re.compile(r"\b(?:" + "|".join(sorted(types)) + r")\b")
    return files | {path for path, text in texts.items() if users.search(text)}


def main():
    pattern = re.compile(sys.argv[1])
    manifest = pathlib.Path("Package.swift").read_text()
    texts = {path: path.read_text() for path in sorted(TESTS.rglob("*.swift"))}
    tests = {path: list(identifiers(target_of(path, manifest), text)) for path, text in texts.items()}
    chosen = {path for path, names in tests.items() if any(map(pattern.search, names))}
    targets = {target_of(path, manifest) for path in chosen}
    if chosen & needing_servers(texts):
        targets.add("servers")
    print(*sorted(targets))


main()
