# Game profiles: every value cites its rule, and a profile that contradicts itself is refused.

from dovetail.cards import profiles
from dovetail.cards.configuration import load_profile, make_profile, signed_anew
from dovetail.cards.ledger import REMAINDER, SHOE, STACK, WHEEL, Ledger
from dovetail.cards.profile import Profile, ProfileError
from dovetail.table.registry import RULES, known


def _refused(game, key, number, rule=None, by_hand=0):
    rows = []
    for name, value, cite in profiles.rows(game):
        rows.append((name, number if name == key else value, rule or cite if name == key else cite))
    try:
        Profile(game, by_hand, rows=rows, known=known)
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
    """CT-2 DS-1 DS-2 DS-3: nine games, each by its own rules."""
    assert len(profiles.names()) == 9
    for game in profiles.names():
        for by_hand in (0, 1):
            if profiles.value(game, "hand" if by_hand else "shoe"):
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
    assert _refused("boston_5", "stages", 0) == "DS-4: stages 0: 1 to 3"
    assert _refused("double_draw", "stages", 2) == "DS-4: stages 2: one more than the draws of a round, at least"
    assert _refused("poker", "players", 12, by_hand=1) == "DS-12: players 12: 1 to 11"
    assert _refused("poker", "sorted", 5, by_hand=1) == "CL-5: sorted 5: no longer than the deck's life"


def test_jokers_are_in_no_other_game():
    """CD-1: fifty-three or fifty-four cards are refused wherever the texts know no joker."""
    for game, cards in (("plain", 54), ("plain", 53), ("poker", 54), ("caribbean_stud", 53), ("three_card_poker", 54)):
        assert _rule_of(game, 1, cards) == "CD-1"
    jokers = [game for game in profiles.names() if profiles.value(game, "cards") != 52]
    assert jokers == ["double_draw", "pai_gow_poker"]


def _rule_of(game, by_hand, cards=0):
    try:
        Profile(game, by_hand, cards=cards)
    except ProfileError as error:
        return error.rule
    return None


def test_a_game_is_dealt_as_its_text_says():
    """SH-2 DS-15: double down stud and poker come out of the shoe of no machine."""
    assert _rule_of("double_down_stud", 0) == "DS-15"
    assert _rule_of("poker", 0) == "SH-2"
    for game in profiles.names():
        assert _rule_of(game, 1) is None


def test_the_rules_are_named_once():
    ids = [row[0] for row in RULES]
    assert len(ids) == len(set(ids)) == 47


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


def _game_of(blob, key):
    try:
        return load_profile(blob, key).game
    except ValueError:
        return None


def test_new_keys_sign_no_profile_that_the_old_ones_did_not():
    """EL-2: a profile that was bent, or signed by somebody else, is not made good by a renewal of keys."""
    old, new, other = bytes([1] * 32), bytes([2] * 32), bytes([3] * 32)
    blob = make_profile(old, "boston_5")
    assert _game_of(signed_anew(blob, old, new), new) == "boston_5"
    assert _game_of(signed_anew(blob, old, new), old) is None
    assert _game_of(signed_anew(blob, other, new), new) is None
    bent = blob[:4] + b"\x01" + blob[5:]
    assert _game_of(signed_anew(bent, old, new), new) is None


def _said_of(game, key):
    try:
        return profiles.value(game, key)
    except ValueError as error:
        return str(error)


def test_a_game_or_a_key_that_is_not_there_is_named():
    """CT-2: by the one who asks for it, in words."""
    assert _said_of("let_it_ride", "cards") == 52
    assert _said_of("let_it_ride", "coins") == "let_it_ride has no coins"
    assert _said_of("whist", "cards") == "no game whist"
