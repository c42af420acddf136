// Facts that the system gives as numbers.

#include "CReaderProtocol.h"

#include <sched.h>

int reader_processor_count(void) {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
    int count = CPU_COUNT(&processors);
    return count < 1 ? 1 : count;
}
