# What the unix port carries frozen: asyncio, as the device does, and nothing to download.
include("$(MPY_DIR)/extmod/asyncio")
