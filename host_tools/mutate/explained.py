"""Mutants of the code that no test finds, each with the reason why it harms nothing.

A reason is that the change changes nothing, or nothing that a test or a table could ever see. A
mutant without such a reason has no place here: it wants a test.
"""

from __future__ import annotations

LANES, REQUESTS = "firmware/dovetail/lanes", "firmware/dovetail/requests"
# The mutant's name: why it harms nothing
ALIVE: dict[str, str] = {
    f"{LANES}/filling.py: take_back: await feeder.rest() left out": (
        "No card gets there: the next is picked only while some of the deck are out, and then one "
        "more always has a place."
    ),
    f"{LANES}/filling.py: take_back: raise Fault(faults.WRONG_DECK if feeder.came() else "
    "faults.INFEED_SENSOR, ledger.counted_… left out": (
        "No card gets there: the next is picked only while some of the deck are out, and then one "
        "more always has a place."
    ),
    f"{LANES}/filling.py: _first: home = asyncio.create_task(_kept(find_home(machine), wrong)) "
    "if wheel.slot < 0 else None: 0 becomes 1": (
        "A wheel that stands at slot 0 looks for its home once more, and stands there again."
    ),
    f"{LANES}/filling.py: _Filling._seat: await feeder.follow() left out": (
        "Each card is picked when the one before lies, and not sooner: the shuffle takes longer, "
        "which `make figures` holds against its budget, and no order or count is another."
    ),
    f"{LANES}/wheel.py: wheel_lane: machine.fault or deck is None becomes machine.fault and "
    "deck is None": (
        "A shuffle wakes the lane, and then a deck is there; or a stop, which has broken the deck, "
        "and on a broken one the lane does not work."
    ),
    f"{REQUESTS}/status.py: status: return {{'outcome': DONE, 'status': {{'state': "
    "_STATES[_state(machine, at)], 'fault': machi…: 0 becomes 1": (
        "It is the digest, which the link writes over before the status is sent."
    ),
    "firmware/dovetail/journal/state.py: State.apply: deck.since = deck.sorted = _DOUBT if "
    "deck.number else 0: 0 becomes 1": (
        "It is of a colour of which no deck is known; nobody asks for the age of such a one, and "
        "a declaration writes it anew."
    ),
}
