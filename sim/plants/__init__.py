"""Faults that are planted in the simulated machine: one record a plant."""
