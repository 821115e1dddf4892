"""What the pictures of script/pictures have in common: rows of tables, texts, boxes and arrows."""
import html
import re

# A picture has a white ground of its own, so that it can be read on a dark page too.
STYLE = (
    "text{font:13px sans-serif;fill:#24292f}.part{fill:#f6f8fa;stroke:#8c959f}.line{fill:none;stroke:#57606a}"
    ".when{text-anchor:end;font-weight:600}.note{fill:#57606a}.end{text-anchor:middle;font-weight:600}"
    ".own{font-weight:600}")


def plain(cell):
    """The words of a cell, without code marks and links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").strip()


def text(x, y, words, style=""):
    return f'<text x="{x}" y="{y}"{style}>{html.escape(words)}</text>'


def box(x, y, width, height):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="part"/>'


def loop(x, top, bottom):
    """An arrow from the bottom of a part back to its top."""
    return f'<path d="M {x} {bottom - 8} h 40 V {top + 12} h -34" class="line" marker-end="url(#head)"/>'


def show(title, width, height, body):
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">')
    print(f"<title>{title}</title>")
    print(f"<style>{STYLE}</style>")
    print('<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">')
    print('<path d="M 0 0 L 8 4 L 0 8 z" fill="#57606a"/></marker></defs>')
    print(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    print("\n".join(body))
    print("</svg>")
