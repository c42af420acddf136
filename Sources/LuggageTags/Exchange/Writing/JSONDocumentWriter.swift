/// Writes one JSON object: a header, and a list for each kind of record.
struct JSONDocumentWriter: ExchangeWriter {
    private let encoding = RecordEncoding(format: .json)
    private var sections = SectionOrder()

    mutating func begin(_ selection: ExportSelection) throws -> [UInt8] {
        sections = SectionOrder(selection.kinds)
        // The members are sorted by name, so the header stays in front if a tool sorts them.
        return try encoding.encode(.about(ExchangeHeader(selection))).dropLast() + goOn()
    }

    mutating func write(_ record: ExchangeRecord) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let current = sections.current, current != record.kind { bytes += goOn() }
        bytes += (sections.isEmpty ? "\n" : ",\n").utf8
        sections.noteRecord()
        return try bytes + encoding.encode(record)
    }

    mutating func end(_ counts: RecordCounts) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while sections.current != nil { bytes += goOn() }
        return bytes + "}\n".utf8
    }

    /// Closes the open list, and opens the next one.
    private mutating func goOn() -> [UInt8] {
        let end = sections.current == nil ? "" : sections.isEmpty ? "]" : "\n]"
        sections.advance()
        return Array((end + (sections.current.map { ",\n\"\($0.section)\":[" } ?? "")).utf8)
    }
}

/// The sections of a document that has a list for each kind of record.
struct SectionOrder {
    private var rest: ArraySlice<RecordKind> = []
    private(set) var current: RecordKind?
    /// Whether the section has no record so far.
    private(set) var isEmpty = true

    init(_ kinds: [RecordKind] = []) {
        rest = kinds[...]
    }

    /// Goes on to the next section, if there is one.
    mutating func advance() {
        current = rest.popFirst()
        isEmpty = true
    }

    mutating func noteRecord() {
        isEmpty = false
    }
}
