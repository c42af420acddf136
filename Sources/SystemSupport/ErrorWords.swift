#if canImport(Glibc)
internal import Glibc
#endif

/// The system's text for an error number.
package func describe(errorNumber: Int32) -> String {
    guard let words = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
    return unsafe String(cString: words)
}
