// What the system knows by name and number.

#include "CReaderProtocol.h"

#include <sched.h>
#include <string.h>

const char *reader_signal_name(int signal) {
    return sigabbrev_np(signal);
}

int reader_processor_count(void) {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
    int count = CPU_COUNT(&processors);
    return count < 1 ? 1 : count;
}
