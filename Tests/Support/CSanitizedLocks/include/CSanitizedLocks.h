#ifndef C_SANITIZED_LOCKS_H
#define C_SANITIZED_LOCKS_H

// Linking with this makes the thread sanitizer understand `Mutex` of Swift's module Synchronization.
//
// A thread that has to wait for a `Mutex` takes it in the library, and one that others wait for is
// let go of there. The library is not compiled for the sanitizer, which thus sees accesses that
// nothing has ordered. These two functions take the place of the library's, call them, and tell the
// sanitizer what they order. Nothing is suppressed: what is not ordered is reported as ever.

#endif
