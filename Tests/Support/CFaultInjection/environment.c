#include "CFaultInjection.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static char name[NAME_MAX + 1];

// In a program that knows nothing of this library, the environment says what fails.
__attribute__((constructor)) static void start_as_told(void) {
    const char *words = getenv("FAULT_INJECTION");
    int call, first, error;
    if (!words || sscanf(words, "%d %d %d %255s", &call, &first, &error, name) != 4) return;
    fault_injection_start((enum FaultInjectionCall)call, name, first, 1, error);
}

__attribute__((destructor)) static void tell(void) {
    if (name[0]) fprintf(stderr, "swept %d\n", fault_injection_stop());
}
