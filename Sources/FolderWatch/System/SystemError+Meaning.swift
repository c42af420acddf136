internal import Glibc
internal import SystemSupport

extension SystemError {
    static let notFolder = SystemError(number: ENOTDIR)
    static let missing = SystemError(number: ENOENT)

    /// Whether a resource is exhausted, such as watches or descriptors.
    ///
    /// `ENOSPC` is the kernel's error if a user has the maximum number of watches.
    var isExhaustion: Bool { [ENOSPC, EMFILE, ENFILE, ENOMEM].contains(number) }

    /// Whether the kernel, or a filter of system calls, supports no events.
    var isUnsupported: Bool { [ENOSYS, EINVAL, EOPNOTSUPP, EPERM].contains(number) }

    /// Whether there is no file.
    var isMissing: Bool { number == ENOENT }

    /// Whether this process lacks the permission.
    var isRefusal: Bool { [EACCES, EPERM].contains(number) }

    /// Whether there is no file of that name, or there cannot be one.
    var isGone: Bool { [ENOENT, ENOTDIR].contains(number) }
}
