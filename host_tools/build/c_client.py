"""Builds the C client into build/c_client: `python -m host_tools.build.c_client`."""

import os
import sys
from pathlib import Path

from host_tools.build import nanopb, needed
from host_tools.build.schema import PROTO
from host_tools.build.tell import BUILD, ROOT, BuildError, alone, run, say, stop

SOURCE = ROOT / "host_tools" / "c_client"
OUT = BUILD / "c_client"
PROGRAMS = ("check_vectors", "drive", "play_round", "provision")
LIBRARY = ("client.c", "frame.c", "keys.c", "line.c", "session.c", "sha256.c")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2")


def generate(out: Path) -> None:
    """nanopb's link.pb.c and link.pb.h from link.proto."""
    command = [
        *(sys.executable, "-m", "nanopb.generator.nanopb_generator", "--quiet"),
        *(f"--proto-path={PROTO.parent}", f"--output-dir={out}"),
        *(f"--options-file={SOURCE / 'link.options'}", PROTO.name),
    ]
    # its search for a protoc ends at that of grpc_tools, which is beside this Python
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    run("c_client-nanopb", command, env={"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"})


def build(out: Path = OUT, flags: tuple[str, ...] = FLAGS) -> dict[str, Path]:
    """Compile every program; name → file."""
    needed.require("c", "c_client")
    runtime = nanopb.tree()
    out.mkdir(parents=True, exist_ok=True)
    generate(out)
    files = [SOURCE / name for name in LIBRARY]
    files += [out / "link.pb.c", *(runtime / name for name in nanopb.SOURCES)]
    include = [f"-I{folder}" for folder in (SOURCE, out, runtime)]
    for name in PROGRAMS:
        made = out / name
        run(
            f"c_client-{name}",
            ["gcc", *flags, *include, "-o", made, SOURCE / f"{name}.c", *files],
        )
    return {name: out / name for name in PROGRAMS}


def main() -> None:
    """Build, and say where."""
    with alone():
        for path in build().values():
            say(f"c_client: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
