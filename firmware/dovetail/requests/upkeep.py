# Requests about the machine: cleared, in and out of service, its journal, its clock.

from micropython import const
from dovetail import ages
from dovetail.cards.life import jump
from dovetail.link.roles import SERVICE, SUPERVISOR
from dovetail.requests.asking import BAD, DONE, ask, done

_JOURNAL_PART = const(456)  # bytes of the journal in one answer: nine answers are a segment


def cleared(machine, fields):
    return ask(machine, "cleared", 0, 1 if machine.resting or machine.motors.moving() else 0)


def empty_out(machine, fields):
    if not machine.fault:
        return {"outcome": BAD, "text": "the machine is not stopped: nothing to force out"}
    machine.emptying = True
    answer = cleared(machine, fields)
    machine.emptying = done(answer)
    return answer


def out_of_service(machine, fields):
    return ask(machine, "out_of_service")


def in_service(machine, fields):
    return ask(machine, "in_service", 0, 1 if machine.resting or machine.motors.moving() else 0)


def read_journal(machine, fields):
    journal = machine.journal
    segment, offset = fields.get("segment", 0) or journal.ring.oldest, fields.get("offset", 0)
    data = journal.read(segment, offset, _JOURNAL_PART)
    if data is None:
        kept = "%d to %d" % (journal.ring.oldest, journal.segment)
        return {"outcome": BAD, "text": "segment: %d is not kept, only %s" % (segment, kept)}
    part = {"segment": segment, "offset": offset, "data": data}
    if not offset:  # once a segment is often enough
        part.update({"oldest": journal.ring.oldest, "newest": journal.segment, "next_record": journal.next})
    return {"outcome": DONE, "journal": part}


def meters(machine, fields):
    return {"outcome": DONE, "meters": machine.journal.meters.named()}


def set_clock(machine, fields):
    if not fields.get("time"):
        return {"outcome": BAD, "text": "time must be seconds since 1970"}
    trusted = machine.role in (SERVICE, SUPERVISOR)
    wrong = jump(machine.time(), machine.state.time, fields["time"], trusted, machine.memory.counted_s())
    answer = ask(machine, "time", 0, wrong)
    if done(answer):
        machine.memory.set_time(fields["time"], trusted)
        ages.look(machine)
    else:
        machine.memory.time_refused(fields["time"])
    return answer
