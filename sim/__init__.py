"""The machine in software, in virtual time."""
