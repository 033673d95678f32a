"""A screen of coloured cells that sends only what has changed since the last frame."""

from __future__ import annotations

from collections.abc import Callable

# Colours are 0xRRGGBB; a cell is a character, its colour and what is behind it.
Cell = tuple[str, int, int]

UPPER, LOWER, FULL = "▀", "▄", "█"


def blend(behind: int, front: int, cover: float) -> int:
    """A colour that covers another one in part."""
    mixed = 0
    for shift in (16, 8, 0):
        a, b = behind >> shift & 255, front >> shift & 255
        mixed |= round(a + (b - a) * cover) << shift
    return mixed


def brightness(colour: int) -> int:
    """How light a colour is, 0 to 255."""
    return ((colour >> 16) * 3 + (colour >> 8 & 255) * 6 + (colour & 255)) // 10


class Canvas:
    """Rows of cells. `pixels` are half a cell high, so that they are about square."""

    def __init__(self, width: int, height: int, behind: int) -> None:
        self.width, self.height, self.behind = width, height, behind
        self.cells: list[Cell] = []
        self._shown: list[Cell | None] = [None] * (width * height)
        self.clear()

    def clear(self) -> None:
        """Everything empty, to be drawn again."""
        self.cells = [(" ", 0, self.behind)] * (self.width * self.height)

    def fill(self, x: int, y: int, width: int, height: int, behind: int) -> None:
        """One colour behind a rectangle."""
        for row in range(max(y, 0), min(y + height, self.height)):
            left, right = max(x, 0), min(x + width, self.width)
            start = row * self.width
            self.cells[start + left : start + right] = [(" ", 0, behind)] * max(right - left, 0)

    def text(self, x: int, y: int, text: str, colour: int, behind: int | None = None) -> None:
        """A line of text; what does not fit is cut. Keeps what is behind unless told otherwise."""
        if not 0 <= y < self.height:
            return
        start = y * self.width
        for i, char in enumerate(text, x):
            if 0 <= i < self.width:
                old = self.cells[start + i][2]
                self.cells[start + i] = (char, colour, old if behind is None else behind)

    def pixels(self, x: int, y: int, upper: int, lower: int) -> None:
        """The two halves of a cell."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.cells[y * self.width + x] = (UPPER, upper, lower)

    def changes(self, paint: Callable[[int, int], str], colours: bool = True) -> str:
        """What to send to a terminal to show the present cells. `paint` starts two colours."""
        out: list[str] = []
        cursor = -1
        last: tuple[int, int] | None = None
        for i, cell in enumerate(self.cells):
            if cell == self._shown[i]:
                continue
            self._shown[i] = cell
            if i != cursor or i % self.width == 0:
                out.append(f"\x1b[{i // self.width + 1};{i % self.width + 1}H")
            cursor = i + 1
            char, colour, behind = cell
            if not colours:
                out.append(_plain(cell))
                continue
            if char == UPPER and colour == behind:
                char = " "
            if (colour, behind) != last:
                last = (colour, behind)
                out.append(paint(colour, behind))
            out.append(char)
        return "".join(out)


def _plain(cell: Cell) -> str:
    """A cell without colours: light halves are drawn, dark ones left out."""
    char, colour, behind = cell
    if char != UPPER:
        return char
    light = brightness(colour) > 100, brightness(behind) > 100
    return {(True, True): FULL, (True, False): UPPER, (False, True): LOWER}.get(light, " ")
