#pragma once

#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: install libsqlite3-dev"
#endif

#include <sqlite3.h>

/// Makes a misspelt column in double quotes an error, and not a text; Swift cannot call the function itself,
/// which takes any number of arguments.
static inline int sqlite3_refuse_quoted_text(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    if (code != SQLITE_OK) return code;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

/// Extended codes, whose macros Swift cannot evaluate.
static const int sqlite3_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int sqlite3_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
