#include "liar.h"

#include "CReaderProtocol.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static int send_answer(uint32_t sequence, const char *payload) {
    ReaderReply reply = {
        .version = READER_PROTOCOL_VERSION, .sequence = sequence, .width = 1, .height = 1,
        .symbol_count = 1,
    };
    struct {
        ReaderSymbolHeader header;
        char payload[3];
    } symbol = {.header = {.sequence = sequence, .byte_count = sizeof symbol.payload}};
    memcpy(symbol.payload, payload, sizeof symbol.payload);
    size_t count = sizeof symbol.header + sizeof symbol.payload;
    int error = reader_send(READER_PROTOCOL_DESCRIPTOR, &reply, sizeof reply, -1);
    return error == 0 ? reader_send(READER_PROTOCOL_DESCRIPTOR, &symbol, count, -1) : error;
}

int liar_run(int argc, char **argv) {
    int is_mute = strcmp(argv[0], "mute") == 0;
    int is_model = strcmp(argv[argc - 1], "--copies") == 0;
    if (is_model && reader_serve_copies(READER_PROTOCOL_DESCRIPTOR) != 0) return EX_OK;
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    ReaderGreeting greeting = {.version = READER_PROTOCOL_VERSION};
    int error = reader_send(READER_PROTOCOL_DESCRIPTOR, &greeting, sizeof greeting, -1);
    for (uint32_t pictures = 0; error == 0; pictures++) {
        ReaderRequest request;
        int picture = -1;
        ssize_t count = reader_receive(READER_PROTOCOL_DESCRIPTOR, &request, sizeof request, &picture);
        if (count != (ssize_t)sizeof request) break;
        close(picture);
        if (is_mute) break;
        error = send_answer(request.sequence, pictures == 0 ? "one" : "lie");
    }
    // Whoever counts on its end waits for ever.
    for (;;) pause();
}
