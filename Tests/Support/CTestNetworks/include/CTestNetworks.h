// CTestNetworks: calls for networks of tests that are specific to GNU, which Swift's module of the C
// library lacks.

#ifndef CTESTNETWORKS_H
#define CTESTNETWORKS_H

// Takes a connection that has come (close-on-exec, nonblocking). Returns its descriptor, or -errno.
int test_network_accept(int listener);

// Moves the calling thread to another network namespace, given by a path. Returns 0, or the errno.
int test_network_enter(const char *path);

#endif
