// CFolderWatch: what FolderWatch asks the kernel that Swift's C library module does not have.
//
// Why this is C: statx and statfs are missing in that module, and the name in a dirent is an array
// whose length Swift would take for the name's.

#ifndef CFOLDERWATCH_H
#define CFOLDERWATCH_H

#include <dirent.h>
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

// Reads the next entry, "." and ".." included. Returns 1 and the name, whose bytes are good until the
// next call; 0 at the end; or -errno.
int folder_watch_next_name(DIR *folder, const char **name, size_t *count);

#endif
