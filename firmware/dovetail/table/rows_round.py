# Rounds: open, no more bets, the starting position, close, void. The order of rows is the order in which reasons are
# told. In most rows a says that the request names the round that is open. A fault, an open lid, or out of service
# makes a round void, so what is refused then is refused as that: DS-8.

ROWS = (
    # a players, b the number is greater than any before; c, in continuous play: 1 some cards are not inside, 2 too many
    ("open", ("stopped", "out"), (
        (("under_way",), "DS-4", "round {round} is still open: close it, or declare it void"),
        (("void_in_shoe",), "DS-8", "round {round} is void: release its cards first"),
        (("not_later",), "SH-1", "round {n} is not after round {round}"),
        (("wrong_players",), "DS-12", "players must be {least} to {most}"),
        (("job",), "LATER", "the deck is coming out"),
        (("taking",), "LATER", "discards are going back in"),
        (("idled",), "SH-9", "the table was idle since the shuffle: out with the deck, mix it, load and shuffle it"),
        (("none_ready",), "SH-1", "no shuffled and counted deck is there"),
        (("same_deck",), "TD-4", "the {turn} deck was dealt last: deal the other, or have the supervisor remove that"),
        (("ready_too_old",), "@life", "the deck is {aged}: {renew}, declare a new one"),
        (("ready_unsorted",), "CL-5", "the deck has to be put in suit and sequence: then load it sorted"),
        (("void", "some_outside"), "DS-8", "round {round} is void: all its cards must be back inside"),
        (("too_few",), "SH-7", "too few cards are inside for this round: put the discards back in"),
        (("count_due",), "CT-1", "five rounds without a count that is trusted: {count}"),
        (
            (),
            (
                ("zero", "OF_ROUND"), ("ROUND", "BETS"), ("OWED", "owed"), ("LAST", "dealt"), ("STUB", 0),
                ("next", "OPEN"),
            ),
            ("opened",),
        ),
    )),
    ("no_more_bets", ("void", "closed", "another_round"), (
        (("bets", "begun_too_old"), "@life", "the deck is over its time: declare round {round} void"),
        (("bets", "begun_unsorted"), "CL-5", "the deck has to be put in suit and sequence: declare round {round} void"),
        (("bets",), (("ROUND", "DEALT"), ("TURN", "turn_of_hand")), ()),
        (("job",), "LATER", "the last stack has not been taken"),
        (("stacks_owed",), "DS-4", "no more bets is declared for round {round}; {stacks} of {owed} stacks are dealt"),
        (("second_call",), (("ROUND", "CALL2"), ("DRAWN", 0)), ()),
        (("third_call",), (("ROUND", "CALL3"), ("DRAWN", 0)), ()),
        ((), "DS-4", "no more bets has been declared for round {round} already"),
    )),
    ("draw_start", ("void", "closed", "another_round"), (
        (("no_start",), "DS-13", "{game} has no starting position"),
        (("bets",), "DS-4", "no more bets has not been declared for round {round}"),
        (("start_known",), "DS-13", "the starting position of round {round} is drawn"),
        (("stopped",), "EL-2", "{fault}"),
        (("out",), "SH-5", "out of service: empty the machine, then back in service"),
        ((), (("START", "WANTED"),), ("draw",)),
    )),
    # a what chance has drawn
    ("start_drawn", (), (
        (("start_wanted",), (("START", "said"),), ()),
        ((), "DS-13", "no starting position is asked for"),
    )),
    ("close", ("void", "closed", "another_round", "bets"), (
        (("by_hand", "call_missing"), "DS-4", "no more bets is declared {stages} times in a round of {game}"),
        (("by_hand", "hand"), (("zero", "OF_ROUND"), ("hand", "RELEASED"), ("ROUND", "CLOSED"),
         ("CLOCK", "rounds"), ("CLOCK_LAST", "rounds_last")), ()),
        (("job",), "LATER", "the last stack has not been taken"),
        (
            ("continuous", "all_stacks"),
            (("zero", "OF_ROUND"), ("ROUND", "CLOSED"), ("CLOCK", "rounds"), ("CLOCK_LAST", "rounds_last")),
            (),
        ),
        (
            ("released",),
            (("zero", "OF_ROUND"), ("ROUND", "CLOSED"), ("CLOCK", "rounds"), ("CLOCK_LAST", "rounds_last")),
            (),
        ),
        ((), "DS-6", "{left}"),
    )),
    # the dealer declares all hands void; b 1: a card of the dealer's was exposed too early
    ("void_round", ("void", "closed", "another_round", "job"), (
        (("exposed_in_time",), "DS-14", "after the last no more bets the dealer's cards may be seen"),
        (("exposed_nothing",), "DS-14", "no card of the dealer's was dealt yet: declare the round void by the dealer"),
        (("hand",), (("ROUND", "VOID"), ("hand", "RELEASED")), ("void",)),
        ((), (("ROUND", "VOID"),), ("void",)),
    )),
)
