internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// An error of the system.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its number, `errno`.
    package let number: Int32

    /// Makes an error from its number.
    package init(number: Int32) {
        self.number = number
    }

    /// The error of the last call on this thread.
    static var last: SystemError { SystemError(number: errno) }

    static let notFolder = SystemError(number: ENOTDIR)
    static let missing = SystemError(number: ENOENT)

    /// The system's description.
    package var description: String { describe(errorNumber: number) }

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
