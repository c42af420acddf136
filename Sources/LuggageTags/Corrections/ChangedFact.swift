internal import FoundationEssentials
internal import ObjectStore

/// A fact that a person made as a change and may undo.
enum ChangedFact {
    /// A scan of a tag.
    case scan(Scan)
    /// A correction, with the scan that was filed with it.
    case correction(Correction, Scan?)

    /// Its number: twice the key of the row, plus one for a correction.
    ///
    /// A key never becomes the key of another row.
    var number: Int64 {
        switch self {
        case .scan(let scan): 2 * scan.objectID.key
        case .correction(let correction, _): 2 * correction.objectID.key + 1
        }
    }

    // MARK: What it is

    var isUndone: Bool { undoneAt != nil }

    var undoneAt: Date? {
        switch self {
        case .scan(let scan): scan.undoneAt
        case .correction(let correction, _): correction.undoneAt
        }
    }

    /// When it became known here.
    var knownAt: Date {
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

    var author: String? {
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
            alarm: correction.flatMap { Alarm.Key($0) },
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
