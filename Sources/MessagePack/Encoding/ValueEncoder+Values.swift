#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

extension ValueEncoder {
    /// Writes a value at the end: directly if its type is known, otherwise by its own encoding.
    func write<Value: Encodable>(_ value: Value, step: @autoclosure () -> Step) throws {
        if try writeScalar(value) { return }
        if try writeFoundationValue(value, step: step) { return }
        try write(value, step: step) { try value.encode(to: $0) }
    }

    /// A limit for values that are not arrays or maps, such as optionals: they add no depth, but
    /// use stack.
    private static var greatestLevel: Int { 2 * MessagePackLimits.greatestDepth }

    /// Writes a value with a function that encodes it.
    private func write<Value>(
        _ value: Value,
        step: () -> Step,
        by encode: (ValueEncoder) throws -> Void
    ) throws {
        if session.hasFailed, let failure = session.failure { throw failure }
        if level >= Self.greatestLevel {
            let sentence = "A value holds itself, or too many values are inside one another."
            throw invalid(value, sentence, at: step())
        }
        let child = ValueEncoder(parent: self, step: step(), output: output, type: Value.self)
        try encode(child)
        if child.form == .nothing, isRoot {
            throw invalid(value, "\(Value.self) has encoded nothing. Encode a value, or nil.")
        }
        child.close()
        output.active = ObjectIdentifier(self)
    }

    /// Writes a value of a type that is a scalar of the format.
    ///
    /// Items of arrays are written here too, so types are tested in the order of their frequency.
    ///
    /// - Returns: Whether the type is a scalar.
    @inline(__always)
    private func writeScalar<Value>(_ value: Value) throws -> Bool {
        if Value.self == String.self { return try writeScalar(named(value, String.self)) }
        if Value.self == Int.self { return try writeScalar(named(value, Int.self)) }
        if Value.self == Double.self { return try writeScalar(named(value, Double.self)) }
        if Value.self == Float.self { return try writeScalar(named(value, Float.self)) }
        if Value.self == Bool.self { return try writeScalar(named(value, Bool.self)) }
        if Value.self == UInt8.self { return try writeScalar(named(value, UInt8.self)) }
        return false
    }

    @inline(__always)
    private func writeScalar(_ value: some WireScalar) throws -> Bool {
        try value.write(to: output.writer)
        return true
    }

    /// Writes a value of a type for which the format, or a strategy, has its own form.
    ///
    /// - Returns: Whether the type has one.
    private func writeFoundationValue<Value>(_ value: Value, step: () -> Step) throws -> Bool {
        if Value.self == UUID.self {
            let uuid = named(value, UUID.self)
            return try write(uuid)
        }
        if Value.self == Date.self {
            let date = named(value, Date.self)
            return try write(date, step: step)
        }
        if Value.self == Data.self {
            let data = named(value, Data.self)
            return try write(data, step: step)
        }
        if Value.self == [String].self {
            return try write(array: named(value, [String].self), step: step)
        }
        if Value.self == [Int].self {
            return try write(array: named(value, [Int].self), step: step)
        }
        if Value.self == [Double].self {
            return try write(array: named(value, [Double].self), step: step)
        }
        if Value.self == [Float].self {
            return try write(array: named(value, [Float].self), step: step)
        }
        if Value.self == URL.self {
            let url = named(value, URL.self)
            try output.writer.append(url.absoluteString)
            return true
        }
        if Value.self == Decimal.self {
            let number = named(value, Decimal.self)
            try output.writer.append(number.description)
            return true
        }
        if Value.self == MessagePackValue.self {
            let tree = named(value, MessagePackValue.self)
            try write(tree, depth: depthInside, step: step)
            return true
        }
        if Value.self == MessagePackExtension.self {
            let value = named(value, MessagePackExtension.self)
            try output.writer.append(extensionType: value.type, value.data)
            return true
        }
        if Value.self == MessagePackTimestamp.self {
            let value = named(value, MessagePackTimestamp.self)
            try output.writer.append(value)
            return true
        }
        return false
    }

    /// Writes an array of scalars without an encoder for it.
    private func write(array: [some WireScalar], step: () -> Step) throws -> Bool {
        try requireRoom(inside: depthInside, array, step: step)
        try output.writer.append(arrayOf: array.count)
        for item in array { try item.write(to: output.writer) }
        return true
    }

    /// - Returns: Whether it was written here, not by its own encoding.
    private func write(_ uuid: UUID) throws -> Bool {
        switch session.options.uuidEncodingStrategy {
        case .text:
            try output.writer.append(uuid.uuidString)
        case .binary:
            output.writer.bytes.append(Marker.binary8)
            output.writer.bytes.append(UInt8(MemoryLayout<uuid_t>.size))
            // A tuple of 16 bytes; the pointer stays in this closure.
            unsafe withUnsafeBytes(of: uuid.uuid) {
                unsafe output.writer.bytes.append(contentsOf: $0)
            }
        }
        return true
    }

    private static let yearsOfISO8601 =
        Date(timeIntervalSince1970: -62_135_596_800)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// - Returns: Whether it was written here, not by its own encoding.
    private func write(_ date: Date, step: () -> Step) throws -> Bool {
        switch session.options.dateEncodingStrategy {
        case .timestamp:
            guard let timestamp = MessagePackTimestamp(date) else {
                let sentence = "A timestamp is finite and within 292 billion years."
                // Not the date itself, because Foundation's description of a non-finite date traps.
                throw invalid(date.timeIntervalSince1970, sentence, at: step())
            }
            try output.writer.append(timestamp)
        case .deferredToDate:
            return false
        case .secondsSince1970:
            output.writer.append(date.timeIntervalSince1970)
        case .millisecondsSince1970:
            output.writer.append(date.timeIntervalSince1970 * 1000)
        case .iso8601:
            guard Self.yearsOfISO8601 ~= date else {
                let sentence = "ISO 8601 has the years 1 to 9999."
                throw invalid(date.timeIntervalSince1970, sentence, at: step())
            }
            try output.writer.append(date.formatted(.iso8601))
        case .custom(let encode):
            try write(date, step: step) { try encode(date, $0) }
        }
        return true
    }

    /// - Returns: Whether it was written here, not by its own encoding.
    private func write(_ data: Data, step: () -> Step) throws -> Bool {
        switch session.options.dataEncodingStrategy {
        case .binary: try output.writer.append(binary: data)
        case .deferredToData: return false
        case .base64: try output.writer.append(data.base64EncodedString())
        case .custom(let encode): try write(data, step: step) { try encode(data, $0) }
        }
        return true
    }

    /// Writes a tree of values.
    private func write(_ value: MessagePackValue, depth: Int, step: () -> Step) throws {
        switch value {
        case .null: output.writer.append(null: ())
        case .bool(let flag): output.writer.append(flag)
        case .int(let number): output.writer.append(integer: number)
        case .uint(let number): output.writer.append(integer: number)
        case .float(let number): output.writer.append(number)
        case .double(let number): output.writer.append(number)
        case .string(let text): try output.writer.append(text)
        case .binary(let data): try output.writer.append(binary: data)
        case .extension(let value): try output.writer.append(extensionType: value.type, value.data)
        case .array(let items):
            try requireRoom(inside: depth, value, step: step)
            try output.writer.append(arrayOf: items.count)
            for item in items { try write(item, depth: depth + 1, step: step) }
        case .map(let map):
            try requireRoom(inside: depth, value, step: step)
            try output.writer.append(mapOf: map.count)
            for pair in map {
                try write(pair.key, depth: depth + 1, step: step)
                try write(pair.value, depth: depth + 1, step: step)
            }
        }
    }

    private func requireRoom(inside depth: Int, _ value: Any, step: () -> Step) throws {
        if depth >= session.options.maximumDepth { throw tooDeep(value, at: step()) }
    }
}
