# Decks: load, shuffle and count, remove; their age. Form of a row: system.py. {words} are filled in by it.
# "LATER" is not a rule: nothing forbids it, ask again.

ROWS = (
    # d deck, a 1 declared as new by the supervisor, 2 by somebody else; b cards lie in the infeed, c 1 declared as
    # shuffled before, 2 as put in suit and sequence, 3 as both
    ("load", ("stopped", "out", "unsafe"), (
        (("new_by_another",), "SH-11", "a new deck is inspected, and declared with the supervisor's key"),
        (("too_old",), "@life", "the {deck} deck is {aged}: {renew}, declare a new one"),
        (("unsorted",), "CL-5", "the {deck} deck has to be put in suit and sequence: every {sorted} hours"),
        (("infeed_taken",), "TD-5", "the {declared} deck lies in the infeed already"),
        (("infeed_at_work",), "LATER", "the infeed is at work"),
        (("locked",), "CT-3", "the {deck} deck is locked out: remove it from the table"),
        (("stub_due",), "CT-1", "five rounds without a count that is trusted: count the {deck} deck first"),
        (("gone_and_not_new",), "CT-3", "the {deck} deck was removed: only a new one may be declared"),
        (("here_and_new",), "CT-3", "the {deck} deck is at the table: remove it, then declare the new one"),
        (("never_brought",), "SH-6", "in {game}, as it is dealt here, the machine makes every shuffle"),
        (("brought_and_not_new",), "SH-6", "only a new deck may come shuffled: remove the {deck} deck first"),
        (("second_deck",), "TD-1", "{game} is played with one deck: give back or remove the {other} deck first"),
        (("gone", "infeed_empty"), "LATER", "the infeed is empty"),
        (
            ("gone",),
            (
                ("deck", "RENEW"), ("ORDER_OF", "brought"), ("AGE_OF", 0), ("CLOCK_OF", 0), ("DOUBT", "undoubted"),
                ("CLOCK", "clock_left"), ("LAST", "last_left"),
            ),
            (),
        ),
        (("loadable", "of_open_round"), "SH-1", "round {round} is still open: its deck is shuffled after it"),
        (("loadable", "infeed_empty"), "LATER", "the infeed is empty"),
        (("loadable",), (("deck", "LOAD"), ("ORDER_OF", 0)), ()),
        ((), "TD-3", "the {deck} deck is {state}: {way}"),
    )),
    # d deck: the infeed is empty, so that nobody can say what will lie there
    ("unloaded", (), (
        (("declared",), (("deck", "UNLOAD"), ("ORDER_OF", 0)), ()),
        ((), "EL-2", "the {deck} deck is {state}"),
    )),
    # d deck, b cards lie in the infeed, c in service. SH-7: in continuous play they are discards, and go back in
    ("shuffle", ("stopped", "out", "unsafe"), (
        (("mixed", "job"), "LATER", "the last stack has not been taken"),
        (("mixed", "infeed_empty"), "LATER", "the infeed is empty"),
        (("mixed",), (("deck", "RETURNING"),), ("fill",)),
        (("taking",), "LATER", "the infeed is at work"),
        (("not_declared",), "SH-1", "the {deck} deck is {state}: load it when it lies on the table"),
        (("wheel_taken",), "LATER", "the wheel holds the {in_wheel} deck"),
        (
            (),
            (("PAIR", "alternating"), ("deck", "SHUFFLE"), ("WHEEL", "deck"), ("INSIDE", 1)),
            ("fill",),
        ),
    )),
    # a cards counted into the wheel; when discards have gone back, all that are inside
    ("filled", (), (
        (("taking", "a_right"), (("wheel", "BACK"), ("CLOCK", 0), ("CLOCK_IN", 0)), ()),
        (
            ("taking", "more_than_a_deck"),
            (("wheel", "WRONG"), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"),
             ("ROUND", "ended")),
            ("wrong_deck",),
        ),
        (("taking",), (("wheel", "BACK"),), ()),
        (
            ("filling", "a_right", "continuous"),
            (("wheel", "MIX"), ("ORDER_IN", "order_made"), ("CLOCK", 0), ("CLOCK_IN", 0)),
            (),
        ),
        (("filling", "a_right"), (("wheel", "LOADED"), ("ORDER_IN", "order_made")), ()),
        (
            ("filling",),
            (("wheel", "WRONG"), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"),
             ("ROUND", "ended")),
            ("wrong_deck",),
        ),
        ((), "EL-2", "no deck is being shuffled"),
    )),
    ("moved", (), (
        (("held", "shoe_taken"), "LATER", "the shoe holds the {in_shoe} deck"),
        (("held",), (("wheel", "MOVE"), ("SHOE", "in_wheel")), ()),
        ((), "EL-2", "no deck lies in the wheel"),
    )),
    # a cards counted into the wheel, b out of it: I-1 asks for both
    ("emptied", (), (
        (("emptying", "both_right"), (("shoe", "COUNTED"), ("WHEEL", 0)), ("ready",)),
        (
            ("emptying",),
            (("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"), ("ROUND", "ended"),
             ("DOUBT", "both_decks")),
            ("disagree",),
        ),
        ((), "EL-2", "no deck leaves the wheel"),
    )),
    # d deck, a 1 by the supervisor's word, b cards lie in the infeed
    ("remove_deck", ("stopped",), (
        (
            ("gone", "supervised"),
            (("PAIR", 0), ("CLOCK", "clock_left"), ("LAST", "last_left"), ("TURN", "turn_left")),
            (),
        ),
        (("gone",), "CT-3", "the {deck} deck was removed already"),
        (("declared",), "TD-3", "the {deck} deck lies in the infeed: take it out first"),
        (("removable", "of_open_round"), "SH-1", "round {round} is still open: close it first"),
        (("removable", "infeed_unknown"), "CT-3", "cards lie in the infeed: take them out first"),
        (("removable", "tray"), "CT-3", "cards lie in the tray: take them out first"),
        (
            ("removable", "supervised"),
            (
                ("deck", "REMOVE"), ("PAIR", 0), ("CLOCK", "clock_left"), ("LAST", "last_left"),
                ("TURN", "turn_left"),
            ),
            (),
        ),
        (("removable",), (("deck", "REMOVE"),), ()),
        ((), "TD-3", "the {deck} deck is {state}: {way}"),
    )),
    # d deck, a 0 in time, 1 to be changed soon, 2 over its time
    ("age", (), (
        ((), (("AGE_OF", "said"),), ()),
    )),
    # SH-9: nobody has played for a while
    ("idle", (), (
        (("under_way",), "DS-4", "round {round} is still open: close it, or declare it void"),
        ((), (("ORDER_RED", "idled_red"), ("ORDER_BLUE", "idled_blue")), ()),
    )),
    # d deck, a counted by hand, with the hands of the round: all cards were there
    ("stub_counted", ("out",), (
        (("continuous",), "SH-7", "in continuous play the machine counts: put all cards back in"),
        (("not_dealt_out",), "DS-6", "round {round} is under way: its stub is counted when it is out"),
        (("on_table", "tray"), "LATER", "cards lie in the tray"),
        (
            ("on_table", "a_wrong", "of_round_void"),
            (("deck", "WRONG"), ("STUB", 0), ("CLOCK", 0), ("CLOCK_OF", 0), ("ROUND", "VOID")),
            ("lock",),
        ),
        (
            ("on_table", "a_wrong"),
            (("deck", "WRONG"), ("STUB", 0), ("CLOCK", "clock_left"), ("CLOCK_OF", 0)),
            ("lock",),
        ),
        (
            ("on_table", "not_last", "none_since"),
            "CT-1",
            "no round was played with the {deck} deck since it was counted",
        ),
        (("on_table", "not_last"), (("CLOCK", "clock_left"), ("CLOCK_OF", 0), ("DOUBT", "undoubted")), ()),
        (("on_table", "stub_known"), "CT-1", "the stub of round {round} was counted already"),
        (
            ("on_table",),
            (("CLOCK", 0), ("CLOCK_OF", 0), ("DOUBT", "undoubted"), ("STUB", 1)),
            (),
        ),
        (("locked",), "CT-3", "the {deck} deck is locked out: remove it from the table"),
        (("gone",), "CT-3", "the {deck} deck was removed"),
        ((), "TD-3", "the {deck} deck is {state}: {way}"),
    )),
)
