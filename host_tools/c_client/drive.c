/* Drives this client for a test: drive DEVICE KEYS. Lines of words on standard input, after each a line that tells its end:
     hello ROLE        hello RESULT OUTCOME
     ask KIND          ask RESULT OUTCOME; an empty request of this number in link.proto
     listen MS         listen RESULT
     counts            counts UNREADABLE ACKNOWLEDGED
   Meanwhile a line for each event: event NUMBER BODY. */
#define _POSIX_C_SOURCE 200809L

#include "client.h"
#include "keys.h"

#include <fcntl.h>
#include <stdio.h>

static dovetail_link machine;

static void take_event(void *context, const dovetail_Event *event)
{
    (void)context;
    printf("event %u %u\n", (unsigned)event->number, (unsigned)event->which_body);
}

static dovetail_result hello(unsigned role, uint8_t keys[KEYS][DOVETAIL_KEY_BYTES])
{
    uint8_t nonce[DOVETAIL_NONCE_BYTES];

    if (role > KEYS || !draw_nonce(nonce))
        return DOVETAIL_BROKEN;
    return dovetail_hello(&machine, (dovetail_Role)role, role ? keys[role - 1] : NULL, nonce);
}

int main(int count, char **words)
{
    uint8_t keys[KEYS][DOVETAIL_KEY_BYTES];
    char line[80];
    unsigned number;
    int fd;

    if (count != 3 || !read_keys(words[2], keys))
        return 2;
    fd = open(words[1], O_RDWR | O_NOCTTY);
    if (fd < 0 || dovetail_set_line(fd) < 0)
        return 2;
    dovetail_open(&machine, fd, take_event, NULL);
    machine.bench = true;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "hello %u", &number) == 1) {
            dovetail_result result = hello(number, keys);
            printf("hello %d %d\n", (int)result, (int)machine.answer.outcome);
        } else if (sscanf(line, "ask %u", &number) == 1) {
            dovetail_new_request(&machine, (pb_size_t)number);
            dovetail_result result = dovetail_ask(&machine);
            printf("ask %d %d\n", (int)result, (int)machine.answer.outcome);
        } else if (sscanf(line, "listen %u", &number) == 1) {
            printf("listen %d\n", (int)dovetail_listen(&machine, (int)number));
        } else {
            printf("counts %u %u\n", (unsigned)machine.unreadable, (unsigned)machine.acknowledged);
        }
        fflush(stdout);
    }
    return 0;
}
