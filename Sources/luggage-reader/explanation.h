// Sends an explanation of a picture to the pool.

#ifndef LUGGAGE_READER_EXPLANATION_H
#define LUGGAGE_READER_EXPLANATION_H

#include "CTagReader.h"

#include <stdint.h>

// Sends the explanation of a completely read picture. Returns 0, or -1.
int explanation_send(int socket, uint32_t sequence, const TagReaderExplanation *explanation);

#endif
