// Detects that the pool has gone while a picture is being read.

#ifndef LUGGAGE_READER_POOL_WATCH_H
#define LUGGAGE_READER_POOL_WATCH_H

// Prepares the watch; call it after the limits are set and before the sandbox is closed. Returns 0,
// or the errno.
int pool_watch_prepare(int socket);

// After this call, the end of the pool ends this process at once. Between pictures that is not
// needed: the next receive finds the socket closed.
void pool_watch_begin(int socket);

void pool_watch_end(int socket);

#endif
