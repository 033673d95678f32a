# Every request of the link, and the function that does it.

from dovetail.requests import decks, recall, rounds, service, status, upkeep

# What a session can have recorded again and again without playing: memory.py has the budget. What makes the machine
# more careful is never held back; a round of continuous play, which needs no shuffle, is in rounds.py
SAYING = (
    "in_service", "set_clock", "configure", "self_test", "cleared", "empty_out",
)  # fmt: skip
LOOKING = ("cleared", "empty_out")  # free after a fault, until one of them has found something

HANDLERS = {
    "digest": status.digest,  # no request: for the link
    "status": status.status,
    "load": decks.load,
    "shuffle": decks.shuffle,
    "open_round": rounds.open_round,
    "no_more_bets": rounds.no_more_bets,
    "deal": rounds.deal,
    "remainder": rounds.remainder,
    "close_round": rounds.close_round,
    "remove_deck": decks.remove_deck,
    "idle": decks.idle,
    "cleared": upkeep.cleared,
    "read_journal": upkeep.read_journal,
    "meters": upkeep.meters,
    "recall": recall.recall,
    "set_clock": upkeep.set_clock,
    "calibrate": service.calibrate,
    "calibration": service.calibration,
    "draw_start": rounds.draw_start,
    "face_up": rounds.face_up,
    "give_back": decks.give_back,
    "deliver": decks.deliver,
    "void_round": rounds.void_round,
    "stub_counted": decks.stub_counted,
    "out_of_service": upkeep.out_of_service,
    "in_service": upkeep.in_service,
    "empty_out": upkeep.empty_out,
    "self_test": service.self_test,
    "jog": service.jog,
    "read_sensors": service.read_sensors,
    "configure": service.configure,
}
