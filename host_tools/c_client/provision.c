/* Gives a machine that has none its keys: provision [--bench] DEVICE KEYS. A bench image shows them, so it gets them
   with --bench alone. */
#include "client.h"
#include "keys.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static dovetail_link machine;

static void take_event(void *context, const dovetail_Event *event)
{
    (void)context, (void)event; /* without a session none come */
}

int main(int count, char **words)
{
    uint8_t keys[KEYS][DOVETAIL_KEY_BYTES], nonce[DOVETAIL_NONCE_BYTES] = {0}; /* to a hello that begins nothing */
    bool bench = count > 1 && !strcmp(words[1], "--bench");
    int fd;

    count -= bench, words += bench;
    if (count != 3) {
        fprintf(stderr, "provision: say which device and which keys: provision [--bench] /dev/ttyUSB0 keys.txt\n");
        return 2;
    }
    if (!read_keys(words[2], keys)) {
        fprintf(stderr, "provision: %s does not have four lines of 64 hexadecimal digits\n", words[2]);
        return 2;
    }
    fd = open(words[1], O_RDWR | O_NOCTTY);
    if (fd < 0 || dovetail_set_line(fd) < 0) {
        fprintf(stderr, "provision: %s is not a serial line that can be opened\n", words[1]);
        return 2;
    }
    dovetail_open(&machine, fd, take_event, NULL);
    if (dovetail_hello(&machine, dovetail_Role_ROLE_NONE, NULL, nonce) ||
        machine.answer.which_body != dovetail_Answer_identity_tag) {
        fprintf(stderr, "provision: no answer\n");
        return 1;
    }
    if (!bench && !dovetail_is_production(&machine.answer.body.identity)) {
        fprintf(stderr, "provision: the machine runs a %s image, not a production image: whoever sits at its prompt "
                        "could read the keys; flash a production image, or say --bench\n",
                machine.answer.body.identity.variant);
        return 1;
    }
    dovetail_Provision *give = &dovetail_new_request(&machine, dovetail_Request_provision_tag)->body.provision;
    memcpy(give->table_key.bytes, keys[TABLE_KEY], DOVETAIL_KEY_BYTES);
    memcpy(give->service_key.bytes, keys[SERVICE_KEY], DOVETAIL_KEY_BYTES);
    memcpy(give->audit_key.bytes, keys[AUDIT_KEY], DOVETAIL_KEY_BYTES);
    memcpy(give->supervisor_key.bytes, keys[SUPERVISOR_KEY], DOVETAIL_KEY_BYTES);
    give->table_key.size = give->service_key.size = DOVETAIL_KEY_BYTES;
    give->audit_key.size = give->supervisor_key.size = DOVETAIL_KEY_BYTES;
    if (dovetail_ask(&machine)) {
        fprintf(stderr, "provision: no answer\n");
        return 1;
    }
    if (machine.answer.outcome != dovetail_Outcome_DONE) {
        fprintf(stderr, "provision: outcome %d, %s %s\n", (int)machine.answer.outcome, machine.answer.rule,
                machine.answer.text);
        return 1;
    }
    printf("the machine has its keys\n");
    return 0;
}
