"""Draws what is sent again, by whom and how often, from the table of a page. See script/pictures."""
import sys

from drawing import box, loop, plain, show, text

ROW, LEFT, WIDTH, GAP = 22, 10, 840, 14
# Where the cells of a row begin: what happened, two kinds of methods, how often.
COLUMNS = [24, 405, 585, 690]
AGAIN = {"again": ' class="own"', "not again": ' class="note"'}


def table(page):
    """The rows of the only table with five columns, its head first."""
    rows = [[plain(cell) for cell in line.strip().strip("|").split("|")] for line in open(page, encoding="utf8")
            if line.startswith("|")]
    return [row for row in rows if len(row) == 5 and row[1] != "---"]


def groups(rows):
    """The rows of each sender; a row without one belongs to the one before."""
    found = []
    for sender, *cells in rows:
        if sender:
            found.append((sender, []))
        found[-1][1].append(cells)
    return found


def draw(head, rows):
    y, body = 34, [text(x, 22, words, ' class="note"') for x, words in zip(COLUMNS, head[1:])]
    for sender, lines in groups(rows):
        top, height = y, ROW * (len(lines) + 1) + 10
        body.append(box(LEFT, top, WIDTH, height))
        y += ROW
        body.append(text(COLUMNS[0], y, sender, ' class="own"'))
        for cells in lines:
            y += ROW
            body += [text(x, y, words, AGAIN.get(words, "")) for x, words in zip(COLUMNS, cells)]
        if any("again" in cells for cells in lines):
            body.append(loop(LEFT + WIDTH, top, top + height))
        y = top + height + GAP
    return y, body


def main():
    head, *rows = table(sys.argv[1])
    height, body = draw(head, rows)
    show("What is sent again, by whom and how often", 900, height, body)


main()
