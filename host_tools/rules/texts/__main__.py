"""Make or check the index of the texts' sentences: `python -m host_tools.rules.texts`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from host_tools.arguments import Parser
from host_tools.build.tell import say
from host_tools.rules.texts import index

PURPOSE = "Make or check the index of the sentences of New Jersey's rules."
EXAMPLES = (
    "python -m host_tools.rules.texts --index FOLDER           write the index of the texts",
    "python -m host_tools.rules.texts --index FOLDER --check   compare the texts with the index",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the index was written, or fits the texts."""
    p = Parser("texts", PURPOSE, EXAMPLES)
    p.add_argument("--index", type=Path, required=True, metavar="FOLDER", help="the scanned texts")
    p.add_argument("--check", action="store_true", help="write nothing, and name what differs")
    args = p.parse_args(argv)
    try:
        new = index.build(args.index)
    except FileNotFoundError as error:
        p.error(str(error))
    count = sum(len(hashes) for rows in new.values() for hashes in rows.values())
    if not args.check:
        index.INDEX.write_text(index.text(new), encoding="utf-8")
        say(f"{index.INDEX.name}: {count} sentences")
        return 0
    changed = index.changes(index.read(), new)
    for place in changed:
        say(f"differs: {place}")
    say(f"{count} sentences, {len(changed)} paragraphs differ from the index")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
