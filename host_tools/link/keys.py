"""The keys of one machine's roles. They are never shown: a key is told apart by its id."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, fields

from host_tools.link import link_pb2
from host_tools.link.auth import KEY

ROLES = {
    "table": link_pb2.ROLE_TABLE,
    "service": link_pb2.ROLE_SERVICE,
    "audit": link_pb2.ROLE_AUDIT,
    "supervisor": link_pb2.ROLE_SUPERVISOR,
}


@dataclass(frozen=True, repr=False)
class Keys:
    """One key a role."""

    table: bytes
    service: bytes
    audit: bytes
    supervisor: bytes

    def __post_init__(self) -> None:
        for field in fields(self):
            if len(getattr(self, field.name)) != KEY:
                raise ValueError(f"the {field.name} key has not {KEY} bytes")

    def of(self, role: link_pb2.Role) -> bytes:
        """The key of a role."""
        return (self.table, self.service, self.audit, self.supervisor)[role - 1]

    def ids(self) -> dict[str, str]:
        """Of each key what may be shown of it."""
        return {field.name: key_id(getattr(self, field.name)) for field in fields(self)}

    def __repr__(self) -> str:
        return f"Keys({', '.join(f'{name} {key}' for name, key in self.ids().items())})"


def key_id(key: bytes) -> str:
    """Eight digits that tell keys apart, and from which no key can be had."""
    return hashlib.sha256(b"dovetail key id" + key).hexdigest()[:8]


def drawn() -> Keys:
    """New keys."""
    return Keys(*(os.urandom(KEY) for _ in ROLES))


def of_seed(seed: int) -> Keys:
    """Keys of a simulated machine, the same for the same seed. No secret is kept by them."""
    made = [hashlib.sha256(f"simulated {name} key {seed}".encode()).digest() for name in ROLES]
    return Keys(*made)
