# The reference machine, rev A: what its mechanics measure. Firmware and simulated machine read the same numbers.
# Lengths in micrometres (_um) so that everything stays an integer; positions along a path are of a card's leading edge.

CARD_LENGTH_UM = 63500      # long edge leading: 63.5 mm lie along the path

# The way in, from the pick nip.
ENTRY_BEAM_UM = 12000
FEED_NIP_UM = 20000
COUNT_BEAM_UM = 40000       # count beam, thickness and back colour sit in one station
WHEEL_MOUTH_UM = 80000
SEATED_UM = 146000          # the card lies against the slot's end
STAGED_UM = 72000           # the next card waits here for its slot: in the count station, its end in the entry beam

# The wheel.
SLOTS = 56
WHEEL_STEPS_REV = 5600
SLOT_STEPS = 100
TICK_HALF_STEPS = 20        # the slot tick is dark within so many steps of a slot's middle
HOME_HALF_STEPS = 50        # the home mark is as wide as a slot, around slot 0
ALIGN_STEPS = 12            # off by more than this, a card meets the wall between two slots
EXIT_SLOTS = 28             # the ejector stands half a turn from the mouth

# The way out: a crank pushes the card through the exit beam and comes back, one stroke a card.
STROKE_STEPS = 400
REST_HALF_STEPS = 4         # its sensor sees the crank at rest within so many steps: the rod is out of the slots
PUSH_UM = 84000             # how far the card has come at half the stroke
EXIT_BEAM_UM = 10000
SHOE_UM = 80000             # from here the card drops into the shoe

# The deal: the roller lets a card go when its trailing edge leaves the nip; the chute carries it on.
DEAL_BEAM_UM = 40000
CHUTE_UM_S = 500000         # speed in the chute
TRAY_UM = 130000            # here it lies in the tray
STAGE_UM = 4000             # how far the next card is advanced when the roller stops

ROLLER_STEPS_M = 25500      # steps a metre of travel, all rollers

# What the mechanics stand: metres and revolutions a second; the wheel's acceleration is in radians a second squared.
ROLLER_MAX_UM_S = 1200000
ROLLER_MAX_UM_S2 = 40000000
WHEEL_MAX_REV_S = 4
WHEEL_MAX_RAD_S2 = 250
STROKE_MIN_MS = 60

# What each axis does at most: steps a second, steps a second squared. `make image` holds them against the above.
AXES = {
    "pick": (30303, 1020000),
    "feed": (30303, 1020000),
    "wheel": (22222, 222817),
    "eject": (8000, 800000),
    "deal": (30303, 1020000),
}

# The longest move of each axis, in steps: a plan beyond it is a mistake.
REACH = {"pick": 2550, "feed": 5100, "wheel": 6000, "eject": 400, "deal": 2550}

# Analog levels, 12-bit counts as the converter gives them.
THICKNESS_BASE = 400        # no card
THICKNESS_CARD = 600        # added by each layer
BACKS = {"red": 1200, "blue": 2400}   # back colour levels; no card reads under BACK_NONE
BACK_HALF = 400
BACK_NONE = 600
BACK_DARK = 100             # what the colour sensor reads of no card
FACE = 3600                 # a card that lies face up is white
PRESENT = 2000              # presence sensors: above means something is there
ABSENT = 300                # what they read of nothing
SEEN = 3000                 # what they read of a card
BEAM_FREE = 3400            # light at a beam: free
BEAM_DARK = 600             # and with a card in it
BEAM_MIN = 2000             # the comparator's threshold
SUPPLY_MIN = 2600           # motor supply, 12-bit counts: 24 V reads 3200
