#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

extension ValueDecoder {
    func uuid(at index: Int, step: () -> Step) throws -> UUID {
        let entry = message.tape[index]
        switch entry.kind {
        case .binary:
            guard let uuid = UUID(bytes: message.bytes[entry.payload]) else {
                throw corrupted("A UUID has 16 bytes, not \(entry.count).", step())
            }
            return uuid
        case .text:
            guard let uuid = UUIDText.parse(message.bytes[entry.payload]) else {
                let text = entry.text(in: message.bytes).debugDescription
                throw corrupted("\(text) is no UUID.", step())
            }
            return uuid
        default:
            throw mismatch(UUID.self, at: index, step())
        }
    }

    /// - Returns: Nil if dates decode themselves.
    func date(at index: Int, step: () -> Step) throws -> Date? {
        switch message.options.dateDecodingStrategy {
        case .timestamp:
            return try timestamp(Date.self, at: index, step: step).date
        case .deferredToDate:
            return nil
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try readScalar(Double.self, at: index, step: step()))
        case .millisecondsSince1970:
            let milliseconds = try readScalar(Double.self, at: index, step: step())
            return Date(timeIntervalSince1970: milliseconds / 1000)
        case .iso8601:
            let text = try readScalar(String.self, at: index, step: step())
            guard let date = Self.date(iso8601: text) else {
                throw corrupted("\(text.debugDescription) is no date in ISO 8601.", step())
            }
            return date
        case .custom(let decode):
            return try decode(
                ValueDecoder(parent: self, step: step(), index: index, type: Date.self)
            )
        }
    }

    private static func date(iso8601 text: String) -> Date? {
        let style = Date.ISO8601FormatStyle()
        return (try? style.parse(text))
            ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    }

    /// - Returns: Nil if data decodes itself.
    func data(at index: Int, step: () -> Step) throws -> Data? {
        switch message.options.dataDecodingStrategy {
        case .binary:
            let entry = message.tape[index]
            guard entry.kind == .binary else { throw mismatch(Data.self, at: index, step()) }
            return Data(message.bytes[entry.payload])
        case .deferredToData:
            return nil
        case .base64:
            let text = try readScalar(String.self, at: index, step: step())
            guard let data = Data(base64Encoded: text) else {
                throw corrupted("The text is not Base64.", step())
            }
            return data
        case .custom(let decode):
            return try decode(
                ValueDecoder(parent: self, step: step(), index: index, type: Data.self)
            )
        }
    }

    func url(at index: Int, step: () -> Step) throws -> URL {
        let text = try readScalar(String.self, at: index, step: step())
        guard let url = URL(string: text) else {
            throw corrupted("\(text.debugDescription) is no URL.", step())
        }
        return url
    }

    /// From text, every digit counts; from a float, the digits that distinguish it from its neighbours.
    func decimal(at index: Int, step: () -> Step) throws -> Decimal {
        let entry = message.tape[index]
        let text =
            switch entry.kind {
            case .text: entry.text(in: message.bytes)
            case .integer: entry.integer(in: message.bytes).text
            case .float: "\(entry.float(in: message.bytes))"
            case .double: "\(entry.double(in: message.bytes))"
            default: throw mismatch(Decimal.self, at: index, step())
            }
        guard let number = Decimal(decimalText: text) else {
            throw corrupted("\(text.debugDescription) is no decimal number.", step())
        }
        return number
    }

    func timestamp(
        _ type: Any.Type,
        at index: Int,
        step: () -> Step
    ) throws -> MessagePackTimestamp {
        let entry = message.tape[index]
        guard entry.kind == .extension, message.extensionType(entry) == -1 else {
            throw mismatch(type, at: index, step())
        }
        // The first byte of the payload is the type.
        guard let value = MessagePackTimestamp(entry.payload.dropFirst(), in: message.bytes) else {
            let error = MessagePackError(.invalidTimestamp, byteOffset: message.offset(of: entry))
            throw DecodingError.corrupted(error, at: codingPath + step().keys)
        }
        return value
    }

    func extensionValue(at index: Int, step: () -> Step) throws -> MessagePackExtension {
        let entry = message.tape[index]
        guard entry.kind == .extension else {
            throw mismatch(MessagePackExtension.self, at: index, step())
        }
        return message.extensionValue(entry)
    }
}
