// Which folder a path leads to, and on which file system.

#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
