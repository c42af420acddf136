internal import FoundationEssentials
internal import ObjectStore

/// A fact that a person made as a change and may undo.
enum ChangedFact {
    /// A scan of a tag.
    case scan(Scan)
    /// A correction, with the scan that was filed with it.
    case correction(Correction, Scan?)

    // MARK: Finding

    /// Its number: twice the key of the row, plus one for a correction.
    ///
    /// A key never becomes the key of another row.
    var number: Int64 {
        switch self {
        case .scan(let scan): 2 * scan.objectID.key
        case .correction(let correction, _): 2 * correction.objectID.key + 1
        }
    }

    /// The fact with a number.
    ///
    /// - Throws: ``CorrectionError`` if there is none, or `StoreError`.
    static func find(_ number: Int64, in context: ManagedObjectContext) throws -> Self {
        let (key, isCorrection) = (number >> 1, number & 1 == 1)
        if number > 0, isCorrection {
            let id = context.model.id("Correction", key)
            if let correction = try context.existingObject(Correction.self, id: id),
                Correction.Kind.changes.contains(correction.kind)
            {
                return try Self(correction, in: context)
            }
        } else if number > 0 {
            let id = context.model.id("Scan", key)
            if let scan = try context.existingObject(Scan.self, id: id), scan.outcome.isFiled {
                if !scan.isTyped { return .scan(scan) }
                if let typed = try context.correction(scan.identifier) {
                    return .correction(typed, scan)
                }
            }
        }
        throw CorrectionError(
            .notFound,
            "\(number) is not a change that can be taken back",
            remedy: .lookAtChanges
        )
    }

    private init(_ correction: Correction, in context: ManagedObjectContext) throws {
        self = .correction(correction, try Self.typedScan(of: correction, in: context))
    }

    private static func typedScan(
        of correction: Correction,
        in context: ManagedObjectContext
    ) throws -> Scan? {
        guard correction.kind == .file else { return nil }
        if let fact = correction.fact {
            return try context.fetch(FetchRequest(Scan.self).where(\.identifier, is: fact)).first
        }
        // Older versions of the program kept both, but did not note which belong together.
        let bag = correction.identifier
        let corrections = try context.fetch(
            FetchRequest(Correction.self).where(\.identifier, is: bag).where(\.kind, is: .file)
        ).filter { $0.fact == nil }.sorted { $0.objectID < $1.objectID }
        let luggage = correction.luggage
        let typed = FetchRequest(Scan.self).ofTypedTags.where(\.identifier, isMissing: true)
            .whereEither({ $0.where(\.luggage, is: luggage) }, { $0.where(\.luggage, is: nil) })
        let scans = try context.fetch(typed).filter { $0.bagTold == bag }.sorted {
            $0.objectID < $1.objectID
        }
        if corrections.count == scans.count {
            return corrections.firstIndex(of: correction).map { scans[$0] }
        }
        // Some were imported: the history tells which scan was saved with the correction.
        let own = try context.save(of: correction.objectID)
        guard let scan = scans.first(where: { own.contains($0.objectID) }) else {
            throw CorrectionError(
                .notFound,
                "the record no longer tells which of the typed tags of bag \(bag.uuidString) it is",
                remedy: .lookAtChanges
            )
        }
        return scan
    }

    /// The last changes that count, or that are undone, the last one first.
    ///
    /// With an author, only those that this person made or undid; with a subject, only those about that bag, or
    /// about that alarm.
    static func last(
        _ limit: Int,
        areUndone isUndone: Bool,
        of author: String? = nil,
        about subject: UUID? = nil,
        in context: ManagedObjectContext
    ) throws -> [Self] {
        if isUndone, subject == nil, let author {
            return try last(limit, takenBackBy: author, in: context)
        }
        if let subject {
            let found = try facts(about: subject, in: context).filter {
                $0.isUndone == isUndone && (author == nil || $0.author == author)
            }
            return Array(found.sorted(by: isAfter).prefix(limit))
        }
        let filed = Outcome.allCases.filter(\.isFiled)
        var scans = FetchRequest(Scan.self).where(\.undoneAt, isMissing: !isUndone)
            .where(\.outcome, isOneOf: filed).where(\.importedBy, isMissing: true).notTyped
            .sorted(by: isUndone ? \.undoneAt : \.filedAt, .descending)
        var corrections = FetchRequest(Correction.self).where(\.undoneAt, isMissing: !isUndone)
            .where(\.kind, isOneOf: Correction.Kind.changes)
            .where(\.importedBy, isMissing: true)
        if let author {
            scans = scans.where(\.author, is: author)
            corrections = corrections.where(\.author, is: author)
        }
        var lastScans = try context.fetch(scans.limited(to: limit))
        if !isUndone, lastScans.count == limit, let time = lastScans.last?.filedAt {
            // Of scans that were filed together, the last one has the greatest number.
            lastScans.removeAll { $0.filedAt == time }
            lastScans += try context.fetch(scans.where(\.filedAt, is: time))
        }
        let latest =
            isUndone
            ? corrections.sorted(by: \.undoneAt, .descending)
            : corrections.sorted(by: \.knownAt, .descending).sorted(by: \.madeAt, .descending)
        let found =
            try lastScans.map { Self.scan($0) }
            + made(context.fetch(latest.limited(to: limit)), in: context)
        return Array(found.sorted(by: isAfter).prefix(limit))
    }

    /// All changes about a bag, or about an alarm.
    ///
    /// They are few, and an index leads to them. With more conditions, or in an order, the store would choose
    /// another index, and go through all that is on record.
    private static func facts(
        about subject: UUID,
        in context: ManagedObjectContext
    ) throws -> [Self] {
        var scans = FetchRequest(Scan.self)
        // The scans of a bag that is not on record have its identifier.
        let luggage = try context.luggage(subject)
        scans =
            luggage == nil
            ? scans.where(\.bag, is: subject) : scans.where(\.luggage, is: luggage)
        let seen = try context.fetch(scans).filter {
            $0.outcome.isFiled && $0.importedBy == nil && !$0.isTyped
        }
        let corrections = FetchRequest(Correction.self).where(\.identifier, is: subject)
        let made = try context.fetch(corrections).filter {
            Correction.Kind.changes.contains($0.kind) && $0.importedBy == nil
        }
        return try seen.map { Self.scan($0) } + Self.made(made, in: context)
    }

    /// Corrections, each with its scan, without those of which the record no longer tells which that is.
    private static func made(
        _ corrections: [Correction],
        in context: ManagedObjectContext
    ) throws -> [Self] {
        try corrections.compactMap { correction in
            do {
                return try Self(correction, in: context)
            } catch is CorrectionError {
                return nil
            }
        }
    }

    private static func isAfter(_ first: Self, _ second: Self) -> Bool {
        func time(_ fact: Self) -> Date { fact.undoneAt ?? fact.knownAt }
        return (time(first), first.number) > (time(second), second.number)
    }

    // MARK: What it is

    var isUndone: Bool { undoneAt != nil }

    private var undoneAt: Date? {
        switch self {
        case .scan(let scan): scan.undoneAt
        case .correction(let correction, _): correction.undoneAt
        }
    }

    /// When it became known here.
    private var knownAt: Date {
        switch self {
        case .scan(let scan): scan.filedAt ?? scan.scannedAt
        case .correction(let correction, _): correction.time
        }
    }

    var identifier: UUID {
        switch self {
        case .scan(let scan): scan.factIdentifier
        case .correction(let correction, _): correction.factIdentifier
        }
    }

    private var author: String? {
        switch self {
        case .scan(let scan): scan.author
        case .correction(let correction, _): correction.author
        }
    }

    private var scan: Scan? {
        switch self {
        case .scan(let scan): scan
        case .correction(_, let scan): scan
        }
    }

    private var correction: Correction? {
        if case .correction(let correction, _) = self { correction } else { nil }
    }

    /// The bag that it is about; nil if it is about none.
    private var bag: UUID? {
        switch self {
        case .scan(let scan): scan.bagTold
        case .correction(let correction, _):
            switch correction.kind {
            case .dismiss, .imported: nil
            case .note: Alarm.Key(correction)?.bag
            default: correction.identifier
            }
        }
    }

    // MARK: Turning

    /// Undoes it if it counts, and redoes it if it is undone.
    ///
    /// - Parameters:
    ///   - person: The person who does it; nil only to try it out.
    ///   - date: The present moment.
    ///   - context: The context of a transaction; nothing is saved in it.
    /// - Returns: The change.
    /// - Throws: `StoreError`.
    func turned(
        by person: Responsibility?,
        at date: Date,
        in context: ManagedObjectContext
    ) throws -> RecordChange {
        if let correction, correction.kind == .imported {
            var change = change(nil, nil)
            change.hasPurged = try context.exists(
                FetchRequest(Correction.self).where(\.importedBy, is: correction.identifier)
                    .where(\.kind, isOneOf: Correction.Kind.forgettings)
            )
            if let person {
                let isUndo = !isUndone
                try ImportTurning(correction, number, by: person, at: date, in: context).run()
                change.isUndone = isUndo
                change.undoneBy = isUndo ? person.author : nil
                return change
            }
            change.undoneBy = isUndone ? try context.withdrawal(of: identifier)?.author : nil
            return change
        }
        guard let about = bag ?? correction?.identifier else { return change(nil, nil) }
        let isUndo = !isUndone
        let undoneBy =
            isUndo
            ? person?.author
            : try person == nil ? context.withdrawal(of: identifier)?.author : nil
        let deriving = BagDeriving(context: context)
        var (before, after): (LuggageReport?, LuggageReport?)
        // Differences that an older version of the program has left are not the effect of this change.
        if let known = try context.luggage(about) { try deriving.renew(known) }
        let turned = try deriving.bag(about)
        // Older versions of the program did not note the bag.
        if let scan, scan.luggage == nil { scan.luggage = turned.luggage }
        if let correction, correction.luggage == nil { correction.luggage = turned.luggage }
        try deriving.identify([scan].compactMap(\.self), [correction].compactMap(\.self))
        if turned.before != nil { before = LuggageReport(turned.luggage) }
        let made = try turn(
            in: RecordedFacts(of: turned.luggage, in: context).withdrawals,
            by: person ?? Responsibility(author: "", reason: ""),
            at: date,
            of: turned.luggage,
            context
        )
        if try deriving.derive(turned.luggage, turned.before) {
            after = LuggageReport(turned.luggage)
        }
        if let before, let after { made.first?.note(before, after) }
        var change = change(isUndo ? after : before, isUndo ? before : after)
        // If it is only tried out, it keeps its state.
        change.isUndone = isUndo == (person != nil)
        change.undoneBy = undoneBy
        return change
    }

    /// Adds the facts that undo or redo it.
    private func turn(
        in withdrawals: Withdrawals,
        by person: Responsibility,
        at date: Date,
        of luggage: Luggage,
        _ context: ManagedObjectContext
    ) throws -> [Correction] {
        // A typed tag and its scan share one identifier, except in records of older versions.
        let facts = Set([scan?.factIdentifier, correction?.factIdentifier].compactMap(\.self))
        let named =
            isUndone
            ? Set(
                (scan.map { withdrawals.naming($0) } ?? [])
                    + (correction.map { withdrawals.naming($0) } ?? [])
            ) : facts
        return try named.sorted().map { fact in
            let made = try Correction(
                isUndone ? .redo : .undo,
                luggage.identifier,
                person,
                at: date,
                in: context
            )
            made.luggage = luggage
            made.change = number
            made.withdrawn = fact
            return made
        }
    }

    /// Describes it for people.
    ///
    /// `without` and `with` are the bag without this fact and with it.
    private func change(
        _ without: LuggageReport?,
        _ with: LuggageReport?
    ) -> RecordChange {
        let kind: RecordChange.Kind =
            switch correction?.kind {
            case .file: .file
            case .dismiss: .dismiss
            case .note: .note
            case .imported: .imported
            case nil: .scan
            default: .edit
            }
        return RecordChange(
            number: number,
            kind: kind,
            bag: bag,
            date: correction?.madeAt ?? knownAt,
            author: correction?.author ?? scan?.author ?? scan?.station ?? "",
            isOfPerson: correction != nil || scan?.author != nil,
            reason: correction.flatMap { $0.reason.isEmpty ? nil : $0.reason },
            point: scan?.point ?? correction?.point,
            station: scan?.station ?? correction?.station,
            picture: kind == .scan ? scan?.imageName : correction?.imageName,
            alarm: correction.flatMap { Alarm.Key($0)?.words },
            isNewBag: without == nil && with != nil,
            details: RecordChange.Detail.all(from: without, to: with),
            isUndone: isUndone
        )
    }
}

extension Correction.Kind {
    /// The kinds that people may undo.
    static let changes: [Self] = [.file, .dismiss, .edit, .note, .imported]
}

extension ManagedObjectModel {
    /// The identifier of an object, from its entity and key.
    fileprivate func id(_ entity: String, _ key: Int64) -> ObjectID {
        ObjectID(entity: entities.firstIndex { $0.name == entity } ?? 0, key: key)
    }
}

extension ManagedObjectContext {
    /// The objects that were saved in the same save as a new object.
    fileprivate func save(of id: ObjectID) throws -> Set<ObjectID> {
        var token: HistoryToken?
        while true {
            let saves = try history(after: token, limit: 500)
            guard let last = saves.last else { return [] }
            for save in saves
            where save.changes.contains(where: { $0.id == id && $0.kind == .inserted }) {
                return Set(save.changes.map(\.id))
            }
            token = last.token
        }
    }

    fileprivate func correction(_ identifier: UUID?) throws -> Correction? {
        guard let identifier else { return nil }
        return try fetch(FetchRequest(Correction.self).where(\.fact, is: identifier)).first
    }
}

extension RecordChange.Detail {
    /// The properties of a bag that differ.
    fileprivate static func all(from old: LuggageReport?, to new: LuggageReport?) -> [Self] {
        guard let old, let new else { return [] }
        func detail(
            _ property: String,
            _ value: (LuggageReport) -> RecordChange.Value?
        ) -> Self {
            Self(property: property, before: value(old), after: value(new))
        }
        let details = [
            detail("weight") { $0.weight.map { .weight($0) } },
            detail("owner") { $0.owner.map { .owner($0.name.description) } },
            detail("departedAt") { $0.departedAt.map { .time($0) } },
            detail("arrivedAt") { $0.arrivedAt.map { .time($0) } },
        ]
        return details.filter { $0.before != $0.after }
    }
}
