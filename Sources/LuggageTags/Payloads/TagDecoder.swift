public import ObjectStore

/// Decodes payloads of tags as bags.
public struct TagDecoder: Sendable {
    private let formats: [any PayloadFormat]
    private let readsDates: Bool
    private let bounds: TagBounds

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - formats: The formats that payloads may have; the first that recognises a payload decodes it.
    ///   - readsDates: Whether a payload may tell when its bag departed and arrived: true for a record
    ///     that another station has written, false for a tag.
    ///   - bounds: The limits of the weight of a bag.
    public init(
        formats: [any PayloadFormat] = PayloadFormats.all,
        readsDates: Bool = false,
        bounds: TagBounds = .none
    ) {
        self.formats = formats
        self.readsDates = readsDates
        self.bounds = bounds
    }

    /// Inserts the bag that a payload describes into a context.
    ///
    /// - Parameters:
    ///   - payload: The payload of a symbol, byte for byte.
    ///   - context: The context into which the bag and its owner are inserted; its next save merges
    ///     them with what is on record.
    /// - Returns: The bag, valid and not saved.
    /// - Throws: ``TagError``; then the context is unchanged.
    public func decode(
        _ payload: [UInt8],
        in context: ManagedObjectContext
    ) throws(TagError) -> Luggage {
        let source = try PayloadSource(payload, formats: formats)
        return try context.transaction { () throws(TagError) in
            let luggage = try source.decode(Luggage.self, userInfo([.context: context]))
            let failures = luggage.validationFailures + (luggage.owner?.validationFailures ?? [])
            if !failures.isEmpty { throw TagError(failures, in: source) }
            if let weight = luggage.weight { try bounds.check(pounds: weight, in: source) }
            return luggage
        }
    }

    /// Decodes the values in a payload, without inserting a bag.
    ///
    /// - Parameter payload: The payload of a symbol, byte for byte.
    /// - Returns: The values; they are not checked against the rules of the model and the bounds.
    /// - Throws: ``TagError``.
    public func contents(of payload: [UInt8]) throws(TagError) -> TagContents {
        try contents(of: payload, [:])
    }

    /// Decodes the values in a payload on record; the version that filed it may have looked at fewer members.
    func contents(onRecord payload: [UInt8]) throws(TagError) -> TagContents {
        try contents(of: payload, [.isOnRecord: true])
    }

    private func contents(
        of payload: [UInt8],
        _ entries: [CodingUserInfoKey: any Sendable]
    ) throws(TagError) -> TagContents {
        if formats.contains(where: { $0 is JSONFormat }), let plain = TagContents(plain: payload) {
            return plain
        }
        return try PayloadSource(payload, formats: formats).decode(
            TagContents.self,
            userInfo(entries)
        )
    }

    private func userInfo(
        _ entries: [CodingUserInfoKey: any Sendable]
    ) -> [CodingUserInfoKey: any Sendable] {
        var userInfo = entries
        if readsDates { userInfo[.dateForm] = DateForm.text }
        return userInfo
    }
}

/// A payload whose format is known and checked.
struct PayloadSource {
    private let payload: [UInt8]
    private let format: any PayloadFormat

    /// Finds the format of a payload from its content, and checks it.
    init(_ payload: [UInt8], formats: [any PayloadFormat]) throws(TagError) {
        if payload.isEmpty { throw .emptyPayload }
        guard let format = formats.first(where: { $0.recognises(payload) }) else {
            throw .unknownFormat
        }
        do throws(PayloadFlaw) {
            try format.check(payload)
        } catch {
            throw TagError(error, in: format)
        }
        self.payload = payload
        self.format = format
    }

    /// Takes a payload that was checked already, with its format.
    init(checked payload: [UInt8], _ format: any PayloadFormat) {
        self.payload = payload
        self.format = format
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        _ userInfo: [CodingUserInfoKey: any Sendable]
    ) throws(TagError) -> Value {
        do {
            return try format.decode(type, from: payload, userInfo: userInfo)
        } catch let error as DecodingError {
            throw TagError(error, in: self)
        } catch {
            throw TagError(.typed, .notDecodable, "\(error)")
        }
    }

    /// What the payload has at a path, as far as its format can tell.
    func finding(at path: [String]) -> Finding? { place(at: path)?.finding }

    /// What the payload has at a path, and how it spells the path.
    func place(at path: [String]) -> FoundPlace? {
        let sought = Finding.Sought(path: path)
        return try? format.decode(FoundPlace.self, from: payload, userInfo: [.sought: sought])
    }
}
