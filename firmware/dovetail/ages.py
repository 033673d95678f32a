# How old the decks are, and the calibration: looked at now and then, and whenever somebody has told the time.

from dovetail.cards import life
from dovetail.table.layout import AGE_RED, RED


def look(machine):
    """Find out how old the decks are, for the rules, and the calibration; tell it when it changes."""
    machine.stale()
    now_ms, told, vouched = machine.uptime_ms(), machine.time(), machine.memory.vouched
    hours, rule = machine.profile.life()
    for deck in machine.decks[1:]:
        known = machine.state.decks[deck.number]
        if not known.number:
            continue
        # CL-6: how long the power was off, a table does not say
        now = told if vouched or deck.here else 0
        age = life.age_s(known.since, now, (now_ms - deck.since_ms) // 1000, deck.here)
        level = life.level(hours, age)
        if machine.profile.sorted and level != life.OVER:
            now = told if vouched or deck.sorted_here else 0
            since = life.age_s(known.sorted, now, (now_ms - deck.sorted_ms) // 1000, deck.sorted_here)
            if life.level(machine.profile.sorted, since) == life.OVER:
                level = life.UNSORTED
        if level != machine.rules.at(AGE_RED - RED + deck.number):
            machine.tell("age", deck.number, level)
            machine.show()
            left = 0 if age is None else max(hours * 3600 - age, 0) // 60
            machine.event("deck_age", {"back": deck.number, "level": level, "minutes": left, "rule": rule})
