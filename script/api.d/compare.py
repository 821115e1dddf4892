#!/usr/bin/env python3
"""compare.py OLD NEW: tells breaking from additive changes between two folders of API listings (docs/api).

Exits with 1 if a change can break a program that compiles with the old one. A listing doesn't show default
implementations: a new member of a protocol is named apart, as it breaks conformances only if it has none.
"""

import pathlib
import sys

CONFORMS = " // conforms to "


def listing(folder):
    """The declarations of each module: by name, the declarations with their conformances."""
    modules = {}
    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        declarations = modules.setdefault(path.stem, {})
        for line in path.read_text().splitlines():
            name, _, text = line.partition(": ")
            declaration, _, conformances = text.partition(CONFORMS)
            declarations.setdefault(name, {})[declaration] = set(conformances.split(", ")) - {""}
    return modules


def protocols(modules):
    return {name for module in modules.values() for name, texts in module.items()
            if any(text.startswith("protocol ") for text in texts)}


def enums(modules):
    return {name for module in modules.values() for name, texts in module.items()
            if any(text.startswith(("enum ", "indirect enum ")) for text in texts)}


def compare(old, new):
    """Yields (kind, line) for each difference. The kinds: breaking, conformance, case, additive."""
    had_protocols, had_enums = protocols(old), enums(old)
    for module in sorted(old.keys() | new.keys()):
        before, after = old.get(module, {}), new.get(module, {})
        for name in sorted(before.keys() | after.keys()):
            removed = before.get(name, {}).keys() - after.get(name, {}).keys()
            added = after.get(name, {}).keys() - before.get(name, {}).keys()
            for text in sorted(removed):
                yield "breaking", f"{module}: - {text}"
            owner = name.rpartition(".")[0]
            for text in sorted(added):
                kind = "additive"
                if owner in had_protocols:
                    kind = "conformance"
                elif owner in had_enums and text.startswith("case "):
                    kind = "case"
                yield kind, f"{module}: + {text}   ({name})"
            for text in before.get(name, {}).keys() & after.get(name, {}).keys():
                for lost in sorted(before[name][text] - after[name][text]):
                    yield "breaking", f"{module}: - {name} conforms to {lost}"
                for gained in sorted(after[name][text] - before[name][text]):
                    yield "additive", f"{module}: + {name} conforms to {gained}"


TITLES = {
    "breaking": "Breaking: removed or changed",
    "case": "Breaking for a switch without default: new cases",
    "conformance": "Breaking for conformances, unless there is a default implementation: new members of protocols",
    "additive": "Additive",
}


def main():
    found = {}
    for kind, line in compare(listing(sys.argv[1]), listing(sys.argv[2])):
        found.setdefault(kind, []).append(line)
    for kind, title in TITLES.items():
        if kind in found:
            print(f"{title} ({len(found[kind])})")
            print("".join(f"    {line}\n" for line in found[kind]), end="")
    if not found:
        print("No change")
    sys.exit(1 if "breaking" in found or "case" in found else 0)


main()
