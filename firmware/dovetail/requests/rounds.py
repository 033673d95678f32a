# Requests about a round, from open to closed.

from micropython import const
from dovetail.requests.asking import BAD, NEXT_GAME, done, jolted, of_round, told, too_much
from dovetail.table.layout import CARD, JOB, LAST, OWED, PAIR

_BY_DEALER = const(0)  # from link/link.proto: BY_DEALER
_EXPOSED = const(1)  # from link/link.proto: EXPOSED
_FACE_UP_TWICE = const(3)  # from link/link.proto: FACE_UP_TWICE
_ROUND = const(3)  # records of a round without a stack, beside its calls: opened, start_drawn, round_void
_AHEAD = const(1000)  # of the last round: numbers only grow, and must last for the life of the journal


def _outside(machine, players):
    """SH-7: 0 the whole deck is inside, 1 some cards are not, 2 too many are not: one is kept for a card face up."""
    if not machine.slots:
        return 0
    inside, p = machine.slots.inside(), machine.profile
    if inside == machine.cards:
        return 0
    return 1 if inside > players * p.stack + p.dealer * p.dealer_stack else 2


def open_round(machine, fields):
    if machine.next_game:
        return NEXT_GAME
    jolt = jolted(machine) or (machine.slots and too_much(machine))
    if jolt:
        return jolt
    rules, number, players = machine.rules, fields.get("round", 0), fields.get("players", 0)
    if number > rules.number + _AHEAD:
        return {"outcome": BAD, "text": "round: at most %d more than the last one, %d" % (_AHEAD, rules.number)}
    answer = told(machine, rules.open(number, players, _outside(machine, players)))
    if done(answer):
        machine.voids.stood = None
        fields = {
            "round": rules.number, "players": players, "positions": rules.at(OWED), "back": rules.at(LAST),
            "owes": machine.profile.continuous or machine.profile.stub_owed(), "pair": rules.at(PAIR),
        }  # fmt: skip
        machine.note("opened", fields)
        if machine.slots:  # I-12: opened and declared void again and again, it needs no shuffle and moves no card
            machine.memory.lend(_ROUND + machine.profile.stages)
    return answer


def no_more_bets(machine, fields):
    answer = of_round(machine, "no_more_bets", fields)
    if done(answer):
        machine.note("no_more_bets", {"round": machine.rules.number, "by_hand": machine.profile.by_hand})
    return answer


def draw_start(machine, fields):
    return of_round(machine, "draw_start", fields)


def deal(machine, fields):
    position, cards = fields.get("position", 0), fields.get("cards", 0)
    size = machine.rules.size()
    answer = of_round(machine, "deal", fields, position, cards)
    if done(answer):
        machine.order = (position, cards or size)
    return answer


def face_up(machine, fields):
    position = fields.get("position", 0)
    machine.voids.reason = _FACE_UP_TWICE
    answer = of_round(machine, "face_up", fields, position)
    machine.voids.reason = _BY_DEALER
    if done(answer):
        machine.order = (position, 1)
        if machine.rules.at(JOB) == CARD:  # else it was the second, and has made the round void
            machine.note("face_up", {"round": machine.rules.number, "position": position})
    return answer


def remainder(machine, fields):
    return of_round(machine, "remainder", fields)


def close_round(machine, fields):
    answer = of_round(machine, "close", fields)
    if done(answer):
        machine.note("closed", {"round": machine.rules.number})
    return answer


def void_round(machine, fields):
    reason = fields.get("reason", _BY_DEALER)
    if reason not in (_BY_DEALER, _EXPOSED):
        return {"outcome": BAD, "text": "reason: BY_DEALER or EXPOSED"}
    machine.voids.reason = reason
    answer = of_round(machine, "void_round", fields, reason)
    machine.voids.reason = _BY_DEALER
    return answer
