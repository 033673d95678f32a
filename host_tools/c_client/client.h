/* A client of the table link in C99: no allocation, one link a struct, any file descriptor that leads to a machine.

   The answer to a request is in link->answer until the next call; events are handed to the function given to
   dovetail_open, each once and in order, over all sessions with a machine until that starts anew. Call dovetail_listen
   whenever there is nothing else to ask: it keeps the session alive. */
#ifndef DOVETAIL_CLIENT_H
#define DOVETAIL_CLIENT_H

#include "link.pb.h"
#include "session.h"

typedef void dovetail_take_event(void *context, const dovetail_Event *event);

/* What a call returns: DOVETAIL_OK, or what went wrong. A refusal is an answer, and therefore DOVETAIL_OK. */
typedef enum {
    DOVETAIL_OK = 0,
    DOVETAIL_NO_ANSWER, /* sent six times, nothing came back */
    DOVETAIL_ENDED,     /* the session is over: say hello with a new nonce, read the status, decide */
    DOVETAIL_BROKEN,    /* the file descriptor failed; errno says how */
    DOVETAIL_TOO_LONG,  /* the request does not fit into a frame */
    DOVETAIL_BENCH      /* the machine's image may show its keys: no session was begun; see link->bench */
} dovetail_result;

typedef struct {
    int fd;
    bool bench; /* take any image: a program for the bench sets this after dovetail_open */
    dovetail_take_event *take_event;
    void *context;
    uint32_t frames;       /* sent; the counter of the last one */
    uint32_t id;           /* of the last request */
    uint32_t expected;     /* number of the next event; 0: nothing is known */
    uint32_t acknowledged; /* up to this one the machine has been told */
    uint32_t digest;       /* of the last status; 0: none is known */
    uint32_t boots;        /* of the machine of the last session, as its serial */
    dovetail_Identity_serial_t serial;
    int64_t sent_ms;       /* when the last frame left */
    bool missing, answered, ended;

    bool open;                       /* a session: all is tagged */
    bool hears;                      /* events come in it */
    uint8_t key[DOVETAIL_KEY_BYTES]; /* its key */
    uint32_t heard;                  /* counter of the machine's last frame in it */
    const uint8_t *role_key;         /* while a hello waits for its answer */

    uint32_t repeats, wrong_tag, old;
    uint32_t unreadable; /* reports; an event among them is passed over: the status still says how the machine stands */
    dovetail_receiver receiver;
    dovetail_Request request;
    dovetail_Report report;
    dovetail_Answer answer;
    dovetail_Status status; /* the last one that was told */
    uint8_t body[DOVETAIL_BODY_BYTES];
    uint8_t wire[DOVETAIL_WIRE_BYTES];
} dovetail_link;

/* Begins with an open file descriptor, on which reads and writes may block. */
void dovetail_open(dovetail_link *link, int fd, dovetail_take_event *take_event, void *context);

/* Says hello; the answer has the identity. With a role and its key it opens a session; then every event comes that is
   kept and was not handed over before. The nonce has 16 bytes, drawn anew for every call. With dovetail_Role_ROLE_NONE
   it only asks. DOVETAIL_BENCH where the image is no production image and link->bench is not set. */
dovetail_result dovetail_hello(dovetail_link *link, dovetail_Role role, const uint8_t *role_key, const uint8_t *nonce);

/* Says whether an image has no prompt at which keys can be read. Look before keys are given to a machine. */
bool dovetail_is_production(const dovetail_Identity *identity);

/* Clears link->request and names its kind, a dovetail_Request_..._tag; the caller sets the fields. */
dovetail_Request *dovetail_new_request(dovetail_link *link, pb_size_t kind);

/* Sends link->request until it is answered: link->answer. Events that come meanwhile are handed over too. */
dovetail_result dovetail_ask(dovetail_link *link);

/* Hears the machine for so many milliseconds, at most 1,000; fetches events that are missing, acknowledges those that
   were handed over, and says heartbeat when a second went by without a frame. */
dovetail_result dovetail_listen(dovetail_link *link, int time_ms);

/* Makes a terminal of the file descriptor a raw line of 115,200 baud; 0, or -1 with errno. */
int dovetail_set_line(int fd);

#endif
