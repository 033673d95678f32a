# The machine as a whole: what stops it, what lets it go on. SH-4, DS-8, EL-2, EL-3, EL-4, SH-5.

ROWS = (
    # a fault of severity STOP
    ("stop", (), (
        ((), (("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"), ("ROUND", "ended")), ()),
    )),
    # a fault of severity LOCK; d the deck whose number of cards is wrong
    ("lock", (), (
        ((), (("deck", "WRONG"), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"),
        ("ROUND", "ended")), ()),
    )),
    # a fault of severity DOWN: randomness, memory, software
    ("down", (), (
        ((), (("both", "BREAK"), ("FAULT", "DOWN"), ("JOB", 0), ("START", "start_left"), ("ROUND", "ended")), ()),
    )),
    # lid, door, mount or supply
    ("opened", (), (
        (("stopped",), (("OPEN", 1),), ()),
        (("looking",), (("OPEN", 1),), ()),
        (
            ("cards_inside",),
            (("OPEN", 1), ("both", "BREAK"), ("FAULT", "worse"), ("JOB", 0), ("START", "start_left"),
             ("ROUND", "ended")),
            ("stop",),
        ),
        ((), (("OPEN", 1),), ()),
    )),
    ("closed_again", (), (
        ((), (("OPEN", 0),), ()),
    )),
    # the operator has removed every card; a something still moves
    ("cleared", (), (
        (("out",), "SH-5", "out of service: empty the machine, then back in service"),
        (("no_fault",), (), ()),
        (("down",), "EL-2", "{fault}"),
        (("unsafe",), "DS-12", "{unsafe}"),
        (("moving",), "LATER", "the machine is at work"),
        ((), (("LOOK", 1),), ("look",)),
    )),
    # a cards found, or places that do not say that they are empty
    ("found", (), (
        (("not_looking",), "EL-2", "the machine has not looked"),
        (("a_nonzero",), (("LOOK", 0), ("FAULT", "worse")), ("found",)),
        (("unsafe",), (("LOOK", 0), ("FAULT", "worse")), ("found",)),
        (("down",), (("LOOK", 0),), ("found",)),
        (
            (),
            (
                ("zero", "OF_CARDS"), ("LOOK", 0), ("FAULT", 0), ("OUT", 0), ("INSIDE", 0), ("both", "CLEAR"),
                ("ORDER_RED", "order_of_red"), ("ORDER_BLUE", "order_of_blue"),
            ),
            ("cleared",),
        ),
    )),
    ("out_of_service", (), (
        (("out",), (), ()),
        (("at_work",), "LATER", "the machine is at work"),
        ((), (("OUT", 1), ("both", "BREAK"), ("JOB", 0), ("START", "start_left"), ("ROUND", "ended")), ("out",)),
    )),
    # a something still moves; the machine looks for itself before it is
    ("in_service", (), (
        (("in_service",), (), ()),
        (("down",), "EL-2", "{fault}"),
        (("unsafe",), "DS-12", "{unsafe}"),
        (("moving",), "LATER", "the machine is at work"),
        ((), (("LOOK", 1),), ("look",)),
    )),
    # the controller says what time it is; a as cards/life.py has it
    ("time", (), (
        (("ahead",), "@life", "time jumps ahead: the machine has counted less since it was told"),
        (("unlikely",), "@life", "time is 31 days after the last, or not of 2020 to 2100: the supervisor must set it"),
        (("a_nonzero",), "@life", "time runs backwards: the machine knows a later one"),
        ((), (), ()),
    )),
    # power-on; a the noise, or the memory, failed
    ("power", (), (
        (
            (),
            (
                ("zero", "OF_ROUND"), ("zero", "OF_CARDS"), ("FAULT", "sound"), ("both", "POWER"),
                ("ROUND", "after_power"), ("LOOK", 0), ("OPEN", 0), ("ORDER_RED", 0), ("ORDER_BLUE", 0),
            ),
            (),
        ),
    )),
)
