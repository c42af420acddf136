#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/// A way to files for SQLite (a "VFS") that adds the pages of a commit to a write-ahead log with few calls of the
/// system.
///
/// SQLite's own makes two calls for each page: for the 24 bytes that say which page it is (the head), and for the
/// page, a dozen for a save of a few rows. Here a head waits for its page, which follows at once, and between two
/// calls of `sqlite_log_join` pages wait for each other, up to 64 KiB. What waits is written with the last page of
/// a commit, and before SQLite writes elsewhere, or reads, synchronizes, measures or shortens the log: so others
/// see a commit only when all of it is in the file, with the bytes and at the places that SQLite meant. Nothing
/// waits where a page may be written in parts, which takes a database opened with `psow=0`.
///
/// After a commit that has made the log longer than 64 KiB, up to 256 KiB of zeros follow, which the next commits
/// replace: a disk takes up to twice as long for a file that becomes longer.
///
/// Connections have to run with `synchronous = FULL`, else the last of a commit could be missing: SQLite may write a
/// head again without its page, as the last that it does, and synchronizes then.
///
/// - Returns: Its name; null, which SQLite takes for the way in use, if that is not SQLite's own.
const char *sqlite_log_vfs(void);

/// Makes the pages of the main database wait for each other, or ends that: around a COMMIT, and the ROLLBACK that
/// has to follow one that failed.
///
/// What waits then is forgotten: pages of a commit that failed, in whose place others may write by now.
void sqlite_log_join(sqlite3 *db, bool joins);
