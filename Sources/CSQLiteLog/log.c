#include "CSQLiteLog.h"

#include <pthread.h>
#include <string.h>

enum {
    /// The bytes before each page: https://www.sqlite.org/fileformat.html#the_write_ahead_log.
    HEAD = 24,
    /// What one call writes at most: the longest page. SQLite's own way takes no more than 128 KiB.
    MOST = HEAD + 64 * 1024,
    /// The length of a log from which on it is made longer ahead, as by a few saves: who saves little adds no more.
    LEAST_LENGTH = 64 * 1024,
    /// The most by which it is made longer ahead.
    MOST_AHEAD = 256 * 1024,
};

/// What a log has ahead. Nobody writes to it: not constant, it takes no room in programs, nor in memory.
static unsigned char zeros[64 * 1024];

/// A log, whose file as SQLite's own way has it follows in memory.
typedef struct {
    sqlite3_file base;
    /// What waits, and room for `MOST`.
    unsigned char *bytes;
    int count;
    /// Where it is to be written.
    sqlite3_int64 offset;
    /// Whether pages wait for each other: a COMMIT is running.
    bool joins;
    /// Whether the last bytes are a head without its page.
    bool lacks_page;
    /// Whether that head ends a commit.
    bool ends_commit;
    /// Whether a page may be written in parts, which could be taken for a head.
    bool splits;
    /// How long the file is at least, unless others have emptied it. Then it may become longer with each commit
    /// until it begins anew here.
    sqlite3_int64 length;
} Log;

/// SQLite's own way.
static sqlite3_vfs *plain;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((Log *)file + 1); }

static int write_now(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
}

/// Makes the file longer than its last commit, where that has made it longer.
///
/// Writing what is part of a file already takes half of the time until it is on the disk, since nothing else is to
/// be written about the file. Zeros are no head of a page, so they end the log as what is left of an older one does.
/// Nobody else writes meanwhile: this connection has the lock for it. Where there is no room for all of them, there
/// are none.
static void extend(sqlite3_file *file, sqlite3_int64 end) {
    Log *log = (Log *)file;
    if (end <= log->length) return;
    if (inner(file)->pMethods->xFileSize(inner(file), &log->length)) log->length = 0;
    if (end < log->length || end < LEAST_LENGTH) return;
    sqlite3_int64 length = end + (end < MOST_AHEAD ? end : MOST_AHEAD);
    for (log->length = end; log->length < length;) {
        sqlite3_int64 rest = length - log->length;
        int count = rest < (int)sizeof zeros ? (int)rest : (int)sizeof zeros;
        if (write_now(file, zeros, count, log->length)) {
            inner(file)->pMethods->xTruncate(inner(file), end);
            log->length = end;
            return;
        }
        log->length += count;
    }
}

/// Forgets what waits.
static void drop(Log *log) {
    log->count = 0;
    log->lacks_page = false;
}

/// Writes what waits. If that fails, so does the commit that it is of, and SQLite would write all of it again.
static int flush(sqlite3_file *file) {
    Log *log = (Log *)file;
    int count = log->count;
    bool ends_commit = log->ends_commit && !log->lacks_page;
    drop(log);
    if (!count) return SQLITE_OK;
    int code = write_now(file, log->bytes, count, log->offset);
    if (!code && ends_commit) extend(file, log->offset + count);
    return code;
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
    if (!log->count || offset != log->offset + log->count || count > MOST - log->count) {
        int code = flush(file);
        if (code) return code;
        log->offset = offset;
    }
    bool is_page = log->lacks_page;
    bool is_head = !is_page && count == HEAD && !log->splits;
    if (!is_page && !is_head) {
        // The log begins anew, and others may have emptied it.
        if (offset == 0) log->length = 0;
        int code = flush(file);
        return code ? code : write_now(file, bytes, count, offset);
    }
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    log->lacks_page = is_head;
    if (is_head) {
        // The number of pages in the database, which only the last head of a commit has.
        log->ends_commit = memcmp(log->bytes + log->count - HEAD + 4, "\0\0\0\0", 4) != 0;
        return SQLITE_OK;
    }
    // No page that is as long would follow with its head.
    bool is_full = MOST - log->count < HEAD + count;
    return log->joins && !log->ends_commit && !is_full ? SQLITE_OK : flush(file);
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
    *log = (Log){.bytes = sqlite3_malloc(MOST)};
    if (!log->bytes) return SQLITE_NOMEM;
    inner(file)->pMethods = NULL;
    int code = plain->xOpen(plain, name, inner(file), flags, given);
    // SQLite closes what has methods, also if it could not be opened.
    if (!inner(file)->pMethods) {
        sqlite3_free(log->bytes);
        return code;
    }
    log->base.pMethods = &log_methods;
    // Where a disk damages what is beside that which it writes, SQLite writes up to the end of a sector first.
    bool is_safe = log_characteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
    log->splits = !sqlite3_uri_boolean(name, "psow", is_safe);
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

void sqlite_log_join(sqlite3 *db, bool joins) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK || !file || file->pMethods != &log_methods) return;
    Log *log = (Log *)file;
    log->joins = joins;
    if (!joins) drop(log);
}
