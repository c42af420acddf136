internal import FoundationEssentials
internal import ObjectStore

/// Imports one file: reads and merges batch after batch.
struct ImportRun {
    /// The author of an import's saves in the history; no person or station has this name.
    static let author = "(import)"

    /// The person who imports the file, with the reason.
    let person: Responsibility
    /// The name of the file, for people; nil if it has none.
    let name: String?
    let check: RecordCheck
    var report = ImportReport()

    private var reader: (any RecordReader)?
    private var batch = RecordBatch()
    private var number = 0
    private var source: RecordMerging.Source
    /// The new identifiers of facts in the file that were renamed here.
    private var renamed: [UUID: UUID] = [:]
    /// Whether the record already notes that the file was imported.
    private var isNoted = false
    /// The number of records since the header; nil before it.
    private var counted: Int?
    /// Whether the file must end with the number of records.
    private let needsEnd: Bool
    /// A header that was read and begins another batch.
    private var header: ExchangeHeader?

    init(
        _ beginning: FileBeginning,
        policy: ImportPolicy,
        by person: Responsibility,
        named name: String?,
        check: RecordCheck
    ) {
        source = .init(policy: policy, identifier: .fact(at: check.latest))
        self.person = person
        self.name = name
        self.check = check
        report.format = beginning.format
        reader = beginning.makeReader()
        needsEnd = beginning.format == .jsonLines || beginning.format == .messagePack
    }

    /// Whether the last batch has nothing to merge.
    var isBatchEmpty: Bool { batch.entries.isEmpty }

    /// Reads the records of one batch.
    ///
    /// - Returns: Whether there may be anything to merge.
    mutating func readBatch() throws -> Bool {
        batch.entries.removeAll(keepingCapacity: true)
        if let header {
            self.header = nil
            source.isExchange = header.isExchange
            source.isComplete = header.isComplete
        }
        guard reader != nil else { return false }
        do {
            while batch.entries.count < RecordBatch.size && header == nil {
                guard let raw = try reader?.next() else {
                    if needsEnd && counted != nil { throw ImportFault.truncated() }
                    reader = nil
                    break
                }
                try take(raw)
            }
        } catch let fault as ImportFault {
            report.end(with: fault)
            reader = nil
        }
        return true
    }

    private mutating func take(_ raw: RawRecord) throws(ImportFault) {
        let decoded = Result { () throws(TagError) in try raw.decoded() }
        switch decoded {
        case .success((.about(let told), _)):
            // The records before this header have no end.
            if needsEnd && counted != nil { throw .truncated(line: raw.line) }
            try told.check()
            header = told
            counted = 0
        case .success((.end(let told), _)):
            if let counted, counted != told.total { throw .truncated(line: raw.line) }
            counted = nil
        case .success((let record, let source)):
            count()
            let place = RecordPlace(number: number, line: raw.line)
            do throws(TagError) {
                let contents = try check.check(record, source)
                batch.entries.append(
                    .init(place: place, record: record.asFact(of: contents), contents: contents)
                )
            } catch {
                report.refuse(error, place, record.kind)
            }
        case .failure(let error):
            count()
            report.refuse(error, RecordPlace(number: number, line: raw.line), raw.kindOfRefused)
        }
    }

    private mutating func count() {
        number += 1
        counted = counted.map { $0 + 1 }
    }

    /// Merges the batch with what is on record.
    mutating func mergeBatch(in context: ManagedObjectContext, at now: Date) throws {
        if isBatchEmpty { return }
        context.author = Self.author
        let known = try context.nextFactTime(now)
        var merging = try RecordMerging(
            batch,
            of: source,
            renamed: renamed,
            into: context,
            now: known
        )
        for entry in batch.entries {
            guard let kind = entry.record.kind else { continue }
            do {
                let outcome = try merging.merge(entry)
                report[kind].count(outcome)
            } catch let error as TagError {
                report.refuse(error, entry.place, kind)
            }
        }
        renamed = merging.renamed
        try merging.derive()
        if merging.hasAdded && !isNoted { note(in: context, at: known) }
        try context.save()
        // If a file has a bag twice, the last one counts.
        var told: Set<UUID> = []
        for entry in batch.entries.reversed() {
            guard case .bag(let bag) = entry.record, told.insert(bag.identifier).inserted,
                let message = merging.standing(bag)
            else { continue }
            report.note(message, entry.place)
        }
        try merging.forgetFailures()
        report.purged += merging.purged
        try context.save()
    }

    /// Notes that the file was imported, so that a person can undo the whole import.
    private mutating func note(in context: ManagedObjectContext, at date: Date) {
        isNoted = true
        Correction.note(source.identifier, by: person, named: name, at: date, in: context)
    }
}

extension Correction {
    /// Notes that facts came from a file, so that a person can undo them together.
    static func note(
        _ source: UUID,
        by person: Responsibility,
        named name: String?,
        at date: Date,
        in context: ManagedObjectContext
    ) {
        let note = Correction(.imported, of: source, at: date, in: context)
        note.fact = source
        note.author = person.author
        note.reason = person.reason
        note.imageName = name
    }
}
