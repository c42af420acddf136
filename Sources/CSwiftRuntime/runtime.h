#ifndef C_SWIFT_RUNTIME_H
#define C_SWIFT_RUNTIME_H

/// Retains an object unless its last reference has been released; then it returns null.
///
/// It is what loads a weak reference to an object that has no side table. Swift's runtime exports it on
/// every platform, and on those with a stable ABI as a part of it, but the language has no name for it.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
