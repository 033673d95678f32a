"""The picture of the machine and the table, laid out for a screen of 80 by 24 or more."""

from __future__ import annotations

from collections.abc import Sequence

from boards import mechanics as M
from host_tools.play.canvas import Canvas, blend
from host_tools.play.digits import draw_digits, width_of
from host_tools.play.ring import draw_ring
from host_tools.play.scene import Scene
from sim.card import Card
from sim.machine import Picture

MIN_WIDTH, MIN_HEIGHT = 80, 24
NIGHT, FELT, BAR = 0x14171C, 0x0E3B2E, 0x232A33
TEXT, DIM, FAINT, WHITE = 0xC9D1D9, 0x76828F, 0x3A434E, 0xF4F6F8
GREEN, AMBER, ALARM = 0x4CC38A, 0xF2B53A, 0xFF5A52
BACKS = {"red": 0xE5484D, "blue": 0x4C8DF6}
LAMPS = {"green": GREEN, "amber": AMBER, "red": ALARM}

LEFT = 12  # columns for the infeed and the path
RIGHT = 14  # columns for the exit and the shoe
PANEL = 20
STRIP = 3  # rows of the table
MM_A_COLUMN = 8
CARDS_A_HALF_ROW = 5


class View:
    """Draws into a canvas; where things stand depends on the size of the screen."""

    def __init__(self, width: int, height: int) -> None:
        self.canvas = Canvas(width, height, NIGHT)
        wide = (width - LEFT - RIGHT - PANEL) // 2
        self.rows = min(height - STRIP - 4, wide, 31)
        self.rows -= 1 - self.rows % 2  # odd, so that the path meets the axle
        self.mid = 1 + self.rows // 2
        self.shoe_x = LEFT + 2 * self.rows
        self.panel_x = self.shoe_x + RIGHT
        self.table_y = 1 + self.rows
        self.log_y = self.table_y + STRIP

    def draw(self, picture: Picture, scene: Scene, speed: float) -> Canvas:
        """One frame."""
        self.canvas.clear()
        self._title(scene)
        self._infeed(picture)
        self._wheel(picture, scene)
        self._shoe(picture)
        self._panel(picture, scene, speed)
        self._table(scene)
        self._log(scene)
        return self.canvas

    # -- the machine ---------------------------------------------------------------------------

    def _infeed(self, picture: Picture) -> None:
        canvas, mid = self.canvas, self.mid
        self._pile(2, mid - 1, picture.infeed)
        canvas.text(2, mid + 1, "╵", AMBER if _covered(picture.path, M.ENTRY_BEAM_UM) else FAINT)
        at = 2 + M.COUNT_BEAM_UM // (MM_A_COLUMN * 1000)
        canvas.text(at, mid + 1, "╵", AMBER if _covered(picture.path, M.COUNT_BEAM_UM) else FAINT)
        canvas.text(2, mid + 2, f"infeed {len(picture.infeed):2}", DIM)

    def _wheel(self, picture: Picture, scene: Scene) -> None:
        canvas, rows = self.canvas, self.rows
        slots = [BACKS[cards[-1].back] if cards else None for cards in picture.slots]
        draw_ring(canvas, LEFT, 1, rows, picture.angle, slots)
        for card, x in picture.path:
            self._card(2, self.mid, x, card)
        inside = [card for cards in picture.slots for card in cards]
        if not inside:
            return
        text = str(len(inside))
        scale = 2 if rows < 26 else 3
        left = LEFT + rows - width_of(text, scale) // 2
        top = self.mid - (5 * scale + 1) // 4 - 1
        draw_digits(canvas, left, top, text, scale, BACKS[inside[0].back])
        self._centre(top + (5 * scale + 1) // 2 + 1, f"of {scene.expected}", DIM)

    def _centre(self, y: int, text: str, colour: int) -> None:
        self.canvas.text(LEFT + self.rows - len(text) // 2, y, text, colour)

    def _shoe(self, picture: Picture) -> None:
        canvas, mid, x = self.canvas, self.mid, self.shoe_x
        cards, out = picture.pushed
        for card in cards:
            self._card(x, mid, out, card)
        waiting = ([] if picture.dealing is None else [picture.dealing[0]]) + picture.shoe
        bottom = 1 + self.rows - 2
        self._pile(x + 2, bottom - 1, picture.shoe)
        canvas.text(x + 2, bottom + 1, f"shoe {len(waiting)}" if waiting else "shoe", DIM)
        lit = FAINT
        if picture.dealing is not None:
            card, moved = picture.dealing
            self._card(x + 2 + 8, bottom, moved, card)
            lit = AMBER if moved >= M.DEAL_BEAM_UM else FAINT
        canvas.text(x + 2 + 8 + M.DEAL_BEAM_UM // (MM_A_COLUMN * 1000), bottom - 1, "╷", lit)
        for i, card in enumerate(picture.tray[:PANEL]):
            canvas.text(self.panel_x + 4 + i, bottom, "▌", BACKS[card.back])
        if picture.chute:
            canvas.text(self.panel_x + 1, bottom, "›" * picture.chute, AMBER)
        label = f"tray {len(picture.tray)}" if picture.tray else "tray"
        canvas.text(self.panel_x + 4, bottom + 1, label, DIM)

    def _pile(self, x: int, y: int, cards: Sequence[Card]) -> None:
        """Cards on top of each other, seen from the side; `y` is the lowest row."""
        halves = [
            blend(NIGHT, BACKS[cards[at].back], 1.0 if i % 2 else 0.8)
            for i, at in enumerate(range(0, len(cards), CARDS_A_HALF_ROW))
        ]
        for i in range(0, len(halves), 2):
            lower = halves[i]
            upper = halves[i + 1] if i + 1 < len(halves) else NIGHT
            for column in range(8):
                self.canvas.pixels(x + column, y - i // 2, upper, lower)

    def _card(self, x: int, y: int, lead_um: float, card: Card) -> None:
        """A card on its way, its leading edge so far from column x."""
        first = round((lead_um - M.CARD_LENGTH_UM) / 1000 / MM_A_COLUMN)
        last = round(lead_um / 1000 / MM_A_COLUMN)
        first = max(first, 0)
        self.canvas.text(x + first, y, "━" * max(last - first, 0), BACKS[card.back])

    # -- what the machine says -----------------------------------------------------------------

    def _title(self, scene: Scene) -> None:
        self.canvas.fill(0, 0, self.canvas.width, 1, BAR)
        self.canvas.text(1, 0, "dovetail", WHITE)
        self.canvas.text(11, 0, scene.title, TEXT)

    def _panel(self, picture: Picture, scene: Scene, speed: float) -> None:
        canvas, x = self.canvas, self.panel_x
        for i, (name, colour) in enumerate(LAMPS.items()):
            on = picture.lamps.get(name, False)
            canvas.text(x + 7 * i, 2, "●" if on else "○", colour if on else FAINT)
            canvas.text(x + 7 * i + 1, 2, name, TEXT if on else FAINT)
        if picture.lamps.get("buzzer"):
            canvas.text(x + 19, 2, "♪", ALARM)
        self._count(scene, x)
        fault = scene.fault
        lines = [
            (f"round {scene.round} of {scene.rounds}" if scene.round else "", TEXT),
            (scene.phase, ALARM if fault else WHITE),
            (fault, ALARM),
            (f"machine {picture.ns / 1e9:.1f} s", DIM),
            (f"{speed:.1f} × real time", DIM),
        ]
        for y, (text, colour) in enumerate(lines, 9):
            canvas.text(x, y, text[: canvas.width - x], colour)
        opened = [name for name, safe in picture.switches.items() if not safe]
        if opened:
            canvas.text(x, 14, f"{', '.join(opened)} open", ALARM)

    def _count(self, scene: Scene, x: int) -> None:
        """`52 of 52`, large, from the machine's own words."""
        if scene.counted is None:
            self.canvas.text(x, 5, "no deck is ready", FAINT)
            return
        back, text = scene.counted
        colour = BACKS.get(back, TEXT)
        before, _, after = text.partition(" of ")
        self.canvas.text(x, 4, f"{back} deck, counted", DIM)
        if not (before.isdigit() and after.isdigit()):
            self.canvas.text(x, 6, text, colour)
            return
        draw_digits(self.canvas, x, 5, before, 1, colour)
        self.canvas.text(x + 8, 6, "of", DIM)
        draw_digits(self.canvas, x + 11, 5, after, 1, colour)

    # -- the table -----------------------------------------------------------------------------

    def _table(self, scene: Scene) -> None:
        canvas, y = self.canvas, self.table_y
        canvas.fill(0, y, canvas.width, STRIP, FELT)
        places = scene.players + 2
        share = canvas.width // places
        colour = BACKS.get(scene.back, TEXT)
        for i in range(places):
            x = i * share + share // 2 - 4
            if i < scene.players:
                name, cards = f"player {i + 1}", scene.seats.get(i + 1, 0)
            elif i == scene.players:
                name, cards = "dealer", scene.seats.get(i + 1, 0)
            else:
                name, cards = "stub", scene.stub or 0
            canvas.text(x, y + 2, name, TEXT if cards else 0x5E8A7A)
            if name == "stub" and cards:
                canvas.text(x, y + 1, f"▐█▌ {cards}", colour)
            else:
                canvas.text(x, y + 1, " ".join("█" * cards), colour)

    def _log(self, scene: Scene) -> None:
        room = self.canvas.height - self.log_y
        lines = list(scene.log)[-room:]
        for y, line in enumerate(lines, self.log_y):
            newest = y == self.log_y + len(lines) - 1
            self.canvas.text(1, y, line[: self.canvas.width - 2], WHITE if newest else DIM)


def _covered(path: Sequence[tuple[Card, float]], beam_um: int) -> bool:
    return any(beam_um <= x < beam_um + M.CARD_LENGTH_UM for _, x in path)
