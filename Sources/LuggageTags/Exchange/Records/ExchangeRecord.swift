/// One record of a file, or its header or end.
enum ExchangeRecord: Hashable {
    case about(ExchangeHeader)
    case bag(TagContents)
    case passenger(PassengerName)
    case scan(ScanRecord)
    case fact(FactRecord)
    /// The number of records before it, which shows whether the file was cut off.
    case end(RecordCounts)

    var kind: RecordKind? {
        switch self {
        case .bag: .bag
        case .passenger: .passenger
        case .scan: .scan
        case .fact: .fact
        case .about, .end: nil
        }
    }
}

extension ExchangeRecord {
    /// The same record, with times rounded as in facts.
    var asFact: Self { asFact(of: nil) }

    /// The same record for a scan whose payload was decoded, with its bag and with times as in facts.
    func asFact(of contents: TagContents?) -> Self {
        switch self {
        case .bag(var bag):
            bag.departedAt = bag.departedAt?.ofFacts
            bag.arrivedAt = bag.arrivedAt?.ofFacts
            return .bag(bag)
        case .scan(var scan):
            scan.scannedAt = scan.scannedAt.ofFacts
            scan.filedAt = scan.filedAt?.ofFacts
            scan.bag = scan.bag ?? contents?.identifier
            return .scan(scan)
        case .about, .passenger, .fact, .end: return self
        }
    }
}

extension RecordKind {
    /// The kind that a record states, or the kind of the list around it; otherwise it is a bag.
    fileprivate init(
        of record: KeyedDecodingContainer<FormKey>,
        _ decoder: any Decoder
    ) throws {
        let told = try record.decodeIfStated(Choice<RecordKind>.self, "record")?.value
        let listed = decoder.userInfo[.recordKind] as? RecordKind
        if let told, let listed, told != listed {
            throw Refusal(.ambiguous, "is \"\(told.rawValue)\" in the list of \(listed.section)")
                .error(at: decoder.codingPath + [FormKey("record")])
        }
        self = told ?? listed ?? .bag
    }
}

extension CodingUserInfoKey {
    /// The key of the kind of records in the list that a decoder reads.
    static let recordKind = key("LuggageTags.recordKind")

    /// The key with which an encoder makes each record state its kind.
    static let tellsKind = key("LuggageTags.tellsKind")
}

extension ExchangeRecord: Codable {
    /// Decodes a record of its kind.
    ///
    /// A record that states no kind is a bag, so the payload of a tag is a valid record.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        if container.contains(FormKey("about")) {
            self = .about(try container.decode(ExchangeHeader.self, forKey: FormKey("about")))
            return
        }
        if container.contains(FormKey("end")) {
            self = .end(try container.decode(RecordCounts.self, forKey: FormKey("end")))
            return
        }
        switch try RecordKind(of: container, decoder) {
        case .bag: self = .bag(try TagContents(from: decoder))
        case .passenger: self = .passenger(try PassengerName(from: decoder))
        case .scan: self = .scan(try ScanRecord(from: decoder))
        case .fact: self = .fact(try FactRecord(from: decoder))
        }
    }

    /// Only the kind of a record, which can be decoded even if the rest is wrong.
    struct Told: Decodable {
        /// The kind; nil for a header or an end.
        let kind: RecordKind?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: FormKey.self)
            let isRecord = !["about", "end"].contains { container.contains(FormKey($0)) }
            kind = isRecord ? try RecordKind(of: container, decoder) : nil
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        if let kind, encoder.userInfo[.tellsKind] != nil {
            try container.encode(Choice(kind), forKey: FormKey("record"))
        }
        switch self {
        case .about(let header): try container.encode(header, forKey: FormKey("about"))
        case .bag(let contents): try contents.encode(to: encoder)
        case .passenger(let name):
            try container.encode(name.givenName, forKey: FormKey("givenName"))
            try container.encode(name.familyName, forKey: FormKey("familyName"))
        case .scan(let scan): try scan.encode(to: encoder)
        case .fact(let fact): try fact.encode(to: encoder)
        case .end(let counts): try container.encode(counts, forKey: FormKey("end"))
        }
    }
}
