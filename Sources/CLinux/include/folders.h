// Which folder a path leads to, and what is in it. The name in a dirent is an array whose length Swift
// would take for the name's.

#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <stddef.h>
#include <stdint.h>

// What <dirent.h> calls DIR.
struct __dirstream;

// Which folder a path leads to.
typedef struct FolderWatchIdentity {
    uint64_t device;
    uint64_t inode;
    uint64_t mount; // 0 where the kernel does not tell
} FolderWatchIdentity;

// Finds out which folder the path leads to; links are followed. Returns 0, or the errno.
int folder_watch_identify(const char *path, FolderWatchIdentity *identity);

// The magic number of the file system that the path leads to. Returns 0, or the errno.
int folder_watch_file_system(const char *path, uint32_t *magic);

// Reads the next entry, "." and ".." included. Returns 1 and the name, whose bytes are good until the
// next call; 0 at the end; or -errno.
int folder_watch_next_name(struct __dirstream *folder, const char **name, size_t *count);

#endif
