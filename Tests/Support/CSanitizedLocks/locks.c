#include "CSanitizedLocks.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// `_MutexHandle._lockSlow(UInt32)` and `_MutexHandle._unlockSlow()`, as Swift names them.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift passes the handle itself where other functions have nothing.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void Lock(uint32_t thread, SELF void *handle);
typedef SWIFT void Unlock(SELF void *handle);

void __tsan_acquire(void *place);
void __tsan_release(void *place);

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "Swift's library for locks has no %s; its name must have changed\n", name);
        abort();
    }
    return function;
}

SWIFT void sanitized_lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void sanitized_unlock(SELF void *handle) __asm__(UNLOCK);

SWIFT void sanitized_lock(uint32_t thread, SELF void *handle) {
    Lock *lock = (Lock *)original(LOCK);
    lock(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void sanitized_unlock(SELF void *handle) {
    __tsan_release(handle);
    Unlock *unlock = (Unlock *)original(UNLOCK);
    unlock(handle);
}
