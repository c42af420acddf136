public import Foundation
public import ObjectStore

/// Changes the record by hand; each change says who made it, when and why.
public struct RecordCorrector: Sendable {
    let container: PersistentContainer
    let bounds: TagBounds
    let now: @Sendable () -> Date

    /// Makes a corrector.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - bounds: What can be true of bags here.
    ///   - now: Gives the present moment.
    public init(
        container: PersistentContainer,
        bounds: TagBounds = .none,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.bounds = bounds
        self.now = now
    }

    /// Files a tag that was typed, as a scan without a picture.
    ///
    /// - Parameters:
    ///   - tag: The tag.
    ///   - person: Who has typed it, and why.
    /// - Returns: What came of it.
    /// - Throws: ``CorrectionError``, ``TagError`` where the values are none that a bag can have, or
    ///   `StoreError`; nothing is filed then.
    public func file(_ tag: TypedTag, by person: Responsibility) throws -> ScanReport {
        try bounds.check(tag.date, at: ["time"])
        if let weight = tag.weight { try bounds.check(pounds: weight) }
        return try container.transaction { context in
            var tag = tag
            let now = now()
            tag.date = min(tag.date, now)
            return try TypedFiling(tag: tag, person: person, context: context, now: now).report()
        }
    }

    /// Corrects owner or weight of a bag.
    ///
    /// It stands against what scans say, whenever they are filed, until it is taken back or corrected
    /// again.
    ///
    /// - Parameters:
    ///   - identifier: The bag.
    ///   - edit: What is to be corrected.
    ///   - person: Who corrects it, and why.
    /// - Returns: The bag before and after; they are equal where nothing was wrong, and then nothing
    ///   is kept.
    /// - Throws: ``CorrectionError``, ``TagError`` where the values are none that a bag can have, or
    ///   `StoreError`; nothing is changed then.
    public func edit(
        _ identifier: UUID,
        _ edit: BagEdit,
        by person: Responsibility
    ) throws -> (before: LuggageReport, after: LuggageReport) {
        if let weight = edit.weight { try bounds.check(pounds: weight) }
        return try container.transaction { context in
            guard let luggage = try context.luggage(identifier) else {
                throw CorrectionError(
                    .notFound,
                    "there is no bag \(identifier.uuidString) on record; file it first"
                )
            }
            let deriving = BagDeriving(context: context)
            try deriving.renew(luggage)
            let before = (LuggageReport(luggage), BagDeriving.Before(luggage))
            let correction = try Correction(.edit, identifier, person, at: now(), in: context)
            correction.luggage = luggage
            correction.weight = edit.weight
            switch edit.owner {
            case .passenger(let name):
                correction.givenName = name.givenName
                correction.familyName = name.familyName
            case .nobody: correction.hasNoOwner = true
            case nil: break
            }
            try deriving.derive(luggage, before.1)
            let after = LuggageReport(luggage)
            if after == before.0 {
                context.rollback()
            } else {
                correction.note(before.0, after)
                if edit.weight != nil { correction.weightBefore = before.0.weight }
                if edit.owner != nil {
                    correction.givenNameBefore = before.0.owner?.givenName
                    correction.familyNameBefore = before.0.owner?.familyName
                }
                try context.saveTyped()
            }
            return (before.0, after)
        }
    }
}

extension ManagedObjectContext {
    /// Saves what somebody has typed.
    ///
    /// - Throws: ``TagError`` where it breaks a rule of the model, or `StoreError`.
    @discardableResult
    func saveTyped() throws -> SaveResult {
        do {
            return try save()
        } catch let error as ValidationError {
            throw TagError(error.failures)
        } catch let error as MergeConflictError {
            throw TagError(error)
        }
    }
}
