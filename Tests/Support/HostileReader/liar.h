// A reader that its first picture has taken over.

#ifndef HOSTILE_READER_LIAR_H
#define HOSTILE_READER_LIAR_H

// Reads pictures in the reader's place, or makes copies of itself that do: "one" is what it finds in the
// first picture, and "lie" in every later one; as "mute" it never answers. It does not end by itself. Takes
// its name, "lie" or "mute", and the reader's arguments; returns the status to end with.
int liar_run(int argc, char **argv);

#endif
