#ifndef C_STORE_SPEED_H
#define C_STORE_SPEED_H

#include <stdbool.h>
#include <stdint.h>

/// Files luggage with SQLite alone: what a program in C would do by hand to leave the same rows in
/// the same file, and a history of what each save changed. The yardstick for the object store.
///
/// The file is one that the object store has made, so tables and indices are the same.
typedef struct CStoreSpeed CStoreSpeed;

/// One scan of a bag, and whose it is.
typedef struct {
    char identifier[37];
    char given_name[2];
    char family_name[4];
    double weight;
    /// When the bag departs, in seconds since 2001; 0 where the scan does not say.
    double departed_at;
    /// When it arrives, likewise.
    double arrived_at;
} CStoreSpeedScan;

/// What a file holds, to see that two of them hold the same.
typedef struct {
    int64_t passengers;
    int64_t bags;
    int64_t owned;
    double weight;
    double departed_at;
    double arrived_at;
} CStoreSpeedSums;

/// Opens a file with a write-ahead log, `synchronous=FULL` and foreign keys.
///
/// @return The store, or NULL where it cannot be opened. Close it with `cstorespeed_close`.
CStoreSpeed *cstorespeed_open(const char *path);

/// Files scans in one transaction, which is on the disk when this returns.
bool cstorespeed_save(CStoreSpeed *store, const CStoreSpeedScan *scans, int64_t count);

/// Reads every column of every bag.
///
/// @param weight The sum of the weights, so that the reading has a use.
/// @return The number of bags, or -1.
int64_t cstorespeed_read(CStoreSpeed *store, double *weight);

/// Adds up what the file holds.
bool cstorespeed_sums(CStoreSpeed *store, CStoreSpeedSums *sums);

void cstorespeed_close(CStoreSpeed *store);

/// The scan of the bag with a number: always the same bag and owner for the same number.
///
/// @param departs Whether it is scanned where it departs, else where it arrives.
CStoreSpeedScan cstorespeed_scan(int64_t number, bool departs);

#endif
