"""The drive that an RP2040 shows in its bootloader, as a directory: it takes a UF2 and boots it."""

from __future__ import annotations

from pathlib import Path

from sim.emulated import uf2

INFO = "INFO_UF2.TXT"
INFO_TEXT = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"


class Drive:
    """Shown while the board is in its bootloader."""

    def __init__(self, directory: Path, chip: str) -> None:
        self.directory = directory
        self.refused = ""  # why the file that lies there is no image for this chip
        self._chip = chip

    def show(self) -> None:
        """The drive appears."""
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / INFO).write_text(INFO_TEXT)

    def hide(self) -> None:
        """The drive disappears, with what was copied to it."""
        for name in (INFO, *(path.name for path in self.directory.glob("*.uf2"))):
            (self.directory / name).unlink(missing_ok=True)

    def copied(self) -> uf2.Image | None:
        """The image that was copied here, once all of it is there and it is for this chip."""
        for path in sorted(self.directory.glob("*.uf2")):
            try:
                return uf2.read(path, self._chip)
            except uf2.ImageError as error:
                self.refused = str(error)  # not yet whole, or never to be: the drive stays
        return None
