"""The `dovetail figures` command: what is measured, what is asked for, and whether it is met."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from boards import mechanics
from host_tools import (
    measure,
    measure_alarms,
    measure_chance,
    measure_journal,
    measure_link,
    measure_motion,
    measure_others,
    measure_play,
    measure_rules,
    rigs,
)
from host_tools.arguments import Parser
from host_tools.build.board_files import VARIANTS
from host_tools.build.tell import BUILD, ROOT, BuildError, UsageError, stop
from host_tools.campaign.run import campaign
from host_tools.certify import speed
from host_tools.link.errors import LinkError
from host_tools.link_tools.soak import share_of
from sim.emulated.raw import RawError
from sim.line import wire_ns

PURPOSE = "Measure speed, memory and pulse timing; print a table and write build/figures.json."
EXAMPLES = (
    "dovetail figures               all but what is asked for",
    "dovetail figures --make-run    and how long make run takes when everything is built",
)


SEEDS = (1, 2, 3)  # of the orders that are shuffled
WORST = f"s, worst of {len(SEEDS)}"
ORDERS, CORES = 100_000, 2  # that certify is asked to have delivered, in 90 minutes
DELIVERED = 400  # of them, in the run that tells how long all would take
FAULTS, SAMPLE = 100_000, 1000  # of a campaign that is asked for in as long, and what is measured


@dataclass(frozen=True)
class Figure:
    """One row: a number with its unit, and the bound that it must keep."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def met(self) -> bool:
        """Whether it keeps its bound."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    @property
    def demand(self) -> str:
        """The bound in words."""
        if self.least is not None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.most is not None else ""


def pace() -> list[Figure]:
    """How much faster than real time."""
    emulated, inside = measure.emulated_factor(), measure.in_process_factor()
    return [
        Figure("emulated, all axes busy", round(emulated, 2), "× real time", least=1.0),
        Figure("in-process, two decks", round(inside), "× real time", least=300),
    ]


def pulses() -> list[Figure]:
    """How true the steps are."""
    error, lost = measure.pulse_timing()
    return [
        Figure("pulse period, worst error", round(error, 3), "%", most=1.0),
        Figure("pulses lost", lost, "", most=0),
    ]


def device() -> list[Figure]:
    """How soon it listens, and how much room it has."""
    ready_ms, free = measure.link_ready_ms_and_free_heap()
    taken, size, refused = measure.room_beside_the_heap()
    return [
        Figure("power-on to link ready", ready_ms, "ms", most=1500),
        Figure("free heap at rest, collected", round(free / 1024, 1), "KB", least=120),
        Figure("room beside the heap", round(size / 1024, 1), f"KB, {taken:,} bytes taken"),
        Figure("  it had no place for", refused, "bytes", most=0),
    ]


def chance() -> list[Figure]:
    """How soon the device has an order, and how soon it may."""
    ours_ms, urandom_ms = measure_chance.draw_ms()
    return [
        Figure("draw of 54 cards", round(ours_ms, 1), "ms", most=6),
        Figure("the same over os.urandom", round(urandom_ms, 1), "ms"),
        Figure("ratio of the two draws", round(ours_ms / urandom_ms, 2), ""),
        Figure("seeding with all tests", round(measure_chance.seeding_ms()), "ms", most=600),
        Figure("heap grown by 40 orders more", measure_chance.growth_bytes(), "bytes", most=0),
    ]


def motion() -> list[Figure]:
    """How near the machine comes to its mechanics, and what nothing may disturb."""
    found = [measure_motion.quiet(seed) for seed in SEEDS]
    firsts, seconds = [row[0] for row in found], [row[1] for row in found]
    slow, late = max(firsts, key=lambda row: row.took_s), max(seconds, key=lambda row: row.took_s)
    plain_s = measure_motion.stop_and_go_s(firsts[0].slots)
    busy = measure_motion.busy()
    rollers_ms, wheel_ms, first_ms, home_ms = measure_motion.lid_ms()
    return [
        Figure("shuffle of 52 after power-on", round(slow.took_s, 2), WORST, most=18),
        Figure("over its bound, worst", round(max(r.ratio for r in firsts), 3), "×", most=1.1),
        Figure("shuffle of 52, the next", round(late.took_s, 2), WORST, most=18),
        Figure("over its bound, worst", round(max(r.ratio for r in seconds), 3), "×", most=1.1),
        Figure("the same, stop and go", round(plain_s, 2), "s"),
        Figure("ratio to stop and go", round(plain_s / firsts[0].took_s, 2), "×"),
        Figure("stack of three", round(max(row[2] for row in found)), "ms", most=700),
        Figure("stack, line and lanes full", round(busy.stack_ms), "ms", most=700),
        Figure("moves with a late step", busy.late, f"of {busy.moves}", most=0),
        Figure("free heap, worst moment", round(busy.heap / 1024, 1), "KB", least=90),
        Figure("lid to rollers still", round(rollers_ms, 1), "ms", most=50),
        Figure("lid to wheel still", round(wheel_ms, 1), "ms", most=120),
        Figure("lid to rollers, noise read", round(first_ms, 1), "ms", most=50),
        Figure("lid to wheel, noise read", round(home_ms, 1), "ms", most=120),
    ]


def evidence() -> list[Figure]:
    """How quick `dovetail certify` is on this machine."""
    rates = speed.measure(52)
    minutes = ORDERS / speed.orders_s(DELIVERED, CORES) / 60
    return [
        Figure("decks certified, a core", round(rates["device_decks_s"]), "a second", least=20_000),
        Figure("ratio to SystemRandom", round(rates["ratio"], 1), ""),
        Figure(
            f"{ORDERS:,} orders, estimated",
            round(minutes),
            f"min, by {DELIVERED} on {CORES}",
            most=90,
        ),
    ]


def trouble() -> list[Figure]:
    """What stops for nothing, and how long a campaign of 100,000 faults takes."""
    alarms = measure_alarms.count()
    began = time.monotonic()
    campaign(SAMPLE, 1, CORES)
    minutes = FAULTS / SAMPLE * (time.monotonic() - began) / 60
    return [
        Figure(f"false alarms in {alarms.cards} cards", len(alarms.faults), ""),
        Figure("the same in 10,000 cards", round(alarms.rate, 2), "", most=1),
        Figure("100,000 faults, two cores", round(minutes), "min", most=90),
    ]


def journal() -> list[Figure]:
    """How quick a record is on flash, and how soon a full journal is found again."""
    bench, kept, mount_ms, heap = measure_journal.mounted()
    mean_ms, worst_ms = measure_journal.append_ms(bench)
    repaired_ms = measure_journal.repaired_ms()
    file_ms, pages, erases = measure_journal.littlefs()
    return [
        Figure("a record, on average", round(mean_ms, 2), "ms", most=2),
        Figure(
            "with the time of a chip", round(mean_ms + measure_journal.PAGE_MS, 2), "ms", most=2
        ),
        Figure("a record, worst", round(worst_ms, 1), "ms"),
        Figure("records kept, ring full", kept, "", least=50_000),
        Figure("mount of a full journal", round(mount_ms), "ms", most=400),
        Figure("the same, much to repair", round(repaired_ms), "ms", most=400),
        Figure("heap of the journal", round(heap / 1024, 2), "KB", most=6),
        Figure("the same record to littlefs", round(file_ms, 1), "ms"),
        Figure("its pages and erases", pages, f"pages, {erases:g} erases"),
    ]


def link() -> list[Figure]:
    """How soon a request is answered while all moves, how quick a journal comes, what it costs."""
    took = measure_link.latency()
    rows = took.all_ms()
    least = min(took.steps.values(), default=0)
    at_rest, full, buffers = measure_link.heap_bytes()
    own, rings = measure_link.uart_bytes()
    found = [
        Figure("all axes moved meanwhile", least, "steps in a request, the fewest", least=1),
        Figure("request to answer, p99", round(share_of(rows, 0.99), 1), "ms", most=4),
        Figure("request to answer, worst", round(rows[-1], 1), "ms", most=15),
    ]
    for name, row in took.rows.items():
        median_ms, p99_ms = (share_of(row, share) for share in (0.5, 0.99))
        found.append(Figure(f"  {name}, p99", round(p99_ms, 1), f"ms, median {median_ms:.1f}"))
    found += played()
    for baud, segments in measure_link.DOWNLOADS:
        share = measure_link.download(baud, segments) * 100
        found.append(Figure(f"journal at {baud:,} baud", round(share, 1), "% of line", least=85))
    sent, heard = took.bytes["status"]
    status_ms = share_of(took.rows["status"], 0.5)
    rtu = measure_others.modbus()
    facts, prompt = measure_others.raw_prompt(), measure_others.status_at_prompt()
    rtu_ms = rtu.beyond_ms
    usb = "ms from its last byte, emulated USB included, machine stopped"
    return [
        *found,
        Figure("status: bytes both ways", sent + heard, beside_the_wire(status_ms, sent + heard)),
        Figure("  as Modbus RTU", rtu.wire_bytes, beside_the_wire(rtu_ms, rtu.wire_bytes)),
        Figure("  at the raw prompt", prompt.wire_bytes, f"and {prompt.after_ms:.1f} {usb}"),
        Figure("  there, only 16 numbers", facts.wire_bytes, f"and {facts.after_ms:.1f} {usb}"),
        Figure("heap of the link, as it begins", round(at_rest / 1024, 1), "KB", most=8),
        Figure("  at most, all kept and at work", round(full / 1024, 1), "KB", most=8),
        Figure("  and the UART", round((full + own) / 1024, 1), "KB", most=8),
        Figure("buffers of the link, beside the heap", round(buffers / 1024, 1), "KB"),
        Figure("  and the UART's rings", round((buffers + rings) / 1024, 1), "KB"),
        Figure("allocated while receiving", measure_link.receiving_bytes(), "bytes", most=0),
    ]


def beside_the_wire(ms: float, count: int) -> str:
    """What an exchange took beside its bytes' time on the wire, and with it."""
    whole_ms = ms + wire_ns(count, measure_link.BAUD) / 1e6
    return f"and {ms:.1f} ms beside the wire, {whole_ms:.1f} with it"


def played() -> list[Figure]:
    """The same in a shuffle, and in a deal beside one; apart from it what waits for its record."""
    seen, spoilt = measure_play.play(), measure_play.play(spoilt=True)
    found: list[Figure] = []
    parts = (
        ("shuffle", seen.shuffled, seen.still_in_shuffle, spoilt.shuffled),
        ("deal and shuffle", seen.dealt, seen.still_in_deal, spoilt.dealt),
    )
    axes = len(mechanics.AXES)
    for where, rows, still, with_others in parts:
        ms = [one.beyond_ms for one in rows if not one.recorded]
        others_ms = [one.beyond_ms for one in with_others if not one.recorded]
        p99_ms, others_p99_ms = share_of(ms, 0.99), share_of(others_ms, 0.99)
        found += [
            Figure(f"in a {where}, p99", round(p99_ms, 1), f"ms, of {len(ms)}", most=4),
            Figure(f"in a {where}, worst", round(max(ms), 1), "ms", most=15),
            Figure(f"in a {where}, axes", axes - len(still), moved(still), least=axes - 1),
            Figure(f"in a {where}, line spoilt, p99", round(others_p99_ms, 1), "ms", most=4),
            Figure(f"in a {where}, line spoilt, worst", round(max(others_ms), 1), "ms", most=15),
        ]
    every = [one for part in (seen, spoilt) for one in part.shuffled + part.dealt]
    kept = [one.beyond_ms for one in every if one.recorded]
    late = f"of {seen.moves + spoilt.moves}"
    return [
        *found,
        Figure("  what its record waits for", round(max(kept), 1), f"ms, worst of {len(kept)}"),
        Figure("moves late meanwhile", seen.late + spoilt.late, late, most=0),
    ]


def moved(still: Sequence[str]) -> str:
    """A part of the play has no use for every axis: which one stood still."""
    return f"of {len(mechanics.AXES)} moved, not {' nor '.join(still)}" if still else "moved"


def rules() -> list[Figure]:
    """How quick the table of rules decides, and that it is not on the heap."""
    mean_us, worst_us, rows, told_us = measure_rules.decision_us()
    size, taken = measure_rules.heap_bytes()
    return [
        Figure(f"a decision, worst of {rows} rows", round(worst_us / 1000, 2), "ms", most=1),
        Figure("a decision, on average", round(mean_us / 1000, 2), "ms"),
        Figure("and its refusal in words", round(told_us / 1000, 2), "ms"),
        Figure("tables of rules and games", round(size / 1024, 1), "KB"),
        Figure("heap that their files take", round(taken / 1024, 2), "KB", most=2),
    ]


def make_run() -> list[Figure]:
    """How long `make run` takes when everything is there; the first time builds what is not."""
    took = 0.0
    for _ in range(2):
        began = time.monotonic()
        subprocess.run(["make", "run"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - began
    return [Figure("make run, the second time", round(took, 1), "s", most=90)]


def show(figure: Figure) -> str:
    """One line of the table."""
    verdict = ("met" if figure.met else "NOT MET") if figure.demand else ""
    number = f"{figure.value:g} {figure.unit}".strip()
    return f"{figure.name:<28}{number:>22}   {figure.demand:<14} {verdict}".rstrip()


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    p = Parser("figures", PURPOSE, EXAMPLES)
    p.add_argument("--make-run", action="store_true", help="measure make run too")
    args = p.parse_args(argv)
    for variant in VARIANTS:
        if not rigs.image_path(variant).exists():
            stop(UsageError(f"figures: no {variant} image; build it: make image VARIANT={variant}"))
    groups: list[Callable[[], list[Figure]]] = [
        pace,
        pulses,
        motion,
        device,
        chance,
        evidence,
        trouble,
        journal,
        link,
        rules,
    ]
    if args.make_run:
        groups.append(make_run)
    figures: list[Figure] = []
    try:
        for group in groups:
            for figure in group():
                figures.append(figure)
                print(show(figure), flush=True)
    except (LinkError, RawError) as error:
        stop(BuildError(f"figures: the image does not work: {error}"))
    images = measure.images()
    for name, row in images.items():
        print(f"{name:<28}{row.get('flash_bytes', '?'):>16} bytes   {row['sha256']}")
    rows = [{**asdict(f), "demand": f.demand, "met": f.met} for f in figures]
    (BUILD / "figures.json").write_text(
        json.dumps({"figures": rows, "images": images}, indent=2) + "\n"
    )
    print("written: build/figures.json")
    return 0
