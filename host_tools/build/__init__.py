"""Fetches sources and builds MicroPython, the images and the test interpreter."""
