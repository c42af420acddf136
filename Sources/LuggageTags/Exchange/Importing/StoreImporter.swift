public import Foundation
public import ObjectStore

/// Merges what another store has exported, or what somebody has written, with what is on record.
///
/// Two stores that import from one another what they export have the same on record in the end, in
/// whatever order that is done and however often. Memory is bounded, however many records there are.
public struct StoreImporter: Sendable {
    /// How far a clock may be ahead of this one.
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
    ///   - container: Where to file, with the model of ``LuggageModel``.
    ///   - policy: Which side counts where bags differ.
    ///   - isPartial: Whether records are kept although others are refused.
    ///   - bounds: What can be true of bags here; records of others are refused.
    ///   - person: Who imports, and why; nil where it is nobody's doing.
    ///   - name: The name of the file, for those who look for what was imported.
    ///   - now: Gives the present moment; what is more than a day later is refused.
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

    /// Makes an importer that opens the record when the format of the file is known, and a partial one
    /// when there is something to merge, so that a file of which nothing can be kept makes no record.
    ///
    /// - Parameters:
    ///   - policy: Which side counts where bags differ.
    ///   - isPartial: Whether records are kept although others are refused.
    ///   - bounds: What can be true of bags here; records of others are refused.
    ///   - person: Who imports, and why; nil where it is nobody's doing.
    ///   - name: The name of the file, for those who look for what was imported.
    ///   - now: Gives the present moment; what is more than a day later is refused.
    ///   - open: Gives where to file, with the model of ``LuggageModel``.
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
    ///   - read: Gives the bytes that come next, in parts of any size, and none at the end.
    /// - Returns: What came of the records; where any was refused, nothing of the file is on record
    ///   unless the importer is partial.
    /// - Throws: `StoreError`, or what opening the record or `read` throws; of a partial import,
    ///   batches before that stay.
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
            try opened.map { try forgetHistory(of: $0, after: run.report) }
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
            try forgetHistory(of: container, after: run.report)
        } catch is Abandonment {
            run.report.isKept = false
        }
        return run.report
    }

    /// Takes away the history, too, where a file has told of a purge: it has what was there before.
    private func forgetHistory(of container: PersistentContainer, after report: ImportReport) throws
    {
        if report.purged == .init() { return }
        var (history, pace) = (HistoryPurge(), PurgePace())
        try history.finish(in: container, at: &pace)
    }

    /// Nothing of the file is to be kept.
    private struct Abandonment: Error {}
}
