"""Makes from link.proto what both ends of the link read: the device's tables, the host's classes.

`python -m host_tools.build.schema` writes the four files, docs/vectors.json and the copies of
numbers (shared_numbers.py). They are committed, and a test sees that they are fresh.
"""

import hashlib
import importlib.resources
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from host_tools.build.tell import ROOT, BuildError, say, stop

PROTO = ROOT / "firmware" / "dovetail" / "link" / "link.proto"
TABLES = PROTO.with_name("schema.py")
NAMES = PROTO.with_name("names.py")
CLASSES = ROOT / "host_tools" / "link"

MADE = "# Made from link.proto by host_tools/build/schema.py: change that file, not this one.\n"

# What the codec calls the kinds of fields, and their numbers in its tables
KINDS = {
    FieldDescriptorProto.TYPE_UINT32: ("uint32", 0),  # from hal/message_twin.py: _UINT
    FieldDescriptorProto.TYPE_BOOL: ("bool", 1),  # from hal/message_twin.py: _BOOL
    FieldDescriptorProto.TYPE_ENUM: ("enum", 2),  # from hal/message_twin.py: _ENUM
    FieldDescriptorProto.TYPE_STRING: ("string", 3),  # from hal/message_twin.py: _TEXT
    FieldDescriptorProto.TYPE_BYTES: ("bytes", 4),  # from hal/message_twin.py: _BYTES
    FieldDescriptorProto.TYPE_MESSAGE: ("message", 5),  # from hal/message_twin.py: _MESSAGE
}
MESSAGE = 5  # from hal/message_twin.py: _MESSAGE
MANY = 8  # from hal/message_twin.py: _MANY
ONEOF = 16  # from hal/message_twin.py: _ONEOF


def compile_proto(folder: Path, proto: Path = PROTO) -> FileDescriptorProto:
    """Run protoc: classes into `folder`, the description back."""
    described = folder / "link.descriptor"
    include = importlib.resources.files("grpc_tools") / "_proto"
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc", f"-I{proto.parent}", f"-I{include}"),
        *(f"--python_out={folder}", f"--pyi_out={folder}", f"--descriptor_set_out={described}"),
        proto.name,
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise BuildError(f"link.proto: {result.stderr.strip()}")
    return FileDescriptorSet.FromString(described.read_bytes()).file[0]


def kind_of(message: DescriptorProto, field: FieldDescriptorProto) -> int:
    """The codec's kind of a field; an error for what the codec does not know."""
    where = f"link.proto: {message.name}.{field.name}"
    if field.type not in KINDS:
        known = ", ".join(name for name, _ in KINDS.values())
        raise BuildError(f"{where}: the device's codec knows only {known}")
    kind = KINDS[field.type][1]
    many = field.label == FieldDescriptorProto.LABEL_REPEATED
    oneof = field.HasField("oneof_index")
    if (many or oneof) and kind != MESSAGE:
        raise BuildError(f"{where}: repeated, optional and oneof are for messages only")
    return kind | (MANY if many else 0) | (ONEOF if oneof else 0)


def canonical(file: FileDescriptorProto) -> str:
    """The schema without comments, layout and order of definition: the fingerprint is of this."""
    lines: list[str] = []
    for enum in sorted(file.enum_type, key=lambda item: item.name):
        lines.append(f"enum {enum.name}")
        lines += [f"{v.number} {v.name}" for v in sorted(enum.value, key=lambda v: v.number)]
    for message in sorted(file.message_type, key=lambda item: item.name):
        lines.append(f"message {message.name}")
        for field in sorted(message.field, key=lambda field: field.number):
            words = [str(field.number), field.name]
            if field.HasField("oneof_index"):
                words.append("oneof")
            if field.label == FieldDescriptorProto.LABEL_REPEATED:
                words.append("repeated")
            words += [KINDS[field.type][0], field.type_name.rpartition(".")[2]]
            lines.append(" ".join(words).rstrip())
    return "\n".join(lines) + "\n"


def fingerprint_of(file: FileDescriptorProto) -> bytes:
    """What the machine says of its schema in the answer to hello."""
    return hashlib.sha256(canonical(file).encode()).digest()[:8]


def check(file: FileDescriptorProto) -> None:
    """Refuse what the device's tables cannot say: kinds of fields, nesting, recursion."""
    inside = {m.name: [f.type_name.rpartition(".")[2] for f in m.field] for m in file.message_type}

    def follow(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise BuildError(f"link.proto: {name} contains itself")
        for below in inside.get(name, []):
            follow(below, (*above, name))

    for message in file.message_type:
        if message.nested_type or message.enum_type or len(message.oneof_decl) > 1:
            raise BuildError(f"link.proto: {message.name}: nested definitions or two oneofs")
        follow(message.name, ())
        oneof = [field.HasField("oneof_index") for field in message.field]
        if oneof != sorted(oneof):
            raise BuildError(f"link.proto: {message.name}: a plain field behind a oneof")
        beside = [f for f in message.field if f.type_name and not f.HasField("oneof_index")]
        if any(oneof) and any(KINDS[f.type][1] == MESSAGE for f in beside):
            raise BuildError(f"link.proto: {message.name}: a message beside a oneof")
        for field in message.field:
            kind_of(message, field)


DEVICE = ("Request", "Report", "Event")  # what the device itself decodes and encodes


def _places(file: FileDescriptorProto) -> dict[str, int]:
    return {message.name: at for at, message in enumerate(file.message_type)}


def tables(file: FileDescriptorProto) -> str:
    """The text of the device's schema.py: literals only, so a frozen image keeps them in flash."""
    check(file)
    digest = fingerprint_of(file)
    index = _places(file)
    out = [
        MADE.rstrip(),
        "",
        "from micropython import const",
        "",
        f'FINGERPRINT = b"{"".join(f"{chr(92)}x{byte:02x}" for byte in digest)}"',
        "",
        "# Messages, by their place in MESSAGES; names.py has all of them",
    ]
    out += [f"{name} = const({at})" for name, at in index.items() if name in DEVICE]
    out += ["", "# Of each message its fields: number, name, kind (codec.py), place of its message"]
    out += ["MESSAGES = ("]
    for message in file.message_type:
        out += [f"    (  # {message.name}"] if message.field else [f"    (),  # {message.name}"]
        for field in message.field:
            of = index.get(field.type_name.rpartition(".")[2], 0)
            out += [f'        ({field.number}, "{field.name}", {kind_of(message, field)}, {of}),']
        out += ["    ),"] if message.field else []
    return "\n".join([*out, ")", ""])


def names(file: FileDescriptorProto) -> str:
    """Every name with its number. For tests: on the device a name takes eight bytes of heap."""
    out = [MADE.rstrip(), "", "from micropython import const"]
    for enum in file.enum_type:
        out += ["", f"# {enum.name}"]
        out += [f"{value.name} = const({value.number})" for value in enum.value]
    out += ["", "# Messages, by their place in schema.MESSAGES"]
    out += [f"{name} = const({at})" for name, at in _places(file).items()]
    return "\n".join([*out, ""])


def generate() -> dict[Path, str]:
    """Every file that link.proto makes, with its text."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = compile_proto(folder)
        made = {TABLES: tables(file), NAMES: names(file)}
        for name in ("link_pb2.py", "link_pb2.pyi"):
            text = (folder / name).read_text()
            text = re.sub(r"_Mapping(?=[],])", "_Mapping[str, object]", text)  # for strict checks
            made[CLASSES / name] = MADE + text
        return made


def main() -> None:
    """Write the files that are not as they should be."""
    for path, text in generate().items():
        fresh = path.is_file() and path.read_text() == text
        if not fresh:
            path.write_text(text)
        say(f"{path.relative_to(ROOT)}: {'as it was' if fresh else 'written'}")
    # The vectors have the fingerprint in them; a new process, so that it sees the new classes.
    for module in ("host_tools.build.shared_numbers", "host_tools.link.vectors"):
        subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True)


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        stop(error)
