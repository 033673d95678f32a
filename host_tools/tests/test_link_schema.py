"""What is made from link.proto is fresh, and what the device could not read is refused."""

from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from host_tools.build import schema
from host_tools.build.tell import BuildError
from host_tools.link import vectors


@pytest.mark.parametrize(
    "path",
    [schema.TABLES, schema.NAMES, *schema.CLASSES.glob("link_pb2.py*")],
    ids=lambda path: path.name,
)
def test_generated_files_are_fresh(path: Path) -> None:
    made = schema.generate()
    assert path in made
    assert path.read_text() == made[path], "link.proto changed: python -m host_tools.build.schema"


def test_all_files_are_there() -> None:
    assert all(path.is_file() for path in schema.generate())


def test_the_vectors_are_fresh() -> None:
    fresh = vectors.VECTORS.read_text() == vectors.text()
    assert fresh, "vectors changed: python -m host_tools.link.vectors"


def described(source: str, folder: Path) -> FileDescriptorProto:
    """A schema of one's own."""
    path = folder / "link.proto"
    path.write_text('syntax = "proto3";\npackage dovetail;\n' + source)
    return schema.compile_proto(folder, path)


SCHEMA = """
// a comment
enum Back { NONE = 0; RED = 1; }
message Deck { Back back = 1; repeated Part parts = 2; }
message Part { oneof body { Deep deep = 3; } bytes data = 1; }
message Deep {}
"""


def test_the_fingerprint_is_of_the_meaning(tmp_path: Path) -> None:
    canonical = schema.canonical(described(SCHEMA, tmp_path))
    assert canonical.splitlines() == [
        "enum Back",
        "0 NONE",
        "1 RED",
        "message Deck",
        "1 back enum Back",
        "2 parts repeated message Part",
        "message Deep",
        "message Part",
        "1 data bytes",
        "3 deep oneof message Deep",
    ]
    moved = "message Deep {}\n" + SCHEMA.replace("message Deep {}", "").replace("// a comment", "")
    assert schema.canonical(described(moved, tmp_path)) == canonical
    for changed in (
        "parts = 2|parts = 4",
        "RED = 1|RED = 2",
        "Deep deep|Deck deep",
        "bytes|string",
    ):
        old, new = changed.split("|")
        other = SCHEMA.replace(old, new)
        assert other != SCHEMA
        assert schema.canonical(described(other, tmp_path)) != canonical


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("message A { sint32 x = 1; }", "A.x: the device's codec knows only"),
        ("message A { repeated uint32 x = 1; }", "A.x: repeated, optional and oneof"),
        ("message A { optional uint32 x = 1; }", "A.x: repeated, optional and oneof"),
        ("message A { oneof b { string x = 1; } }", "A.x: repeated, optional and oneof"),
        ("message A { B b = 1; } message B { A a = 1; }", "A contains itself"),
        ("message A { message B {} }", "A: nested definitions"),
        ("message A { map<uint32, uint32> m = 1; }", "A: nested definitions"),
        ("message A { uint32 x = 1 }", "link.proto"),
    ],
)
def test_what_the_device_cannot_read_is_refused(source: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        schema.tables(described(source, tmp_path))
    assert why in str(caught.value)
