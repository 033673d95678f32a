"""A file with more names than machine code for the RP2040 can reach is not let through."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tools.build import lint, needed
from host_tools.build.tell import BuildError


@pytest.mark.parametrize(("bytes_of", "names"), [(b"\x05", 5), (b"\x82\x41", 321), (b"\x00", 0)])
def test_the_number_of_names_stands_after_the_header(bytes_of: bytes, names: int) -> None:
    assert lint.names_in(b"M\x06\x00\x1f" + bytes_of + b"\xff") == names


def test_a_file_with_too_many_names_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MicroPython 1.25 compiles it, and the code then reads another name."""
    if lack := needed.lack_of("mpy-cross"):
        pytest.skip(lack)
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    for number, fits in ((lint.MOST_NAMES - 20, True), (lint.MOST_NAMES + 20, False)):
        path = tmp_path / "many.py"
        path.write_text("".join(f"name_{i} = {i}\n" for i in range(number)), encoding="utf-8")
        monkeypatch.setattr(lint, "device_files", lambda path=path: [path])
        if fits:
            lint.compile_all()
        else:
            with pytest.raises(BuildError, match=r"many\.py has \d+ names.*split the file"):
                lint.compile_all()
