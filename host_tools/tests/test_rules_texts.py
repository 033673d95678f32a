"""The rows of the texts: every sentence has one, and a planted mistake of each kind is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from dovetail.cards import profiles
from dovetail.table.registry import RULES

from host_tools.build.told import Tell
from host_tools.rules import command
from host_tools.rules.texts import index, rows, shown
from host_tools.rules.texts.rows import Chapter, Row

KNOWN = {rule for rule, _, _ in RULES}
ROW = Row("x", 1, "19:47", "1.1(a)", (), "The dealer waits.", "by_hand", (), "People wait.")
SENTENCES = {"19:47": {"1.1(a)": ["00000001", "00000002"], "1.1(a)1": ["00000003"]}}


@pytest.fixture(scope="module")
def chapters() -> list[Chapter]:
    return rows.load()


def chapter_of(*found: Row) -> list[Chapter]:
    return [Chapter("x", "19:47", "19:47-1", "Waiting", "", found)]


def test_the_rows_have_no_mistake(chapters: list[Chapter], tell: Tell) -> None:
    every = [row.status for chapter in chapters for row in chapter.rows]
    counts = ", ".join(f"{every.count(status)} {status}" for status in rows.STATUSES)
    tell(f"rules of the texts: {len(every)} rows, {counts}")
    assert shown.problems(chapters) == []


def test_every_sentence_of_the_texts_has_a_row(chapters: list[Chapter], tell: Tell) -> None:
    sentences = index.read()
    count = sum(len(hashes) for texts in sentences.values() for hashes in texts.values())
    tell(f"rules of the texts: {count} sentences, each has a row")
    assert count > 1000
    assert index.uncovered(sentences, chapters) == []


def test_every_game_of_the_machine_has_its_chapter(chapters: list[Chapter]) -> None:
    games = {chapter.game for chapter in chapters} - {""}
    assert games == {name for name in profiles.names() if name != "plain"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "done"}, "no such status: done"),
        ({"status": "implemented", "rules": ("XX-1",)}, "no such rule: XX-1"),
        ({"status": "implemented", "rules": ("SH-1",)}, "rule without a test: SH-1"),
        ({"status": "implemented"}, "implemented, but it cites no rule"),
        ({"status": "open", "why": ""}, "open, but it does not say why"),
        ({"status": "not_ours", "rules": ("SH-2",)}, "not ours, but it cites rules"),
        ({"says": "word " * 31}, "says has 31 words"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_row_is_named_with_its_file_and_number(change: dict[str, str], said: str) -> None:
    row = replace(ROW, **change)
    (found,) = rows.mistakes(chapter_of(row), KNOWN, {"SH-1"})
    assert found.startswith("x.toml, row 1 (1.1(a)): ")
    assert said in found


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("The profile has `stack` = 4.", "`stack` = 4, but the profile has 3"),
        ("The profile has `legs` = 4.", "`legs` = 4, but the profile has no such key"),
    ],
)
def test_a_value_that_the_profile_does_not_have_is_found(why: str, said: str) -> None:
    (chapter,) = chapter_of(replace(ROW, why=why))
    (found,) = shown.untrue_values([replace(chapter, game="let_it_ride")])
    assert said in found


def test_two_rows_alike_are_found() -> None:
    (found,) = rows.mistakes(chapter_of(ROW, replace(ROW, number=2)), KNOWN, set())
    assert found == "x.toml, row 2 (1.1(a)): says the same as x.toml, row 1 (1.1(a))"


def test_a_sentence_without_a_row_is_found() -> None:
    first = replace(ROW, sentences=(1,))
    below = replace(ROW, at="1.1(a)1")
    assert index.uncovered(SENTENCES, chapter_of(first, below)) == ["19:47-1.1(a), sentence 2"]


def test_a_row_of_a_section_speaks_of_all_below_it() -> None:
    assert index.uncovered(SENTENCES, chapter_of(replace(ROW, at="1.1"))) == []


def test_a_row_speaks_of_nothing_below_where_something_below_has_its_own() -> None:
    other = replace(ROW, at="1.1(b)")
    assert len(index.uncovered(SENTENCES, chapter_of(replace(ROW, at="1.1"), other))) == 3


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (replace(ROW, at="1.1(c)"), "the texts have no such paragraph"),
        (replace(ROW, sentences=(3,)), "the paragraph has 2 sentences"),
        (replace(ROW, code="13:69F"), "the texts have no such paragraph"),
    ],
)
def test_a_row_of_what_the_texts_do_not_have_is_found(row: Row, said: str) -> None:
    (found,) = index.strays(SENTENCES, chapter_of(row))
    assert said in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chapter = ", "x.toml: "),
        ('chapter = "19:47-1"\ntitle = ""\ngame = ""\nrow = [{ at = "1" }]', "row 1: it lacks"),
        ('chapter = "19:47-1"\ntitle = ""\ngame = ""\nrow = [{ who = "I" }]', "no such key: who"),
        ('chapter = "20:1-1"\ntitle = ""\ngame = ""\nrow = []', "chapter 20:1 is of no known code"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^x\.toml") as told:
        rows.load(tmp_path)
    assert said in str(told.value)


def test_the_command_prints_rows_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--texts", "let_it_ride"]) == 0
    told = capsys.readouterr().out
    assert "  18.9(b)1      implemented " in told
    assert "no sentence is without a row" in told
    assert "24.4(a)" not in told


def test_an_unknown_chapter_is_refused_with_the_choices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        command.main(["--texts", "bridge"])
    assert "no chapter 'bridge'; there is: " in capsys.readouterr().err
