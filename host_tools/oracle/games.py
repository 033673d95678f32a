"""Find the table of a game and of its way of delivery."""

from __future__ import annotations

from host_tools.oracle import draw_games, shoe_games, stud_games
from host_tools.oracle.facts import Game, Name
from host_tools.oracle.rules import GameRules, Way

GAMES: dict[Name, GameRules] = {
    "boston_5": stud_games.BOSTON_5,
    "let_it_ride": stud_games.LET_IT_RIDE,
    "double_down_stud": stud_games.DOUBLE_DOWN_STUD,
    "caribbean_stud": stud_games.CARIBBEAN_STUD,
    "double_draw": draw_games.DOUBLE_DRAW,
    "pai_gow_poker": draw_games.PAI_GOW_POKER,
    "three_card_poker": draw_games.THREE_CARD_POKER,
    "poker": draw_games.POKER,
    "blackjack": shoe_games.BLACKJACK,
    "red_dog": shoe_games.RED_DOG,
    "minibaccarat": shoe_games.MINIBACCARAT,
}
JOKERS = "13:69E-1.17(h)"  # a joker may be used in few games
SILENT = Way()


def find_rules(game: Game) -> tuple[GameRules, Way]:
    """Return what binds this game; a way that the texts refuse has no table of its own."""
    rules = GAMES[game.name]
    return rules, rules.ways.get(game.delivery, SILENT)
