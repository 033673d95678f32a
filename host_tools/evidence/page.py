"""The page of the proofs, docs/evidence/README.md, made from their table and their records."""

from __future__ import annotations

from pathlib import Path

from host_tools.build.tell import ROOT
from host_tools.evidence.proofs import PROOFS, Proof
from host_tools.evidence.record import Record, Run, changed, load

HEAD = """# Evidence

For whoever asks what was proved, when, and of which code. `make prove` makes this page and the
records beside it.

`make test` proves a share of each of these, drawn anew for each commit where the table says so;
`make prove` proves all of it, in slices. A record holds the commit, the seed, the images, the
hashes of all code that the proof depends on, the figures and the verdict. `make test` names the
records that are older than that code. The column "before" tells what a run of `make test` did at
commit c4f9ad0, before there was `make prove`.

| proof | `make prove`, whole | `make test`, each time | before | record |
| --- | --- | --- | --- | --- |
"""
SHOWN = 3  # folders that are named


def older(proof: Proof, record: Record) -> list[str]:
    """Return which of the code that the last whole run speaks of has changed since."""
    return changed(record.last, proof.code()) if record.last else []


def _some(names: list[str]) -> str:
    """Name a few folders, and count the others."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _by(run: Run) -> str:
    """Tell the seed of a run."""
    return "" if run.seed is None else f", seed {run.seed}"


def line(proof: Proof, record: Record) -> str:
    """Say in a line what a record says."""
    run, going = record.last, record.under_way
    parts = [record.proof]
    if run is None:
        parts.append("was never run to its end")
    else:
        old = older(proof, record)
        parts.append(f"{run.verdict} on {run.commit}{_by(run)}, {run.when[:10]}")
        if old:
            parts.append(f"older than {_some(old)}")
    if going is not None:
        slices = f"{going.done} of {going.of} slices{_by(going)}"
        parts.append(f"under way: {slices}, {going.verdict}")
    return ": ".join((parts[0], "; ".join(parts[1:])))


def _row(proof: Proof) -> str:
    record = load(proof.name, proof.claim)
    run, going = record.last, record.under_way
    words = "none yet"
    if run is not None or going is not None:
        of = "" if run is None else f"{run.commit}{_by(run)}, {run.seconds / 60:.0f} min"
        verdict = "" if run is None else f" {run.verdict}, {of}"
        words = f"[{proof.name}.json]({proof.name}.json):{verdict}"
    if going is not None:
        words += f" {going.verdict}, {going.done} of {going.of} slices{_by(going)}"
    return f"| {proof.name} | {proof.claim} | {proof.share} | {proof.before} | {words} |"


def text() -> str:
    """Return the page."""
    return HEAD + "\n".join(map(_row, PROOFS)) + "\n"


def write(path: Path) -> None:
    """Write the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(), encoding="utf-8")


def stale() -> list[str]:
    """Return a line for each record that is missing, not held, or older than its code."""
    lines: list[str] = []
    for proof in PROOFS:
        record = load(proof.name, proof.claim)
        if record.last is None or record.last.against or older(proof, record):
            lines.append(line(proof, record))
    return lines


if __name__ == "__main__":
    write(ROOT / "docs" / "evidence" / "README.md")
