"""`make check`: what changed since a commit, and which tests are chosen for it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from host_tools.build import check
from host_tools.build.tell import ROOT, UsageError

SOURCE = """LIMIT = 3


def first():
    return 1


class Deck:
    def cut(self):
        def at():
            return 2
        return at

    def count(self):
        return 52
"""
USER = "from shoe import LIMIT\n\n\ndef deal():\n    return LIMIT\n"
TESTS = (
    "def test_first(): pass\ndef test_cut(): pass\ndef test_count(): pass\ndef test_deal(): pass\n"
)


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of three files, all committed."""
    for name, text in {"shoe.py": SOURCE, "user.py": USER, "test_shoe.py": TESTS}.items():
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    return tmp_path


def edit(project: Path, name: str, old: str, new: str) -> None:
    text = (project / name).read_text()
    assert old in text
    (project / name).write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "function"),
    [
        ("return 1", "return 0", "first"),
        ("return 2", "return 3", "Deck.cut.at"),
        ("return at", "return None", "Deck.cut"),
        ("        return 52", "        print()\n        return 52", "Deck.count"),
        ("LIMIT = 3", "LIMIT = 4", ""),
    ],
)
def test_a_changed_line_is_of_the_innermost_function(
    project: Path, old: str, new: str, function: str
) -> None:
    edit(project, "shoe.py", old, new)
    changed = check.since("HEAD")
    assert list(changed.lines) == ["shoe.py"]
    assert changed.functions("shoe.py") == {function}


def test_a_line_that_was_taken_out_counts(project: Path) -> None:
    edit(project, "shoe.py", "        return at\n", "")
    assert "Deck.cut" in "".join(check.since("HEAD").functions("shoe.py"))


def test_a_new_file_is_changed_as_a_whole_and_a_removed_one_is_gone(project: Path) -> None:
    (project / "new.py").write_text(USER)
    (project / "user.py").unlink()
    changed = check.since("HEAD")
    assert (set(changed.lines), changed.gone) == ({"new.py"}, ["user.py"])
    assert changed.functions("new.py") == {"deal", ""}


def test_what_was_committed_since_counts(project: Path) -> None:
    edit(project, "shoe.py", "return 1", "return 0")
    git(project, "commit", "-qam", "second")
    assert check.since("HEAD").lines == {}
    assert check.since("HEAD~1").functions("shoe.py") == {"first"}


@pytest.mark.parametrize("commit", ["nonsense", "HEAD~7", "--all"])
def test_a_commit_that_is_none_is_refused(project: Path, commit: str) -> None:
    with pytest.raises(
        UsageError, match=f"SINCE={commit}: git knows no such commit; git log lists"
    ):
        check.since(commit)


def known(file_s: float = 4.0, **took: float) -> check.Tests:
    """A map in which each function has the test that bears its name."""
    names = ["first", "cut", "count", "deal"]
    rows = [[f"test_shoe.py::test_{name}", took.get(name, 1.0)] for name in names]
    return check.Tests(
        {
            "files": {"test_shoe.py": file_s},
            "tests": rows,
            "reach": {
                "shoe.py": {"first": [0], "Deck.cut": [1, 0], "Deck.count": [2]},
                "user.py": {"deal": [3]},
            },
        }
    )


def picked(found: check.Tests) -> list[str]:
    return [
        test.removeprefix("test_shoe.py::test_")
        for test in check.chosen(check.since("HEAD"), found)
    ]


def test_the_tests_of_a_changed_function_come_first(project: Path) -> None:
    edit(project, "shoe.py", "return 52", "return 51")
    assert picked(known()) == ["count", "first", "cut"]  # then what else reaches its file


def test_a_line_outside_of_any_function_takes_the_tests_of_its_file(project: Path) -> None:
    edit(project, "shoe.py", "LIMIT = 3", "LIMIT = 4")
    assert set(picked(known())) == {"first", "cut", "count"}


def test_a_table_of_data_takes_the_tests_of_those_who_read_it(project: Path) -> None:
    (project / "shoe.py").write_text("LIMIT = 3\n")
    git(project, "commit", "-qam", "a table")
    edit(project, "shoe.py", "LIMIT = 3", "LIMIT = 4")
    found = known()
    del found.reach["shoe.py"]
    assert picked(found) == ["deal"]


def test_every_function_gets_a_test_before_any_gets_more(project: Path) -> None:
    edit(project, "shoe.py", "return at", "return None")
    edit(project, "shoe.py", "return 52", "return 51")
    chosen = picked(known(cut=check.TESTS_S / 2, count=check.TESTS_S / 2))
    assert set(chosen) == {"cut", "count"}  # and no time is left for what else reaches cut


def test_a_test_that_takes_too_long_is_left_out(project: Path) -> None:
    edit(project, "shoe.py", "return at", "return None")
    assert set(picked(known(cut=check.TESTS_S + 1))) == {"first", "count"}


def test_a_test_that_is_gone_is_left_out(project: Path) -> None:
    edit(project, "shoe.py", "return 52", "return 51")
    edit(project, "test_shoe.py", "def test_count(): pass\n", "")
    assert "count" not in picked(known())


def test_a_changed_file_of_tests_is_run(project: Path) -> None:
    edit(project, "test_shoe.py", "def test_cut(): pass", "def test_cut(): assert 1")
    assert check.chosen(check.since("HEAD"), known()) == ["test_shoe.py"]


def test_of_a_changed_file_that_takes_long_only_what_changed_is_run(project: Path) -> None:
    found = known(file_s=check.FILE_S + 1)
    edit(project, "test_shoe.py", "def test_cut(): pass", "def test_cut(): assert 1")
    assert check.chosen(check.since("HEAD"), found) == ["test_shoe.py::test_cut"]
    assert check.unseen(check.since("HEAD"), found) == []
    edit(project, "test_shoe.py", "def test_cut(): assert 1", "def test_cut(): pass")
    edit(project, "test_shoe.py", "def test_first", "LIMIT = 2\ndef test_first")
    assert check.chosen(check.since("HEAD"), found) == []
    assert "test_shoe.py" in check.unseen(check.since("HEAD"), found)[0]


def test_a_file_that_is_gone_takes_the_tests_of_those_who_import_it(project: Path) -> None:
    (project / "shoe.py").unlink()
    assert picked(known()) == ["deal"]


def test_a_file_that_was_renamed_is_one_gone_and_one_new(project: Path) -> None:
    git(project, "mv", "shoe.py", "wheel.py")
    changed = check.since("HEAD")
    assert (list(changed.lines), changed.gone) == (["wheel.py"], ["shoe.py"])


@pytest.mark.parametrize("setting", ["diff.mnemonicPrefix", "diff.noprefix"])
def test_a_user_s_own_git_settings_change_nothing(project: Path, setting: str) -> None:
    git(project, "config", setting, "true")
    edit(project, "shoe.py", "return 1", "return 0")
    assert check.since("HEAD").functions("shoe.py") == {"first"}


def test_a_file_that_is_no_python_is_not_overlooked(project: Path) -> None:
    for name in ("wire.c", "link.proto", "notes.md"):
        (project / name).write_text("text")
    changed = check.since("HEAD")
    assert check.unseen(changed, known()) == ["wire.c"]
    assert "host_tools/tests/test_link_schema.py" in check.named("link.proto")


def test_a_function_that_nothing_reaches_is_named(project: Path) -> None:
    edit(project, "shoe.py", "return 2", "return 3")
    found = known()
    found.reach["shoe.py"]["Deck.cut.at"] = []
    assert set(picked(found)) == {"first", "cut", "count"}  # of its file all the same
    assert check.unseen(check.since("HEAD"), found) == ["shoe.py: Deck.cut.at"]


def test_a_function_that_the_map_does_not_know_is_named_beside_tests_of_its_file(
    project: Path,
) -> None:
    """Tests of the file are chosen for it, and none of them is known to reach it."""
    edit(project, "shoe.py", "return 52", "return 51")
    edit(project, "shoe.py", "def first():", "def burn():\n    return 4\n\n\ndef first():")
    found = known()
    del found.reach["shoe.py"]["Deck.count"]
    assert set(picked(found)) >= {"first", "cut"}
    changed = check.since("HEAD")
    assert check.unseen(changed, found) == ["shoe.py: Deck.count", "shoe.py: burn"]


def test_a_function_that_is_reached_is_not_named(project: Path) -> None:
    edit(project, "shoe.py", "return 52", "return 51")
    assert check.unseen(check.since("HEAD"), known()) == []


def test_a_file_that_does_not_parse_is_left_to_the_linter(project: Path) -> None:
    edit(project, "shoe.py", "return 1", "return (")
    assert check.since("HEAD").functions("shoe.py") == {""}


def test_every_test_that_is_named_for_a_kind_of_file_is_there() -> None:
    for _, tests in check.BY_NAME:
        for test in tests:
            path, _, name = test.partition("::")
            text = (ROOT / path).read_text(encoding="utf-8")
            assert not name or f"def {name}(" in text
