#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

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

extension Message {
    /// The value at a position of the tape, with everything inside it.
    ///
    /// Its depth is within the limit, because the message has been scanned.
    func tree(at index: Int) -> MessagePackValue {
        let entry = tape[index]
        return switch entry.kind {
        case .null: .null
        case .boolean: .bool(entry.marker == Marker.true)
        case .integer:
            switch entry.integer(in: bytes) {
            case .signed(let number): .int(number)
            case .unsigned(let number): .uint(number)
            }
        case .float: .float(entry.float(in: bytes))
        case .double: .double(entry.double(in: bytes))
        case .text: .string(entry.text(in: bytes))
        case .binary: .binary(Data(bytes[entry.payload]))
        case .extension: .extension(extensionValue(entry))
        case .array: .array(items(inside: index))
        case .map: .map(pairs(inside: index))
        }
    }

    private func items(inside index: Int) -> [MessagePackValue] {
        var items: [MessagePackValue] = []
        items.reserveCapacity(Int(tape[index].count))
        var item = index + 1
        while item < Int(tape[index].end) {
            items.append(tree(at: item))
            item = Int(tape[item].end)
        }
        return items
    }

    private func pairs(inside index: Int) -> MessagePackMap {
        var pairs: [MessagePackMap.Pair] = []
        pairs.reserveCapacity(Int(tape[index].count))
        var key = index + 1
        while key < Int(tape[index].end) {
            pairs.append(.init(tree(at: key), tree(at: Int(tape[key].end))))
            key = tape.keyAfter(key)
        }
        return MessagePackMap(pairs)
    }

    func extensionType(_ entry: TapeEntry) -> Int8 {
        Int8(bitPattern: bytes[Int(entry.start)])
    }

    func extensionValue(_ entry: TapeEntry) -> MessagePackExtension {
        MessagePackExtension(
            type: extensionType(entry),
            data: Data(bytes[entry.payload].dropFirst())
        )
    }
}
