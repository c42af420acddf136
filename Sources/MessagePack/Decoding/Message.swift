/// A message that has been scanned, and how it is to be decoded: what all its decoders share.
final class Message {
    let bytes: [UInt8]

    /// The values in their order, and behind them a nil for what is missing.
    let tape: [TapeEntry]

    /// Where that nil is.
    var missing: Int { tape.count - 1 }

    /// Where the message begins among the bytes.
    private let start: Int

    let options: MessagePackDecoder
    let userInfo: [CodingUserInfoKey: Any]

    /// - Parameters:
    ///   - bytes: The bytes that the message is among.
    ///   - scanner: A scanner that has found it complete.
    ///   - options: How it is to be decoded.
    init(bytes: [UInt8], scanner: MessageScanner, options: MessagePackDecoder) {
        self.bytes = bytes
        start = scanner.start
        tape = scanner.tape
        self.options = options
        userInfo = options.userInfo
    }

    /// Where a value begins, counted from the message's first byte.
    func offset(of entry: TapeEntry) -> Int { entry.headerStart - start }
}
