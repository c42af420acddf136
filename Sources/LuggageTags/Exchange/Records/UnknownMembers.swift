internal import FoundationEssentials
internal import MessagePack

/// Members of a record that this version does not know; it keeps them and exports them again.
struct UnknownMembers: Hashable {
    private let values: MessagePackMap

    /// The member with all of them as a JSON text, in formats that cannot express every value.
    private static let text = "unknown"

    /// The most bytes that are kept for one record.
    private static let longest = 4096

    /// Takes the unknown members of a record; nil if there are none.
    ///
    /// - Parameters:
    ///   - container: The members of the record.
    ///   - known: The names of the known members, in any spelling.
    /// - Throws: `DecodingError` if they have too many bytes.
    init?(in container: KeyedDecodingContainer<FormKey>, besides known: Set<String>) throws {
        // Most records have no others, and every name is spelled as it is written.
        var keys = container.allKeys.filter { !known.contains($0.stringValue) }
        if keys.isEmpty { return nil }
        let folded = Set(known.union([Self.text]).map { FormKey($0).folded })
        keys.removeAll { folded.contains($0.folded) }
        var pairs = try keys.map { key in
            MessagePackMap.Pair(
                .string(key.stringValue),
                try container.decode(MessagePackValue.self, forKey: key)
            )
        }
        if let text = try container.decodeIfStated(ExchangeText.self, Self.text)?.text {
            let told = try JSONDecoder().decode(MessagePackValue.self, from: Data(text.utf8))
            // The text must not contain known members, or members that are also outside of it.
            let others = folded.union(keys.map(\.folded))
            if case .map(let map) = told {
                pairs += map.filter { pair in
                    guard case .string(let name) = pair.key else { return false }
                    return !others.contains(FormKey(name).folded)
                }
            }
        }
        if pairs.isEmpty { return nil }
        values = MessagePackMap(pairs).inOrder
        if try stored.count > Self.longest {
            throw Refusal(.outOfRange, "its unknown members have more than \(Self.longest) bytes")
                .error(at: container.codingPath)
        }
    }

    /// The text of a member that an older version of the program has kept without knowing it, and has
    /// written in a format that cannot express every value.
    static func text(
        _ name: String,
        in container: KeyedDecodingContainer<FormKey>
    ) throws -> String? {
        guard let text = try container.decodeIfStated(ExchangeText.self, Self.text)?.text,
            case .map(let map) = try? JSONDecoder().decode(
                MessagePackValue.self,
                from: Data(text.utf8)
            )
        else { return nil }
        return Self(map).text(name)
    }

    private init(_ values: MessagePackMap) {
        self.values = values
    }

    /// Adds texts that older versions of the program do not know; nil if there is nothing.
    init?(_ others: Self?, and texts: [String: String?]) {
        let told = texts.compactMapValues(\.self)
        if told.isEmpty && others == nil { return nil }
        let pairs = told.map { MessagePackMap.Pair(.string($0.key), .string($0.value)) }
        values = MessagePackMap(Array(others?.values ?? MessagePackMap([])) + pairs).inOrder
    }

    /// Decodes them from the form on record.
    init(stored: Data) throws {
        guard
            case .map(let map) = try MessagePackDecoder().decode(
                MessagePackValue.self,
                from: stored
            )
        else {
            throw DecodingError.typeMismatch(MessagePackMap.self, .init([], "expected a map"))
        }
        values = map
    }

    /// The text of a member, which a newer version of the program knows; nil if there is none.
    func text(_ name: String) -> String? {
        for pair in values {
            if case .string(name) = pair.key, case .string(let text) = pair.value { return text }
        }
        return nil
    }

    /// The form on record.
    var stored: Data {
        get throws { try MessagePackEncoder().encode(MessagePackValue.map(values)) }
    }

    /// The form as a text, for formats that have only texts.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(MessagePackValue.map(values)), as: UTF8.self)
        }
    }

    /// Adds them to a record that is being encoded.
    func encode(
        into container: inout KeyedEncodingContainer<FormKey>,
        for encoder: any Encoder
    ) throws {
        if encoder.userInfo[.isXML] != nil {
            return try container.encode(ExchangeText(json), forKey: FormKey(Self.text))
        }
        for pair in values {
            guard case .string(let name) = pair.key else { continue }
            try container.encode(pair.value, forKey: FormKey(name))
        }
    }
}

extension MessagePackMap {
    /// The same map, sorted by names, because not every format keeps the order.
    fileprivate var inOrder: Self {
        func name(_ pair: Pair) -> String {
            if case .string(let name) = pair.key { name } else { "" }
        }
        let pairs = sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
        return Self(pairs.map { Pair($0.key, $0.value.inOrder) })
    }
}

extension MessagePackValue {
    fileprivate var inOrder: Self {
        switch self {
        case .map(let map): .map(map.inOrder)
        case .array(let items): .array(items.map(\.inOrder))
        default: self
        }
    }
}
