# What a request is answered. Each is done once, however often it comes; an answer is a dict of an Answer, or a refusal
# that is always the same: (outcome, rule, text), which lies in flash.

import micropython
import struct
from binascii import crc32

from dovetail.link import codec, frame, roles, schema, verify
from micropython import const

BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
REMEMBERED = const(4)  # answers kept, for requests that come again
MAX_KEPT = const(240)  # bytes; longer are those that only read, and they are read again
_HEAD = const("<IB")  # of one that is kept: CRC-32 of its request, length; 0 when it was too long
_HEAD_SIZE = const(5)
_LOST = const(255)  # a length: it was begun, and no answer was made
_PLACE = const(245)
ANSWERS = const(980)  # bytes for all of them
_DONE = const(1)  # from link/link.proto: DONE
_REFUSED = const(2)  # from link/link.proto: REFUSED
_BAD = const(4)  # from link/link.proto: BAD
_SESSIONLESS = const(5)  # from link/link.proto: NO_SESSION
_CROWDED = const(6)  # from link/link.proto: UNHEARD
_FAILED = const(7)  # from link/link.proto: FAILED
_SERVICE = const(9)  # a state; from link/link.proto: SERVICE
_ROLES = (b"\0", b"\1", b"\2", b"\3", b"\4")

_BAD_ID = const((_BAD, "", "id: smaller than one already answered"))
_REUSED_ID = const((_BAD, "", "id: used before for another request"))
_NO_ANSWER = const((_FAILED, "", "answer"))
_NO_REQUEST = const((_BAD, "", "no request of this schema"))
_WITHOUT_ID = const((_BAD, "", "id: is missing; each request has one, from 1 on"))
_NO_SESSION = const((_SESSIONLESS, "", "say hello first"))
_NO_TAG = const((_SESSIONLESS, "", "tag: is missing, and in a session all is tagged; or say hello"))
_NO_KEYS = const((_REFUSED, "KEYS", "no keys yet: provision them"))
_TAGGED_HELLO = const((_BAD, "", "hello is never tagged"))
_NOT_KEPT = const((_FAILED, "", "memory refuses writes"))
_NO_NUMBER = const((_BAD, "", "number: no such event yet"))
_UNHEARD = const((_CROWDED, "", "events wait to be acknowledged"))
_NO_BAUD = const((_BAD, "", "baud: one of 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600"))
_NO_CHALLENGE = const((_BAD, "", "challenge: 32 bytes are asked for"))


@micropython.native
def answer(link):
    """(report to the request that came, key of its session) or (None, None) when the frame is dropped."""
    received = link.receiver
    sessions = link.sessions
    session = no = None
    if received.tagged and sessions.any():
        before = sessions.open
        session, no = sessions.check(received)
        if session is None:
            return None, None
        link.old_baud = 0
        if sessions.open is not before:
            link.opened(session)
    body = received.body  # as it lies there: the answer's frame comes later
    try:
        request = codec.decode(schema.Request, body)
    except ValueError:
        request = {"id": 0}
    id = request["id"]
    name = codec.which(request)
    if id == 0 or name is None:
        return report(link, id, _NO_REQUEST if name is None else _WITHOUT_ID), session and session.key
    if session is None:
        return _outside(link, id, name, request[name], received.tagged)
    if no:
        return report(link, id, no), session.key
    return _inside(link, session, id, name, request[name], body), session.key


def _outside(link, id, name, fields, tagged):
    """Report to what is not of a session, and the key of the session that it asked for."""
    session = None
    if tagged or name not in ("hello", "status", "provision"):
        no = _NO_SESSION if tagged or not link.sessions.any() else _NO_TAG
        return report(link, id, no if link.guard.key(roles.TABLE) else _NO_KEYS), None
    if name == "hello":
        said, session = link.sessions.hello(id, fields, link.identity)
    elif name == "status":
        said = _do(link, None, name, fields) if link.guard.key(roles.TABLE) else _NO_KEYS
    else:
        before = link.guard.key(roles.TABLE)
        said = link.guard.provision(fields)  # on flash when it says so: it owes nothing
        if before and link.guard.key(roles.TABLE) != before:  # whoever had the old ones is out
            link.sessions.end()
            link.sessions.asked = None
    return report(link, id, said), session and session.key


@micropython.native
def _inside(link, session, id, name, fields, body):
    """Report to a request of a session."""
    mark = crc32(body)
    ids = link.ids
    at = _find(ids, session, id)
    if at >= 0:
        same, n = struct.unpack_from(_HEAD, link.answers, at)
        if same != mark:
            return report(link, id, _REUSED_ID)
        at += _HEAD_SIZE
        if n == _LOST:
            return report(link, id, _NO_ANSWER)
        if n:
            return bytes(memoryview(link.answers)[at : at + n])
        if name not in roles.READING:
            return report(link, id, _REUSED_ID)  # another request that was made to have the same CRC
        return report(link, id, _allowed(link, session, name, fields))  # it was too long to be kept: it is read again
    if id <= session.floor:
        return report(link, id, _BAD_ID)
    place = session.answered % REMEMBERED
    if session.answered >= REMEMBERED and ids[place] > session.floor:
        session.floor = ids[place]
    at = place * _PLACE
    struct.pack_into(_HEAD, link.answers, at, mark, _LOST)  # whatever happens now, it is not done again
    ids[place] = id
    session.answered += 1
    told = link.guard.recorded()
    said = _allowed(link, session, name, fields)
    # a refusal, and what the journal was not told, wait for nobody's record
    link.owes = link.guard.recorded() != told and isinstance(said, dict) and said.get("outcome") == _DONE
    said = report(link, id, said)
    if len(said) > MAX_KEPT and name not in roles.READING:
        link.failed(ValueError("%s: answer of %d bytes" % (name, len(said))))
        said = report(link, id, _NO_ANSWER)
    _keep(link, at, mark, said)
    return said


def not_kept(link):
    """In the place of the answer that was made last: flash has refused what it says."""
    session = link.sessions.open
    if session is None:  # it has ended meanwhile
        return report(link, 0, _NOT_KEPT)
    place = (session.answered - 1) % REMEMBERED
    at = place * _PLACE
    said = report(link, link.ids[place], _NOT_KEPT)
    _keep(link, at, struct.unpack_from(_HEAD, link.answers, at)[0], said)
    return said


# ---- the last answers of the open session, each in its place of link.answers, its request's id in that of link.ids


@micropython.native
def _find(ids, session, id):
    """Where the answer to this request lies; -1 when it is not kept."""
    for place in range(min(session.answered, REMEMBERED)):
        if ids[place] == id:
            return place * _PLACE
    return -1


@micropython.native
def _keep(link, at, mark, said):
    if len(said) > MAX_KEPT:
        said = b""
    struct.pack_into(_HEAD, link.answers, at, mark, len(said))
    at += _HEAD_SIZE
    link.answers[at : at + len(said)] = said


@micropython.native
def _allowed(link, session, name, fields):
    if name == "hello":
        return _TAGGED_HELLO
    if name not in roles.MAY[session.role]:
        who = " or ".join([roles.NAMES[role] for role in range(1, 5) if name in roles.MAY[role]])
        text = "%s: not in a session of %s" % (name, roles.NAMES[session.role])
        return _REFUSED, "ROLE", text + (", but of %s" % who if who else ", but untagged")
    if link.events.crowded() and name not in roles.READING:
        return _UNHEARD
    return _do(link, session, name, fields)


@micropython.native
def _do(link, session, name, fields):
    if name == "acknowledge":
        return {"outcome": _DONE} if link.events.acknowledge(fields["number"]) else _NO_NUMBER
    if name == "replay":
        return {"outcome": _DONE, "replayed": {"first": link.events.replay(fields["number"])}}
    if name == "set_baud":
        if fields["baud"] not in BAUDS:
            return _NO_BAUD
        link.next_baud = fields["baud"]
        return {"outcome": _DONE}
    if name == "verify":
        if len(fields["challenge"]) != verify.CHALLENGE:
            return _NO_CHALLENGE
        return {"outcome": _DONE, "verified": verify.ask(link, session, fields["challenge"])}
    try:
        if name == "heartbeat":
            return _beat(link, fields["digest"])
        said = link.handle(name, fields)
        if name == "status" and "status" in said:
            _complete(link, said["status"], _digest(link))
        return said
    except Exception as error:
        link.failed(error)
        return _FAILED, "", type(error).__name__


@micropython.native
def _complete(link, status, digest):
    """Adds to a status what the link knows."""
    session = link.sessions.open
    if session is not None:
        status["session"] = session.role
        if session.role == roles.SERVICE:
            status["state"] = _SERVICE
    status["digest"] = digest
    status["uptime_ms"] = link.uptime_ms() & 0xFFFFFFFF
    status["next_event"] = link.events.number
    status["lost_events"] = link.events.lost
    status["bad_frames"] = sum(link.receiver.bad)


@micropython.native
def _digest(link):
    """Of the status: another when the machine, or whose session it is, is another; never 0."""
    session = link.sessions.open
    return crc32(_ROLES[session.role if session else 0], link.handle("digest", None)) or 1


@micropython.native
def _beat(link, known):
    digest = _digest(link)
    beat = {"digest": digest, "next_event": link.events.number}
    if digest == known:
        beat["uptime_ms"] = link.uptime_ms() & 0xFFFFFFFF
    else:
        beat["status"] = status = link.handle("status", {})["status"]
        _complete(link, status, digest)
        beat["uptime_ms"] = status["uptime_ms"]
    return {"outcome": _DONE, "beat": beat}


@micropython.native
def report(link, id, said):
    """Bytes of the Report that says this to request id."""
    try:
        if isinstance(said, tuple):
            outcome, rule, text = said
            said = {"outcome": outcome, "rule": rule, "text": text}
        said["id"] = id
        made = codec.encode(schema.Report, {"answer": said})
        if len(made) > frame.MAX_BODY:
            raise ValueError("answer of %d bytes" % len(made))
        return made
    except Exception as error:
        link.failed(error)
        failed = {"id": id, "outcome": _FAILED, "text": "answer"}
        return codec.encode(schema.Report, {"answer": failed})
