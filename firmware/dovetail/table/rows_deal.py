# What leaves the shoe: stacks, draws, a card in place of one found face up, the remainder. See rows_round.py.

ROWS = (
    # a as above, b position, c cards
    ("deal", ("void", "closed", "another_round", "bets", "released", "by_hand"), (
        (("no_start_yet",), "DS-13", "the starting position of round {round} is not drawn"),
        (("begun_too_old",), "@life", "the deck is over its time: declare round {round} void"),
        (("taking",), "LATER", "discards are going back in"),
        (("job",), "LATER", "the last stack has not been taken"),
        (("tray",), "LATER", "cards lie in the tray"),
        (("no_draws",), "DS-6", "the stacks of round {round} are dealt; more is dealt by hand, from the remainder"),
        (("wrong_size",), "@stack", "a stack is {size} cards"),
        (("all_stacks",), "DS-5", "all {owed} stacks of round {round} are dealt"),
        (("wrong_position",), "DS-5", "the next stack belongs to position {next}"),
        (("wrong_drawer",), "DS-5", "players draw once each, in their order: the last was position {drawn}"),
        (("too_many",), "DS-7", "a player draws 1 to {limit} cards"),
        (("drawing",), (("JOB", "DRAW"), ("DRAWN", "position")), ("deal",)),
        ((), (("JOB", "STACK"), ("TURN", "last")), ("deal",)),
    )),
    # a cards delivered, with one that lay on the table, b cards ordered, c position
    ("delivered", (), (
        (("job_stack", "as_ordered"), (("STACKS", "one_more"), ("EXTRA", 0), ("JOB", "TAKE"), ("TRAY", 1)), ()),
        (("job_draw", "as_ordered"), (("EXTRA", 0), ("JOB", "TAKE"), ("TRAY", 1)), ()),
        # DS-10: drawn in error and not exposed, it is the next card
        (
            ("job_stack", "one_over"),
            (("STACKS", "one_more"), ("EXTRA", 1), ("JOB", "TAKE"), ("TRAY", 1)),
            ("one_more",),
        ),
        (("job_draw", "one_over"), (("EXTRA", 1), ("JOB", "TAKE"), ("TRAY", 1)), ("one_more",)),
        # DS-11: a wrong number, of this hand alone where the game says so
        (
            ("job_stack", "players_alone"),
            (("STACKS", "one_more"), ("SPOILT", "spoilt"), ("EXTRA", 0), ("JOB", "TAKE"), ("TRAY", 1)),
            ("hand_void",),
        ),
        (
            ("job_draw", "players_alone"),
            (("SPOILT", "spoilt"), ("EXTRA", 0), ("JOB", "TAKE"), ("TRAY", 1)),
            ("hand_void",),
        ),
        (
            ("job_stack",),
            (("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", 0), ("ROUND", "VOID"),
             ("TRAY", 1)),
            ("misdeal",),
        ),
        (
            ("job_draw",),
            (("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", 0), ("ROUND", "VOID"),
             ("TRAY", 1)),
            ("misdeal",),
        ),
        ((), "EL-2", "no stack was ordered"),
    )),
    ("taken", (), (
        ((), (("TRAY", 0), ("JOB", "job_left")), ()),
    )),
    # what the tray's own sensor says, between orders
    ("tray_seen", (), (
        ((), (("TRAY", 1),), ()),
    )),
    # a as above, b position of the card
    ("face_up", ("void", "closed", "another_round", "bets", "released", "by_hand", "taking", "job", "tray"), (
        (("no_such_stack",), "DS-5", "nothing was dealt to that position"),
        (("faces",), (("ROUND", "VOID"),), ("void",)),
        ((), (("FACES", 1), ("JOB", "CARD")), ("deal",)),
    )),
    ("remainder", (), (
        (("void", "another_round"), "DS-4", "the last round is {round}"),
        (("void_in_shoe", "job"), "LATER", "the last stack has not been taken"),
        (("void_in_shoe", "tray"), "LATER", "cards lie in the tray"),
        (("void_in_shoe",), (("JOB", "REST"),), ("rest",)),
        (("void",), "DS-8", "round {round} is void: return all cards, load and shuffle"),
        (("closed",), "SH-1", "no round is open"),
        (("another_round",), "DS-4", "the open round is {round}"),
        (("bets",), "DS-4", "no more bets has not been declared for round {round}"),
        (("released",), "DS-6", "the remainder of round {round} is out already"),
        (("by_hand",), "SH-2", "the deck was delivered as a single stack: it is dealt from the hand"),
        (("continuous",), "SH-7", "in continuous play the rest stays inside"),
        (("job",), "LATER", "the last stack has not been taken"),
        (("tray",), "LATER", "cards lie in the tray"),
        (("stacks_missing",), "DS-6", "{stacks} of {owed} stacks are dealt"),
        (("call_missing",), "DS-4", "no more bets is declared {stages} times in a round of {game}"),
        ((), (("JOB", "REST"),), ("rest",)),
    )),
    # a deck that was not played comes out again
    ("give_back", ("stopped", "out", "unsafe"), (
        (("under_way",), "DS-6", "round {round} is under way"),
        (("job",), "LATER", "the last stack has not been taken"),
        (("tray",), "LATER", "cards lie in the tray"),
        (("ready",), (("JOB", "BACK"),), ("rest",)),
        ((), "SH-1", "no shuffled and counted deck lies in the shoe"),
    )),
    # SH-2: the deck as a single stack
    ("deliver", ("stopped", "out", "unsafe"), (
        (("from_shoe",), "SH-2", "the machine is set up to deal from the shoe"),
        (("idled_in_shoe",), "SH-9", "the table was idle since the shuffle: give the deck back"),
        (("single_stack_out",), "LATER", "the last single stack has not been dealt: deal it, or load it again"),
        (("job",), "LATER", "the last stack has not been taken"),
        (("tray",), "LATER", "cards lie in the tray"),
        (("ready",), (("JOB", "WHOLE"),), ("rest",)),
        ((), "SH-1", "no shuffled and counted deck lies in the shoe"),
    )),
    # a all cards that left the shoe since it was filled, b of them the remainder
    ("rest_out", (), (
        (
            ("job_rest", "a_right", "rest_wrong"),
            (("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", 0), ("ROUND", "VOID"), ("TRAY", 1)),
            ("misdeal",),
        ),
        (
            ("job_rest", "a_right", "void"),
            (("shoe", "RELEASED"), ("SHOE", 0), ("INSIDE", "left_inside"), ("JOB", 0), ("TRAY", 1)),
            ("released",),
        ),
        (
            ("job_rest", "a_right"),
            (
                ("shoe", "RELEASED"), ("SHOE", 0), ("INSIDE", "left_inside"), ("JOB", 0), ("TRAY", 1),
                ("ROUND", "RELEASED"),
            ),
            ("released",),
        ),
        (
            ("job_back", "a_right"),
            (("shoe", "RETURN"), ("SHOE", 0), ("INSIDE", "left_inside"), ("JOB", 0), ("TRAY", 1)),
            ("released",),
        ),
        (
            ("job_whole", "a_right"),
            (("shoe", "GIVE"), ("SHOE", 0), ("INSIDE", "left_inside"), ("JOB", 0), ("TRAY", 1)),
            ("whole",),
        ),
        (
            ("coming_out",),
            (
                ("shoe", "WRONG"), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", 0),
                ("ROUND", "ended"),
                ("TRAY", 1),
            ),
            ("wrong_deck",),
        ),
        ((), "EL-2", "nothing was released"),
    )),
)
