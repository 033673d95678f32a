"""The index of the texts: a scan is split into sentences, and a changed text is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tools.rules.texts import __main__, index, split

SCANNED = """\
noise before the first heading

19:47-1.1 Waiting; and a title
    that goes on

(a) All wait (see N.J.A.C. 19:47-2). Nobody
sits!

1. The dealer
i. stands "still." Cards lie;
(b) and (c) below.
(b) "Done". Next.

Amended by R.1990 d.1.
(c) This is history.

**19:47-1.2 Words**

"Card" means a card
"Deck" means cards.
"""


@pytest.fixture
def scans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one scan, which scans.toml names."""
    order = tmp_path / "scans.toml"
    order.write_text('order = ["1"]\njoint = []\n', encoding="utf-8")
    monkeypatch.setattr(split, "SCANS", order)
    (tmp_path / "1.txt").write_text(SCANNED, encoding="utf-8")
    return tmp_path


def test_a_scan_is_split_into_paragraphs_and_sentences(scans: Path) -> None:
    found = {one.at: one.sentences() for one in split.paragraphs(scans)}
    assert found == {
        "1.1(a)": ["All wait (see N.J.A.C. 19:47-2).", "Nobody sits!"],
        "1.1(a)1": ["The dealer"],
        "1.1(a)1i": ['stands "still."', "Cards lie; (b) and (c) below."],
        "1.1(b)": ['"Done".', "Next."],
        "1.2": ['"Card" means a card', '"Deck" means cards.'],
    }


def test_a_changed_text_is_named(
    scans: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(index, "INDEX", scans / "sentences.toml")
    monkeypatch.setattr(index.read, "__defaults__", (scans / "sentences.toml",))
    assert __main__.main(["--index", str(scans)]) == 0
    assert __main__.main(["--index", str(scans), "--check"]) == 0
    (scans / "1.txt").write_text(SCANNED.replace("Nobody", "Someone"), encoding="utf-8")
    assert __main__.main(["--index", str(scans), "--check"]) == 1
    assert "differs: 19:47-1.1(a)\n" in capsys.readouterr().out


def test_the_index_holds_no_sentence() -> None:
    for line in index.INDEX.read_text(encoding="utf-8").splitlines():
        cited, _, hashes = line.partition(" = ")
        assert not hashes or all(len(one) == 8 for one in hashes.strip('"').split()), cited


def test_a_gap_of_a_scan_begins_the_section_that_is_named(scans: Path) -> None:
    line = split.digest("(b) and what follows is of another section")
    joint = f'[[joint]]\nline = "{line}"\ncode = "19:47"\nat = "3.4"\n'
    split.SCANS.write_text(f'order = ["1"]\n{joint}', encoding="utf-8")
    text = f"{SCANNED}\n(b) and what follows is of another section\n(c) Here.\n"
    (scans / "1.txt").write_text(text, encoding="utf-8")
    assert [one.at for one in split.paragraphs(scans)][-1] == "3.4(c)"


def test_an_older_print_is_indexed_only_where_it_differs(scans: Path) -> None:
    split.SCANS.write_text('order = ["1", "2"]\njoint = []\n', encoding="utf-8")
    older = "19:47-1.1 Waiting\n(a) Nobody sits! They stood.\n"
    (scans / "2.txt").write_text(older, encoding="utf-8")
    found = index.build(scans)["19:47"]
    assert found["1.1(a) (older)"] == [split.digest("They stood.")]


def test_a_folder_without_the_scans_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        __main__.main(["--index", str(tmp_path)])
    assert "0 files 000*.txt, where one belongs" in capsys.readouterr().err
