# Game profiles: every value cites its rule, and a profile that contradicts itself is refused.

from dovetail.cards import profiles
from dovetail.cards.ledger import REMAINDER, SHOE, STACK, WHEEL, Ledger
from dovetail.cards.profile import Profile, ProfileError
from dovetail.table.registry import RULES, known


def _refused(game, key, number, rule=None):
    rows = []
    for name, value, cite in profiles.rows(game):
        rows.append((name, number if name == key else value, rule or cite if name == key else cite))
    try:
        Profile(game, rows=rows, known=known)
    except ProfileError as error:
        return str(error)
    return None


def _rule_against(**setting):
    try:
        Profile("let_it_ride", **setting)
    except ProfileError as error:
        return error.rule
    return None


def test_every_profile_is_whole_and_cites_known_rules():
    """CT-2 DS-1 DS-2 DS-3: eight games, each by its own rules."""
    assert len(profiles.names()) == 8
    for game in profiles.names():
        for by_hand in (0, 1):
            Profile(game, by_hand, known=known)


def test_a_profile_that_contradicts_itself_is_refused():
    """CT-2 DS-3 CL-1 SH-7: by rule, key and number."""
    assert _refused("let_it_ride", "cards", 51) == "CT-2: cards 51: 52, 53 or 54"
    assert _refused("pai_gow_poker", "stack", 8) == "DS-3: stack 8: 1 to 7"
    assert _refused("let_it_ride", "dealer_stack", 8) == "DS-1: dealer_stack 8: at most 7"
    assert _refused("caribbean_stud", "stack", 7) == "DS-2: stack 7: 54 cards of 52 for all stacks"
    assert _refused("pai_gow_poker", "rest", 5) == "CT-5: rest 5: 4 cards are left"
    assert _refused("double_draw", "draws_later", 2) == "DS-7: draws_first 3: 60 cards of 54"
    assert _refused("let_it_ride", "stack", 0) == "DS-1: stack 0: 1 to 7"
    assert _refused("let_it_ride", "life_hand", 9) == "CL-1: life_hand 9: no longer than from the shoe"
    assert _refused("let_it_ride", "stub", 2) == "CT-6: stub 2: 0 or 1"
    assert _refused("let_it_ride", "players", 8, "DS-12") == "DS-12: players 8: 1 to 7"
    assert _refused("let_it_ride", "cut", 0, "SH-99") == "SH-99: cut 0: no such rule"
    assert _rule_against(continuous=1) == "HOUSE"
    assert _rule_against(cards=54) == "CT-2"


def test_a_plain_deck_of_54_by_configuration():
    """CT-2: where the texts leave the number open the house may choose it."""
    assert Profile("plain", cards=54).cards == 54


def test_the_rules_are_named_once():
    ids = [row[0] for row in RULES]
    assert len(ids) == len(set(ids)) == 40


def test_the_ledger_never_goes_below_nothing():
    """CT-1: a card that was never counted in is a count that disagrees."""
    ledger = Ledger()
    ledger.seated()
    ledger.ejected()
    assert (ledger.at[WHEEL], ledger.at[SHOE], ledger.inside()) == (0, 1, 1)
    assert ledger.given(STACK)
    assert not ledger.given(REMAINDER)
    assert ledger.dealt == 2
    assert ledger.at[REMAINDER] == 0
