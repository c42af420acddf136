public import Foundation
public import ObjectStore
internal import TagReading

/// Who changes the record by hand, and why.
public struct Responsibility: Hashable, Sendable {
    /// Who.
    public var author: String
    /// Why; empty where nobody has to say so.
    public var reason: String

    /// Names somebody.
    public init(author: String, reason: String) {
        self.author = author
        self.reason = reason
    }
}

/// A tag that no reader could read, as somebody has typed it.
public struct TypedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// Where the bag is.
    public var point: Point
    /// The name of the station; without one, the name of the point.
    public var station: String?
    /// When the bag was there; a time to come is taken for the present.
    public var date: Date
    /// The owner, where the tag names one that can be read.
    public var owner: PassengerName?
    /// The weight in pounds; needed for a bag that is not on record.
    public var weight: Float?

    /// Describes a tag.
    public init(
        identifier: UUID,
        point: Point,
        station: String? = nil,
        date: Date,
        owner: PassengerName? = nil,
        weight: Float? = nil
    ) {
        self.identifier = identifier
        self.point = point
        self.station = station
        self.date = date
        self.owner = owner
        self.weight = weight
    }
}

/// What is to be corrected about a bag.
public struct BagEdit: Hashable, Sendable {
    /// What is to become of the owner.
    public enum Owner: Hashable, Sendable {
        /// It belongs to a passenger.
        case passenger(PassengerName)
        /// Nobody is known to own it.
        case nobody
    }

    /// The owner; nil where that is right.
    public var owner: Owner?
    /// The weight in pounds; nil where that is right.
    public var weight: Float?

    /// Describes a correction.
    public init(owner: Owner? = nil, weight: Float? = nil) {
        self.owner = owner
        self.weight = weight
    }
}

/// Changes the record by hand; each change says who made it, when and why.
public struct RecordCorrector: Sendable {
    let container: PersistentContainer
    let now: @Sendable () -> Date

    /// Makes a corrector.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - now: Gives the present moment.
    public init(
        container: PersistentContainer,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
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
        try container.transaction { context in
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
        try container.transaction { context in
            guard let luggage = try context.luggage(identifier) else {
                throw CorrectionError(
                    .notFound,
                    "there is no bag \(identifier.uuidString) on record; file it first"
                )
            }
            let before = LuggageReport(luggage)
            if let weight = edit.weight { luggage.weight = weight }
            let correction = Correction(.edit, identifier, person, at: now(), in: context)
            correction.luggage = luggage
            correction.weight = edit.weight
            switch edit.owner {
            case .passenger(let name):
                luggage.owner = Passenger(name, context: context)
                correction.givenName = name.givenName
                correction.familyName = name.familyName
            case .nobody:
                luggage.owner = nil
                correction.hasNoOwner = true
            case nil: break
            }
            let after = LuggageReport(luggage)
            if after == before {
                context.rollback()
            } else {
                correction.note(before, after)
                if edit.weight != nil { correction.weightBefore = before.weight }
                if edit.owner != nil {
                    correction.givenNameBefore = before.owner?.givenName
                    correction.familyNameBefore = before.owner?.familyName
                }
                try context.saveTyped()
            }
            return (before, after)
        }
    }
}

extension Correction {
    /// Inserts one into a context that saves as the person.
    convenience init(
        _ kind: Kind,
        _ identifier: UUID,
        _ person: Responsibility,
        at date: Date,
        in context: ManagedObjectContext
    ) {
        context.author = person.author
        self.init(context: context)
        self.kind = kind
        self.identifier = identifier
        author = person.author
        reason = person.reason
        madeAt = date
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

/// The filing of one typed tag, in its transaction.
private struct TypedFiling {
    let tag: TypedTag
    let person: Responsibility
    let context: ManagedObjectContext
    let now: Date

    func report() throws -> ScanReport {
        context.author = person.author
        let (luggage, before) = try merge()
        let payload = try payload(luggage)
        var outcome = Outcome.new
        if let before {
            let settling = BagSettling(context: context)
            let comparison = settling.comparison(of: before, with: luggage)
            outcome = comparison.outcome
            if comparison.differs {
                try settling.settle(luggage, and: TagStatement(payload, picture))
            }
        }
        let scan = Scan(context: context)
        scan.luggage = luggage
        scan.point = tag.point
        scan.station = picture.station
        scan.scannedAt = tag.date
        scan.imageName = Scan.handName
        scan.payload = Data(payload)
        scan.outcome = outcome
        scan.reason = ""
        Correction(.file, tag.identifier, person, at: now, in: context).luggage = luggage
        try context.save()
        var report = ScanReport(outcome, luggage, picture, corners: [])
        report.milliseconds = nil
        return report
    }

    /// Merges the tag with the bag on record.
    private func merge() throws -> (Luggage, before: Snapshot?) {
        let known = try context.luggage(tag.identifier)
        if known == nil && tag.weight == nil {
            throw CorrectionError(
                .invalid,
                "\(tag.identifier.uuidString) is not on record yet, and a new bag needs a weight; if it "
                    + "was filed before, check the identifier"
            )
        }
        let luggage = known ?? Luggage(context: context)
        if known == nil { luggage.identifier = tag.identifier }
        if let weight = tag.weight { luggage.weight = weight }
        if let owner = tag.owner { luggage.owner = Passenger(owner, context: context) }
        luggage[tag.point] = [luggage[tag.point], tag.date].compactMap(\.self).max()
        let change = try context.saveTyped().change(of: luggage)
        return (luggage, change?.before)
    }

    /// What the tag says, as a payload; empty where it says nothing but who it is.
    private func payload(_ luggage: Luggage) throws -> [UInt8] {
        if tag.weight == nil && tag.owner == nil { return [] }
        return try TagEncoder().encode(
            TagContents(
                identifier: tag.identifier,
                owner: tag.owner,
                weight: tag.weight ?? luggage.weight
            )
        )
    }

    /// The tag as if a picture had shown it.
    private var picture: PictureScan {
        PictureScan(
            name: Scan.handName,
            digest: nil,
            reading: .success(Reading(symbols: [], width: 0, height: 0, duration: .zero)),
            point: tag.point,
            station: tag.station,
            date: tag.date
        )
    }
}
