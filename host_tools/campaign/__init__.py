"""Fault campaigns on the in-process machine."""
