public import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// Changes the record by hand; each change says who made it, when and why.
public struct RecordCorrector: Sendable {
    let container: PersistentContainer
    let bounds: TagBounds
    let now: @Sendable () -> Date

    /// Makes a corrector.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - bounds: The earliest time and the greatest weight to believe.
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
    ///   - person: The person who typed it, with the reason.
    /// - Returns: The report.
    /// - Throws: ``CorrectionError``, ``TagError`` if no bag can have one of the values, or
    ///   `StoreError`; then nothing is filed.
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

    /// Corrects the owner or weight of a bag.
    ///
    /// The correction overrides scans, whenever they are filed, until a person undoes it or corrects the
    /// value again.
    ///
    /// - Parameters:
    ///   - identifier: The bag.
    ///   - edit: The new values.
    ///   - person: The person who corrects it, with the reason.
    ///   - check: Receives the bag before; may throw, for example because it is not any more what the person has
    ///     seen.
    /// - Returns: The bag before and after; if they are equal, the correction is not kept.
    /// - Throws: ``CorrectionError``, ``TagError`` if no bag can have one of the values, the error of the check,
    ///   or `StoreError`; then nothing is changed.
    public func edit(
        _ identifier: UUID,
        _ edit: BagEdit,
        by person: Responsibility,
        checking check: (LuggageReport) throws -> Void = { _ in }
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
            try check(before.0)
            let correction = try Correction(.edit, identifier, person, at: now(), in: context)
            correction.luggage = luggage
            correction.weight = edit.weight
            switch edit.owner {
            case .passenger(let name): correction.owner = name
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
                if edit.owner != nil { correction.ownerBefore = before.0.owner?.name }
                try context.saveTag()
            }
            return (before.0, after)
        }
    }
}

extension ManagedObjectContext {
    /// Saves, and turns errors about values into tag errors.
    ///
    /// - Throws: ``TagError`` if a value breaks a rule of the model, or `StoreError`.
    @discardableResult
    func saveTag() throws -> SaveResult {
        do {
            return try save()
        } catch let error as ValidationError {
            throw TagError(error.failures)
        } catch let error as MergeConflictError {
            throw TagError(error)
        }
    }
}

/// A correction of a bag's owner or weight.
public struct BagEdit: Hashable, Sendable {
    /// The new owner.
    public enum Owner: Hashable, Sendable {
        /// The bag belongs to a passenger.
        case passenger(PassengerName)
        /// Nobody is known to own the bag.
        case nobody
    }

    /// The new owner; nil to keep the present one.
    public var owner: Owner?
    /// The new weight in pounds; nil to keep the present one.
    public var weight: Float?

    /// Describes a correction.
    public init(owner: Owner? = nil, weight: Float? = nil) {
        self.owner = owner
        self.weight = weight
    }
}

/// The person who changes the record by hand, with the reason.
public struct Responsibility: Hashable, Sendable {
    /// The name of the person, in composed form.
    public let author: String
    /// The reason; empty if none is required.
    public var reason: String

    /// Names a person.
    public init(author: String, reason: String) {
        self.author = author.composed
        self.reason = reason
    }
}
