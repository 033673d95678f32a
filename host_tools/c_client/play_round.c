/* Plays a round: play_round [--bench] DEVICE KEYS [PLAYERS [red|blue]], the next one after the machine's last. A bench
   image shows its keys, so it is played with --bench alone. What another controller has left is gone on with: a round that is open is played to its end, a deck in the shoe is played
   with. Else the deck of that colour, red where none is named, has to lie in the infeed before long. */
#define _POSIX_C_SOURCE 200809L

#include "client.h"
#include "keys.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE_S = 600, LISTEN_MS = 200 };

/* What the events have told of one round; those of others may come again. */
typedef struct {
    uint32_t round, stacks, taken, remainders, cards; /* taken: the last position whose stack was */
    bool fault;
} table;

static dovetail_link machine;
static table told;
static int32_t calls; /* of "no more bets" in a round */

static void stop(const char *what)
{
    fprintf(stderr, "play_round: %s\n", what);
    exit(1);
}

static void take_stack(table *t, const dovetail_StackDealt *stack)
{
    if (stack->round != t->round)
        return;
    printf("stack %u: %u of %u\n", (unsigned)stack->position, (unsigned)stack->delivered, (unsigned)stack->ordered);
    if (stack->verdict != dovetail_Verdict_AS_ORDERED)
        printf("stack %u: verdict %d, tell the dealer\n", (unsigned)stack->position, (int)stack->verdict);
    t->stacks++;
    t->cards += stack->delivered;
}

static void take_remainder(table *t, const dovetail_RemainderDone *rest)
{
    if (rest->round != t->round)
        return;
    printf("remainder: %u, dealt %u, of %u\n", (unsigned)rest->delivered, (unsigned)rest->dealt,
           (unsigned)rest->expected);
    t->remainders++;
    t->cards += rest->delivered;
}

static void take_event(void *context, const dovetail_Event *event)
{
    table *t = context;
    switch (event->which_body) {
    case dovetail_Event_ready_tag:
        printf("ready: %s\n", event->body.ready.text);
        break;
    case dovetail_Event_stack_tag:
        take_stack(t, &event->body.stack);
        break;
    case dovetail_Event_taken_tag:
        if (event->body.taken.round == t->round)
            t->taken = event->body.taken.position;
        break;
    case dovetail_Event_remainder_tag:
        take_remainder(t, &event->body.remainder);
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

static void ask(void)
{
    if (dovetail_ask(&machine))
        stop("no answer");
}

static void listen_once(void)
{
    if (dovetail_listen(&machine, LISTEN_MS))
        stop("the machine is not heard any more");
}

/* How the machine stands; what only people can put right ends this. */
static const dovetail_Status *look(void)
{
    dovetail_new_request(&machine, dovetail_Request_status_tag);
    ask();
    if (machine.answer.outcome != dovetail_Outcome_DONE)
        stop(machine.answer.text);
    told.fault = false; /* the event may be an old one: the status says what is */
    if (machine.status.fault) {
        fprintf(stderr, "fault %u stands: remove the cards, then say cleared\n", (unsigned)machine.status.fault);
        stop("the machine has stopped");
    }
    if (machine.status.state == dovetail_State_OUT_OF_SERVICE)
        stop("the machine is out of service: say in_service when it is empty");
    return &machine.status;
}

/* Whether the order that stands in the link is done. Not now: listens for a moment, then the status may be another. So
   it may be when the order is refused: what another controller has begun has come to its end since the last look. */
static bool order(const char *what)
{
    uint32_t seen = machine.status.digest;
    dovetail_Answer no;

    ask();
    switch (machine.answer.outcome) {
    case dovetail_Outcome_DONE:
        return true;
    case dovetail_Outcome_NOT_NOW:
    case dovetail_Outcome_UNHEARD:
        listen_once();
        return false;
    default:
        no = machine.answer;
        if (look()->digest != seen)
            return false;
        fprintf(stderr, "%s: outcome %d, %s %s\n", what, (int)no.outcome, no.rule, no.text);
        stop("refused");
        return false;
    }
}

/* Until an event has come that is counted there, or a fault. */
static void wait_for(const uint32_t *count, uint32_t least, const char *what)
{
    for (time_t end = time(NULL) + PATIENCE_S; *count < least && time(NULL) < end;) {
        listen_once();
        if (told.fault)
            look();
    }
    if (*count < least)
        stop(what);
}

/* How often "no more bets" is declared in a round: the table of games of docs/protocol.md. */
static int32_t calls_of(const char *game)
{
    if (!strcmp(game, "double_draw"))
        return 3;
    return !strcmp(game, "boston_5") ? 2 : 1;
}

static void say_hello(const uint8_t *key)
{
    uint8_t nonce[DOVETAIL_NONCE_BYTES];

    if (!draw_nonce(nonce))
        stop("no random bytes for a nonce");
    dovetail_result result = dovetail_hello(&machine, dovetail_Role_ROLE_TABLE, key, nonce);
    if (result == DOVETAIL_BENCH) {
        fprintf(stderr, "play_round: the machine runs a %s image, not a production image: whoever sits at its prompt "
                        "can read its keys; flash a production image, or say --bench\n",
                machine.answer.body.identity.variant);
        exit(1);
    }
    if (result)
        stop("no answer to hello");
    if (machine.answer.outcome != dovetail_Outcome_DONE)
        stop(machine.answer.text);
    printf("machine: %s %s, %s\n", machine.answer.body.identity.board,
           machine.answer.body.identity.variant, machine.answer.body.identity.game);
    calls = calls_of(machine.answer.body.identity.game);
}

static void begin(uint32_t round)
{
    told = (table){.round = round};
}

static bool load(dovetail_Back back)
{
    dovetail_new_request(&machine, dovetail_Request_load_tag)->body.load.back = back;
    return order("load");
}

static bool shuffle(dovetail_Back back)
{
    dovetail_new_request(&machine, dovetail_Request_shuffle_tag)->body.shuffle.back = back;
    return order("shuffle");
}

static bool open_round(uint32_t round, uint32_t players)
{
    dovetail_Request *r = dovetail_new_request(&machine, dovetail_Request_open_round_tag);
    r->body.open_round.round = round;
    r->body.open_round.players = players;
    begin(round); /* its first event may come before the answer */
    if (!order("open_round"))
        return false;
    printf("round %u\n", (unsigned)round);
    return true;
}

static bool no_more_bets(uint32_t round)
{
    dovetail_new_request(&machine, dovetail_Request_no_more_bets_tag)->body.no_more_bets.round = round;
    return order("no_more_bets");
}

static bool deal(uint32_t round, uint32_t position)
{
    dovetail_Request *r = dovetail_new_request(&machine, dovetail_Request_deal_tag);
    r->body.deal.round = round;
    r->body.deal.position = position;
    if (!order("deal"))
        return false;
    wait_for(&told.taken, position, "a stack was not taken");
    return true;
}

static bool release(uint32_t round)
{
    dovetail_new_request(&machine, dovetail_Request_remainder_tag)->body.remainder.round = round;
    if (!order("remainder"))
        return false;
    wait_for(&told.remainders, 1, "no remainder came");
    return true;
}

static bool close_round(uint32_t round)
{
    dovetail_new_request(&machine, dovetail_Request_close_round_tag)->body.close_round.round = round;
    return order("close_round");
}

/* One step to a round that is open: the rest of a void one out, a deck that was declared shuffled, else one loaded. */
static bool prepare(const dovetail_Status *status, uint32_t players, dovetail_Back back)
{
    switch (status->state) {
    case dovetail_State_DEALING:
        begin(status->last_round);
        return release(status->last_round);
    case dovetail_State_READY:
        return open_round(status->last_round + 1, players);
    case dovetail_State_IDLE:
        for (pb_size_t i = 0; i < status->decks_count; i++)
            if (status->decks[i].place == dovetail_Place_INFEED)
                return shuffle(status->decks[i].back);
        return load(back);
    default: /* it works: a deck will be ready, or in its place */
        listen_once();
        return false;
    }
}

/* One step of the round that is open, as the status has it. */
static bool step(const dovetail_Status *status)
{
    uint32_t round = status->round;

    if (round != told.round) { /* another controller has opened it */
        printf("round %u is open: it is played to its end\n", (unsigned)round);
        begin(round);
    }
    if (status->phase == dovetail_Phase_PHASE_BETS)
        return no_more_bets(round);
    if (status->phase == dovetail_Phase_PHASE_RELEASED)
        return close_round(round);
    if (status->stacks < status->owed)
        return deal(round, status->stacks + 1);
    if ((int32_t)status->phase < (int32_t)dovetail_Phase_PHASE_STACKS + calls - 1) /* nobody draws, or all is by hand */
        return no_more_bets(round);
    return release(round);
}

/* From whatever the machine stands at to the end of a round of its own. */
static void play(uint32_t players, dovetail_Back back)
{
    uint32_t own = 0; /* its number, as soon as it is open */

    for (time_t end = time(NULL) + PATIENCE_S; time(NULL) < end;) {
        const dovetail_Status *status = look();
        bool open = status->round != 0, closing = status->phase == dovetail_Phase_PHASE_RELEASED;
        uint32_t next = status->last_round + 1, round = status->round;
        bool done = open ? step(status) : prepare(status, players, back);
        if (done)
            end = time(NULL) + PATIENCE_S;
        if (done && !open && told.round == next)
            own = next;
        if (done && closing && round == own)
            return;
    }
    stop("nothing goes on: does the deck lie in the infeed, was the stack taken?");
}

int main(int count, char **words)
{
    uint8_t keys[KEYS][DOVETAIL_KEY_BYTES];
    bool bench = count > 1 && !strcmp(words[1], "--bench");
    count -= bench, words += bench;
    long players = count > 3 ? strtol(words[3], NULL, 10) : 5;
    bool blue = count > 4 && !strcmp(words[4], "blue");
    int fd;

    if (count < 3 || players < 1 || (count > 4 && !blue && strcmp(words[4], "red"))) {
        fprintf(stderr, "play_round: say which device and which keys: "
                        "play_round [--bench] /dev/ttyUSB0 keys.txt [players [red|blue]]\n");
        return 2;
    }
    if (!read_keys(words[2], keys)) {
        fprintf(stderr, "play_round: %s does not have four lines of 64 hexadecimal digits\n", words[2]);
        return 2;
    }
    fd = open(words[1], O_RDWR | O_NOCTTY);
    if (fd < 0 || dovetail_set_line(fd) < 0) {
        fprintf(stderr, "play_round: %s is not a serial line that can be opened\n", words[1]);
        return 2;
    }
    dovetail_open(&machine, fd, take_event, &told);
    machine.bench = bench;
    say_hello(keys[TABLE_KEY]);
    play((uint32_t)players, blue ? dovetail_Back_BLUE : dovetail_Back_RED);
    if (told.stacks != (uint32_t)players + 1 || told.taken != told.stacks)
        stop("stacks are missing");
    listen_once(); /* acknowledges the last event: the next controller has no use for it */
    printf("round over: %u stacks, %u cards, %u repeats\n", (unsigned)told.stacks,
           (unsigned)told.cards, (unsigned)machine.repeats);
    return 0;
}
