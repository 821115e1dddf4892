#!/usr/bin/env python3
"""names.py FOLDER: prints the Swift source with the names of types that generated types must not have.

Reads docs/api, and the symbol graphs of the toolchain's modules in FOLDER.
"""

import json
import pathlib
import re
import sys

TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias", "swift.actor"}
# What `import Godwit`, its products for sign-in, signatures and background transfers, and `import GodwitUI` show.
CLIENT = "Godwit GodwitBackground GodwitCore GodwitJSON GodwitOAuth GodwitSigning GodwitSockets GodwitStorage GodwitURLSession GodwitUI GodwitWire"
DECLARED = re.compile(r"^(\w+): (?:(?:@\w+(?:\(.*?\))?|final|indirect) )*(?:struct|class|enum|protocol|typealias|actor) ", re.MULTILINE)


def godwit(modules):
    return {name for module in modules.split() for name in DECLARED.findall(pathlib.Path(f"docs/api/{module}.txt").read_text())}


def toolchain(folder, modules):
    names = set()
    for module in modules.split():
        for path in folder.glob(f"{module}*.symbols.json"):
            if path.name.split("@")[0].removesuffix(".symbols.json") != module:
                continue
            for symbol in json.loads(path.read_text())["symbols"]:
                if symbol["kind"]["identifier"] in TYPES and len(symbol["pathComponents"]) == 1:
                    names.add(symbol["pathComponents"][0])
    return {name for name in names if not name.startswith("_")}


def constant(name, summary, names):
    lines, line = [], ""
    for word in sorted(names):
        if len(line) + len(word) + 1 > 108:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    text = "\n".join("        " + line for line in lines + [line])
    return f'    /// {summary}\n    static let {name} = words(\n        """\n{text}\n        """)\n'


folder = pathlib.Path(sys.argv[1])
print("// Written by script/generated --names from docs/api and the toolchain.\n")
print("/// The names of types that files see with `import Godwit`, `import GodwitUI`, `import Foundation` or `import Testing`.")
print("enum ForeignTypes {")
print(constant("swift", "Swift's own modules.", toolchain(folder, "Swift _Concurrency _StringProcessing Observation")))
print(constant("foundation", "Foundation.", toolchain(folder, "Foundation FoundationEssentials FoundationInternationalization")))
print(constant("godwit", "Godwit with its user interface.", godwit(CLIENT)))
print(constant("testing", "What only tests import.", toolchain(folder, "Testing") | godwit("GodwitTesting GodwitTestingTraits")))
print("    private static func words(_ text: String) -> Set<String> {\n        Set(text.split(whereSeparator: \\.isWhitespace).map(String.init))\n    }\n}")
