#include "CSQLiteLog.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

enum {
    /// The bytes before each page: https://www.sqlite.org/fileformat.html#the_write_ahead_log.
    HEAD = 24,
    MOST_OF_PAGE = 64 * 1024,
};

/// A log, whose file as SQLite's own way has it follows in memory.
typedef struct {
    sqlite3_file base;
    /// What waits for its page, and room for that.
    unsigned char *bytes;
    /// Where it is to be written.
    sqlite3_int64 offset;
    bool waits;
} Log;

/// SQLite's own way.
static sqlite3_vfs *plain;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((Log *)file + 1); }

/// Writes what waits without its page, which was written before: SQLite then goes on to read, or synchronizes.
static int flush(sqlite3_file *file) {
    Log *log = (Log *)file;
    if (!log->waits) return SQLITE_OK;
    log->waits = false;
    return inner(file)->pMethods->xWrite(inner(file), log->bytes, HEAD, log->offset);
}

static int log_close(sqlite3_file *file) {
    sqlite3_free(((Log *)file)->bytes);
    return inner(file)->pMethods->xClose(inner(file));
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = flush(file);
    return code ? code : inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Log *log = (Log *)file;
    if (log->waits && offset == log->offset + HEAD && count <= MOST_OF_PAGE) {
        log->waits = false;
        memcpy(log->bytes + HEAD, bytes, (size_t)count);
        return inner(file)->pMethods->xWrite(inner(file), log->bytes, HEAD + count, log->offset);
    }
    int code = flush(file);
    if (code) return code;
    if (count != HEAD) return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
    memcpy(log->bytes, bytes, HEAD);
    log->offset = offset;
    log->waits = true;
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
static const sqlite3_io_methods log_methods = {
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
    if (!(flags & SQLITE_OPEN_WAL)) return plain->xOpen(plain, name, file, flags, given);
    Log *log = (Log *)file;
    *log = (Log){.bytes = sqlite3_malloc(HEAD + MOST_OF_PAGE)};
    if (!log->bytes) return SQLITE_NOMEM;
    inner(file)->pMethods = NULL;
    int code = plain->xOpen(plain, name, inner(file), flags, given);
    // SQLite closes what has methods, also if it could not be opened.
    if (inner(file)->pMethods) log->base.pMethods = &log_methods;
    else sqlite3_free(log->bytes);
    return code;
}

static sqlite3_vfs joining;

static void register_joining(void) {
    plain = sqlite3_vfs_find("unix");
    if (!plain) return;
    joining = *plain;
    joining.zName = "luggage-log";
    joining.szOsFile += (int)sizeof(Log);
    joining.pNext = NULL;
    joining.xOpen = open_file;
    if (sqlite3_vfs_register(&joining, 0) != SQLITE_OK) plain = NULL;
}

const char *sqlite_log_vfs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_joining);
    // A program that has files of its own kind keeps them.
    return plain && sqlite3_vfs_find(NULL) == plain ? joining.zName : NULL;
}
