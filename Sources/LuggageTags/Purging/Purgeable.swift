internal import Foundation
internal import ObjectStore

/// What a purge goes through, with what belongs to it.
protocol Purgeable: ManagedObject {
    /// A request that reads what belongs to the objects together with them.
    static func withAll(_ request: FetchRequest<Self>) -> FetchRequest<Self>

    /// Whether nothing was heard of it since a moment.
    func isAged(before cutoff: Date) -> Bool

    /// How many objects are looked at with it, itself included.
    var rowCount: Int { get }

    /// How many that is of most.
    static var usualRowCount: Int { get }
}

extension Purgeable {
    static func withAll(_ request: FetchRequest<Self>) -> FetchRequest<Self> { request }

    var rowCount: Int { 1 }

    static var usualRowCount: Int { 1 }
}

extension Luggage: Purgeable {
    /// Bags that were nowhere since a moment; whether they were heard of otherwise, each of them tells.
    static func agedBefore(_ cutoff: Date) -> FetchRequest<Luggage> {
        // Nobody knows how old a bag is that was never anywhere.
        FetchRequest(Luggage.self)
            .whereEither(
                { $0.old(\.departedAt, cutoff) },
                { $0.old(\.arrivedAt, cutoff) },
                // Those that were seen, and only under way.
                {
                    $0.where(\.departedAt, isMissing: true).where(\.arrivedAt, isMissing: true)
                        .old(\.derivedUpTo, cutoff)
                        .where(\.derivedUpTo, isGreaterThan: .distantPast)
                }
            )
            .whereEither(
                { $0.old(\.departedAt, cutoff) },
                { $0.where(\.departedAt, isMissing: true) }
            )
            .whereEither(
                { $0.old(\.arrivedAt, cutoff) },
                { $0.where(\.arrivedAt, isMissing: true) }
            )
    }

    static func withAll(_ request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        request.prefetching(\.scans).prefetching(\.corrections)
    }

    func isAged(before cutoff: Date) -> Bool {
        let times = [departedAt, arrivedAt, derivedUpTo].compactMap(\.self)
            .filter { $0 > .distantPast }
        return !times.isEmpty && times.allSatisfy { $0 < cutoff }
            && scans.allSatisfy { $0.scannedAt < cutoff }
            && corrections.allSatisfy {
                $0.forgetting != nil || $0.kind == .withdrawal || $0.age.time < cutoff
            }
    }

    var rowCount: Int { 1 + scans.count + corrections.count }

    static var usualRowCount: Int { 3 }
}

extension Scan: Purgeable {
    /// Scans before a moment that belong to no bag.
    static func looseBefore(_ cutoff: Date) -> FetchRequest<Scan> {
        FetchRequest(Scan.self).where(\.luggage, is: nil).where(\.scannedAt, isLessThan: cutoff)
    }

    func isAged(before cutoff: Date) -> Bool { luggage == nil && scannedAt < cutoff }
}

extension Correction: Purgeable {
    /// Corrections before a moment of bags that are not on record any more.
    static func looseBefore(_ cutoff: Date) -> FetchRequest<Correction> {
        FetchRequest(Correction.self).where(\.luggage, is: nil).where(\.madeAt, isLessThan: cutoff)
            .where(\.until, isMissing: true)
    }

    func isAged(before cutoff: Date) -> Bool { luggage == nil && madeAt < cutoff }
}

extension FetchRequest<Luggage> {
    /// Those with a time that is before a moment.
    fileprivate func old(_ time: KeyPath<Luggage, Date?>, _ date: Date) -> Self {
        self.where(time, isLessThan: date)
    }
}
