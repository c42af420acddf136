// Answers one request of the pool.

#ifndef LUGGAGE_READER_ANSWER_H
#define LUGGAGE_READER_ANSWER_H

// Receives one request and its picture, reads the picture and sends the result.
//
// Returns 1 to continue, 0 if the pool has closed the connection, -1 if the connection is unusable.
int answer_one(int socket);

#endif
