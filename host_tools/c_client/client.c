#define _POSIX_C_SOURCE 200809L

#include "client.h"

#include <errno.h>
#include <poll.h>
#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRY_MS = 500, REPEATS = 5, PROTOCOL = 1, NONCE_BYTES = 16 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take_event(dovetail_link *link, const dovetail_Event *event)
{
    if (event->number == 0) { /* progress: not numbered, not kept */
        link->take_event(link->context, event);
    } else if (event->number == link->expected) {
        link->expected++;
        link->take_event(link->context, event);
    } else if (event->number > link->expected) {
        link->missing = true;
    }
}

static void take_frame(dovetail_link *link, const dovetail_frame *frame)
{
    pb_istream_t stream = pb_istream_from_buffer(frame->body, frame->length);

    if (frame->tag || !pb_decode(&stream, dovetail_Report_fields, &link->report)) {
        link->unreadable++;
        return;
    }
    link->heard = frame->counter;
    if (link->report.which_body == dovetail_Report_event_tag) {
        take_event(link, &link->report.body.event);
    } else if (link->report.which_body == dovetail_Report_answer_tag &&
               link->report.body.answer.id == link->request.id) {
        link->answer = link->report.body.answer;
        link->answered = true;
    }
}

/* Takes what comes until the time is over or, when one is awaited, an answer is there. */
static dovetail_result hear(dovetail_link *link, int64_t until_ms, bool for_answer)
{
    uint8_t bytes[64];
    dovetail_frame frame;

    while (!(for_answer && link->answered)) {
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
    uint8_t header[DOVETAIL_HEADER_BYTES];

    dovetail_put_header(header, DOVETAIL_TO_MACHINE, false, ++link->frames);
    size_t length = dovetail_put_frame(link->wire, header, link->body, body_length, NULL);
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(link->fd, link->wire + done, length - done);
        if (wrote < 0 && errno != EINTR)
            return DOVETAIL_BROKEN;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
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
    link->answered = false;
    for (int tries = 0; tries <= REPEATS && !result && !link->answered; tries++) {
        link->repeats += tries > 0;
        result = send(link, stream.bytes_written);
        if (!result)
            result = hear(link, now_ms() + TRY_MS, true);
    }
    if (result)
        return result;
    return link->answered ? DOVETAIL_OK : DOVETAIL_NO_ANSWER;
}

/* Asks for the kept events from a number on; what the machine has no more is passed over. */
static dovetail_result replay(dovetail_link *link, uint32_t number)
{
    link->missing = false;
    dovetail_new_request(link, dovetail_Request_replay_tag)->body.replay.number = number;
    dovetail_result result = dovetail_ask(link);
    if (!result && link->answer.which_body == dovetail_Answer_replayed_tag &&
        link->answer.body.replayed.first > link->expected)
        link->expected = link->answer.body.replayed.first;
    return result;
}

dovetail_result dovetail_hello(dovetail_link *link, const uint8_t *nonce)
{
    dovetail_Request *request = dovetail_new_request(link, dovetail_Request_hello_tag);
    dovetail_Answer hello;

    request->body.hello.version = PROTOCOL;
    memcpy(request->body.hello.nonce.bytes, nonce, NONCE_BYTES);
    request->body.hello.nonce.size = NONCE_BYTES;
    link->id = 0;
    dovetail_result result = dovetail_ask(link);
    if (result || link->answer.outcome != dovetail_Outcome_DONE)
        return result;
    hello = link->answer;
    link->expected = 0;
    result = replay(link, 0);
    link->answer = hello;
    return result;
}

dovetail_result dovetail_listen(dovetail_link *link, int time_ms)
{
    dovetail_result result = hear(link, now_ms() + time_ms, false);

    if (!result && link->missing)
        result = replay(link, link->expected);
    if (!result && link->expected > link->acknowledged + 1) {
        uint32_t number = link->expected - 1;
        dovetail_new_request(link, dovetail_Request_acknowledge_tag)->body.acknowledge.number = number;
        result = dovetail_ask(link);
        if (!result && link->answer.outcome == dovetail_Outcome_DONE)
            link->acknowledged = number;
    }
    return result;
}
