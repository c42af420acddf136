internal import Glibc
internal import SystemSupport

/// A failed system call on files that are being filed.
package struct FilingError: Error, CustomStringConvertible, Sendable {
    /// The system's number of the error.
    package let number: Int32
    /// What happened, for a person, with the file's name in it.
    package let message: String
    /// Whether the service refused something unsafe, rather than failed: someone must change the folders.
    package private(set) var isRefusal = false
    /// The picture that could not be put back, if that is the failure.
    var stuck: StuckPicture?

    init(_ number: Int32, _ what: String, remedy: String? = nil) {
        self.number = number
        let remedy = remedy.map { "; \($0)" } ?? ""
        message = "\(what): \(describe(errorNumber: number))\(remedy)"
    }

    /// Refuses folders that someone who drops pictures could misuse.
    ///
    /// - Parameter message: What is wrong and what to do about it.
    init(refusing message: String) {
        number = EPERM
        self.message = message
        isRefusal = true
    }

    /// What happened.
    package var description: String { message }
}
