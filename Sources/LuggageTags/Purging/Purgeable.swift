internal import FoundationEssentials
internal import ObjectStore

/// A kind of objects that a purge goes through, with what belongs to them.
protocol Purgeable: ManagedObject {
    /// A request that reads what belongs to the objects together with them.
    static func withAll(_ request: FetchRequest<Self>) -> FetchRequest<Self>

    /// Whether there is no news of it since a moment.
    func isAged(before cutoff: Date) -> Bool

    /// How many objects the purge looks at for it, itself included.
    var rowCount: Int { get }

    /// The usual `rowCount`.
    static var usualRowCount: Int { get }
}

extension Purgeable {
    static func withAll(_ request: FetchRequest<Self>) -> FetchRequest<Self> { request }

    var rowCount: Int { 1 }

    static var usualRowCount: Int { 1 }
}

extension Luggage: Purgeable {
    /// Bags that were not seen since a moment; `isAged(before:)` then looks for other news.
    static func agedBefore(_ cutoff: Date) -> FetchRequest<Luggage> {
        FetchRequest(Luggage.self)
            .whereEither(
                { $0.where(\.departedAt, isLessThan: cutoff) },
                { $0.where(\.arrivedAt, isLessThan: cutoff) },
                // Bags that were seen only under way, or never.
                {
                    $0.where(\.departedAt, isMissing: true).where(\.arrivedAt, isMissing: true)
                        .where(\.derivedUpTo, isLessThan: cutoff)
                }
            )
            .whereEither(
                { $0.where(\.departedAt, isLessThan: cutoff) },
                { $0.where(\.departedAt, isMissing: true) }
            )
            .whereEither(
                { $0.where(\.arrivedAt, isLessThan: cutoff) },
                { $0.where(\.arrivedAt, isMissing: true) }
            )
    }

    static func withAll(_ request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        request.prefetching(\.scans).prefetching(\.corrections)
    }

    func isAged(before cutoff: Date) -> Bool {
        let times = [departedAt, arrivedAt, derivedUpTo].compactMap(\.self)
            .filter { $0 > .distantPast }
        // A bag that was never seen has no known age, unless a list expects it.
        return (!times.isEmpty || corrections.contains { $0.kind == .expected })
            && times.allSatisfy { $0 < cutoff }
            && scans.allSatisfy { $0.scannedAt < cutoff }
            && corrections.allSatisfy {
                $0.forgetting != nil || $0.kind == .withdrawal
                    || $0.age.time < cutoff && ($0.expectedBy ?? .distantPast) < cutoff
            }
    }

    var rowCount: Int { 1 + scans.count + corrections.count }

    static var usualRowCount: Int { 3 }
}

extension Scan: Purgeable {
    /// Scans from before a moment that belong to no bag.
    static func looseBefore(_ cutoff: Date) -> FetchRequest<Scan> {
        FetchRequest(Scan.self).where(\.luggage, is: nil).where(\.scannedAt, isLessThan: cutoff)
    }

    func isAged(before cutoff: Date) -> Bool { luggage == nil && scannedAt < cutoff }
}

extension Correction: Purgeable {
    /// Corrections whose bags are no longer on record, and that may be from before a moment.
    static func looseBefore(_ cutoff: Date) -> FetchRequest<Correction> {
        FetchRequest(Correction.self).where(\.luggage, is: nil).where(\.until, isMissing: true)
            .whereEither(
                { $0.where(\.madeAt, isLessThan: cutoff) },
                // They are as old as what they tell.
                { $0.where(\.kind, isOneOf: Kind.byContents) }
            )
    }

    /// Whether a purge's statement would cover it: then it must go here too.
    func isAged(before cutoff: Date) -> Bool { luggage == nil && age.time < cutoff }
}

extension Correction {
    /// The time by which a list expects the bag: until then, it is news.
    fileprivate var expectedBy: Date? { kind == .expected ? dueAt : nil }
}
