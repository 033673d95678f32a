# Every question that a row may ask, by its name: those of the machine, of decks, of rounds, of the deal.

from dovetail.table.when_deal import *
from dovetail.table.when_deck import *
from dovetail.table.when_machine import *
from dovetail.table.when_round import *
