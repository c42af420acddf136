internal import FoundationEssentials
internal import ObjectStore

extension ChangedFact {
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
