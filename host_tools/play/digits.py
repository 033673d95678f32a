"""Large digits out of half-cell pixels."""

from __future__ import annotations

from host_tools.play.canvas import Canvas

# Three pixels wide and five high, a row a string.
_GLYPHS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "o": ("   ", "   ", "###", "# #", "###"),
    "f": (" ##", " # ", "###", " # ", " # "),
    " ": (" ", " ", " ", " ", " "),
}


def width_of(text: str, scale: int) -> int:
    """Columns that a text takes."""
    return sum(len(_GLYPHS[char][0]) + 1 for char in text) * scale - scale


def draw_digits(canvas: Canvas, x: int, y: int, text: str, scale: int, colour: int) -> None:
    """Digits, blanks and the word `of`; `y` is a row of cells."""
    behind = canvas.cells[y * canvas.width + x][2]
    for char in text:
        glyph = _GLYPHS[char]
        for row in range((5 * scale + 1) // 2):
            for column in range(len(glyph[0]) * scale):
                lit = [
                    line < 5 * scale and glyph[line // scale][column // scale] == "#"
                    for line in (2 * row, 2 * row + 1)
                ]
                if any(lit):
                    upper, lower = (colour if on else behind for on in lit)
                    canvas.pixels(x + column, y + row, upper, lower)
        x += (len(glyph[0]) + 1) * scale
