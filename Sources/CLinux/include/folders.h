// The identity and the names of folders. The name in a dirent is an array, and Swift would take the
// array's length for the name's length.

#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <stddef.h>
#include <stdint.h>

// What <dirent.h> calls DIR.
struct __dirstream;

// The identity of the folder that a path leads to.
typedef struct FolderWatchIdentity {
    uint64_t device;
    uint64_t inode;
    uint64_t mount; // 0 if the kernel does not tell
} FolderWatchIdentity;

// Finds the identity of the folder that a path leads to; follows links. Returns 0, or the errno.
int folder_watch_identify(const char *path, FolderWatchIdentity *identity);

// Tells the magic number of the file system that a path leads to. Returns 0, or the errno.
int folder_watch_file_system(const char *path, uint32_t *magic);

// Reads the next entry, including "." and "..". Returns 1 and the name, whose bytes are valid until the
// next call; 0 at the end; or -errno.
int folder_watch_next_name(struct __dirstream *folder, const char **name, size_t *count);

#endif
