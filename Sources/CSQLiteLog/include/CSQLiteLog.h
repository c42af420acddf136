#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/// A way to files for SQLite (a "VFS") that adds the pages of a commit to a write-ahead log with few calls of the
/// system; connections that use it have to run with `synchronous = FULL`.
///
/// SQLite's own makes two calls for each page: for the 24 bytes that say which page it is, and for the page, a
/// dozen for a save of a few rows. Here the first always waits for the second, which follows at once, and between
/// two calls of `sqlite_log_join` pages wait for each other, up to 64 KiB. The files have the same bytes at the
/// same places: what waits is written before SQLite reads, synchronizes or measures the log, and with the last page
/// of a commit. So nothing waits when a commit is seen by others, nor when a transaction ends.
///
/// - Returns: Its name; null, which SQLite takes for the way in use, if that is not SQLite's own.
const char *sqlite_log_vfs(void);

/// Begins or ends that pages wait for each other, around a COMMIT and nothing else.
///
/// Between them the connection holds the lock of the log's only writer: pages that waited for longer could be
/// written over those of somebody else.
void sqlite_log_join(sqlite3 *db, bool joins);
