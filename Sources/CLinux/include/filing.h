// Calls for moving a dropped file safely.

#ifndef CLINUX_FILING_H
#define CLINUX_FILING_H

#include <stddef.h>
#include <stdint.h>

// Opens a file for reading. Does not follow a link, wait for a peer, or get a controlling terminal.
// Returns the descriptor, or -errno.
int filing_open(int folder, const char *name);

// Opens a folder in another folder for reading its names, without following a link. Returns the
// descriptor; -EXDEV if another file system is mounted there; or another -errno.
int filing_open_folder(int folder, const char *name);

// Renames a file unless the new name is taken (EEXIST). If the file system does not support such a
// rename (EINVAL), it makes a hard link and removes the old name. Returns 0, or the errno.
int filing_move(int old_folder, const char *old_name, int new_folder, const char *new_name);

// Locks a whole file for this open file description, until it is closed. Returns 0; EAGAIN if it is
// locked elsewhere; or another errno.
int filing_lock(int descriptor);

// Unlocks at once; closing is not enough while a process that is being started also has the file.
void filing_unlock(int descriptor);

// Whether a file that is open for reading is locked elsewhere: 1 or 0, or -errno.
int filing_is_locked(int descriptor);

// Takes the flock of an open file or folder for this open file description, until it is closed, so that
// others can see that it is in use. Returns 0; EWOULDBLOCK if it is taken elsewhere; or another errno if
// the file system does not support such locks.
int filing_hold(int descriptor);

// Grants access to an open file or folder exactly by the nine bits of `rights`. Removes all rights of
// named users and groups, and a folder's default rights for new files. Keeps the other mode bits, so
// a service that may not set the group's bit may call this. Returns 0, or the errno.
int filing_set_rights(int descriptor, uint32_t rights);

// Lets a user read new files in an open folder, whatever their modes; members of the folder's group can
// at most read them. Returns 0, or an errno, for example if the file system has no such rights.
int filing_grant_new_files(int folder, uint32_t user);

// Makes an empty file share the content of another one, without a copy on the disk, if the file system
// can do that. Returns 0, or the errno.
int filing_clone(int from, int to);

// Removes a file, or a folder with the files in it. A signal handler may call this: it allocates no
// memory and keeps errno. Returns 0, or the errno.
int filing_remove(const char *path);

#endif
