internal import Glibc

package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its number, `errno`.
    package let number: Int32

    /// Makes an error from its number.
    package init(number: Int32) {
        self.number = number
    }

    /// The error of the last call on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The system's description.
    package var description: String { describe(errorNumber: number) }
}

/// The system's text for an error number.
package func describe(errorNumber: Int32) -> String {
    guard let words = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
    return unsafe String(cString: words)
}
