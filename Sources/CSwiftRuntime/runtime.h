#ifndef C_SWIFT_RUNTIME_H
#define C_SWIFT_RUNTIME_H

/// Retains an object unless its last reference has been released; then it returns null.
///
/// The memory must still be allocated: the caller must see to it that a `deinit` which has begun does not
/// return meanwhile. Swift's runtime exports it on every platform; the language has no name for it.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Has an object stay for as long as the program: from now on nobody counts references to it.
///
/// As Swift's own library has its constants; also exported on every platform, and without a name.
void _swift_stdlib_immortalize(void *_Nonnull object);

#endif
