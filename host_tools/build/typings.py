"""Puts the types of the device's own modules into typings/, apart from .venv.

They come from a package that describes MicroPython 1.25 on this chip. Where it says less than the
interpreter can do, CORRECTIONS say what is missing.
"""

import hashlib
import shutil
from pathlib import Path

from host_tools.build.tell import ROOT, BuildError, run, say

TYPINGS = ROOT / "typings"

# File, text in it, what stands there instead.
CORRECTIONS = (
    (
        "rp2/__init__.pyi",
        "    def __init__(self) -> None: ...\n\nclass DMA:\n",
        "    def __init__(self, *, start: int = -1, len: int = -1) -> None: ...\n\n"
        "class DMA:\n"
        "    channel: int\n",
    ),
    (
        "machine.pyi",
        "def write(self, buf: AnyReadableBuf, /) -> Union[int, None]:",
        "def write(self, buf: AnyReadableBuf, off: int = 0, n: int = 0, /) -> Union[int, None]:",
    ),
    (
        "stdlib/asyncio/streams.pyi",
        "    async def readexactly(self, n: int) -> bytes: ...\n",
        "    async def readexactly(self, n: int) -> bytes: ...\n"
        "    async def readinto(self, buf: bytearray | memoryview) -> int: ...\n",
    ),
    (
        "stdlib/asyncio/__init__.pyi",
        "from .micropython import *\n",
        "from .micropython import *\n"
        "async def wait_for_ms(aw: Awaitable[Any], timeout: int) -> Any: ...\n",
    ),
)
# The modules that every image has beside MicroPython's: what `make image` writes, boards/heap.c.
OWN = {
    "image": "BOARD: str\nVARIANT: str\nVERSION: str\nGIT: str\n",
    "heap": "from typing import Any\n\n"
    "def free() -> int: ...\n"
    "def lasting(n: int, typecode: str = ...) -> Any: ...\n"
    "def room() -> tuple[int, int, int]: ...\n",
}
# What the compiler knows and nobody imports: types of viper code, words of the PIO assembler.
BUILTINS = """
from typing import Any

ptr8: Any
ptr16: Any
ptr32: Any

def wrap_target() -> None: ...
def wrap() -> None: ...
def label(name: str) -> None: ...
def nop() -> Any: ...
def rel(number: int) -> int: ...

jmp: Any
mov: Any
pull: Any
push: Any
out: Any
irq: Any

x: Any
y: Any
osr: Any
isr: Any
pins: Any
not_x: Any
not_y: Any
x_dec: Any
y_dec: Any
"""


def _correct() -> None:
    for name, old, new in CORRECTIONS:
        path = TYPINGS / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise BuildError(f"setup: typings/{name} is not what its correction expects")
        path.write_text(text.replace(old, new), encoding="utf-8")
    with (TYPINGS / "__builtins__.pyi").open("a", encoding="utf-8") as file:
        file.write(BUILTINS)
    for name, text in OWN.items():
        (TYPINGS / f"{name}.pyi").write_text(text, encoding="utf-8")


def make_typings(pip: list[str | Path], packages: list[str]) -> None:
    """Install the packages into typings/ unless they are there."""
    stamp = TYPINGS / "dovetail.stamp"
    key = hashlib.sha256(Path(__file__).read_bytes() + " ".join(packages).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == key:
        return
    say("setup: installing the device's types into typings/")
    shutil.rmtree(TYPINGS, ignore_errors=True)
    run("typings", [*pip, "--no-deps", "--target", TYPINGS, *packages])
    _correct()
    stamp.write_text(key)
