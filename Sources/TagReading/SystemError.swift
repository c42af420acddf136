internal import CReaderProtocol

/// The system's own words for an error number.
package func describe(errorNumber: Int32) -> String {
    guard let words = unsafe reader_error_words(errorNumber) else { return "error \(errorNumber)" }
    return unsafe String(cString: words)
}
