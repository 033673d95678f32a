"""The `dovetail play` command."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from host_tools import rigs
from host_tools.arguments import Parser, bench_option, one_of, whole_number
from host_tools.build.board_files import VARIANTS
from host_tools.build.tell import BuildError, UsageError, stop
from host_tools.campaign.called import called
from host_tools.fault_options import Plants, asked, never_struck, says
from host_tools.hands import DEALERS, at_port
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.play.live import Live, fits
from host_tools.play.result import Times, as_fields, result_lines
from host_tools.play.scene import Scene
from host_tools.play.story import Record, Story, as_json, sentence
from host_tools.play.table import Plan, Table, profile
from host_tools.rules.device import names, rule_of
from sim import faults
from sim.faults import sized, written
from sim.plants.catalogue import OF_NAME
from sim.plants.record import BREAKS

PURPOSE = "Play rounds at a machine, as a table controller and a dealer do."
EXAMPLES = (
    "dovetail play                                   three rounds, in this process",
    "dovetail play --depth emulated                  the same on the emulated board",
    "dovetail play --players 7 --rounds 10 --json    one JSON line for each thing said or done",
    "dovetail play --fault path.jam_at=entry:17      the 17th card jams; see dovetail faults",
    "dovetail play --fault infeed.double_feed=0.02   two cards at once, one time in fifty",
    "dovetail play --depth real --port /dev/ttyUSB0  at a board, with you as the dealer",
)
BELONGS = (
    ("port", "real"),
    ("keys", "real"),
    ("dealer", "real"),
    ("image", "emulated"),
    ("variant", "emulated"),
)  # options that mean something at one depth only
VARIANT = "production"
LOOKS = 3  # how often it is cleared until it is believed
STOPS = 5  # so often it is cleared and gone on with; then somebody should look at the machine
CLEAR_S = 60.0
JAMMED = 20  # the card
SPEED = 2  # of the live view, times real time


def parser() -> Parser:
    """The options of the command."""
    p = Parser("play", PURPOSE, EXAMPLES)
    p.add_argument("--game", default="let_it_ride", help=f"one of: {', '.join(names())}")
    p.add_argument("--rounds", type=whole_number(1), default=3, metavar="N", help="rounds to play")
    p.add_argument("--players", type=whole_number(1), default=5, metavar="N", help="players")
    p.add_argument(
        "--decks", type=whole_number(1, 2), metavar="N", help="1 or 2; 2 where the game permits it"
    )
    p.add_argument(
        "--delivery",
        help="shoe, which is usual; stack: dealt from the hand; continuous: discards go back in",
    )
    p.add_argument("--depth", default="in-process", help=f"one of: {', '.join(rigs.DEPTHS)}")
    p.add_argument("--port", help="serial port of a real board")
    p.add_argument("--keys", type=Path, metavar="FILE", help="its key file; see dovetail keys")
    bench_option(p)
    p.add_argument(
        "--dealer", help="at a real board: person, asked here, which is usual, or auto, unasked"
    )
    p.add_argument(
        "--variant",
        help=f"image for the emulated board, one of: {', '.join(VARIANTS)} (default: {VARIANT})",
    )
    p.add_argument("--image", help="UF2 file for the emulated board, in place of make image's")
    p.add_argument("--seed", type=whole_number(0), default=7, metavar="N", help="seed of the run")
    p.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="NAME=AT",
        help="plant a fault: AT is a passage, 20, or how likely it is, 0.02; may be repeated",
    )
    p.add_argument("--json", action="store_true", help="print JSON lines")
    p.add_argument("--no-view", action="store_true", help="no picture, only the story line by line")
    p.add_argument(
        "--speed",
        type=whole_number(1),
        default=SPEED,
        metavar="N",
        help="the picture runs at most at N times real time",
    )
    return p


def planted(texts: Sequence[str]) -> Plants:
    """What every --fault asks for; raises UsageError."""
    plants = asked(texts)
    for name in tuple(plants) if len(plants) == 1 else ():
        needs = OF_NAME[sized(name)[0]].needs
        if needs:
            plants[needs] = {JAMMED}  # or the fault that was asked for would never strike
    return plants


def wanted(args: Namespace) -> tuple[Plan, rigs.Wanted]:
    """The plan and the rig that the options ask for; raises UsageError."""
    one_of("game", args.game, names())
    one_of("depth", args.depth, rigs.DEPTHS)
    for option, depth in BELONGS:
        if getattr(args, option) is not None and args.depth != depth:
            raise UsageError(f"--{option} goes with --depth {depth}, not {args.depth}")
    if args.image and args.variant:
        raise UsageError("--image and --variant both name an image: leave one out")
    variant = one_of("variant", args.variant or VARIANT, VARIANTS)
    plants = planted(args.fault)
    most = profile(args.game, "players")
    least = profile(args.game, "fewest")
    if args.players < least:
        raise UsageError(f"--players {args.players}: {args.game} has at least {least}")
    if args.players > most:
        raise UsageError(f"--players {args.players}: {args.game} has at most {most}")
    usual = "shoe" if profile(args.game, "shoe") else "stack"
    delivery = one_of("delivery", args.delivery or usual, ("shoe", "stack", "continuous"))
    if delivery == "shoe" != usual:
        cited = rule_of(args.game, "shoe")
        raise UsageError(f"--delivery shoe: {cited} {args.game} is dealt from the hand: stack")
    continuous = delivery == "continuous"
    if continuous and not profile(args.game, "continuous"):
        raise UsageError(f"--delivery continuous: SH-7 {args.game} is not played so; plain is")
    permitted = 2 if profile(args.game, "two_decks") and not continuous else 1
    decks = args.decks or permitted
    if decks > permitted:
        raise UsageError(f"--decks {decks}: TD-1 {args.game} is played with one deck")
    by_hand = delivery == "stack"
    plan = Plan(args.game, args.rounds, args.players, decks, by_hand, args.seed, continuous)
    if args.depth == "real":
        if plants:
            raise UsageError("--fault: faults can be planted in the simulated machine only")
        dealer, hands = at_port(one_of("dealer", args.dealer or DEALERS[0], DEALERS))
        return plan, rigs.Wanted(
            port=args.port, keys=args.keys, bench=args.bench, dealer=dealer, hands=hands
        )
    image = Path(args.image) if args.image else rigs.image_path(variant)
    setup = rigs.Setup(args.game, by_hand, continuous)
    return plan, rigs.Wanted(args.seed, plants, setup, image)


class Strikes:
    """What was behind it, each at the moment when it struck."""

    def __init__(self, there: faults.Faults) -> None:
        self.there, self.told = there, 0

    def __call__(self) -> list[Record]:
        """Those that were not told yet."""
        new = self.there.struck[self.told :]
        self.told += len(new)
        return [
            {
                "ms": one.ns // 1_000_000,
                "who": "rig",
                "what": "planted",
                "name": one.name,
                "passage": one.passage,
                "says": says(one.name, self.there.sizes.get(one.name)),
            }
            for one in new
        ]


@dataclass
class Session:
    """One run of the command: where its story goes, and how it ends."""

    args: Namespace
    plan: Plan
    console: Console

    async def run(self, rig: rigs.Rig) -> bool:
        """Play at this rig; whether everything was as it should be."""
        args, plan = self.args, self.plan
        story = Story(rig.now_ms)
        if rig.machine is not None:
            story.unheard = Strikes(rig.machine.faults)
        with ExitStack() as stack:
            frames = self._show(rig, story, stack)
            if rig.sha256:
                story.tell("rig", "runs", image=rig.image, sha256=rig.sha256)
            nonce = hashlib.sha256(f"controller {args.seed}".encode()).digest()
            client = rig.client(nonce=None if rig.machine is None else nonce)
            assert rig.dealer is not None
            table = Table(client, rig.dealer, story, plan)
            started = time.monotonic()
            problem = await play(table, rig)
            times = Times(rig.now_s(), time.monotonic() - started)
            await table.close()
            story.catch_up()
            if frames is not None:
                frames.cancel()
        played = table.played
        if rig.machine is not None:
            played.unstruck = never_struck(planted(args.fault), rig.machine.faults)
        good = not problem and not played.wrong and not played.stops
        if args.json:
            story.tell("rig", "result", good=good, problem=problem, **as_fields(played))
        else:
            for line in result_lines(plan, args.seed, rig, played, times, problem):
                print(line)
        return good

    def _show(self, rig: rigs.Rig, story: Story, stack: ExitStack) -> asyncio.Task[None] | None:
        """Where the story is told: as JSON, as a picture, or line by line."""
        args, plan = self.args, self.plan
        if args.json:
            story.listeners.append(lambda record: print(as_json(record), flush=True))
            return None
        if args.no_view or rig.machine is None or not fits(self.console):
            story.listeners.append(_print_sentence)
            return None
        decks = "1 deck" if plan.decks == 1 else f"{plan.decks} decks"
        title = f"{plan.game.replace('_', ' ')} · {plan.players} players · {decks}"
        scene = Scene(f"{title} · {rig.depth} · seed {args.seed}", plan.rounds, plan.players)
        story.listeners.append(scene.hear)
        live = Live(self.console, scene, rig.machine.picture, args.speed)
        stack.enter_context(live)
        return asyncio.create_task(live.run())


async def play(table: Table, rig: rigs.Rig) -> str:
    """All rounds; after a stop it is cleared and gone on with. What else went wrong, or nothing."""
    told, stops, go = 0, 0, table.play
    while True:
        since = len(table.heard.events)
        problem = ""
        try:
            await go()
        except (Faulted, Refused, LinkError) as error:
            problem = str(error)
        table.story.catch_up()
        struck = [] if rig.machine is None else rig.machine.faults.struck[told:]
        told += len(struck)
        faults_told = table.heard.all("fault", since)
        if not problem or not faults_told:
            return problem
        table.played.stops.append(str(Faulted(faults_told[0])))
        if rig.machine is not None:
            names = {one.name for one in rig.machine.faults.struck}
            if not names:
                return f"{problem}, and nothing has struck"
            if not called(names, faults_told[0].fault.fault):
                table.played.wrong.append(f"{problem}: not what {', '.join(sorted(names))} is")
        stops += 1
        if stops > STOPS or not await clear_up(table, rig, struck):
            return ""
        go = table.rounds


async def clear_up(table: Table, rig: rigs.Rig, struck: Sequence[faults.Struck]) -> bool:
    """What an operator does after a fault: every card out, as often as the machine finds one.

    Whether the machine is ready for a deck again.
    """
    if rig.machine is None or rig.hands is None:
        return False
    for _ in range(LOOKS):
        broke = {one.name for one in struck if OF_NAME[one.name].lasts == BREAKS}
        broken = rig.machine.faults.failed | broke
        for name in sorted(broken):
            table.story.tell("dealer", "mends", name=written(name), says=says(name))
        table.story.tell("dealer", "clears", cards=await rig.hands.clear())
        since = len(table.heard.events)
        try:
            await table.ask(table.client.cleared, "cleared")
            await table.heard.wait("cleared", since, CLEAR_S)
            await renew(table, rig, struck)
            return True
        except Faulted as no:
            table.played.stops.append(str(no))
        except (Refused, LinkError):
            return False  # it has been told what stands in the way
    return False


async def renew(table: Table, rig: rigs.Rig, struck: Sequence[faults.Struck]) -> None:
    """Decks that are locked out, or of which a card is spoilt, leave the table for new ones."""
    assert rig.hands is not None
    spoilt = any(OF_NAME[one.name].spoils for one in struck)
    used = {record["back"] for record in table.story.all("dealer", "loads")}
    decks = (await table.client.status()).decks
    spoilt = spoilt and not any(deck.locked_out for deck in decks)  # then it is known which
    for deck in decks:
        back = link_pb2.Back.Name(deck.back).lower()
        if back in used and (spoilt or deck.locked_out):
            at = deck.back
            await table.ask(lambda at=at: table.client.remove_deck(at), "remove_deck", back=back)
            await rig.hands.renew(back)
            table.story.tell("dealer", "renews", back=back)
            table.new.add(back)


def _print_sentence(record: Record) -> None:
    line = sentence(record)
    if line:
        print(line, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when every count adds up, 1 after a stop too, also one that had to be."""
    try:
        args = parser().parse_args(argv)
        plan, rig = wanted(args)
        session = Session(args, plan, Console())
        return 0 if rigs.DEPTHS[args.depth](rig, session.run) else 1
    except BuildError as error:
        stop(error)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
