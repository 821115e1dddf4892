"""Draws the way of a call through the middlewares, from the table of a page. See script/pictures."""
import html
import re
import sys

ROW, LEFT, WIDTH, GAP = 22, 150, 500, 14
# The first place of each part, what is said on its left, and on its way back.
PARTS = [("1", "once for each call", None), ("6", "for each attempt", "again"), ("9", "for each request", "next hop")]


def places(page):
    """The number and the name of each place; a row without a number belongs to the one before."""
    for line in open(page, encoding="utf8"):
        match = re.match(r"\| (\d*) ?\| (.+?) \| (.*) ?\|$", line)
        if match:
            name = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[2]).replace("`", "")
            yield match[1], name


def text(x, y, words, style=""):
    return f'<text x="{x}" y="{y}"{style}>{html.escape(words)}</text>'


def box(top, height, style):
    return f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{height}" rx="6" {style}/>'


def loop(top, bottom, words):
    """An arrow from the bottom of a part back to its top."""
    x = LEFT + WIDTH
    return [
        f'<path d="M {x} {bottom - 8} h 40 V {top + 12} h -34" class="line" marker-end="url(#head)"/>',
        text(x + 48, (top + bottom) // 2, words, ' class="note"'),
    ]


def draw(rows):
    names = {}
    starts = [start for start, _, _ in PARTS]
    current = None
    for number, name in rows:
        if number in starts:
            current = number
        names.setdefault(current, []).append(name)
    last = names[starts[-1]]
    transport = last.pop()
    y, body = 40, [text(LEFT + WIDTH // 2, 24, "api.send(…)", ' class="end"')]
    for start, when, back in PARTS:
        top, height = y, ROW * len(names[start]) + 10
        body.append(box(top, height, 'class="part"'))
        body.append(text(LEFT - 12, top + 20, when, ' class="when"'))
        for name in names[start]:
            y += ROW
            body.append(text(LEFT + 14, y, name, ' class="own"' if name.endswith("yours") else ""))
        if back:
            body += loop(top, top + height, back)
        y = top + height + GAP
    body.append(box(y, 30, 'class="part"'))
    body.append(text(LEFT + 14, y + 20, transport))
    return y + 46, body


def main():
    height, body = draw(list(places(sys.argv[1])))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 {height}" width="780" height="{height}" role="img">')
    print("<title>The way of a call through a client's middlewares, from the outside in</title>")
    print(
        "<style>text{font:13px sans-serif;fill:#24292f}.part{fill:#f6f8fa;stroke:#8c959f}.line{fill:none;stroke:#57606a}"
        ".when{text-anchor:end;font-weight:600}.note{fill:#57606a}.end{text-anchor:middle;font-weight:600}"
        ".own{font-weight:600}</style>")
    print('<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">')
    print('<path d="M 0 0 L 8 4 L 0 8 z" fill="#57606a"/></marker></defs>')
    print(f'<rect width="780" height="{height}" fill="#ffffff"/>')
    print("\n".join(body))
    print("</svg>")


main()
