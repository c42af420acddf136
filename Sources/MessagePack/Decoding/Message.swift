/// A scanned message and its decoding options, shared by all its decoders.
final class Message {
    let bytes: [UInt8]

    /// The values in order, followed by a nil for missing values.
    let tape: [TapeEntry]

    /// The position of that nil.
    var missing: Int { tape.count - 1 }

    /// The position of the message's first byte.
    private let start: Int

    let options: MessagePackDecoder
    let userInfo: [CodingUserInfoKey: Any]

    /// - Parameters:
    ///   - bytes: The bytes that contain the message.
    ///   - scanner: A scanner that has found it complete.
    ///   - options: The decoding options.
    init(bytes: [UInt8], scanner: MessageScanner, options: MessagePackDecoder) {
        self.bytes = bytes
        start = scanner.start
        tape = scanner.tape
        self.options = options
        userInfo = options.userInfo
    }

    /// The position of a value, counted from the message's first byte.
    func offset(of entry: TapeEntry) -> Int { entry.headerStart - start }
}
