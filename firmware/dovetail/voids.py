# Rounds that have become void: told once, with the hands that stand; and told again when their deck was counted.

from micropython import const
from dovetail import faults
from dovetail.table import decks
from dovetail.table.layout import CARD, JOB, LAST, OWED, SPOILT, STACKS

# Why a round is void
_EXPOSED = const(1)  # from link/link.proto: EXPOSED
_BY_FAULT = const(2)  # from link/link.proto: BY_FAULT


class Voids:
    def __init__(self, machine):
        self.machine = machine
        self.due = False  # the round has become void, and nobody has been told
        self.reason = 0  # why, where no fault makes it so
        self.lacking = 0  # bit a position: a card of it lay face up, and no other has come in its place
        self.unsettled = [{}, {}, {}]  # by deck: the event of a void round, whose hands stand until it is counted
        self.stood = None  # the same once the machine has counted it, until the next round: the dealer may count too

    def happened(self, before):
        """The rules have made the round void; before: their state until then."""
        self.due = True
        self.lacking = 1 << self.machine.order[0] - 1 if before[JOB] == CARD else 0

    def tell(self, fault=0):
        """A round that has become void is told once: how many stacks were complete, and how many of them stand."""
        machine, rules = self.machine, self.machine.rules
        if self.due:
            self.due, back = False, rules.at(LAST)
            spoilt = rules.at(SPOILT) | self.lacking
            complete = rules.at(STACKS) - sum([spoilt >> i & 1 for i in range(8)])  # DS-11
            reason = _BY_FAULT if fault else self.reason
            # DS-8, DS-14: where the shoe failed, or a card was exposed; CT-3, DS-9, DS-11: a wrong deck, a misdeal, a
            # second card face up, or the dealer void all of them
            fine = reason == _EXPOSED or (reason == _BY_FAULT and fault != faults.MISDEAL)
            fine = fine and machine.profile.keeps and rules.deck(back) != decks.LOCKED
            hands = min(rules.at(STACKS), rules.at(OWED) - machine.profile.dealer)
            self.say(back, complete, reason, (1 << hands) - 1 & ~spoilt if fine else 0, fault)
            machine.show()

    def kept(self, back, number, complete, reason, standing, fault):
        """Hands that were told for good before the power went: a wrong stub takes them back."""
        self.stood = back, self._fields(number, complete, reason, standing, fault)

    def _fields(self, number, complete, reason, standing, fault):
        return {
            "round": number, "complete": complete, "fault": fault,
            "stand": sum([standing >> i & 1 for i in range(8)]),
            "provisional": False, "reason": reason, "standing": standing,
        }  # fmt: skip

    def say(self, back, complete, reason, standing, fault, number=0):
        """Tell a void round. Hands that stand do so until the deck is counted: the count decides."""
        fields = self._fields(number or self.machine.rules.number, complete, reason, standing, fault)
        fields["provisional"] = standing > 0
        if standing:
            if self.unsettled[back] and self.unsettled[back]["round"] != fields["round"]:
                self.settle(back, False)  # another round of this deck, and nobody has counted it since
            self.unsettled[back] = fields
        if self.stood and self.stood[1]["round"] == fields["round"]:
            fields["complete"], self.stood = self.stood[1]["complete"], None  # told anew
        self.machine.event("round_void", fields)

    def settle(self, back, right):
        """The deck of a void round was counted, or never will be: what stood until then stands, or does not."""
        if self.unsettled[back]:
            fields, self.unsettled[back] = dict(self.unsettled[back]), {}  # what waits to be written stays as it was
            fields["provisional"] = False
            if not right:
                fields["stand"] = fields["standing"] = 0
            self.stood = (back, fields) if fields["round"] == self.machine.rules.number else None
            self.machine.event("round_void", fields)

    def stub_wrong(self, back):
        """CT-3: the dealer has counted another number than the machine. What stood, or would, does not."""
        self.settle(back, False)
        if self.stood and self.stood[0] == back and self.stood[1]["standing"]:
            fields, self.stood = dict(self.stood[1]), None
            fields["stand"] = fields["standing"] = 0
            self.machine.event("round_void", fields)
