public import FoundationEssentials
public import ObjectStore

/// Merges a file from another store, or one that a person has written, with what is on record.
///
/// If two stores import each other's exports, both end up with the same records, in any order and
/// however often they do it. Memory is bounded for any number of records.
public struct StoreImporter: Sendable {
    /// How far the clock of another machine may be ahead, in seconds.
    private static let clockTolerance: TimeInterval = 86_400

    private let open: @Sendable () throws -> PersistentContainer
    private let policy: ImportPolicy
    private let isPartial: Bool
    private let bounds: TagBounds
    private let person: Responsibility
    private let name: String?
    private let now: @Sendable () -> Date

    /// Makes an importer.
    ///
    /// - Parameters:
    ///   - container: The container to file in, with the model of ``LuggageModel``.
    ///   - policy: Decides which side counts if bags differ.
    ///   - isPartial: Whether to keep records although others are refused.
    ///   - bounds: The earliest time and the greatest weight to believe; other records are refused.
    ///   - person: The person who imports, with the reason; nil if nobody does.
    ///   - name: The name of the file, with which people find the import.
    ///   - now: Gives the present moment; times more than a day later are refused.
    public init(
        container: PersistentContainer,
        policy: ImportPolicy = .objectTrump,
        isPartial: Bool = false,
        bounds: TagBounds = .none,
        by person: Responsibility? = nil,
        named name: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            policy: policy,
            isPartial: isPartial,
            bounds: bounds,
            by: person,
            named: name,
            now: now
        ) {
            container
        }
    }

    /// Makes an importer that opens the record only when it needs it.
    ///
    /// It opens the record once the format of the file is known; a partial importer, once there is something
    /// to merge. So a file from which nothing can be kept does not create a record.
    ///
    /// - Parameters:
    ///   - policy: Decides which side counts if bags differ.
    ///   - isPartial: Whether to keep records although others are refused.
    ///   - bounds: The earliest time and the greatest weight to believe; other records are refused.
    ///   - person: The person who imports, with the reason; nil if nobody does.
    ///   - name: The name of the file, with which people find the import.
    ///   - now: Gives the present moment; times more than a day later are refused.
    ///   - open: Opens the container to file in, with the model of ``LuggageModel``.
    public init(
        policy: ImportPolicy = .objectTrump,
        isPartial: Bool = false,
        bounds: TagBounds = .none,
        by person: Responsibility? = nil,
        named name: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        opening open: @escaping @Sendable () throws -> PersistentContainer
    ) {
        self.open = open
        self.policy = policy
        self.isPartial = isPartial
        self.bounds = bounds
        self.person = person ?? Responsibility(author: ImportRun.author, reason: "")
        self.name = name
        self.now = now
    }

    /// Merges a file.
    ///
    /// - Parameters:
    ///   - format: The format of the file; nil to find it by the content.
    ///   - read: Returns the next bytes, in parts of any size, or none at the end.
    /// - Returns: The report. If any record was refused, nothing from the file is on record, unless the
    ///   importer is partial.
    /// - Throws: `StoreError`, or the error of opening the record or of `read`; a partial import keeps the
    ///   batches before it.
    public func run(
        format: ExchangeFormat? = nil,
        read: @escaping () throws -> [UInt8]
    ) throws -> ImportReport {
        let beginning: FileBeginning
        do {
            beginning = try FileBeginning(format, read)
        } catch let fault as ImportFault {
            var report = ImportReport()
            report.end(with: fault)
            report.isKept = false
            return report
        }
        let scratch = try PersistentContainer(model: LuggageModel.make(), store: InMemoryStore())
        var run = ImportRun(
            beginning,
            policy: policy,
            by: person,
            named: name,
            check: RecordCheck(
                scratch: scratch.makeContext(),
                latest: now() + Self.clockTolerance,
                bounds: bounds
            )
        )
        if isPartial {
            var opened: PersistentContainer?
            while try run.readBatch() {
                if run.isBatchEmpty { continue }
                let container = try opened ?? open()
                opened = container
                try container.transaction { try run.mergeBatch(in: $0, at: now()) }
            }
            run.report.isKept = run.report.hasTaken
            try opened?.forgetHistory(after: run.report.purged)
            return run.report
        }
        let container = try open()
        do {
            try container.transaction { context in
                while try run.readBatch() {
                    try run.mergeBatch(in: context, at: now())
                    context.reset()
                }
                if !run.report.isClean { throw Abandonment() }
            }
            run.report.isKept = run.report.hasTaken
            try container.forgetHistory(after: run.report.purged)
        } catch is Abandonment {
            run.report.isKept = false
        }
        return run.report
    }

    /// Thrown to roll back if nothing from the file is kept.
    private struct Abandonment: Error {}
}

/// Decides which side counts if a bag in a file differs from the bag on record.
///
/// It applies only to what no scan tells. Under every policy the scans of a bag determine its weight and
/// owner, the last scan first, and no scans are lost. So the order in which stations import from one
/// another is irrelevant.
public enum ImportPolicy: String, CaseIterable, Codable, Sendable {
    /// The file counts; values that it does not have stay.
    ///
    /// If the file also has the scans, the greater weight counts, and the owner whose name sorts last. So
    /// two stations that exchange everything get the same result.
    case objectTrump = "object-trump"
    /// What is on record counts; the file only fills missing values.
    case storeTrump = "store-trump"
    /// The whole bag of the file counts, and values that it does not have become empty.
    case overwrite
    /// What is on record stays as it is; only new bags are added.
    case rollback
    /// A bag that contradicts the record is refused.
    case error
}
