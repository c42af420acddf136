// What was looked at in a picture, told to the pool.

#ifndef LUGGAGE_READER_EXPLANATION_H
#define LUGGAGE_READER_EXPLANATION_H

#include "CTagReader.h"

#include <stdint.h>

// Sends the explanation of a picture that was read to its end. Returns 0, or -1.
int explanation_send(int socket, uint32_t sequence, const TagReaderExplanation *explanation);

#endif
