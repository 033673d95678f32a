# Puts machine and link together and runs them. The board's main.py and the simulated machine both start here.

import asyncio
from dovetail import alive, garbage
from dovetail.bench import bench_lane
from dovetail.clearing import clear_lane
from dovetail.keys import Keys
from dovetail.lanes.deal import deal_lane
from dovetail.lanes.wheel import wheel_lane
from dovetail.link.server import Link
from dovetail.machine import Machine
from dovetail.reports import words
from dovetail.requests.asking import too_much
from dovetail.requests.handlers import HANDLERS, LOOKING, SAYING
from dovetail.requests.service import AT_BENCH, NOT_AT_BENCH
from dovetail.starting import begin
from dovetail.supervision import supervise

machine = None  # the one that runs; a bench prompt finds it here


async def serve(hal, image):
    """For ever. image: a dict that names board, variant and image."""
    global machine
    machine = Machine(hal, image)

    def handle(name, fields):
        if machine.at_bench and name not in AT_BENCH:
            return NOT_AT_BENCH
        if name in SAYING and (machine.in_vain or not machine.fault or name not in LOOKING):
            no = too_much(machine)
            if no:
                return no
        return HANDLERS[name](machine, fields)

    def tidy():  # sooner than the supervisor would: no answer is kept waiting
        garbage.tidy(machine, garbage.EARLY if machine.motors.moving() else garbage.LATE)

    def life(working):
        machine.alive.at_work(alive.LINK) if working else machine.alive.idle(alive.LINK)

    profile = machine.profile
    identity = {"game": profile.game, "by_hand": profile.by_hand, "continuous": profile.continuous}
    identity.update({"serial": hal.unique_id, "boots": machine.state.boots + 1})
    identity.update(image)
    link = Link(
        hal.uart, handle, Keys(machine), identity, machine.uptime_ms,
        tidy, lambda: machine.motors.driven, life, words,
    )  # fmt: skip
    machine.memory.say = link.event
    machine.hears, machine.said = link.hears, link.said
    begin(machine)
    await asyncio.gather(
        link.run(), wheel_lane(machine), deal_lane(machine), clear_lane(machine), bench_lane(machine),
        machine.memory.lane(),
        supervise(machine),
    )
