"""Prints the symbol graphs in a folder as text: one line for each public declaration, sorted by name."""

import json
import pathlib
import sys

# What the compiler adds, and members that a type has from a conformance of another module.
HIDDEN = {"Copyable", "Escapable", "SendableMetatype"}


def declaration(symbol):
    text = "".join(piece["spelling"] for piece in symbol["declarationFragments"])
    return " ".join(text.split())


def conformances(graphs):
    found = {}
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                name = relation.get("targetFallback", relation["target"]).split(".")[-1]
                found.setdefault(relation["source"], set()).add(name)
    return found


def lines(graphs):
    names = {symbol["identifier"]["precise"]: symbol["pathComponents"][-1] for graph in graphs for symbol in graph["symbols"]}
    protocols = conformances(graphs)
    for graph in graphs:
        for symbol in graph["symbols"]:
            identifier = symbol["identifier"]["precise"]
            text = declaration(symbol)
            own = {names.get(name, name) for name in protocols.get(identifier, ())} - HIDDEN
            if own and symbol["kind"]["identifier"] != "swift.extension":
                text += " // conforms to " + ", ".join(sorted(own))
            yield ".".join(symbol["pathComponents"]) + ": " + text


graphs = [json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.symbols.json"))]
print("\n".join(sorted(set(lines(graphs)))))
