# Rounds: open, no more bets, the starting position, close, void. The order of rows is the order in which reasons are
# told. In most rows a says that the request names the round that is open. A fault, an open lid, or out of service
# makes a round void, so what is refused then is refused as that: DS-8.

ROWS = (
    # a players, b the number is greater than any before; c, in continuous play: 1 some cards are not inside, 2 too many
    ("open", ("stopped", "out"), (
        (("under_way",), "DS-4", "round {round} is still open"),
        (("void_in_shoe",), "DS-8", "round {round} is void: release its cards first"),
        (("not_later",), "SH-1", "round {n} is not after round {round}"),
        (("wrong_players",), "DS-12", "players must be 1 to {most}"),
        (("job",), "LATER", "the deck is coming out"),
        (("taking",), "LATER", "discards are going back in"),
        (("none_ready",), "SH-1", "no shuffled and counted deck is there"),
        (("same_deck",), "TD-4", "the {last} deck was dealt in the last round; the decks alternate"),
        (("ready_too_old",), "@life", "the deck is over its time: give it back, declare a new one"),
        (("void", "some_outside"), "DS-8", "round {round} is void: all its cards must be back inside"),
        (("too_few",), "SH-7", "too few cards are inside for this round: put the discards back in"),
        (("count_due",), "CT-1", "five rounds without a count that is trusted: {count}"),
        (
            (),
            (
                ("zero", "OF_ROUND"), ("ROUND", "BETS"), ("OWED", "owed"), ("LAST", "dealt"), ("last", "OPEN"),
            ),
            ("opened",),
        ),
    )),
    ("no_more_bets", ("void", "closed", "another_round"), (
        (("bets",), (("ROUND", "DEALT"),), ()),
        (("job",), "LATER", "the last stack has not been taken"),
        (("draw_next",), (("ROUND", "DRAW1"), ("DRAWN", 0)), ()),
        (("draw_again",), (("ROUND", "DRAW2"), ("DRAWN", 0)), ()),
        ((), "DS-4", "no more bets has been declared for round {round} already"),
    )),
    ("draw_start", ("void", "closed", "another_round"), (
        (("no_start",), "DS-13", "{game} has no starting position"),
        (("bets",), "DS-4", "no more bets has not been declared for round {round}"),
        (("start_known",), "DS-13", "the starting position of round {round} is drawn"),
        (("stopped",), "EL-2", "{fault}"),
        (("out",), "SH-5", "out of service"),
        ((), (("START", "WANTED"),), ("draw",)),
    )),
    # a what chance has drawn
    ("start_drawn", (), (
        (("start_wanted",), (("START", "said"),), ()),
        ((), "DS-13", "no starting position is asked for"),
    )),
    ("close", ("void", "closed", "another_round", "bets"), (
        (("by_hand", "hand"), (("zero", "OF_ROUND"), ("hand", "RELEASED"), ("ROUND", "CLOSED"),
         ("CLOCK", "rounds")), ()),
        (("job",), "LATER", "the last stack has not been taken"),
        (
            ("continuous", "all_stacks"),
            (("zero", "OF_ROUND"), ("ROUND", "CLOSED"), ("CLOCK", "rounds")),
            (),
        ),
        (
            ("released",),
            (("zero", "OF_ROUND"), ("ROUND", "CLOSED"), ("CLOCK", "rounds")),
            (),
        ),
        ((), "DS-6", "the remainder of round {round} has not been released"),
    )),
    # the dealer declares all hands void
    ("void_round", ("void", "closed", "another_round", "job"), (
        (("hand",), (("ROUND", "VOID"), ("hand", "RELEASED")), ("void",)),
        ((), (("ROUND", "VOID"),), ("void",)),
    )),
)
