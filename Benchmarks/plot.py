"""Draws the curves of a scenario as an SVG file, on logarithmic axes."""

import math
import statistics

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 420, 60, 40, 170, 50
COLORS = ["#1b6ca8", "#c8553d", "#2a9d5c", "#7b4fa3", "#b8860b"]
FILE = "growth.svg"


def write_plot(scenario, measured, folder):
    """Writes the file, and returns the line of Markdown that shows it."""
    curves = {name: points(sizes, measured) for name, sizes in scenario.curves.items()}
    with open(f"{folder}/{FILE}", "w", encoding="utf-8") as output:
        output.write(drawing(scenario.title, {name: curve for name, curve in curves.items() if curve}))
    return f"![{scenario.title}]({FILE})\n"


def points(sizes, measured):
    """The median CPU of a call by size."""
    return {
        size: statistics.median(figures["cpu_us"] for figures in measured[label].values())
        for size, label in sizes.items() if measured[label]
    }


def drawing(title, curves):
    sizes = [size for curve in curves.values() for size in curve]
    costs = [cost for curve in curves.values() for cost in curve.values()]
    across = Axis(1, max(sizes, default=10), LEFT, WIDTH - RIGHT)
    up = Axis(min(costs, default=1), max(costs, default=10), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(LEFT, 22, f"{title}: CPU per call (µs)"),
    ]
    for value in across.marks():
        parts.append(line(across.place(value), TOP, across.place(value), HEIGHT - BOTTOM))
        parts.append(text(across.place(value), HEIGHT - BOTTOM + 20, f"{value:,}", "middle"))
    for value in up.marks():
        parts.append(line(LEFT, up.place(value), WIDTH - RIGHT, up.place(value)))
        parts.append(text(LEFT - 8, up.place(value) + 4, f"{value:,}", "end"))
    labels = []
    for color, (name, curve) in zip(COLORS, curves.items()):
        places = [(across.place(size), up.place(cost)) for size, cost in sorted(curve.items())]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
        labels.append((places[-1], name, color))
    parts += [text(x, y, name, "start", color) for x, y, name, color in apart(labels)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def apart(labels):
    """Names beside the ends of their curves, moved down where they would cover each other."""
    below = 0
    for (x, y), name, color in sorted(labels, key=lambda label: label[0][1]):
        below = max(y + 4, below + 14)
        yield x + 8, below, name, color


class Axis:
    """Whole powers of ten around a range."""

    def __init__(self, least, most, start, end):
        self.first = math.floor(math.log10(least))
        self.last = max(self.first + 1, math.ceil(math.log10(most)))
        self.start, self.end = start, end

    def marks(self):
        return [10**power if power >= 0 else 1 / 10**-power for power in range(self.first, self.last + 1)]

    def place(self, value):
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return self.start + share * (self.end - self.start)


def line(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def text(x, y, words, anchor="start", color="#222"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{words}</text>'
