#define _POSIX_C_SOURCE 200809L

#include "client.h"

#include <errno.h>
#include <poll.h>
#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    PROTOCOL = 1 /* from link/sessions.py: VERSION */
};
enum { TRY_MS = 500, REPEATS = 5, HEARTBEAT_MS = 1000 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the event of this number is the next one; then the one after it is. 0 is the number of none. */
static bool is_next(dovetail_link *link, uint32_t number)
{
    if (number > link->expected)
        link->missing = true;
    if (number == 0 || number != link->expected)
        return false;
    link->expected++;
    return true;
}

static void take_event(dovetail_link *link, const dovetail_Event *event)
{
    /* 0 is progress: not numbered, not kept */
    if (event->number == 0 || is_next(link, event->number))
        link->take_event(link->context, event);
}

/* The number of an event of which nothing else can be read: 0 when it has none, or is no event. */
static uint32_t number_of(const dovetail_frame *frame)
{
    pb_istream_t report = pb_istream_from_buffer(frame->body, frame->length), event;
    pb_wire_type_t type;
    uint32_t tag, number;
    bool end;

    if (!pb_decode_tag(&report, &type, &tag, &end) || tag != dovetail_Report_event_tag ||
        type != PB_WT_STRING || !pb_make_string_substream(&report, &event))
        return 0;
    while (pb_decode_tag(&event, &type, &tag, &end)) {
        if (tag == dovetail_Event_number_tag && type == PB_WT_VARINT)
            return pb_decode_varint32(&event, &number) ? number : 0;
        if (!pb_skip_field(&event, type))
            break;
    }
    return 0;
}

/* The answer to a hello with a role: its nonce makes the key, its tag proves the key. */
static bool opens(dovetail_link *link, const dovetail_frame *frame)
{
    const dovetail_Answer *answer = &link->report.body.answer;
    const dovetail_Hello *hello = &link->request.body.hello;
    uint8_t key[DOVETAIL_KEY_BYTES];

    if (link->report.which_body != dovetail_Report_answer_tag || answer->id != link->request.id ||
        answer->which_body != dovetail_Answer_identity_tag ||
        answer->body.identity.nonce.size != DOVETAIL_NONCE_BYTES)
        return false;
    dovetail_session_key(key, link->role_key, (uint8_t)hello->role, hello->nonce.bytes,
                         answer->body.identity.nonce.bytes);
    if (!dovetail_tag_is_right(frame, key))
        return link->wrong_tag++, false;
    memcpy(link->key, key, sizeof key);
    link->open = true;
    return true;
}

/* Whether a tagged frame is the machine's, of the session that is open, and comes for the first time. */
static bool is_proven(dovetail_link *link, const dovetail_frame *frame)
{
    if (!link->open || !dovetail_tag_is_right(frame, link->key))
        return link->wrong_tag++, false;
    if (frame->counter <= link->heard)
        return link->old++, false;
    link->heard = frame->counter;
    return true;
}

/* Whether a frame may be believed. Its report has been read. */
static bool is_ours(dovetail_link *link, const dovetail_frame *frame)
{
    const dovetail_Answer *answer = &link->report.body.answer;
    bool ours = link->report.which_body == dovetail_Report_answer_tag && answer->id == link->request.id;

    if (!frame->tag) { /* to a hello: no session is to be had */
        if (link->role_key)
            return ours && answer->outcome != dovetail_Outcome_DONE;
        if (link->open && ours && answer->outcome == dovetail_Outcome_NO_SESSION)
            link->ended = true;
        return ours && !link->open; /* events come in sessions only: anybody can send one untagged */
    }
    if (!link->role_key)
        return is_proven(link, frame);
    if (!opens(link, frame))
        return false;
    link->heard = frame->counter;
    return true;
}

/* What an answer has that says DONE to such a request; 0: nothing that has to be there. */
static pb_size_t body_of(pb_size_t request)
{
    switch (request) {
    case dovetail_Request_hello_tag: return dovetail_Answer_identity_tag;
    case dovetail_Request_status_tag: return dovetail_Answer_status_tag;
    case dovetail_Request_replay_tag: return dovetail_Answer_replayed_tag;
    case dovetail_Request_heartbeat_tag: return dovetail_Answer_beat_tag;
    case dovetail_Request_verify_tag: return dovetail_Answer_verified_tag;
    case dovetail_Request_read_journal_tag: return dovetail_Answer_journal_tag;
    case dovetail_Request_meters_tag: return dovetail_Answer_meters_tag;
    case dovetail_Request_recall_tag: return dovetail_Answer_recalled_tag;
    case dovetail_Request_read_sensors_tag: return dovetail_Answer_sensors_tag;
    case dovetail_Request_calibration_tag: return dovetail_Answer_calibration_tag;
    default: return 0;
    }
}

/* Whether an answer can be one to the open request. Who repeats a hello of this session with the id of an order gets
   an answer to it that is well tagged, and says DONE: it must not pass for the order's. */
static bool fits(const dovetail_link *link, const dovetail_Answer *answer)
{
    pb_size_t due = body_of(link->request.which_body);

    if (answer->id != link->request.id)
        return false;
    if (answer->which_body == dovetail_Answer_identity_tag)
        return due == dovetail_Answer_identity_tag;
    return answer->outcome != dovetail_Outcome_DONE || due == 0 || due == answer->which_body;
}

static void take_answer(dovetail_link *link, const dovetail_Answer *answer)
{
    link->answer = *answer;
    link->answered = true;
    link->role_key = NULL;
    if (answer->which_body == dovetail_Answer_status_tag)
        link->status = answer->body.status;
    else if (answer->which_body == dovetail_Answer_beat_tag && answer->body.beat.has_status)
        link->status = answer->body.beat.status;
    link->digest = link->status.digest;
}

static void take_frame(dovetail_link *link, const dovetail_frame *frame)
{
    pb_istream_t stream = pb_istream_from_buffer(frame->body, frame->length);

    if (!pb_decode(&stream, dovetail_Report_fields, &link->report)) {
        link->unreadable++;
        if (frame->tag && link->open && is_proven(link, frame))
            is_next(link, number_of(frame)); /* it counts as heard, or those behind it would wait for ever */
        return;
    }
    if (!is_ours(link, frame))
        return;
    if (link->report.which_body == dovetail_Report_event_tag)
        take_event(link, &link->report.body.event);
    else if (link->report.which_body == dovetail_Report_answer_tag && !link->answered &&
             fits(link, &link->report.body.answer))
        take_answer(link, &link->report.body.answer);
}

/* Takes what comes until the time is over, the session too, or, when one is awaited, an answer is there. */
static dovetail_result hear(dovetail_link *link, int64_t until_ms, bool for_answer)
{
    uint8_t bytes[64];
    dovetail_frame frame;

    while (!link->ended && !(for_answer && link->answered)) {
        struct pollfd wait = {.fd = link->fd, .events = POLLIN};
        int64_t left = until_ms - now_ms();
        if (left <= 0)
            break;
        int ready = poll(&wait, 1, (int)left);
        if (ready < 0 && errno != EINTR)
            return DOVETAIL_BROKEN;
        if (ready <= 0)
            continue;
        ssize_t length = read(link->fd, bytes, sizeof bytes);
        if (length == 0)
            errno = EPIPE;
        if (length <= 0)
            return DOVETAIL_BROKEN;
        for (ssize_t at = 0; at < length; at++)
            if (dovetail_take_byte(&link->receiver, bytes[at], DOVETAIL_FROM_MACHINE, &frame))
                take_frame(link, &frame);
    }
    return DOVETAIL_OK;
}

static dovetail_result send(dovetail_link *link, size_t body_length)
{
    uint8_t header[DOVETAIL_HEADER_BYTES], tag[DOVETAIL_TAG_BYTES];
    bool tagged = link->open && !link->role_key;

    dovetail_put_header(header, DOVETAIL_TO_MACHINE, tagged, ++link->frames);
    if (tagged)
        dovetail_make_tag(tag, link->key, DOVETAIL_TO_MACHINE, header, link->body, body_length);
    size_t length = dovetail_put_frame(link->wire, header, link->body, body_length, tagged ? tag : NULL);
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(link->fd, link->wire + done, length - done);
        if (wrote < 0 && errno != EINTR)
            return DOVETAIL_BROKEN;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    link->sent_ms = now_ms();
    return DOVETAIL_OK;
}

void dovetail_open(dovetail_link *link, int fd, dovetail_take_event *take, void *context)
{
    memset(link, 0, sizeof *link);
    link->fd = fd;
    link->take_event = take;
    link->context = context;
}

dovetail_Request *dovetail_new_request(dovetail_link *link, pb_size_t kind)
{
    memset(&link->request, 0, sizeof link->request);
    link->request.which_body = kind;
    return &link->request;
}

dovetail_result dovetail_ask(dovetail_link *link)
{
    pb_ostream_t stream = pb_ostream_from_buffer(link->body, sizeof link->body);
    dovetail_result result = DOVETAIL_OK;

    link->request.id = ++link->id;
    if (!pb_encode(&stream, dovetail_Request_fields, &link->request))
        return DOVETAIL_TOO_LONG;
    link->answered = link->ended = false;
    for (int tries = 0; tries <= REPEATS && !result && !link->answered && !link->ended; tries++) {
        link->repeats += tries > 0;
        result = send(link, stream.bytes_written);
        if (!result)
            result = hear(link, now_ms() + TRY_MS, true);
    }
    if (link->ended)
        link->open = link->hears = false;
    if (result || link->answered)
        return result;
    return link->ended ? DOVETAIL_ENDED : DOVETAIL_NO_ANSWER;
}

/* Nothing is known of its events. */
static void forget(dovetail_link *link)
{
    link->expected = link->acknowledged = 0;
}

/* Asks for the kept events from a number on; what the machine has no more is passed over. */
static dovetail_result replay(dovetail_link *link, uint32_t number)
{
    link->missing = false;
    dovetail_new_request(link, dovetail_Request_replay_tag)->body.replay.number = number;
    dovetail_result result = dovetail_ask(link);
    if (result || link->answer.which_body != dovetail_Answer_replayed_tag)
        return result;
    if (link->answer.body.replayed.first < number) { /* it has begun anew, with a memory that is new too */
        forget(link);
        return replay(link, 0);
    }
    if (link->answer.body.replayed.first > link->expected)
        link->expected = link->answer.body.replayed.first;
    return result;
}

/* Another machine than that of the last session, or started since then: its events are others. */
static void recognize(dovetail_link *link, const dovetail_Identity *identity)
{
    if (identity->boots == link->boots && identity->serial.size == link->serial.size &&
        !memcmp(identity->serial.bytes, link->serial.bytes, link->serial.size))
        return;
    link->boots = identity->boots;
    link->serial = identity->serial;
    forget(link);
}

bool dovetail_is_production(const dovetail_Identity *identity)
{
    return !strcmp(identity->variant, "production");
}

dovetail_result dovetail_hello(dovetail_link *link, dovetail_Role role, const uint8_t *role_key, const uint8_t *nonce)
{
    dovetail_Hello *hello = &dovetail_new_request(link, dovetail_Request_hello_tag)->body.hello;
    dovetail_Answer answer;

    hello->version = PROTOCOL;
    hello->role = role;
    memcpy(hello->nonce.bytes, nonce, DOVETAIL_NONCE_BYTES);
    hello->nonce.size = DOVETAIL_NONCE_BYTES;
    link->id = 0;
    link->open = link->hears = false;
    link->role_key = role == dovetail_Role_ROLE_NONE ? NULL : role_key;
    dovetail_result result = dovetail_ask(link);
    link->role_key = NULL;
    if (result || !link->open)
        return result;
    answer = link->answer;
    if (!link->bench && !dovetail_is_production(&answer.body.identity)) { /* nothing tagged was sent: no session */
        link->open = false;
        return DOVETAIL_BENCH;
    }
    link->digest = 0;
    recognize(link, &answer.body.identity);
    link->hears = role != dovetail_Role_ROLE_AUDIT;
    if (link->hears)
        result = replay(link, link->expected);
    link->answer = answer;
    return result;
}

static dovetail_result acknowledge(dovetail_link *link)
{
    uint32_t number = link->expected - 1;

    dovetail_new_request(link, dovetail_Request_acknowledge_tag)->body.acknowledge.number = number;
    dovetail_result result = dovetail_ask(link);
    if (!result && link->answer.outcome == dovetail_Outcome_DONE)
        link->acknowledged = number;
    return result;
}

dovetail_result dovetail_listen(dovetail_link *link, int time_ms)
{
    dovetail_result result = hear(link, now_ms() + time_ms, false);

    if (!result && link->hears && link->missing)
        result = replay(link, link->expected);
    if (!result && link->hears && link->expected > link->acknowledged + 1)
        result = acknowledge(link);
    if (!result && link->open && now_ms() - link->sent_ms >= HEARTBEAT_MS) {
        dovetail_new_request(link, dovetail_Request_heartbeat_tag)->body.heartbeat.digest = link->digest;
        result = dovetail_ask(link);
    }
    return result;
}
