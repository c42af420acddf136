/// The status that the C reader returns for one picture; the numbers of `TagReaderStatus`.
///
/// This is the only mapping from a status to an error, for readers in this process and in others.
package enum ReaderStatus: Int32, CaseIterable, Sendable {
    case ok = 0
    case notAnImage = 1
    case damaged = 2
    case tooManyPixels = 3
    case tooManyBytes = 4
    case tooManySymbols = 5
    case outOfMemory = 6
    case inputFailed = 7
    case decoderFailed = 8

    /// The error code of this status, or `nil` if the picture was read completely.
    package var code: ReadError.Code? {
        switch self {
        case .ok: nil
        case .notAnImage: .notAnImage
        case .damaged: .damaged
        case .tooManyPixels: .tooManyPixels
        case .tooManyBytes: .tooManyBytes
        case .tooManySymbols: .tooManySymbols
        case .outOfMemory: .outOfMemory
        case .inputFailed: .inputFailed
        case .decoderFailed: .decoderFailed
        }
    }

    /// The error of this status, or `nil` if the picture was read completely.
    ///
    /// - Parameters:
    ///   - message: The reader's message; untrusted bytes, repaired here.
    ///   - errorNumber: The system's error number, used if the input failed.
    /// - Returns: The error.
    package func error(message: some Sequence<UInt8>, errorNumber: Int32) -> ReadError? {
        guard let code else { return nil }
        let words = Self.repair(message)
        return ReadError(
            code,
            words.isEmpty ? "the picture could not be read" : words,
            errorNumber: self == .inputFailed ? errorNumber : nil
        )
    }

    /// Text up to the first NUL, with malformed UTF-8 and control characters replaced.
    private static func repair(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        var repaired = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            repaired.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(repaired)
    }
}
