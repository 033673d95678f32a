# Frozen into every image: the board runs the machine from power-on.

import asyncio
import board
import image
import mechanics
from dovetail.hal.rp2 import Hal
from dovetail.start import serve

asyncio.run(serve(Hal(board, mechanics), image.IDENTITY))
