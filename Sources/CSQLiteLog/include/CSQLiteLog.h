#pragma once

/// A way to files for SQLite (a "VFS") that writes what is added to a write-ahead log in one go.
///
/// SQLite adds each page to the log with two calls, one for the page and one for what says which it is: a save
/// of a few rows makes a dozen. Here they are kept in memory until the log is synchronized, which SQLite does
/// before anybody may read them. So a connection must have `synchronous = FULL`, as is the default. All other
/// files are those of SQLite's own way, and the log has the same bytes at the same places.
///
/// - Returns: Its name, or null if there is none.
const char *sqlite_log_vfs(void);
