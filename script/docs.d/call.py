"""Draws the way of a call through the middlewares, from the table of a page. See script/pictures."""
import re
import sys

from drawing import box, loop, plain, show, text

ROW, LEFT, WIDTH, GAP = 22, 150, 500, 14
# The first place of each part, what is said on its left, and on its way back.
PARTS = [("1", "once for each call", None), ("6", "for each attempt", "again"), ("9", "for each request", "next hop")]


def places(page):
    """The number and the name of each place; a row without a number belongs to the one before."""
    for line in open(page, encoding="utf8"):
        match = re.match(r"\| (\d*) ?\| (.+?) \| (.*) ?\|$", line)
        if match:
            yield match[1], plain(match[2])


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
        body.append(box(LEFT, top, WIDTH, height))
        body.append(text(LEFT - 12, top + 20, when, ' class="when"'))
        for name in names[start]:
            y += ROW
            body.append(text(LEFT + 14, y, name, ' class="own"' if name.endswith("yours") else ""))
        if back:
            body.append(loop(LEFT + WIDTH, top, top + height))
            body.append(text(LEFT + WIDTH + 48, (2 * top + height) // 2, back, ' class="note"'))
        y = top + height + GAP
    body.append(box(LEFT, y, WIDTH, 30))
    body.append(text(LEFT + 14, y + 20, transport))
    return y + 46, body


def main():
    height, body = draw(list(places(sys.argv[1])))
    show("The way of a call through a client's middlewares, from the outside in", 780, height, body)


main()
