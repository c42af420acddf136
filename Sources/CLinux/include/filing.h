// What moving a dropped file safely takes.

#ifndef CLINUX_FILING_H
#define CLINUX_FILING_H

#include <stddef.h>
#include <stdint.h>

// Opens a file for reading without following a link, waiting for a peer, or becoming a terminal's
// process. Returns the descriptor, or -errno.
int filing_open(int folder, const char *name);

// Opens a folder in another one for reading its names, without following a link. Returns the
// descriptor; -EXDEV where another file system is mounted there; or another -errno.
int filing_open_folder(int folder, const char *name);

// Renames a file unless the new name is taken (EEXIST). Where the file system cannot promise that
// (EINVAL), the same by a link and the removal of the old name. Returns 0, or the errno.
int filing_move(int old_folder, const char *old_name, int new_folder, const char *new_name);

// Locks a whole file for this open description only, until it is closed. Returns 0; EAGAIN where
// somebody else holds it; or another errno.
int filing_lock(int descriptor);

// Ends that at once: to close the file is not enough while a process that is being started has it, too.
void filing_unlock(int descriptor);

// Whether somebody else holds the lock of a file that is open for reading: 1 or 0, or -errno.
int filing_is_locked(int descriptor);

// Takes hold of an open file or folder for this open description, until it is closed, so that others
// can tell that somebody has it. Returns 0; EWOULDBLOCK where somebody else has it; or another errno,
// where the file system knows no such lock.
int filing_hold(int descriptor);

// Lets an open file or folder be used by whom the nine bits of `rights` say and by nobody else, whatever
// else was granted by name. What a folder grants for new files by name ends. The other bits stay: a
// service that may not set the group's bit may do this. Returns 0, or the errno.
int filing_set_rights(int descriptor, uint32_t rights);

// Lets a user read what others put into an open folder, whatever they let anybody do with it, and the
// members of its group no more than look at it. Returns 0, or the errno, where the file system knows
// no such rights.
int filing_grant_new_files(int folder, uint32_t user);

// Lets an empty file have the content of another one without a copy on the disk, where the file system
// can do so. Returns 0, or the errno.
int filing_clone(int from, int to);

// Removes a file, or a folder with the files in it. A handler of signals may call this: it allocates
// nothing, and keeps errno. Returns 0, or the errno.
int filing_remove(const char *path);

#endif
