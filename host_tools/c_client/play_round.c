/* Plays a round: play_round DEVICE KEYS [PLAYERS]. The red deck has to lie in the infeed before long. */
#define _POSIX_C_SOURCE 200809L

#include "client.h"
#include "keys.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE_S = 600, LISTEN_MS = 100 };

/* What the events have told so far. */
typedef struct {
    uint32_t ready, stacks, taken, remainders, cards;
    bool fault;
} table;

static dovetail_link machine;
static table told;

static void stop(const char *what)
{
    fprintf(stderr, "play_round: %s\n", what);
    exit(1);
}

static void take_event(void *context, const dovetail_Event *event)
{
    table *t = context;
    switch (event->which_body) {
    case dovetail_Event_ready_tag:
        printf("ready: %s\n", event->body.ready.text);
        t->ready++;
        break;
    case dovetail_Event_stack_tag:
        printf("stack %u: %u of %u\n", (unsigned)event->body.stack.position,
               (unsigned)event->body.stack.delivered, (unsigned)event->body.stack.ordered);
        t->stacks++;
        if (event->body.stack.verdict != dovetail_Verdict_AS_ORDERED)
            printf("stack %u: verdict %d, tell the dealer\n", (unsigned)event->body.stack.position,
                   (int)event->body.stack.verdict);
        t->cards += event->body.stack.delivered;
        break;
    case dovetail_Event_taken_tag:
        t->taken++;
        break;
    case dovetail_Event_remainder_tag:
        printf("remainder: %u, dealt %u, of %u\n", (unsigned)event->body.remainder.delivered,
               (unsigned)event->body.remainder.dealt, (unsigned)event->body.remainder.expected);
        t->cards += event->body.remainder.delivered;
        t->remainders++;
        break;
    case dovetail_Event_fault_tag:
        printf("fault %u %s: %s\n", (unsigned)event->body.fault.fault, event->body.fault.name,
               event->body.fault.action);
        t->fault = true;
        break;
    default: /* not needed here */
        break;
    }
    fflush(stdout);
}

static void listen_once(void)
{
    if (dovetail_listen(&machine, LISTEN_MS))
        stop("the machine is not heard any more");
    if (told.fault)
        stop("the machine has stopped");
}

/* Asks until it is done; not now: again, with a new id. */
static void must(const dovetail_Request *order, const char *what)
{
    dovetail_Request request = *order;
    time_t end = time(NULL) + PATIENCE_S;
    do {
        machine.request = request;
        if (dovetail_ask(&machine))
            stop("no answer");
        if (machine.answer.outcome == dovetail_Outcome_DONE)
            return;
        listen_once();
    } while (time(NULL) < end && (machine.answer.outcome == dovetail_Outcome_NOT_NOW ||
                                  machine.answer.outcome == dovetail_Outcome_UNHEARD));
    fprintf(stderr, "%s: outcome %d, %s %s\n", what, (int)machine.answer.outcome, machine.answer.rule,
            machine.answer.text);
    stop("refused");
}

static void wait_for(const uint32_t *count, uint32_t least, const char *what)
{
    for (time_t end = time(NULL) + PATIENCE_S; *count < least && time(NULL) < end;)
        listen_once();
    if (*count < least)
        stop(what);
}

static void say_hello(const uint8_t *key)
{
    uint8_t nonce[DOVETAIL_NONCE_BYTES];

    if (!draw_nonce(nonce))
        stop("no random bytes for a nonce");
    if (dovetail_hello(&machine, dovetail_Role_ROLE_TABLE, key, nonce))
        stop("no answer to hello");
    if (machine.answer.outcome != dovetail_Outcome_DONE)
        stop(machine.answer.text);
    printf("machine: %s %s, %s\n", machine.answer.body.identity.board,
           machine.answer.body.identity.variant, machine.answer.body.identity.game);
}

static void play(uint32_t round, uint32_t players)
{
    dovetail_Request *r;

    r = dovetail_new_request(&machine, dovetail_Request_load_tag);
    r->body.load.back = dovetail_Back_RED;
    must(r, "load");
    r = dovetail_new_request(&machine, dovetail_Request_shuffle_tag);
    r->body.shuffle.back = dovetail_Back_RED;
    must(r, "shuffle");
    wait_for(&told.ready, 1, "no deck is ready");
    r = dovetail_new_request(&machine, dovetail_Request_open_round_tag);
    r->body.open_round.round = round;
    r->body.open_round.players = players;
    must(r, "open_round");
    r = dovetail_new_request(&machine, dovetail_Request_no_more_bets_tag);
    r->body.no_more_bets.round = round;
    must(r, "no_more_bets");
    for (uint32_t position = 1; position <= players + 1; position++) {
        r = dovetail_new_request(&machine, dovetail_Request_deal_tag);
        r->body.deal.round = round;
        r->body.deal.position = position;
        must(r, "deal");
        wait_for(&told.taken, position, "a stack was not taken");
    }
    r = dovetail_new_request(&machine, dovetail_Request_remainder_tag);
    r->body.remainder.round = round;
    must(r, "remainder");
    wait_for(&told.remainders, 1, "no remainder came");
    r = dovetail_new_request(&machine, dovetail_Request_close_round_tag);
    r->body.close_round.round = round;
    must(r, "close_round");
}

int main(int count, char **words)
{
    uint8_t keys[KEYS][DOVETAIL_KEY_BYTES];
    long players = count > 3 ? strtol(words[3], NULL, 10) : 5;
    int fd;

    if (count < 3 || players < 1) {
        fprintf(stderr, "play_round: say which device and which keys: play_round /dev/ttyUSB0 keys.txt [players]\n");
        return 2;
    }
    if (!read_keys(words[2], keys)) {
        fprintf(stderr, "play_round: %s does not have three lines of 64 hexadecimal digits\n", words[2]);
        return 2;
    }
    fd = open(words[1], O_RDWR | O_NOCTTY);
    if (fd < 0 || dovetail_set_line(fd) < 0) {
        fprintf(stderr, "play_round: %s is not a serial line that can be opened\n", words[1]);
        return 2;
    }
    dovetail_open(&machine, fd, take_event, &told);
    say_hello(keys[TABLE_KEY]);
    play(1, (uint32_t)players);
    if (told.stacks != (uint32_t)players + 1 || told.taken != told.stacks)
        stop("stacks are missing");
    printf("round over: %u stacks, %u cards, %u repeats\n", (unsigned)told.stacks,
           (unsigned)told.cards, (unsigned)machine.repeats);
    return 0;
}
