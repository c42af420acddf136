// One request of the pool, answered.

#ifndef LUGGAGE_READER_ANSWER_H
#define LUGGAGE_READER_ANSWER_H

// Receives one request and its picture, reads the picture and sends what was found.
//
// Returns 1 to go on, 0 when the pool has ended the connection, -1 when this connection makes no
// sense any more.
int answer_one(int socket);

#endif
