"""The plain result of a session, for the normal screen."""

from __future__ import annotations

from dataclasses import dataclass

from host_tools.play.table import Plan, Played
from host_tools.rigs import Rig


@dataclass(frozen=True)
class Times:
    """How long it took."""

    machine_s: float | None
    wall_s: float


def result_lines(
    plan: Plan, seed: int, rig: Rig, played: Played, times: Times, problem: str
) -> list[str]:
    """A block of lines, the last of which says how it went."""
    game = plan.game.replace("_", " ")
    decks = "one deck" if plan.decks == 1 else f"{plan.decks} decks"
    lines = [f"{game}, {plan.players} players, {decks}, {rig.depth} depth, seed {seed}"]
    lines.append(f"  rounds     {played.rounds} of {plan.rounds}")
    counts = ", ".join(f"{back} {text}" for back, text in played.counts)
    lines.append(f"  shuffles   {len(played.counts)}: {counts}" if counts else "  shuffles   none")
    cards = sorted(set(played.stacks))
    sizes = " and ".join(str(n) for n in cards)
    if played.stacks:
        lines.append(f"  stacks     {len(played.stacks)} of {sizes} cards")
    for number, (stub, dealt, expected) in zip(played.stub_rounds, played.stubs, strict=True):
        verdict = "" if stub + dealt == expected else f", expected {expected}"
        lines.append(
            f"  stub       round {number}: {stub} + {dealt} dealt = {stub + dealt}{verdict}"
        )
    if rig.sha256:
        lines.append(f"  image      {rig.image}")
        lines.append(f"  sha256     {rig.sha256}")
    lines.append(f"  time       {_times(times)}")
    lines.extend(f"  planted    {line}" for line in played.unstruck)
    lines.extend(f"  wrong      {line}" for line in played.wrong)
    lines.extend(f"  stopped    {stop}" for stop in played.stops)
    if problem and problem not in played.stops:
        lines.append(f"  broken off {problem}")
    lines.append(f"  result     {_verdict(plan, rig, played, problem)}")
    return lines


def _verdict(plan: Plan, rig: Rig, played: Played, problem: str) -> str:
    if problem or played.wrong:
        return "not as it should be"
    if not played.stops:
        return "every count adds up"
    numbers = ", ".join(stop.split(":")[0] for stop in played.stops)
    stopped = "stopped as it must" if rig.machine is not None else "stopped"  # why, nobody knows
    rounds = f"{played.rounds} of {plan.rounds} rounds played"
    right = all(stub + dealt == expected for stub, dealt, expected in played.stubs)
    good = ", and every count of theirs adds up" if played.rounds and right else ""
    return f"{stopped}: {numbers}; {rounds}{good}"


def as_fields(played: Played) -> dict[str, object]:
    """The same for a record of the story."""
    return {
        "rounds": played.rounds,
        "counts": [text for _, text in played.counts],
        "stubs": [list(stub) for stub in played.stubs],
        "wrong": played.wrong,
        "stops": played.stops,
        "unstruck": played.unstruck,
    }


def _times(times: Times) -> str:
    if times.machine_s is None:
        return f"wall {times.wall_s:.1f} s"
    factor = times.machine_s / times.wall_s
    return f"machine {times.machine_s:.1f} s, wall {times.wall_s:.1f} s, {factor:.1f} × real time"
