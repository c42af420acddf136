internal import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// Writes the records of a store to a file, in one of several formats.
///
/// The order of the records depends only on their contents: bags by identifier, scans by bag and time.
/// Two stores with the same records give the same file, byte for byte. Memory is bounded for any number
/// of records.
public struct StoreExporter: Sendable {
    private let container: PersistentContainer
    private let selection: ExportSelection

    /// Makes an exporter.
    ///
    /// - Parameters:
    ///   - container: The store, with the model of ``LuggageModel``.
    ///   - selection: The records to export.
    public init(container: PersistentContainer, selection: ExportSelection = .everything) {
        self.container = container
        self.selection = selection
    }

    /// Whether the record consists of facts.
    ///
    /// A record that an older version of the program has made, and nobody has settled since, does not. It is
    /// written as version 1.
    ///
    /// - Throws: `StoreError`.
    public var isSettled: Bool {
        get throws { try container.read { try $0.isSettled } }
    }

    /// Writes one state of the store, while others may save.
    ///
    /// - Parameters:
    ///   - format: The format; CSV requires a selection with one kind of records.
    ///   - progress: Receives the number of written records, and an upper bound of all.
    ///   - write: Receives the bytes, in parts of about 64 KiB.
    /// - Returns: The number of written records.
    /// - Throws: `StoreError`, ``ExportError`` or the error of `write`; then the written bytes are not
    ///   complete.
    public func export(
        as format: ExchangeFormat,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in },
        to write: ([UInt8]) throws -> Void
    ) throws -> RecordCounts {
        if format == .csv && selection.kinds.count != 1 { throw ExportError.severalKinds }
        return try container.read { context in
            let selection = try selection.writable(of: context)
            let pages = RecordPages(context: context, selection: selection)
            let total = try pages.total()
            var writer = format.makeWriter()
            var counts = RecordCounts()
            var buffer = try writer.begin(selection)
            func flush(atLeast limit: Int) throws {
                guard buffer.count > limit else { return }
                try write(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
            for kind in selection.kinds {
                try pages.forEach(kind) { record in
                    counts[kind] += 1
                    do {
                        buffer += try writer.write(record)
                    } catch is EncodingError {
                        throw ExportError(record, format)
                    }
                    try flush(atLeast: 1 << 16)
                    if counts.total.isMultiple(of: 1024) { try progress(counts.total, total) }
                }
            }
            buffer += try writer.end(counts)
            try flush(atLeast: 0)
            return counts
        }
    }
}

/// The reason why something cannot be exported.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason and what to do about it, for a person.
    public let description: String

    static let notSettled = ExportError(
        description:
            "the record is of an older version of the program and has no facts to write yet; "
            + "`luggage check` tells what will change, and `luggage check --settle` makes the facts"
    )

    static let severalKinds = ExportError(
        description: "a CSV file has one kind of records: choose bags, scans or facts"
    )

    init(description: String) {
        self.description = description
    }

    init(_ record: ExchangeRecord, _ format: ExchangeFormat) {
        let name =
            switch record {
            case .bag(let bag): "the bag \(bag.identifier.uuidString)"
            case .passenger(let name): "the passenger \(name.description.onOneLine)"
            case .scan(let scan): "the scan of \(scan.imageName.quoted)"
            case .fact(let fact): "the fact of \(fact.madeAt.reportText)"
            case .about, .end: "the file"
            }
        description =
            "\(name) has a value that cannot be written as \(format.name); choose another format, or "
            + "correct the record"
    }
}

extension ExportSelection {
    /// The selection that can be written from a record.
    fileprivate func writable(of context: ManagedObjectContext) throws -> Self {
        guard version == .facts, try !context.isSettled else { return self }
        if records == .facts { throw ExportError.notSettled }
        var older = self
        older.version = .states
        return older
    }
}

extension ManagedObjectContext {
    /// Whether everything on record is facts.
    package var isSettled: Bool {
        get throws {
            try !exists(FetchRequest(Luggage.self).where(\.derivedUpTo, isMissing: true))
                && !exists(FetchRequest(Scan.self).where(\.identifier, isMissing: true))
                && !exists(FetchRequest(Correction.self).where(\.fact, isMissing: true))
        }
    }
}
