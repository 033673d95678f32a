# Decks: load, shuffle and count, remove; their age. Form of a row: system.py. {words} are filled in by it.
# "LATER" is not a rule: nothing forbids it, ask again.

ROWS = (
    # d deck, a declared as new, b cards lie in the infeed, c declared as shuffled before
    ("load", ("stopped", "out", "unsafe"), (
        (("too_old",), "@life", "the {deck} deck is over its time: remove it, declare a new one"),
        (("infeed_taken",), "TD-5", "the {declared} deck lies in the infeed already"),
        (("infeed_at_work",), "LATER", "the infeed is at work"),
        (("locked",), "CT-3", "the {deck} deck is locked out: remove it from the table"),
        (("gone_and_not_new",), "CT-3", "the {deck} deck was removed: only a new one may be declared"),
        (("shuffled_and_not_new",), "SH-6", "only the first shuffle of a new deck may have been made before"),
        (("second_deck",), "TD-1", "{game} is played with one deck"),
        (("gone", "infeed_empty"), "LATER", "the infeed is empty"),
        (("gone",), (("deck", "RENEW"), ("ASIS", "unshuffled"), ("AGE", 0)), ()),
        (("loadable", "infeed_empty"), "LATER", "the infeed is empty"),
        (("loadable",), (("deck", "LOAD"),), ()),
        ((), "TD-3", "the {deck} deck is {state}"),
    )),
    # d deck, b cards lie in the infeed. SH-7: in continuous play they are discards, and go back in
    ("shuffle", ("stopped", "out", "unsafe"), (
        (("mixed", "job"), "LATER", "the last stack has not been taken"),
        (("mixed", "infeed_empty"), "LATER", "the infeed is empty"),
        (("mixed",), (("deck", "RETURNING"),), ("fill",)),
        (("taking",), "LATER", "the infeed is at work"),
        (("not_declared",), "SH-1", "the {deck} deck is {state}; load it first"),
        (("wheel_taken",), "LATER", "the wheel holds the {in_wheel} deck"),
        (
            (),
            (("PAIR", "alternating"), ("deck", "SHUFFLE"), ("WHEEL", "deck"), ("INSIDE", 1)),
            ("fill",),
        ),
    )),
    # a cards counted into the wheel; when discards have gone back, all that are inside
    ("filled", (), (
        (("taking", "a_right"), (("wheel", "BACK"), ("CLOCK", 0)), ()),
        (
            ("taking", "more_than_a_deck"),
            (("wheel", "WRONG"), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"),
             ("ROUND", "ended")),
            ("wrong_deck",),
        ),
        (("taking",), (("wheel", "BACK"),), ()),
        (("filling", "a_right", "continuous"), (("wheel", "MIX"), ("ASIS", 0), ("CLOCK", 0)), ()),
        (("filling", "a_right"), (("wheel", "LOADED"), ("ASIS", 0)), ()),
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
             ("DOUBT", 1)),
            ("disagree",),
        ),
        ((), "EL-2", "no deck leaves the wheel"),
    )),
    # d deck
    ("remove_deck", ("stopped",), (
        (("gone",), "CT-3", "the {deck} deck was removed already"),
        (("removable",), (("deck", "REMOVE"), ("PAIR", 0)), ()),
        ((), "TD-3", "the {deck} deck is {state}"),
    )),
    # d deck, a 0 in time, 1 to be changed soon, 2 over its time
    ("age", (), (
        ((), (("AGE", "said"),), ()),
    )),
    # d deck, a counted by hand, with the hands of the round: all cards were there
    ("stub_counted", ("out",), (
        (("under_way",), "DS-6", "round {round} is not closed"),
        (("continuous",), "SH-7", "in continuous play the machine counts: put all cards back in"),
        (("a_nonzero",), (("CLOCK", 0), ("DOUBT", 0)), ()),
        (("removable",), (("deck", "WRONG"), ("CLOCK", 0)), ("lock",)),
        ((), "TD-3", "the {deck} deck is {state}"),
    )),
)
