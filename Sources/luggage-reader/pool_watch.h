// Notices that the pool has gone while a picture is in work.

#ifndef LUGGAGE_READER_POOL_WATCH_H
#define LUGGAGE_READER_POOL_WATCH_H

// Makes watching possible; after the limits are set and before the sandbox is closed. Returns 0, or the
// errno.
int pool_watch_prepare(int socket);

// From here on the end of the pool ends this process at once. Between pictures that is not needed:
// a closed socket has nothing more to receive.
void pool_watch_begin(int socket);

void pool_watch_end(int socket);

#endif
