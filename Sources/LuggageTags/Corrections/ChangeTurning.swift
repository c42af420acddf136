internal import Foundation
internal import ObjectStore

/// Takes one change back or brings it back, in a transaction.
struct ChangeTurning {
    let log: ChangeLog
    let context: ManagedObjectContext
    let kind: Correction.Kind
    let date: Date

    func run(_ number: Int64, by person: Responsibility) throws -> RecordChange {
        let isUndo = kind == .undo
        guard let entry = log.entry(number), let standing = log.standings[number],
            let change = try ChangeWords(log, in: context).change(entry, isUndone: isUndo)
        else {
            throw CorrectionError(
                .notFound,
                "\(number) is no change that can be taken back",
                remedy: .lookAtChanges
            )
        }
        if standing.isUndone == isUndo {
            throw CorrectionError(
                .alreadyDone,
                isUndo
                    ? "change \(number) is taken back already" : "change \(number) counts already"
            )
        }
        try refuseDependents(of: number, standing)
        try refuseOtherBag(change, standing)
        let before = try bag(of: change).map(LuggageReport.init)
        try takeBack(standing.last, of: entry)
        if isUndo { try mark(entry) }
        let correction = Correction(kind, change.bag ?? UUID(), person, at: date, in: context)
        correction.change = number
        let luggage = try bag(of: change)
        correction.luggage = luggage
        if let before, let luggage { correction.note(before, LuggageReport(luggage)) }
        try context.save()
        return change
    }

    private func bag(of change: RecordChange) throws -> Luggage? {
        try change.bag.flatMap { try context.luggage($0) }
    }

    // MARK: What stands in the way

    /// A property of an object; all of them where an object came or went.
    private struct Place: Hashable {
        let id: ObjectID
        let property: String?
    }

    private func places(_ entry: ChangeLog.Entry) -> Set<Place> {
        var places: Set<Place> = []
        for change in entry.changes where rule(change) == .always {
            if change.kind == .updated && !isMark(change) {
                for property in change.properties {
                    places.insert(Place(id: change.id, property: property.name))
                }
            } else if change.kind != .updated {
                places.insert(Place(id: change.id, property: nil))
            }
        }
        return places
    }

    /// Whether a change is only about whether a scan or correction counts.
    private func isMark(_ change: HistoryChange) -> Bool {
        ["Scan", "Correction"].contains(context.model.entities[change.id.entity].name)
    }

    private func refuseDependents(of number: Int64, _ standing: ChangeLog.Standing) throws {
        let own = places(standing.last)
        let objects = Set(own.map(\.id))
        // Those before it were there when it was made, and whether they still are, the values tell.
        let dependents = log.entries.filter { entry in
            guard entry.number > number, let other = log.standings[entry.number],
                !other.isUndone, other.last.number > standing.last.number,
                other.last.touches(objects) || entry.touches(objects)
            else { return false }
            let places = places(other.last).union(places(entry))
            return places.contains { place in
                own.contains { own in
                    own.id == place.id
                        && (own.property == nil || place.property == nil
                            || own.property == place.property)
                }
            }
        }
        if dependents.isEmpty { return }
        let words = ChangeWords(log, in: context)
        let names = try dependents.suffix(3).map { entry in
            let author = entry.saves.last?.author
            return try words.change(entry, isUndone: false).map {
                "\($0.number) (\($0.kind.rawValue) by \($0.author))"
            } ?? "\(entry.number) (\(author ?? "another program"))"
        }
        let more = dependents.count > 3 ? ", and \(dependents.count - 3) before them" : ""
        throw CorrectionError(
            .conflict,
            "later changes depend on change \(number): \(names.joined(separator: ", "))\(more)",
            remedy: .turnLaterOnes
        )
    }

    /// A bag that was taken back may have been filed anew since.
    private func refuseOtherBag(_ change: RecordChange, _ standing: ChangeLog.Standing) throws {
        let returns = standing.last.changes.contains {
            $0.kind == .deleted && context.model.entities[$0.id.entity].name == "Luggage"
        }
        if returns, let bag = try bag(of: change) {
            throw CorrectionError(
                .conflict,
                "bag \(bag.identifier.uuidString) was filed anew since change \(change.number) was taken back"
            )
        }
    }

    // MARK: Doing it

    private func rule(_ change: HistoryChange) -> TakeBackRule {
        switch context.model.entities[change.id.entity].name {
        // What was scanned and what was said stays.
        case "Scan", "Correction", "JournalEntry": change.kind == .updated ? .always : .never
        case "Passenger": .unlessUsed
        default: .always
        }
    }

    private func takeBack(_ last: ChangeLog.Entry, of entry: ChangeLog.Entry) throws {
        let losers = try losers(entry.saves + last.saves)
        do {
            try context.takeBack(last.saves, rule: rule, mayLose: losers.contains)
        } catch let error as HistoryConflictError {
            let reasons = error.conflicts.map(\.description).joined(separator: "; ")
            throw CorrectionError(
                .conflict,
                "change \(entry.number) cannot be turned back, since later ones depend on it: \(reasons)"
            )
        }
    }

    /// The scans and corrections that may stay without the bag that a change has put on record: its
    /// own, and those that do not count.
    private func losers(_ saves: [HistoryTransaction]) throws -> Set<ObjectID> {
        var losers: Set<ObjectID> = []
        for change in saves.flatMap(\.changes) {
            losers.insert(change.id)
            guard change.kind == .inserted,
                let luggage = try context.existingObject(Luggage.self, id: change.id)
            else { continue }
            losers.formUnion(luggage.scans.filter { $0.undoneAt != nil }.map(\.objectID))
            losers.formUnion(
                luggage.corrections
                    .filter { $0.undoneAt != nil || $0.kind == .undo || $0.kind == .redo }
                    .map(\.objectID)
            )
        }
        return losers
    }

    /// Marks what does not count any more.
    private func mark(_ entry: ChangeLog.Entry) throws {
        switch entry.origin {
        case .scan(let id, _): try context.existingObject(Scan.self, id: id)?.undoneAt = date
        case .correction(let id, _, _):
            try context.existingObject(Correction.self, id: id)?.undoneAt = date
            for change in entry.changes where change.kind == .inserted {
                let scan = try context.existingObject(Scan.self, id: change.id)
                scan?.undoneAt = date
            }
        case .other: break
        }
    }
}
