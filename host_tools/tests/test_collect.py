"""The image's collector beside MicroPython's own: py/gc.c of the tree that images are made of."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from host_tools.build.sources import tree
from host_tools.build.tell import ROOT
from host_tools.tests.needs import needs

WRAPPED = re.compile(r"__wrap_(gc_collect_\w+)\(")
SOURCES = [path.read_text() for path in sorted((ROOT / "boards").glob("*.c"))]
(COLLECTOR,) = [text for text in SOURCES if "__wrap_gc_collect_end(void) {" in text]
# MicroPython as small as it gets, with what an image's collector has to do with
CONFIG = """
#include <alloca.h>
#include <stdint.h>
#define MICROPY_CONFIG_ROM_LEVEL (MICROPY_CONFIG_ROM_LEVEL_MINIMUM)
#define MICROPY_ENABLE_GC (1)
#define MICROPY_ENABLE_FINALISER (1)
#define MICROPY_GC_ALLOC_THRESHOLD (1)
typedef intptr_t mp_int_t;
typedef uintptr_t mp_uint_t;
typedef long mp_off_t;
"""
GENERATED = {
    "hardware/watchdog.h": "void watchdog_reboot(unsigned, unsigned, unsigned);\n",
    "genhdr/qstrdefs.generated.h": 'QDEF0(MP_QSTRnull, 0, 0, "")\nQDEF0(MP_QSTR_, 5, 0, "")\n'
    'QDEF0(MP_QSTR___del__, 1, 7, "__del__")\n',
    "genhdr/root_pointers.h": "",
}
ROUNDS = 400


def build(folder: Path, stack: int, source: str) -> Path:
    """The comparison, with a collector of this text and a stack of marks of this depth."""
    needs("c")
    for name in ("genhdr", "hardware"):
        (folder / name).mkdir()
    (folder / "mpconfigport.h").write_text(CONFIG)
    for name, text in GENERATED.items():
        (folder / name).write_text(text)
    collector = folder / "collect.c"
    collector.write_text(source)
    wrapped = sorted(set(WRAPPED.findall(source)))
    command = [
        *("gcc", "-O2", "-Wall", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover"),
        *("-ffunction-sections", "-Wl,--gc-sections", f"-DMICROPY_ALLOC_GC_STACK_SIZE={stack}"),
        *(f"-DMARKS={int('gc_collect_root' in wrapped)}", "-DDOVETAIL_PRODUCTION=0"),
        *(f"-Wl,--wrap={name}" for name in wrapped),
        *(f"-I{folder}", f"-I{tree()}", tree() / "py" / "gc.c", collector),
        *(ROOT / "host_tools" / "tests" / "collect_compare.c", "-o", folder / "compare"),
    ]
    subprocess.run(command, check=True)
    return folder / "compare"


def compare(program: Path, seed: int) -> tuple[int, str]:
    ended = subprocess.run(
        [program, str(seed), str(ROUNDS)], capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout.strip()


@pytest.mark.parametrize("stack", [256, 8])
def test_it_leaves_what_micropython_leaves_and_overwrites_the_rest(
    tmp_path: Path, stack: int
) -> None:
    program = build(tmp_path, stack, COLLECTOR)
    for seed in (1, 2):
        code, said = compare(program, seed)
        assert code == 0, said
        met = [int(number) for number in re.findall(r"\d+", said)]
        assert met[0] == ROUNDS
        assert 0 not in met, f"not everything was met: {said}"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"used = 4 \* i \+ 3;", "used = 4 * i + 2;"),
        (r"garbage = garbage \|\| kind == HEAD;", ""),
        (r"memset\((.*)\);", r"memset(\1 - 1);"),
        (r"room = (\w+) - \w+;", r"room = \1;"),
    ],
)
def test_a_wrong_collector_is_found(tmp_path: Path, right: str, wrong: str) -> None:
    source, found = re.subn(right, wrong, COLLECTOR)
    assert found == 1, right
    assert compare(build(tmp_path, 256, source), 1)[0] == 1
