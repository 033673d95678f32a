# Frozen into every image: the board runs the machine from power-on.

import asyncio
import board
import image
import mechanics
from dovetail.hal.rp2 import Hal
from dovetail.safe import safe
from dovetail.start import serve

IDENTITY = {"board": image.BOARD, "variant": image.VARIANT, "image": image.GIT}

hal = Hal(board, mechanics)
if image.VARIANT == "production":
    hal.watch(2000)  # on the bench the prompt must outlive a main loop that was stopped
try:
    asyncio.run(serve(hal, IDENTITY))
finally:
    safe(hal)  # whatever ended it, Ctrl-C on the bench too: no motor goes on without its machine
    if image.VARIANT == "bench":
        print("bench image: whoever sits at this prompt can read the keys of the machine; never play for money with it")
        print("the machine is stopped: its link is silent until machine.reset()")
