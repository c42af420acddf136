#pragma once

/// A way to files for SQLite (a "VFS") that adds each page to a write-ahead log with one call of the system.
///
/// SQLite's own makes two: for the 24 bytes that say which page it is, and for the page, a dozen calls for a save
/// of a few rows. Here the first waits for the second, which follows at once. All else is written when SQLite
/// writes it, and the files have the same bytes at the same places. With `synchronous = FULL` nothing waits when a
/// transaction ends.
///
/// - Returns: Its name; null, which SQLite takes for the way in use, if that is not SQLite's own.
const char *sqlite_log_vfs(void);
