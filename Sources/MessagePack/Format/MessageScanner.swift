/// Finds the values of one message, and checks that it is complete and valid.
///
/// It needs no stack for nested containers, reads each byte once, and continues where it stopped
/// when more bytes arrive.
struct MessageScanner {
    private struct OpenContainer {
        let entry: Int
        /// The number of remaining items; a pair counts as two.
        var remaining: Int
    }

    /// The values found so far; a complete message is followed by a nil for missing values.
    private(set) var tape: [TapeEntry] = []

    /// The position of the first unread byte.
    private(set) var position: Int

    /// The position of the message's first byte.
    let start: Int

    private let rules: ScanningRules
    private var open: [OpenContainer] = []

    /// - Parameters:
    ///   - start: The position of the message's first byte.
    ///   - rules: What to reject.
    init(from start: Int, rules: ScanningRules) {
        self.start = start
        self.rules = rules
        position = start
    }

    /// Scans the bytes up to the end of the message.
    ///
    /// - Parameters:
    ///   - bytes: All bytes so far; those seen before must be the same.
    ///   - more: Whether more bytes may come.
    /// - Returns: Whether the message is complete; never false if no more bytes may come.
    /// - Throws: The error in the bytes. Bytes after it cannot be interpreted.
    mutating func scan(_ bytes: [UInt8], more: Bool) throws(MessagePackError) -> Bool {
        let allowed = rules.limits.byteCount
        // The message may reach this position, or the end of the bytes if no more may come.
        var bound = allowed > .max - start ? .max : start + allowed
        if !more, bytes.count <= bound {
            bound = bytes.count
        } else if !more, rules.refusesTrailingBytes {
            throw error(.tooLong, at: bound)
        }
        // A value takes a few bytes on average; the tape grows if needed. In a stream, the number
        // of bytes of this message is unknown.
        if !more { tape.reserveCapacity(min((bound - start) / 8, rules.limits.elementCount)) }
        while true {
            guard let entry = try readEntry(bytes, bound: bound, more: more) else { return false }
            tape.append(entry)
            if entry.count > 0, let items = Self.items(entry) {
                open.append(OpenContainer(entry: tape.count - 1, remaining: items))
            } else if try closeContainers(bytes) {
                tape.append(.missing)
                return true
            }
        }
    }

    /// Reads one value without its contents; nil if it is not complete yet.
    private mutating func readEntry(
        _ bytes: [UInt8],
        bound: Int,
        more: Bool
    ) throws(MessagePackError) -> TapeEntry? {
        // A value beyond the bound exceeds the limit, or the bytes end too early.
        let excess = more || bound < bytes.count ? MessagePackError.Code.tooLong : .truncated
        guard position < bytes.count, position < bound else {
            if more, position < bound { return nil }
            throw error(excess, at: position)
        }
        let marker = bytes[position]
        guard let header = ValueHeader(marker) else { throw error(.reservedByte, at: position) }
        guard tape.count < rules.limits.elementCount else {
            throw error(.tooManyElements, at: position)
        }
        guard header.lengthSize < bytes.count - position else {
            if more, header.lengthSize < bound - position { return nil }
            throw error(excess, at: position)
        }
        let first = position + 1
        let payload = first + header.lengthSize
        let count =
            switch header.lengthSize {
            case 0: header.count
            case 1: header.count + Int(bytes[first])
            case 2: header.count + Int(bytes.bigEndian(UInt16.self, at: first))
            default: header.count + Int(bytes.bigEndian(UInt32.self, at: first))
            }
        // Every item takes at least one byte, so a count beyond the bytes is an error at once.
        let least = header.kind == .map ? 2 * count : count
        guard least <= bound - payload else {
            throw error(excess, at: position)
        }
        if header.kind == .array || header.kind == .map {
            guard open.count < rules.limits.depth else { throw error(.tooDeep, at: position) }
            position = payload
        } else {
            guard count <= bytes.count - payload else { return nil }
            if header.kind == .text, rules.refusesInvalidText,
                !bytes.isUTF8(payload..<payload + count)
            {
                throw error(.invalidText, at: position)
            }
            position = payload + count
        }
        return TapeEntry(
            kind: header.kind,
            marker: marker,
            start: UInt32(truncatingIfNeeded: payload),
            count: UInt32(truncatingIfNeeded: count),
            end: UInt32(truncatingIfNeeded: tape.count + 1)
        )
    }

    /// Counts a finished value, and closes the containers that end with it.
    ///
    /// - Returns: Whether the message also ends with it.
    private mutating func closeContainers(_ bytes: [UInt8]) throws(MessagePackError) -> Bool {
        while let last = open.indices.last {
            open[last].remaining -= 1
            if open[last].remaining > 0 { return false }
            let container = open[last].entry
            tape[container].end = UInt32(truncatingIfNeeded: tape.count)
            if tape[container].kind == .map {
                let keys = MapKeys(map: container, tape: tape, bytes: bytes)
                tape[container].keys = keys.traits
                if rules.refusesDuplicateKeys, let key = keys.firstRepeated {
                    throw error(.duplicateKey, at: tape[key].headerStart)
                }
            }
            open.removeLast()
        }
        return true
    }

    /// The number of values in a container; nil for other values.
    private static func items(_ entry: TapeEntry) -> Int? {
        switch entry.kind {
        case .array: Int(entry.count)
        case .map: 2 * Int(entry.count)
        default: nil
        }
    }

    private func error(_ code: MessagePackError.Code, at position: Int) -> MessagePackError {
        MessagePackError(code, byteOffset: position - start)
    }
}

/// What a scanner rejects.
struct ScanningRules {
    var limits: MessagePackLimits
    var refusesTrailingBytes: Bool
    var refusesDuplicateKeys: Bool
    var refusesInvalidText: Bool
}

extension MessageScanner {
    /// The coding path to the value at the present position.
    func codingPath(_ bytes: [UInt8]) -> [any CodingKey] {
        open.compactMap { container -> MessagePackKey? in
            let entry = tape[container.entry]
            let done = (Self.items(entry) ?? 0) - container.remaining
            if entry.kind == .array { return MessagePackKey(index: done) }
            // An odd number of items: the last one is the key of the wrong value.
            guard done % 2 == 1 else { return nil }
            var key = container.entry + 1
            for _ in 1..<done { key = Int(tape[key].end) }
            return MessagePackKey(tape[key], in: bytes)
        }
    }
}
