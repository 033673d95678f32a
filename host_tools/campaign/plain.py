"""A trouble in plainer numbers: earlier, and in the usual size, as far as it still serves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from host_tools.campaign.draw import Trouble
from host_tools.campaign.scenario import Planted
from sim.faults import sized
from sim.plants.catalogue import SIZES

Serves = Callable[[Trouble], bool]


def plain(one: Trouble, serves: Serves) -> Trouble:
    """Its sizes and passages, and its times."""
    for n in range(len(one.plants)):
        one = _plant(one, n, serves)
    one = _toward(one, one.after_ms, 0, lambda ms: replace(one, after_ms=ms), serves)
    return _toward(one, one.begin_ms, 0, lambda ms: replace(one, begin_ms=ms), serves)


def _plant(one: Trouble, n: int, serves: Serves) -> Trouble:
    text, at = one.plants[n]
    name, size = sized(text)
    if size is not None:
        usual = SIZES[name].usual
        as_ever = _with(one, n, (name, at))
        if serves(as_ever):
            one = as_ever
        else:
            one = _toward(one, size, usual, lambda to: _with(one, n, (f"{name}@{to}", at)), serves)
    text = one.plants[n][0]
    if isinstance(at, int):
        one = _toward(one, at, 1, lambda to: _with(one, n, (text, to)), serves)
    return one


def _with(one: Trouble, n: int, plant: Planted) -> Trouble:
    return replace(one, plants=(*one.plants[:n], plant, *one.plants[n + 1 :]))


def _toward(
    one: Trouble, value: int, goal: int, made: Callable[[int], Trouble], serves: Serves
) -> Trouble:
    """As near to the goal as serves: by large steps, then by ever smaller ones."""
    step = goal - value
    while step:
        changed = made(value + step)
        if serves(changed):
            one, value = changed, value + step
            step = min(step, goal - value, key=abs)
        else:
            step = int(step / 2)
    return one
