# Frozen: asyncio, and what `make image` lists: dovetail, main, _boot, board, mechanics, image.
# Nothing is required from outside.
include("$(MPY_DIR)/extmod/asyncio")
include("$(GENERATED)/frozen.py")
