#include "CSQLiteLog.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

/// The most bytes that are kept: what 15 pages add. SQLite's own way writes less than 128 KiB at a time, and
/// takes more for a full disk.
enum { MOST = 64 * 1024 };

/// A log, whose file as SQLite's own way has it follows in memory.
typedef struct {
    sqlite3_file base;
    /// What is to be written, and where.
    unsigned char *bytes;
    sqlite3_int64 offset;
    int count;
} Log;

static sqlite3_vfs *own;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((Log *)file + 1); }

/// Writes what is kept, and forgets it also if that fails: what was added is then of no transaction.
static int flush(sqlite3_file *file) {
    Log *log = (Log *)file;
    int count = log->count;
    log->count = 0;
    if (count == 0) return SQLITE_OK;
    return inner(file)->pMethods->xWrite(inner(file), log->bytes, count, log->offset);
}

static int log_close(sqlite3_file *file) {
    int flushed = flush(file);
    sqlite3_free(((Log *)file)->bytes);
    int closed = inner(file)->pMethods->xClose(inner(file));
    return flushed ? flushed : closed;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = flush(file);
    return code ? code : inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Log *log = (Log *)file;
    if (offset != log->offset + log->count || count > MOST - log->count) {
        int code = flush(file);
        if (code) return code;
        if (count > MOST) return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
        log->offset = offset;
    }
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    return SQLITE_OK;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = flush(file);
    return code ? code : inner(file)->pMethods->xTruncate(inner(file), size);
}

static int log_sync(sqlite3_file *file, int flags) {
    int code = flush(file);
    return code ? code : inner(file)->pMethods->xSync(inner(file), flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = flush(file);
    return code ? code : inner(file)->pMethods->xFileSize(inner(file), size);
}

static int log_lock(sqlite3_file *file, int lock) {
    return inner(file)->pMethods->xLock(inner(file), lock);
}

static int log_unlock(sqlite3_file *file, int lock) {
    return inner(file)->pMethods->xUnlock(inner(file), lock);
}

static int log_check_lock(sqlite3_file *file, int *result) {
    return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
    return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int log_sector_size(sqlite3_file *file) {
    return inner(file)->pMethods->xSectorSize(inner(file));
}

static int log_characteristics(sqlite3_file *file) {
    return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

/// The first version has no shared or mapped memory, which a log does not need.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_check_lock,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

static int open_file(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given
) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL)) return own->xOpen(own, name, file, flags, given);
    Log *log = (Log *)file;
    *log = (Log){.bytes = sqlite3_malloc(MOST)};
    if (!log->bytes) return SQLITE_NOMEM;
    inner(file)->pMethods = NULL;
    int code = own->xOpen(own, name, inner(file), flags, given);
    // SQLite closes what has methods, also if it could not be opened.
    if (inner(file)->pMethods) log->base.pMethods = &methods;
    else sqlite3_free(log->bytes);
    return code;
}

static sqlite3_vfs joining;

static void make(void) {
    own = sqlite3_vfs_find(NULL);
    if (!own) return;
    joining = *own;
    joining.zName = "luggage-log";
    joining.szOsFile += (int)sizeof(Log);
    joining.pNext = NULL;
    joining.xOpen = open_file;
    if (sqlite3_vfs_register(&joining, 0) != SQLITE_OK) joining.zName = NULL;
}

const char *sqlite_log_vfs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make);
    return joining.zName;
}
