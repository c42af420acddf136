// Which folder a path leads to, and on which file system.

#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
