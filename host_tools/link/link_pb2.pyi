# Made from link.proto by host_tools/build/schema.py: change that file, not this one.
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_NONE: _ClassVar[Role]
    ROLE_TABLE: _ClassVar[Role]
    ROLE_SERVICE: _ClassVar[Role]
    ROLE_AUDIT: _ClassVar[Role]
    ROLE_SUPERVISOR: _ClassVar[Role]

class VoidReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BY_DEALER: _ClassVar[VoidReason]
    EXPOSED: _ClassVar[VoidReason]
    BY_FAULT: _ClassVar[VoidReason]
    FACE_UP_TWICE: _ClassVar[VoidReason]
    WRONG_STUB: _ClassVar[VoidReason]
    POWER_LOST: _ClassVar[VoidReason]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNKNOWN: _ClassVar[Outcome]
    DONE: _ClassVar[Outcome]
    REFUSED: _ClassVar[Outcome]
    NOT_NOW: _ClassVar[Outcome]
    BAD: _ClassVar[Outcome]
    NO_SESSION: _ClassVar[Outcome]
    UNHEARD: _ClassVar[Outcome]
    FAILED: _ClassVar[Outcome]

class Back(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BACK_NONE: _ClassVar[Back]
    RED: _ClassVar[Back]
    BLUE: _ClassVar[Back]

class Quality(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUALITY_UNKNOWN: _ClassVar[Quality]
    GOOD: _ClassVar[Quality]
    MARGINAL: _ClassVar[Quality]
    DIRTY: _ClassVar[Quality]
    QUALITY_FAILED: _ClassVar[Quality]

class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STATE_UNKNOWN: _ClassVar[State]
    STARTING: _ClassVar[State]
    IDLE: _ClassVar[State]
    WORKING: _ClassVar[State]
    READY: _ClassVar[State]
    DEALING: _ClassVar[State]
    STOPPED: _ClassVar[State]
    UNAVAILABLE: _ClassVar[State]
    OUT_OF_SERVICE: _ClassVar[State]
    SERVICE: _ClassVar[State]

class Place(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLACE_NONE: _ClassVar[Place]
    INFEED: _ClassVar[Place]
    WHEEL: _ClassVar[Place]
    SHOE: _ClassVar[Place]
    TABLE: _ClassVar[Place]
    REMOVED: _ClassVar[Place]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNKNOWN: _ClassVar[Phase]
    PHASE_CLOSED: _ClassVar[Phase]
    PHASE_BETS: _ClassVar[Phase]
    PHASE_STACKS: _ClassVar[Phase]
    PHASE_SECOND_CALL: _ClassVar[Phase]
    PHASE_THIRD_CALL: _ClassVar[Phase]
    PHASE_RELEASED: _ClassVar[Phase]
    PHASE_VOID: _ClassVar[Phase]

class Order(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORDER_NONE: _ClassVar[Order]
    SHUFFLED: _ClassVar[Order]
    BROUGHT: _ClassVar[Order]
    IDLED: _ClassVar[Order]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AS_ORDERED: _ClassVar[Verdict]
    ONE_MORE: _ClassVar[Verdict]
    HAND_VOID: _ClassVar[Verdict]
    MISDEALT: _ClassVar[Verdict]
    CUT_SHORT: _ClassVar[Verdict]
    NOT_COUNTED: _ClassVar[Verdict]
ROLE_NONE: Role
ROLE_TABLE: Role
ROLE_SERVICE: Role
ROLE_AUDIT: Role
ROLE_SUPERVISOR: Role
BY_DEALER: VoidReason
EXPOSED: VoidReason
BY_FAULT: VoidReason
FACE_UP_TWICE: VoidReason
WRONG_STUB: VoidReason
POWER_LOST: VoidReason
OUTCOME_UNKNOWN: Outcome
DONE: Outcome
REFUSED: Outcome
NOT_NOW: Outcome
BAD: Outcome
NO_SESSION: Outcome
UNHEARD: Outcome
FAILED: Outcome
BACK_NONE: Back
RED: Back
BLUE: Back
QUALITY_UNKNOWN: Quality
GOOD: Quality
MARGINAL: Quality
DIRTY: Quality
QUALITY_FAILED: Quality
STATE_UNKNOWN: State
STARTING: State
IDLE: State
WORKING: State
READY: State
DEALING: State
STOPPED: State
UNAVAILABLE: State
OUT_OF_SERVICE: State
SERVICE: State
PLACE_NONE: Place
INFEED: Place
WHEEL: Place
SHOE: Place
TABLE: Place
REMOVED: Place
PHASE_UNKNOWN: Phase
PHASE_CLOSED: Phase
PHASE_BETS: Phase
PHASE_STACKS: Phase
PHASE_SECOND_CALL: Phase
PHASE_THIRD_CALL: Phase
PHASE_RELEASED: Phase
PHASE_VOID: Phase
ORDER_NONE: Order
SHUFFLED: Order
BROUGHT: Order
IDLED: Order
AS_ORDERED: Verdict
ONE_MORE: Verdict
HAND_VOID: Verdict
MISDEALT: Verdict
CUT_SHORT: Verdict
NOT_COUNTED: Verdict

class Request(_message.Message):
    __slots__ = ("id", "hello", "status", "load", "shuffle", "open_round", "no_more_bets", "deal", "remainder", "close_round", "acknowledge", "replay", "remove_deck", "cleared", "provision", "heartbeat", "set_baud", "verify", "read_journal", "meters", "set_clock", "recall", "draw_start", "face_up", "give_back", "deliver", "void_round", "stub_counted", "out_of_service", "in_service", "idle", "empty_out", "self_test", "jog", "calibrate", "calibration", "read_sensors", "configure")
    ID_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    LOAD_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    OPEN_ROUND_FIELD_NUMBER: _ClassVar[int]
    NO_MORE_BETS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    REMAINDER_FIELD_NUMBER: _ClassVar[int]
    CLOSE_ROUND_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGE_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    REMOVE_DECK_FIELD_NUMBER: _ClassVar[int]
    CLEARED_FIELD_NUMBER: _ClassVar[int]
    PROVISION_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    SET_BAUD_FIELD_NUMBER: _ClassVar[int]
    VERIFY_FIELD_NUMBER: _ClassVar[int]
    READ_JOURNAL_FIELD_NUMBER: _ClassVar[int]
    METERS_FIELD_NUMBER: _ClassVar[int]
    SET_CLOCK_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    DRAW_START_FIELD_NUMBER: _ClassVar[int]
    FACE_UP_FIELD_NUMBER: _ClassVar[int]
    GIVE_BACK_FIELD_NUMBER: _ClassVar[int]
    DELIVER_FIELD_NUMBER: _ClassVar[int]
    VOID_ROUND_FIELD_NUMBER: _ClassVar[int]
    STUB_COUNTED_FIELD_NUMBER: _ClassVar[int]
    OUT_OF_SERVICE_FIELD_NUMBER: _ClassVar[int]
    IN_SERVICE_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    EMPTY_OUT_FIELD_NUMBER: _ClassVar[int]
    SELF_TEST_FIELD_NUMBER: _ClassVar[int]
    JOG_FIELD_NUMBER: _ClassVar[int]
    CALIBRATE_FIELD_NUMBER: _ClassVar[int]
    CALIBRATION_FIELD_NUMBER: _ClassVar[int]
    READ_SENSORS_FIELD_NUMBER: _ClassVar[int]
    CONFIGURE_FIELD_NUMBER: _ClassVar[int]
    id: int
    hello: Hello
    status: GetStatus
    load: Load
    shuffle: Shuffle
    open_round: OpenRound
    no_more_bets: NoMoreBets
    deal: Deal
    remainder: Remainder
    close_round: CloseRound
    acknowledge: Acknowledge
    replay: Replay
    remove_deck: RemoveDeck
    cleared: Cleared
    provision: Provision
    heartbeat: Heartbeat
    set_baud: SetBaud
    verify: Verify
    read_journal: ReadJournal
    meters: GetMeters
    set_clock: SetClock
    recall: Recall
    draw_start: DrawStart
    face_up: FaceUp
    give_back: GiveBack
    deliver: Deliver
    void_round: VoidRound
    stub_counted: StubCounted
    out_of_service: OutOfService
    in_service: InService
    idle: Idle
    empty_out: EmptyOut
    self_test: SelfTest
    jog: Jog
    calibrate: Calibrate
    calibration: GetCalibration
    read_sensors: ReadSensors
    configure: Configure
    def __init__(self, id: _Optional[int] = ..., hello: _Optional[_Union[Hello, _Mapping[str, object]]] = ..., status: _Optional[_Union[GetStatus, _Mapping[str, object]]] = ..., load: _Optional[_Union[Load, _Mapping[str, object]]] = ..., shuffle: _Optional[_Union[Shuffle, _Mapping[str, object]]] = ..., open_round: _Optional[_Union[OpenRound, _Mapping[str, object]]] = ..., no_more_bets: _Optional[_Union[NoMoreBets, _Mapping[str, object]]] = ..., deal: _Optional[_Union[Deal, _Mapping[str, object]]] = ..., remainder: _Optional[_Union[Remainder, _Mapping[str, object]]] = ..., close_round: _Optional[_Union[CloseRound, _Mapping[str, object]]] = ..., acknowledge: _Optional[_Union[Acknowledge, _Mapping[str, object]]] = ..., replay: _Optional[_Union[Replay, _Mapping[str, object]]] = ..., remove_deck: _Optional[_Union[RemoveDeck, _Mapping[str, object]]] = ..., cleared: _Optional[_Union[Cleared, _Mapping[str, object]]] = ..., provision: _Optional[_Union[Provision, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping[str, object]]] = ..., set_baud: _Optional[_Union[SetBaud, _Mapping[str, object]]] = ..., verify: _Optional[_Union[Verify, _Mapping[str, object]]] = ..., read_journal: _Optional[_Union[ReadJournal, _Mapping[str, object]]] = ..., meters: _Optional[_Union[GetMeters, _Mapping[str, object]]] = ..., set_clock: _Optional[_Union[SetClock, _Mapping[str, object]]] = ..., recall: _Optional[_Union[Recall, _Mapping[str, object]]] = ..., draw_start: _Optional[_Union[DrawStart, _Mapping[str, object]]] = ..., face_up: _Optional[_Union[FaceUp, _Mapping[str, object]]] = ..., give_back: _Optional[_Union[GiveBack, _Mapping[str, object]]] = ..., deliver: _Optional[_Union[Deliver, _Mapping[str, object]]] = ..., void_round: _Optional[_Union[VoidRound, _Mapping[str, object]]] = ..., stub_counted: _Optional[_Union[StubCounted, _Mapping[str, object]]] = ..., out_of_service: _Optional[_Union[OutOfService, _Mapping[str, object]]] = ..., in_service: _Optional[_Union[InService, _Mapping[str, object]]] = ..., idle: _Optional[_Union[Idle, _Mapping[str, object]]] = ..., empty_out: _Optional[_Union[EmptyOut, _Mapping[str, object]]] = ..., self_test: _Optional[_Union[SelfTest, _Mapping[str, object]]] = ..., jog: _Optional[_Union[Jog, _Mapping[str, object]]] = ..., calibrate: _Optional[_Union[Calibrate, _Mapping[str, object]]] = ..., calibration: _Optional[_Union[GetCalibration, _Mapping[str, object]]] = ..., read_sensors: _Optional[_Union[ReadSensors, _Mapping[str, object]]] = ..., configure: _Optional[_Union[Configure, _Mapping[str, object]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("version", "nonce", "role")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    version: int
    nonce: bytes
    role: Role
    def __init__(self, version: _Optional[int] = ..., nonce: _Optional[bytes] = ..., role: _Optional[_Union[Role, str]] = ...) -> None: ...

class GetStatus(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Load(_message.Message):
    __slots__ = ("back", "new_deck", "shuffled", "sorted")
    BACK_FIELD_NUMBER: _ClassVar[int]
    NEW_DECK_FIELD_NUMBER: _ClassVar[int]
    SHUFFLED_FIELD_NUMBER: _ClassVar[int]
    SORTED_FIELD_NUMBER: _ClassVar[int]
    back: Back
    new_deck: bool
    shuffled: bool
    sorted: bool
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., new_deck: _Optional[bool] = ..., shuffled: _Optional[bool] = ..., sorted: _Optional[bool] = ...) -> None: ...

class Shuffle(_message.Message):
    __slots__ = ("back",)
    BACK_FIELD_NUMBER: _ClassVar[int]
    back: Back
    def __init__(self, back: _Optional[_Union[Back, str]] = ...) -> None: ...

class OpenRound(_message.Message):
    __slots__ = ("round", "players")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    round: int
    players: int
    def __init__(self, round: _Optional[int] = ..., players: _Optional[int] = ...) -> None: ...

class NoMoreBets(_message.Message):
    __slots__ = ("round",)
    ROUND_FIELD_NUMBER: _ClassVar[int]
    round: int
    def __init__(self, round: _Optional[int] = ...) -> None: ...

class Deal(_message.Message):
    __slots__ = ("round", "position", "cards")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    round: int
    position: int
    cards: int
    def __init__(self, round: _Optional[int] = ..., position: _Optional[int] = ..., cards: _Optional[int] = ...) -> None: ...

class Remainder(_message.Message):
    __slots__ = ("round",)
    ROUND_FIELD_NUMBER: _ClassVar[int]
    round: int
    def __init__(self, round: _Optional[int] = ...) -> None: ...

class CloseRound(_message.Message):
    __slots__ = ("round",)
    ROUND_FIELD_NUMBER: _ClassVar[int]
    round: int
    def __init__(self, round: _Optional[int] = ...) -> None: ...

class Acknowledge(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class Replay(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class RemoveDeck(_message.Message):
    __slots__ = ("back",)
    BACK_FIELD_NUMBER: _ClassVar[int]
    back: Back
    def __init__(self, back: _Optional[_Union[Back, str]] = ...) -> None: ...

class Cleared(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DrawStart(_message.Message):
    __slots__ = ("round",)
    ROUND_FIELD_NUMBER: _ClassVar[int]
    round: int
    def __init__(self, round: _Optional[int] = ...) -> None: ...

class FaceUp(_message.Message):
    __slots__ = ("round", "position")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    round: int
    position: int
    def __init__(self, round: _Optional[int] = ..., position: _Optional[int] = ...) -> None: ...

class GiveBack(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Deliver(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class VoidRound(_message.Message):
    __slots__ = ("round", "reason")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    round: int
    reason: VoidReason
    def __init__(self, round: _Optional[int] = ..., reason: _Optional[_Union[VoidReason, str]] = ...) -> None: ...

class Idle(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StubCounted(_message.Message):
    __slots__ = ("back", "cards")
    BACK_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    back: Back
    cards: int
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., cards: _Optional[int] = ...) -> None: ...

class OutOfService(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class InService(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EmptyOut(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SelfTest(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: bool
    def __init__(self, card: _Optional[bool] = ...) -> None: ...

class Jog(_message.Message):
    __slots__ = ("axis", "steps", "reverse", "slow_us")
    AXIS_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    REVERSE_FIELD_NUMBER: _ClassVar[int]
    SLOW_US_FIELD_NUMBER: _ClassVar[int]
    axis: str
    steps: int
    reverse: bool
    slow_us: int
    def __init__(self, axis: _Optional[str] = ..., steps: _Optional[int] = ..., reverse: _Optional[bool] = ..., slow_us: _Optional[int] = ...) -> None: ...

class ReadSensors(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Provision(_message.Message):
    __slots__ = ("table_key", "service_key", "audit_key", "supervisor_key")
    TABLE_KEY_FIELD_NUMBER: _ClassVar[int]
    SERVICE_KEY_FIELD_NUMBER: _ClassVar[int]
    AUDIT_KEY_FIELD_NUMBER: _ClassVar[int]
    SUPERVISOR_KEY_FIELD_NUMBER: _ClassVar[int]
    table_key: bytes
    service_key: bytes
    audit_key: bytes
    supervisor_key: bytes
    def __init__(self, table_key: _Optional[bytes] = ..., service_key: _Optional[bytes] = ..., audit_key: _Optional[bytes] = ..., supervisor_key: _Optional[bytes] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("digest",)
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    digest: int
    def __init__(self, digest: _Optional[int] = ...) -> None: ...

class SetBaud(_message.Message):
    __slots__ = ("baud",)
    BAUD_FIELD_NUMBER: _ClassVar[int]
    baud: int
    def __init__(self, baud: _Optional[int] = ...) -> None: ...

class Verify(_message.Message):
    __slots__ = ("challenge",)
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    def __init__(self, challenge: _Optional[bytes] = ...) -> None: ...

class ReadJournal(_message.Message):
    __slots__ = ("segment", "offset")
    SEGMENT_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    segment: int
    offset: int
    def __init__(self, segment: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...

class GetMeters(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Recall(_message.Message):
    __slots__ = ("after",)
    AFTER_FIELD_NUMBER: _ClassVar[int]
    after: int
    def __init__(self, after: _Optional[int] = ...) -> None: ...

class SetClock(_message.Message):
    __slots__ = ("time",)
    TIME_FIELD_NUMBER: _ClassVar[int]
    time: int
    def __init__(self, time: _Optional[int] = ...) -> None: ...

class Calibrate(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetCalibration(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Configure(_message.Message):
    __slots__ = ("profile",)
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    profile: bytes
    def __init__(self, profile: _Optional[bytes] = ...) -> None: ...

class Report(_message.Message):
    __slots__ = ("answer", "event")
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    answer: Answer
    event: Event
    def __init__(self, answer: _Optional[_Union[Answer, _Mapping[str, object]]] = ..., event: _Optional[_Union[Event, _Mapping[str, object]]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("id", "outcome", "rule", "fault", "text", "identity", "status", "replayed", "beat", "verified", "journal", "meters", "recalled", "sensors", "calibration")
    ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    BEAT_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_FIELD_NUMBER: _ClassVar[int]
    METERS_FIELD_NUMBER: _ClassVar[int]
    RECALLED_FIELD_NUMBER: _ClassVar[int]
    SENSORS_FIELD_NUMBER: _ClassVar[int]
    CALIBRATION_FIELD_NUMBER: _ClassVar[int]
    id: int
    outcome: Outcome
    rule: str
    fault: int
    text: str
    identity: Identity
    status: Status
    replayed: Replayed
    beat: Beat
    verified: Verified
    journal: JournalPart
    meters: Meters
    recalled: Recalled
    sensors: Sensors
    calibration: Calibration
    def __init__(self, id: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., rule: _Optional[str] = ..., fault: _Optional[int] = ..., text: _Optional[str] = ..., identity: _Optional[_Union[Identity, _Mapping[str, object]]] = ..., status: _Optional[_Union[Status, _Mapping[str, object]]] = ..., replayed: _Optional[_Union[Replayed, _Mapping[str, object]]] = ..., beat: _Optional[_Union[Beat, _Mapping[str, object]]] = ..., verified: _Optional[_Union[Verified, _Mapping[str, object]]] = ..., journal: _Optional[_Union[JournalPart, _Mapping[str, object]]] = ..., meters: _Optional[_Union[Meters, _Mapping[str, object]]] = ..., recalled: _Optional[_Union[Recalled, _Mapping[str, object]]] = ..., sensors: _Optional[_Union[Sensors, _Mapping[str, object]]] = ..., calibration: _Optional[_Union[Calibration, _Mapping[str, object]]] = ...) -> None: ...

class Identity(_message.Message):
    __slots__ = ("version", "schema", "board", "variant", "image", "game", "serial", "boots", "first_event", "nonce", "keyed", "by_hand", "continuous")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SERIAL_FIELD_NUMBER: _ClassVar[int]
    BOOTS_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    KEYED_FIELD_NUMBER: _ClassVar[int]
    BY_HAND_FIELD_NUMBER: _ClassVar[int]
    CONTINUOUS_FIELD_NUMBER: _ClassVar[int]
    version: int
    schema: bytes
    board: str
    variant: str
    image: str
    game: str
    serial: bytes
    boots: int
    first_event: int
    nonce: bytes
    keyed: bool
    by_hand: bool
    continuous: bool
    def __init__(self, version: _Optional[int] = ..., schema: _Optional[bytes] = ..., board: _Optional[str] = ..., variant: _Optional[str] = ..., image: _Optional[str] = ..., game: _Optional[str] = ..., serial: _Optional[bytes] = ..., boots: _Optional[int] = ..., first_event: _Optional[int] = ..., nonce: _Optional[bytes] = ..., keyed: _Optional[bool] = ..., by_hand: _Optional[bool] = ..., continuous: _Optional[bool] = ...) -> None: ...

class Replayed(_message.Message):
    __slots__ = ("first",)
    FIRST_FIELD_NUMBER: _ClassVar[int]
    first: int
    def __init__(self, first: _Optional[int] = ...) -> None: ...

class Recalled(_message.Message):
    __slots__ = ("event", "last", "newest")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    event: Event
    last: int
    newest: int
    def __init__(self, event: _Optional[_Union[Event, _Mapping[str, object]]] = ..., last: _Optional[int] = ..., newest: _Optional[int] = ...) -> None: ...

class Beat(_message.Message):
    __slots__ = ("digest", "next_event", "uptime_ms", "status")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    UPTIME_MS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    digest: int
    next_event: int
    uptime_ms: int
    status: Status
    def __init__(self, digest: _Optional[int] = ..., next_event: _Optional[int] = ..., uptime_ms: _Optional[int] = ..., status: _Optional[_Union[Status, _Mapping[str, object]]] = ...) -> None: ...

class Verified(_message.Message):
    __slots__ = ("done", "size", "digest")
    DONE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    done: int
    size: int
    digest: bytes
    def __init__(self, done: _Optional[int] = ..., size: _Optional[int] = ..., digest: _Optional[bytes] = ...) -> None: ...

class JournalPart(_message.Message):
    __slots__ = ("segment", "offset", "data", "oldest", "newest", "next_record")
    SEGMENT_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    OLDEST_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    NEXT_RECORD_FIELD_NUMBER: _ClassVar[int]
    segment: int
    offset: int
    data: bytes
    oldest: int
    newest: int
    next_record: int
    def __init__(self, segment: _Optional[int] = ..., offset: _Optional[int] = ..., data: _Optional[bytes] = ..., oldest: _Optional[int] = ..., newest: _Optional[int] = ..., next_record: _Optional[int] = ...) -> None: ...

class Calibration(_message.Message):
    __slots__ = ("state", "sensors")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SENSORS_FIELD_NUMBER: _ClassVar[int]
    state: str
    sensors: _containers.RepeatedCompositeFieldContainer[Sensor]
    def __init__(self, state: _Optional[str] = ..., sensors: _Optional[_Iterable[_Union[Sensor, _Mapping[str, object]]]] = ...) -> None: ...

class Sensor(_message.Message):
    __slots__ = ("name", "quality", "empty", "empty_wanted", "card", "card_wanted")
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    EMPTY_FIELD_NUMBER: _ClassVar[int]
    EMPTY_WANTED_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARD_WANTED_FIELD_NUMBER: _ClassVar[int]
    name: str
    quality: Quality
    empty: int
    empty_wanted: int
    card: int
    card_wanted: int
    def __init__(self, name: _Optional[str] = ..., quality: _Optional[_Union[Quality, str]] = ..., empty: _Optional[int] = ..., empty_wanted: _Optional[int] = ..., card: _Optional[int] = ..., card_wanted: _Optional[int] = ...) -> None: ...

class Meters(_message.Message):
    __slots__ = ("boots", "watchdog_resets", "seconds", "shuffles", "shuffles_broken", "service_shuffles", "service_shuffles_broken", "cards_shuffled", "cards_last_shuffle", "rounds", "rounds_closed", "stacks", "short_stacks", "remainders", "voids", "voids_feeder", "voids_wheel", "voids_ejector", "voids_shoe", "voids_tray", "voids_count", "voids_interlock", "voids_power", "voids_other", "faults", "misfeeds", "jams_feeder", "jams_ejector", "jams_shoe", "wheel_lost", "double_feeds", "wrong_decks", "counts_disagree", "interlocks", "clearings", "retries", "recoveries", "authentication_failures", "rng_failures", "journal_damages", "clock_jumps", "decks_declared", "decks_locked_out", "cards_pick", "cards_feed", "cards_eject", "cards_deal", "service_tests", "positions_drawn", "decks_removed", "decks_barred", "decks_brought", "stubs_counted", "idles", "keys_renewed", "records_spared")
    BOOTS_FIELD_NUMBER: _ClassVar[int]
    WATCHDOG_RESETS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    SHUFFLES_FIELD_NUMBER: _ClassVar[int]
    SHUFFLES_BROKEN_FIELD_NUMBER: _ClassVar[int]
    SERVICE_SHUFFLES_FIELD_NUMBER: _ClassVar[int]
    SERVICE_SHUFFLES_BROKEN_FIELD_NUMBER: _ClassVar[int]
    CARDS_SHUFFLED_FIELD_NUMBER: _ClassVar[int]
    CARDS_LAST_SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    STACKS_FIELD_NUMBER: _ClassVar[int]
    SHORT_STACKS_FIELD_NUMBER: _ClassVar[int]
    REMAINDERS_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FEEDER_FIELD_NUMBER: _ClassVar[int]
    VOIDS_WHEEL_FIELD_NUMBER: _ClassVar[int]
    VOIDS_EJECTOR_FIELD_NUMBER: _ClassVar[int]
    VOIDS_SHOE_FIELD_NUMBER: _ClassVar[int]
    VOIDS_TRAY_FIELD_NUMBER: _ClassVar[int]
    VOIDS_COUNT_FIELD_NUMBER: _ClassVar[int]
    VOIDS_INTERLOCK_FIELD_NUMBER: _ClassVar[int]
    VOIDS_POWER_FIELD_NUMBER: _ClassVar[int]
    VOIDS_OTHER_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MISFEEDS_FIELD_NUMBER: _ClassVar[int]
    JAMS_FEEDER_FIELD_NUMBER: _ClassVar[int]
    JAMS_EJECTOR_FIELD_NUMBER: _ClassVar[int]
    JAMS_SHOE_FIELD_NUMBER: _ClassVar[int]
    WHEEL_LOST_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_FEEDS_FIELD_NUMBER: _ClassVar[int]
    WRONG_DECKS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_DISAGREE_FIELD_NUMBER: _ClassVar[int]
    INTERLOCKS_FIELD_NUMBER: _ClassVar[int]
    CLEARINGS_FIELD_NUMBER: _ClassVar[int]
    RETRIES_FIELD_NUMBER: _ClassVar[int]
    RECOVERIES_FIELD_NUMBER: _ClassVar[int]
    AUTHENTICATION_FAILURES_FIELD_NUMBER: _ClassVar[int]
    RNG_FAILURES_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_DAMAGES_FIELD_NUMBER: _ClassVar[int]
    CLOCK_JUMPS_FIELD_NUMBER: _ClassVar[int]
    DECKS_DECLARED_FIELD_NUMBER: _ClassVar[int]
    DECKS_LOCKED_OUT_FIELD_NUMBER: _ClassVar[int]
    CARDS_PICK_FIELD_NUMBER: _ClassVar[int]
    CARDS_FEED_FIELD_NUMBER: _ClassVar[int]
    CARDS_EJECT_FIELD_NUMBER: _ClassVar[int]
    CARDS_DEAL_FIELD_NUMBER: _ClassVar[int]
    SERVICE_TESTS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_DRAWN_FIELD_NUMBER: _ClassVar[int]
    DECKS_REMOVED_FIELD_NUMBER: _ClassVar[int]
    DECKS_BARRED_FIELD_NUMBER: _ClassVar[int]
    DECKS_BROUGHT_FIELD_NUMBER: _ClassVar[int]
    STUBS_COUNTED_FIELD_NUMBER: _ClassVar[int]
    IDLES_FIELD_NUMBER: _ClassVar[int]
    KEYS_RENEWED_FIELD_NUMBER: _ClassVar[int]
    RECORDS_SPARED_FIELD_NUMBER: _ClassVar[int]
    boots: int
    watchdog_resets: int
    seconds: int
    shuffles: int
    shuffles_broken: int
    service_shuffles: int
    service_shuffles_broken: int
    cards_shuffled: int
    cards_last_shuffle: int
    rounds: int
    rounds_closed: int
    stacks: int
    short_stacks: int
    remainders: int
    voids: int
    voids_feeder: int
    voids_wheel: int
    voids_ejector: int
    voids_shoe: int
    voids_tray: int
    voids_count: int
    voids_interlock: int
    voids_power: int
    voids_other: int
    faults: int
    misfeeds: int
    jams_feeder: int
    jams_ejector: int
    jams_shoe: int
    wheel_lost: int
    double_feeds: int
    wrong_decks: int
    counts_disagree: int
    interlocks: int
    clearings: int
    retries: int
    recoveries: int
    authentication_failures: int
    rng_failures: int
    journal_damages: int
    clock_jumps: int
    decks_declared: int
    decks_locked_out: int
    cards_pick: int
    cards_feed: int
    cards_eject: int
    cards_deal: int
    service_tests: int
    positions_drawn: int
    decks_removed: int
    decks_barred: int
    decks_brought: int
    stubs_counted: int
    idles: int
    keys_renewed: int
    records_spared: int
    def __init__(self, boots: _Optional[int] = ..., watchdog_resets: _Optional[int] = ..., seconds: _Optional[int] = ..., shuffles: _Optional[int] = ..., shuffles_broken: _Optional[int] = ..., service_shuffles: _Optional[int] = ..., service_shuffles_broken: _Optional[int] = ..., cards_shuffled: _Optional[int] = ..., cards_last_shuffle: _Optional[int] = ..., rounds: _Optional[int] = ..., rounds_closed: _Optional[int] = ..., stacks: _Optional[int] = ..., short_stacks: _Optional[int] = ..., remainders: _Optional[int] = ..., voids: _Optional[int] = ..., voids_feeder: _Optional[int] = ..., voids_wheel: _Optional[int] = ..., voids_ejector: _Optional[int] = ..., voids_shoe: _Optional[int] = ..., voids_tray: _Optional[int] = ..., voids_count: _Optional[int] = ..., voids_interlock: _Optional[int] = ..., voids_power: _Optional[int] = ..., voids_other: _Optional[int] = ..., faults: _Optional[int] = ..., misfeeds: _Optional[int] = ..., jams_feeder: _Optional[int] = ..., jams_ejector: _Optional[int] = ..., jams_shoe: _Optional[int] = ..., wheel_lost: _Optional[int] = ..., double_feeds: _Optional[int] = ..., wrong_decks: _Optional[int] = ..., counts_disagree: _Optional[int] = ..., interlocks: _Optional[int] = ..., clearings: _Optional[int] = ..., retries: _Optional[int] = ..., recoveries: _Optional[int] = ..., authentication_failures: _Optional[int] = ..., rng_failures: _Optional[int] = ..., journal_damages: _Optional[int] = ..., clock_jumps: _Optional[int] = ..., decks_declared: _Optional[int] = ..., decks_locked_out: _Optional[int] = ..., cards_pick: _Optional[int] = ..., cards_feed: _Optional[int] = ..., cards_eject: _Optional[int] = ..., cards_deal: _Optional[int] = ..., service_tests: _Optional[int] = ..., positions_drawn: _Optional[int] = ..., decks_removed: _Optional[int] = ..., decks_barred: _Optional[int] = ..., decks_brought: _Optional[int] = ..., stubs_counted: _Optional[int] = ..., idles: _Optional[int] = ..., keys_renewed: _Optional[int] = ..., records_spared: _Optional[int] = ...) -> None: ...

class Sensors(_message.Message):
    __slots__ = ("entry", "count", "home", "tick", "exit", "deal", "lid", "door", "mount", "read_thickness_in", "read_thickness_out", "read_back", "read_supply", "read_infeed", "read_shoe", "read_tray", "read_crank", "level_entry", "level_count", "level_exit", "level_deal")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    EXIT_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    LID_FIELD_NUMBER: _ClassVar[int]
    DOOR_FIELD_NUMBER: _ClassVar[int]
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    READ_THICKNESS_IN_FIELD_NUMBER: _ClassVar[int]
    READ_THICKNESS_OUT_FIELD_NUMBER: _ClassVar[int]
    READ_BACK_FIELD_NUMBER: _ClassVar[int]
    READ_SUPPLY_FIELD_NUMBER: _ClassVar[int]
    READ_INFEED_FIELD_NUMBER: _ClassVar[int]
    READ_SHOE_FIELD_NUMBER: _ClassVar[int]
    READ_TRAY_FIELD_NUMBER: _ClassVar[int]
    READ_CRANK_FIELD_NUMBER: _ClassVar[int]
    LEVEL_ENTRY_FIELD_NUMBER: _ClassVar[int]
    LEVEL_COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_EXIT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_DEAL_FIELD_NUMBER: _ClassVar[int]
    entry: bool
    count: bool
    home: bool
    tick: bool
    exit: bool
    deal: bool
    lid: bool
    door: bool
    mount: bool
    read_thickness_in: int
    read_thickness_out: int
    read_back: int
    read_supply: int
    read_infeed: int
    read_shoe: int
    read_tray: int
    read_crank: int
    level_entry: int
    level_count: int
    level_exit: int
    level_deal: int
    def __init__(self, entry: _Optional[bool] = ..., count: _Optional[bool] = ..., home: _Optional[bool] = ..., tick: _Optional[bool] = ..., exit: _Optional[bool] = ..., deal: _Optional[bool] = ..., lid: _Optional[bool] = ..., door: _Optional[bool] = ..., mount: _Optional[bool] = ..., read_thickness_in: _Optional[int] = ..., read_thickness_out: _Optional[int] = ..., read_back: _Optional[int] = ..., read_supply: _Optional[int] = ..., read_infeed: _Optional[int] = ..., read_shoe: _Optional[int] = ..., read_tray: _Optional[int] = ..., read_crank: _Optional[int] = ..., level_entry: _Optional[int] = ..., level_count: _Optional[int] = ..., level_exit: _Optional[int] = ..., level_deal: _Optional[int] = ...) -> None: ...

class Deck(_message.Message):
    __slots__ = ("back", "place", "counted_in", "counted_out", "expected", "locked_out", "shuffled", "order")
    BACK_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    COUNTED_IN_FIELD_NUMBER: _ClassVar[int]
    COUNTED_OUT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    LOCKED_OUT_FIELD_NUMBER: _ClassVar[int]
    SHUFFLED_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    back: Back
    place: Place
    counted_in: int
    counted_out: int
    expected: int
    locked_out: bool
    shuffled: bool
    order: Order
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., place: _Optional[_Union[Place, str]] = ..., counted_in: _Optional[int] = ..., counted_out: _Optional[int] = ..., expected: _Optional[int] = ..., locked_out: _Optional[bool] = ..., shuffled: _Optional[bool] = ..., order: _Optional[_Union[Order, str]] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("state", "fault", "round", "no_more_bets", "stacks", "shoe", "wheel", "tray", "lid", "door", "mount", "decks", "may_be_inside", "next_event", "bad_frames", "uptime_ms", "free_heap", "lost_events", "digest", "session", "last_round", "phase", "owed", "start")
    STATE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    NO_MORE_BETS_FIELD_NUMBER: _ClassVar[int]
    STACKS_FIELD_NUMBER: _ClassVar[int]
    SHOE_FIELD_NUMBER: _ClassVar[int]
    WHEEL_FIELD_NUMBER: _ClassVar[int]
    TRAY_FIELD_NUMBER: _ClassVar[int]
    LID_FIELD_NUMBER: _ClassVar[int]
    DOOR_FIELD_NUMBER: _ClassVar[int]
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    DECKS_FIELD_NUMBER: _ClassVar[int]
    MAY_BE_INSIDE_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    BAD_FRAMES_FIELD_NUMBER: _ClassVar[int]
    UPTIME_MS_FIELD_NUMBER: _ClassVar[int]
    FREE_HEAP_FIELD_NUMBER: _ClassVar[int]
    LOST_EVENTS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    LAST_ROUND_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    OWED_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    state: State
    fault: int
    round: int
    no_more_bets: bool
    stacks: int
    shoe: int
    wheel: int
    tray: bool
    lid: bool
    door: bool
    mount: bool
    decks: _containers.RepeatedCompositeFieldContainer[Deck]
    may_be_inside: bool
    next_event: int
    bad_frames: int
    uptime_ms: int
    free_heap: int
    lost_events: int
    digest: int
    session: Role
    last_round: int
    phase: Phase
    owed: int
    start: int
    def __init__(self, state: _Optional[_Union[State, str]] = ..., fault: _Optional[int] = ..., round: _Optional[int] = ..., no_more_bets: _Optional[bool] = ..., stacks: _Optional[int] = ..., shoe: _Optional[int] = ..., wheel: _Optional[int] = ..., tray: _Optional[bool] = ..., lid: _Optional[bool] = ..., door: _Optional[bool] = ..., mount: _Optional[bool] = ..., decks: _Optional[_Iterable[_Union[Deck, _Mapping[str, object]]]] = ..., may_be_inside: _Optional[bool] = ..., next_event: _Optional[int] = ..., bad_frames: _Optional[int] = ..., uptime_ms: _Optional[int] = ..., free_heap: _Optional[int] = ..., lost_events: _Optional[int] = ..., digest: _Optional[int] = ..., session: _Optional[_Union[Role, str]] = ..., last_round: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., owed: _Optional[int] = ..., start: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("number", "uptime_ms", "record", "started", "shuffle_done", "ready", "stack", "taken", "remainder", "fault", "cleared", "round_void", "progress", "start_drawn", "whole_deck", "deck_age", "trying", "locked_out", "emptied", "checked", "self_tested", "sensor", "calibrated", "jogged")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    UPTIME_MS_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_DONE_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    REMAINDER_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    CLEARED_FIELD_NUMBER: _ClassVar[int]
    ROUND_VOID_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    START_DRAWN_FIELD_NUMBER: _ClassVar[int]
    WHOLE_DECK_FIELD_NUMBER: _ClassVar[int]
    DECK_AGE_FIELD_NUMBER: _ClassVar[int]
    TRYING_FIELD_NUMBER: _ClassVar[int]
    LOCKED_OUT_FIELD_NUMBER: _ClassVar[int]
    EMPTIED_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    SELF_TESTED_FIELD_NUMBER: _ClassVar[int]
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    CALIBRATED_FIELD_NUMBER: _ClassVar[int]
    JOGGED_FIELD_NUMBER: _ClassVar[int]
    number: int
    uptime_ms: int
    record: int
    started: Started
    shuffle_done: ShuffleDone
    ready: ReadyToDeal
    stack: StackDealt
    taken: StackTaken
    remainder: RemainderDone
    fault: FaultRaised
    cleared: FaultCleared
    round_void: RoundVoid
    progress: Progress
    start_drawn: StartDrawn
    whole_deck: WholeDeck
    deck_age: DeckAge
    trying: Trying
    locked_out: LockedOut
    emptied: Emptied
    checked: Checked
    self_tested: SelfTested
    sensor: Sensor
    calibrated: Calibrated
    jogged: Jogged
    def __init__(self, number: _Optional[int] = ..., uptime_ms: _Optional[int] = ..., record: _Optional[int] = ..., started: _Optional[_Union[Started, _Mapping[str, object]]] = ..., shuffle_done: _Optional[_Union[ShuffleDone, _Mapping[str, object]]] = ..., ready: _Optional[_Union[ReadyToDeal, _Mapping[str, object]]] = ..., stack: _Optional[_Union[StackDealt, _Mapping[str, object]]] = ..., taken: _Optional[_Union[StackTaken, _Mapping[str, object]]] = ..., remainder: _Optional[_Union[RemainderDone, _Mapping[str, object]]] = ..., fault: _Optional[_Union[FaultRaised, _Mapping[str, object]]] = ..., cleared: _Optional[_Union[FaultCleared, _Mapping[str, object]]] = ..., round_void: _Optional[_Union[RoundVoid, _Mapping[str, object]]] = ..., progress: _Optional[_Union[Progress, _Mapping[str, object]]] = ..., start_drawn: _Optional[_Union[StartDrawn, _Mapping[str, object]]] = ..., whole_deck: _Optional[_Union[WholeDeck, _Mapping[str, object]]] = ..., deck_age: _Optional[_Union[DeckAge, _Mapping[str, object]]] = ..., trying: _Optional[_Union[Trying, _Mapping[str, object]]] = ..., locked_out: _Optional[_Union[LockedOut, _Mapping[str, object]]] = ..., emptied: _Optional[_Union[Emptied, _Mapping[str, object]]] = ..., checked: _Optional[_Union[Checked, _Mapping[str, object]]] = ..., self_tested: _Optional[_Union[SelfTested, _Mapping[str, object]]] = ..., sensor: _Optional[_Union[Sensor, _Mapping[str, object]]] = ..., calibrated: _Optional[_Union[Calibrated, _Mapping[str, object]]] = ..., jogged: _Optional[_Union[Jogged, _Mapping[str, object]]] = ...) -> None: ...

class Started(_message.Message):
    __slots__ = ("boots", "cause", "may_be_inside", "last_fault", "condition", "self_test", "journal")
    BOOTS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    MAY_BE_INSIDE_FIELD_NUMBER: _ClassVar[int]
    LAST_FAULT_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    SELF_TEST_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_FIELD_NUMBER: _ClassVar[int]
    boots: int
    cause: str
    may_be_inside: bool
    last_fault: int
    condition: str
    self_test: int
    journal: str
    def __init__(self, boots: _Optional[int] = ..., cause: _Optional[str] = ..., may_be_inside: _Optional[bool] = ..., last_fault: _Optional[int] = ..., condition: _Optional[str] = ..., self_test: _Optional[int] = ..., journal: _Optional[str] = ...) -> None: ...

class ShuffleDone(_message.Message):
    __slots__ = ("back", "counted_in", "expected", "took_ms", "order")
    BACK_FIELD_NUMBER: _ClassVar[int]
    COUNTED_IN_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    TOOK_MS_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    back: Back
    counted_in: int
    expected: int
    took_ms: int
    order: Order
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., counted_in: _Optional[int] = ..., expected: _Optional[int] = ..., took_ms: _Optional[int] = ..., order: _Optional[_Union[Order, str]] = ...) -> None: ...

class ReadyToDeal(_message.Message):
    __slots__ = ("back", "counted_in", "counted_out", "expected", "text", "cut_required", "order")
    BACK_FIELD_NUMBER: _ClassVar[int]
    COUNTED_IN_FIELD_NUMBER: _ClassVar[int]
    COUNTED_OUT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CUT_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    back: Back
    counted_in: int
    counted_out: int
    expected: int
    text: str
    cut_required: bool
    order: Order
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., counted_in: _Optional[int] = ..., counted_out: _Optional[int] = ..., expected: _Optional[int] = ..., text: _Optional[str] = ..., cut_required: _Optional[bool] = ..., order: _Optional[_Union[Order, str]] = ...) -> None: ...

class StackDealt(_message.Message):
    __slots__ = ("round", "position", "ordered", "delivered", "from_table", "verdict")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ORDERED_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    FROM_TABLE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    round: int
    position: int
    ordered: int
    delivered: int
    from_table: int
    verdict: Verdict
    def __init__(self, round: _Optional[int] = ..., position: _Optional[int] = ..., ordered: _Optional[int] = ..., delivered: _Optional[int] = ..., from_table: _Optional[int] = ..., verdict: _Optional[_Union[Verdict, str]] = ...) -> None: ...

class StackTaken(_message.Message):
    __slots__ = ("round", "position")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    round: int
    position: int
    def __init__(self, round: _Optional[int] = ..., position: _Optional[int] = ...) -> None: ...

class RemainderDone(_message.Message):
    __slots__ = ("round", "delivered", "dealt", "expected", "stub")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    DEALT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    STUB_FIELD_NUMBER: _ClassVar[int]
    round: int
    delivered: int
    dealt: int
    expected: int
    stub: bool
    def __init__(self, round: _Optional[int] = ..., delivered: _Optional[int] = ..., dealt: _Optional[int] = ..., expected: _Optional[int] = ..., stub: _Optional[bool] = ...) -> None: ...

class FaultRaised(_message.Message):
    __slots__ = ("fault", "name", "station", "card", "action", "inside", "cards", "remove")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    INSIDE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    fault: int
    name: str
    station: str
    card: int
    action: str
    inside: int
    cards: str
    remove: str
    def __init__(self, fault: _Optional[int] = ..., name: _Optional[str] = ..., station: _Optional[str] = ..., card: _Optional[int] = ..., action: _Optional[str] = ..., inside: _Optional[int] = ..., cards: _Optional[str] = ..., remove: _Optional[str] = ...) -> None: ...

class Trying(_message.Message):
    __slots__ = ("fault", "name", "station", "card", "tries")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    TRIES_FIELD_NUMBER: _ClassVar[int]
    fault: int
    name: str
    station: str
    card: int
    tries: int
    def __init__(self, fault: _Optional[int] = ..., name: _Optional[str] = ..., station: _Optional[str] = ..., card: _Optional[int] = ..., tries: _Optional[int] = ...) -> None: ...

class Calibrated(_message.Message):
    __slots__ = ("passed", "text")
    PASSED_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    passed: bool
    text: str
    def __init__(self, passed: _Optional[bool] = ..., text: _Optional[str] = ...) -> None: ...

class Emptied(_message.Message):
    __slots__ = ("from_wheel", "from_shoe")
    FROM_WHEEL_FIELD_NUMBER: _ClassVar[int]
    FROM_SHOE_FIELD_NUMBER: _ClassVar[int]
    from_wheel: int
    from_shoe: int
    def __init__(self, from_wheel: _Optional[int] = ..., from_shoe: _Optional[int] = ...) -> None: ...

class Checked(_message.Message):
    __slots__ = ("name", "wrong", "reading")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WRONG_FIELD_NUMBER: _ClassVar[int]
    READING_FIELD_NUMBER: _ClassVar[int]
    name: str
    wrong: str
    reading: int
    def __init__(self, name: _Optional[str] = ..., wrong: _Optional[str] = ..., reading: _Optional[int] = ...) -> None: ...

class SelfTested(_message.Message):
    __slots__ = ("checks", "failed", "took_ms")
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    TOOK_MS_FIELD_NUMBER: _ClassVar[int]
    checks: int
    failed: int
    took_ms: int
    def __init__(self, checks: _Optional[int] = ..., failed: _Optional[int] = ..., took_ms: _Optional[int] = ...) -> None: ...

class Jogged(_message.Message):
    __slots__ = ("axis", "steps", "stopped")
    AXIS_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    STOPPED_FIELD_NUMBER: _ClassVar[int]
    axis: str
    steps: int
    stopped: str
    def __init__(self, axis: _Optional[str] = ..., steps: _Optional[int] = ..., stopped: _Optional[str] = ...) -> None: ...

class FaultCleared(_message.Message):
    __slots__ = ("fault",)
    FAULT_FIELD_NUMBER: _ClassVar[int]
    fault: int
    def __init__(self, fault: _Optional[int] = ...) -> None: ...

class RoundVoid(_message.Message):
    __slots__ = ("round", "complete", "fault", "stand", "provisional", "reason", "standing")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    STAND_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    round: int
    complete: int
    fault: int
    stand: int
    provisional: bool
    reason: VoidReason
    standing: int
    def __init__(self, round: _Optional[int] = ..., complete: _Optional[int] = ..., fault: _Optional[int] = ..., stand: _Optional[int] = ..., provisional: _Optional[bool] = ..., reason: _Optional[_Union[VoidReason, str]] = ..., standing: _Optional[int] = ...) -> None: ...

class LockedOut(_message.Message):
    __slots__ = ("back",)
    BACK_FIELD_NUMBER: _ClassVar[int]
    back: Back
    def __init__(self, back: _Optional[_Union[Back, str]] = ...) -> None: ...

class StartDrawn(_message.Message):
    __slots__ = ("round", "position")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    round: int
    position: int
    def __init__(self, round: _Optional[int] = ..., position: _Optional[int] = ...) -> None: ...

class DeckAge(_message.Message):
    __slots__ = ("back", "level", "minutes", "rule")
    BACK_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MINUTES_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    back: Back
    level: int
    minutes: int
    rule: str
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., level: _Optional[int] = ..., minutes: _Optional[int] = ..., rule: _Optional[str] = ...) -> None: ...

class WholeDeck(_message.Message):
    __slots__ = ("back", "cards", "expected", "cut_required", "order")
    BACK_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    CUT_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    back: Back
    cards: int
    expected: int
    cut_required: bool
    order: Order
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., cards: _Optional[int] = ..., expected: _Optional[int] = ..., cut_required: _Optional[bool] = ..., order: _Optional[_Union[Order, str]] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("back", "in_wheel", "in_shoe")
    BACK_FIELD_NUMBER: _ClassVar[int]
    IN_WHEEL_FIELD_NUMBER: _ClassVar[int]
    IN_SHOE_FIELD_NUMBER: _ClassVar[int]
    back: Back
    in_wheel: int
    in_shoe: int
    def __init__(self, back: _Optional[_Union[Back, str]] = ..., in_wheel: _Optional[int] = ..., in_shoe: _Optional[int] = ...) -> None: ...
