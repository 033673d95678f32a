"""The page of the proofs, docs/evidence/README.md, made from their table and their records."""

from __future__ import annotations

from pathlib import Path

from host_tools.build.tell import ROOT
from host_tools.evidence.proofs import PROOFS, Proof
from host_tools.evidence.record import Record, changed, load

HEAD = """# Evidence

For whoever asks what was proved, when, and of which code. `make prove` makes this page and the
records beside it.

`make test` proves a share of each of these, drawn anew for each commit where the table says so;
`make prove` proves all of it, in slices. A record holds the commit, the hashes of the code that it
speaks of, the figures and the verdict. `make test` names the records that are older than that code.

| proof | `make prove`, whole | `make test`, each time | record |
| --- | --- | --- | --- |
"""


def older(record: Record) -> list[str]:
    """Return which of the code that the last whole run speaks of has changed since."""
    return changed(record.last) if record.last else []


def line(record: Record) -> str:
    """Say in a line what a record says."""
    run, going = record.last, record.under_way
    parts = [record.proof]
    if run is None:
        parts.append("was never run to its end")
    else:
        old = older(record)
        parts.append(f"{run.verdict} on {run.commit}, {run.when[:10]}")
        if old:
            parts.append(f"older than {', '.join(old)}")
    if going is not None:
        parts.append(f"under way: {going.done} of {going.of} slices, {going.verdict}")
    return ": ".join((parts[0], "; ".join(parts[1:])))


def _row(proof: Proof) -> str:
    record = load(proof.name, proof.claim)
    run, going = record.last, record.under_way
    words = "none yet"
    if run is not None or going is not None:
        verdict = "" if run is None else f" {run.verdict}, {run.commit}, {run.seconds / 60:.0f} min"
        words = f"[{proof.name}.json]({proof.name}.json):{verdict}"
    if going is not None:
        words += f" {going.verdict}, {going.done} of {going.of} slices"
    return f"| {proof.name} | {proof.claim} | {proof.share} | {words} |"


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
        if record.last is None or record.last.against or older(record):
            lines.append(line(record))
    return lines


if __name__ == "__main__":
    write(ROOT / "docs" / "evidence" / "README.md")
