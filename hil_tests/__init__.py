"""Scenarios for all three depths."""
