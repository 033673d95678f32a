"""The board, emulated: the very image that is flashed, wired to the simulated machine."""
