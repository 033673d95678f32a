"""Mutants of the code that no test finds, each with the reason why it harms nothing.

A reason is that the change changes nothing, or nothing that a test or a table could ever see. A
mutant without such a reason has no place here: it wants a test.
"""

from __future__ import annotations

# (the mutant's name, why it harms nothing)
ALIVE: tuple[tuple[str, str], ...] = ()
REASONS: dict[str, str] = dict(ALIVE)
