#include "CStoreSpeed.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BEGIN, COMMIT, ROLLBACK, TAKE_KEYS, LAST_KEY, FIND_PASSENGER, ADD_PASSENGER, PUT_BAG, HISTORY,
    READ, STATEMENTS
};

/// In the order of the names above.
static const char *const texts[STATEMENTS] = {
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "UPDATE ObjectStoreKeys SET lastKey = lastKey + ? WHERE entity = ?",
    "SELECT lastKey FROM ObjectStoreKeys WHERE entity = ?",
    "SELECT id FROM Passenger WHERE givenName = ? AND familyName = ?",
    "INSERT INTO Passenger (id, version, givenName, familyName) VALUES (?, 1, ?, ?)",
    "INSERT INTO Bag (id, version, identifier, weight, departedAt, arrivedAt, owner) "
    "VALUES (?, 1, ?, ?, ?, ?, ?) ON CONFLICT (identifier) DO UPDATE SET version = version + 1, "
    "weight = excluded.weight, departedAt = coalesce(excluded.departedAt, departedAt), "
    "arrivedAt = coalesce(excluded.arrivedAt, arrivedAt), owner = excluded.owner RETURNING id",
    "INSERT INTO ObjectStoreHistory (date, author, changes) VALUES (?, NULL, ?)",
    "SELECT id, version, identifier, weight, departedAt, arrivedAt, owner FROM Bag ORDER BY id",
};

/// One change in the history: the kind, the key of the row, and what an update has set.
typedef struct {
    int64_t key;
    double time;
    char kind;
} Change;

struct CStoreSpeed {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    /// The changes of the save that is under way.
    Change *changes;
    int64_t change_count;
};

CStoreSpeed *cstorespeed_open(const char *path) {
    CStoreSpeed *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    bool is_open =
        sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_exec(
               store->db,
               "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
               NULL, NULL, NULL
           ) == SQLITE_OK;
    for (int i = 0; is_open && i < STATEMENTS; i++) {
        is_open = sqlite3_prepare_v3(
            store->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL
        ) == SQLITE_OK;
    }
    if (is_open) return store;
    cstorespeed_close(store);
    return NULL;
}

void cstorespeed_close(CStoreSpeed *store) {
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->db);
    free(store->changes);
    free(store);
}

/// Runs a statement to its end and makes it ready for the next time.
static bool run(sqlite3_stmt *statement, int64_t *result) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (result) *result = sqlite3_column_int64(statement, 0);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

static void bind_time(sqlite3_stmt *statement, int index, double time) {
    if (time == 0) sqlite3_bind_null(statement, index);
    else sqlite3_bind_double(statement, index, time);
}

/// Takes keys for new rows, so that no key is ever used again: each save writes the last one, as SQLite itself
/// does for AUTOINCREMENT.
static int64_t take_keys(CStoreSpeed *store, const char *entity, int64_t count) {
    sqlite3_stmt *taking = store->statements[TAKE_KEYS], *looking = store->statements[LAST_KEY];
    int64_t last = 0;
    sqlite3_bind_int64(taking, 1, count);
    sqlite3_bind_text(taking, 2, entity, -1, SQLITE_STATIC);
    sqlite3_bind_text(looking, 1, entity, -1, SQLITE_STATIC);
    return run(taking, NULL) && run(looking, &last) ? last - count + 1 : 0;
}

static void note(CStoreSpeed *store, char kind, int64_t key, double time) {
    store->changes[store->change_count++] = (Change){.key = key, .time = time, .kind = kind};
}

/// Writes what the save has changed, in the fewest bytes that say it.
static bool record_history(CStoreSpeed *store) {
    const int64_t size = sizeof(int64_t) + sizeof(double) + 1;
    char *bytes = malloc((size_t)(store->change_count * size));
    if (!bytes) return false;
    int64_t length = 0;
    for (int64_t i = 0; i < store->change_count; i++) {
        const Change *change = &store->changes[i];
        bytes[length++] = change->kind;
        memcpy(bytes + length, &change->key, sizeof change->key);
        length += (int64_t)sizeof change->key;
        if (change->time == 0) continue;
        memcpy(bytes + length, &change->time, sizeof change->time);
        length += (int64_t)sizeof change->time;
    }
    sqlite3_stmt *history = store->statements[HISTORY];
    sqlite3_bind_double(history, 1, (double)time(NULL));
    sqlite3_bind_blob(history, 2, bytes, (int)length, free);
    return run(history, NULL);
}

static bool put_passenger(CStoreSpeed *store, const CStoreSpeedScan *scan, int64_t *id) {
    sqlite3_stmt *find = store->statements[FIND_PASSENGER];
    sqlite3_bind_text(find, 1, scan->given_name, -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 2, scan->family_name, -1, SQLITE_STATIC);
    *id = 0;
    if (!run(find, id)) return false;
    if (*id) return true;
    *id = take_keys(store, "Passenger", 1);
    sqlite3_stmt *add = store->statements[ADD_PASSENGER];
    sqlite3_bind_int64(add, 1, *id);
    sqlite3_bind_text(add, 2, scan->given_name, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 3, scan->family_name, -1, SQLITE_STATIC);
    note(store, 'P', *id, 0);
    return *id && run(add, NULL);
}

static bool put_bag(CStoreSpeed *store, const CStoreSpeedScan *scan, int64_t *key, int64_t owner) {
    sqlite3_stmt *put = store->statements[PUT_BAG];
    sqlite3_bind_int64(put, 1, *key);
    sqlite3_bind_text(put, 2, scan->identifier, 36, SQLITE_STATIC);
    sqlite3_bind_double(put, 3, scan->weight);
    bind_time(put, 4, scan->departed_at);
    bind_time(put, 5, scan->arrived_at);
    sqlite3_bind_int64(put, 6, owner);
    int64_t id = 0;
    if (!run(put, &id)) return false;
    bool is_new = id == *key;
    if (is_new) *key += 1;
    note(store, is_new ? 'B' : 'b', id, is_new ? 0 : scan->departed_at + scan->arrived_at);
    return true;
}

bool cstorespeed_save(CStoreSpeed *store, const CStoreSpeedScan *scans, int64_t count) {
    Change *changes = realloc(store->changes, (size_t)(2 * count) * sizeof *changes);
    if (!changes) return false;
    store->changes = changes;
    store->change_count = 0;
    if (!run(store->statements[BEGIN], NULL)) return false;
    int64_t key = take_keys(store, "Bag", count);
    bool is_saved = key != 0;
    for (int64_t i = 0; is_saved && i < count; i++) {
        int64_t owner;
        is_saved = put_passenger(store, &scans[i], &owner)
            && put_bag(store, &scans[i], &key, owner);
    }
    is_saved = is_saved && record_history(store);
    return run(store->statements[is_saved ? COMMIT : ROLLBACK], NULL) && is_saved;
}

int64_t cstorespeed_read(CStoreSpeed *store, double *weight) {
    sqlite3_stmt *read = store->statements[READ];
    int64_t count = 0;
    int code;
    *weight = 0;
    while ((code = sqlite3_step(read)) == SQLITE_ROW) {
        count++;
        *weight += sqlite3_column_double(read, 3);
        // What a program would look at, so that it is decoded.
        double times = sqlite3_column_double(read, 4) + sqlite3_column_double(read, 5);
        const unsigned char *identifier = sqlite3_column_text(read, 2);
        if (!identifier || times < 0 || sqlite3_column_int64(read, 6) < 0) break;
    }
    sqlite3_reset(read);
    return code == SQLITE_DONE ? count : -1;
}

bool cstorespeed_sums(CStoreSpeed *store, CStoreSpeedSums *sums) {
    sqlite3_stmt *statement;
    const char *text =
        "SELECT (SELECT count(*) FROM Passenger), count(*), count(owner), total(weight), "
        "total(departedAt), total(arrivedAt) FROM Bag";
    if (sqlite3_prepare_v2(store->db, text, -1, &statement, NULL) != SQLITE_OK) return false;
    bool has_row = sqlite3_step(statement) == SQLITE_ROW;
    if (has_row) {
        sums->passengers = sqlite3_column_int64(statement, 0);
        sums->bags = sqlite3_column_int64(statement, 1);
        sums->owned = sqlite3_column_int64(statement, 2);
        sums->weight = sqlite3_column_double(statement, 3);
        sums->departed_at = sqlite3_column_double(statement, 4);
        sums->arrived_at = sqlite3_column_double(statement, 5);
    }
    return sqlite3_finalize(statement) == SQLITE_OK && has_row;
}
