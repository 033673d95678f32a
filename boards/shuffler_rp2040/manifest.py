# Frozen: asyncio, the chip's own rp2.py, and what `make image` lists: dovetail, main, _boot, board,
# mechanics, image. Nothing is required from outside.
include("$(MPY_DIR)/extmod/asyncio")
module("rp2.py", base_path="$(PORT_DIR)/modules")
include("$(GENERATED)/frozen.py")
