"""Judges an Autobahn report, and writes its summary as Markdown where a file is named."""
import collections
import datetime
import json
import sys

GROUPS = {
    "1": "Framing", "2": "Pings and pongs", "3": "Reserved bits", "4": "Opcodes", "5": "Fragmentation",
    "6": "UTF-8", "7": "Closing", "9": "Limits and performance", "10": "Miscellaneous",
    "12": "Compression (permessage-deflate)", "13": "Compression, other parameters",
}
GOOD = ("OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED")


def main():
    agents = json.load(open(sys.argv[1]))
    cases = agents["Godwit"]
    counts = collections.defaultdict(collections.Counter)
    bad, notes = [], []
    for name, case in cases.items():
        behavior, closing = case["behavior"], case["behaviorClose"]
        counts[name.split(".")[0]][behavior] += 1
        if behavior not in GOOD or closing not in GOOD:
            bad.append(f"{name}: {behavior}, closing: {closing}")
        elif behavior != "OK":
            notes.append((behavior, name))
    lines = summary(cases, counts, notes)
    print("\n".join(lines))
    for line in bad:
        print("FAILED", line)
    if len(sys.argv) > 2 and not bad:
        open(sys.argv[2], "w").write("\n".join(lines) + "\n")
    sys.exit(1 if bad else 0)


def summary(cases, counts, notes):
    kinds = ["OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED", "FAILED"]
    lines = [
        "# The Autobahn test suite", "",
        "`script/autobahn --write` runs the client against the fuzzing server of Autobahn and writes this page.", "",
        f"{len(cases)} cases, on {datetime.date.today().isoformat()}:", "",
        "| cases | " + " | ".join(kinds) + " |", "| --- " + "| ---: " * len(kinds) + "|",
    ]
    for group in sorted(counts, key=int):
        row = [str(counts[group].get(kind, 0)) for kind in kinds]
        lines.append(f"| {group}.\u2009{GROUPS.get(group, '')} | " + " | ".join(row) + " |")
    if notes:
        lines += ["", "Not strictly OK, and why that is right:", ""]
        by_kind = collections.defaultdict(list)
        for kind, name in notes:
            by_kind[kind].append(name)
        reasons = {
            "NON-STRICT": "the suite allows this behaviour",
            "INFORMATIONAL": "the suite only notes what the client does, as the RFC leaves it open",
            "UNIMPLEMENTED": "the client did not offer what the case is about, as it may",
        }
        for kind, names in sorted(by_kind.items()):
            lines.append(f"- {kind}, {reasons[kind]}: {shortened(names)}.")
    return lines


def shortened(names):
    names = sorted(names, key=lambda name: [int(part) for part in name.split(".")])
    if len(names) <= 12:
        return ", ".join(names)
    groups = collections.Counter(".".join(name.split(".")[:2]) for name in names)
    return ", ".join(f"{group}.* ({count})" for group, count in groups.items())


main()
