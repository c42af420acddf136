internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// An error of the system.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its number, `errno`.
    package let number: Int32

    /// The error of this number.
    package init(number: Int32) {
        self.number = number
    }

    /// The error that the last call on this thread gave.
    static var last: SystemError { SystemError(number: errno) }

    static let notFolder = SystemError(number: ENOTDIR)
    static let missing = SystemError(number: ENOENT)

    /// The system's own words.
    package var description: String { describe(errorNumber: number) }

    /// Whether there is not enough of something, such as watches or descriptors.
    ///
    /// `ENOSPC` is how the kernel says that a user has as many watches as are allowed.
    var isExhaustion: Bool { [ENOSPC, EMFILE, ENFILE, ENOMEM].contains(number) }

    /// Whether the kernel, or a filter of its calls, has no events to give.
    var isUnsupported: Bool { [ENOSYS, EINVAL, EOPNOTSUPP, EPERM].contains(number) }

    /// Whether nothing is there.
    var isMissing: Bool { number == ENOENT }

    /// Whether this process has no right to it.
    var isRefusal: Bool { [EACCES, EPERM].contains(number) }

    /// Whether nothing of that name is there, nor can be.
    var isGone: Bool { [ENOENT, ENOTDIR].contains(number) }
}
