import Foundation

@testable import LuggageTags

/// A hub in memory: it does what a hub must, without knowing what facts say.
final class ModelHub {
    /// A fact that the hub keeps, and its place among all.
    struct Row {
        var fact: OutgoingFact
        var place: PullCursor
    }

    private struct Key: Hashable {
        let id: UUID
        let body: [UInt8]

        init(_ fact: OutgoingFact) {
            id = fact.id
            var hash = SHA256()
            hash.update(fact.body.utf8)
            body = hash.finalize()
        }
    }

    let id = UUID()
    private var kept: [Key: Row] = [:]
    private var last = PullCursor.start

    /// All facts, in the order in which they came.
    var rows: [Row] { kept.values.sorted { $0.place < $1.place } }

    private var forgettings: [OutgoingFact] {
        kept.values.map(\.fact).filter { $0.forgets != nil }
    }

    // MARK: What a record asks for

    /// Takes facts, in a transaction.
    func push(_ facts: [OutgoingFact]) {
        last = PullCursor(transaction: last.transaction + 1, number: last.number)
        for fact in facts {
            let isNew = kept[Key(fact)] == nil
            keep(fact)
            if isNew && fact.forgets != nil { forget(by: fact) }
        }
    }

    /// Gives facts after a place, and the place of the last one.
    func pull(after place: PullCursor, limit: Int) -> (bodies: [String], place: PullCursor) {
        let rest = rows.filter { $0.place > place }.prefix(limit)
        return (rest.map(\.fact.body), rest.last?.place ?? place)
    }

    /// The sums of its facts by station and day.
    var digests: [FactDays.Day: FactDays.Digest] {
        var days: [FactDays.Day: Set<UUID>] = [:]
        for row in kept.values {
            let day = FactDays.Day(
                station: row.fact.station,
                date: String(Moment(row.fact.age.at).text.prefix(10))
            )
            days[day, default: []].insert(row.fact.id)
        }
        return days.mapValues { facts in
            var bits = [UInt8](repeating: 0, count: 16)
            for fact in facts {
                let digits = Array(fact.uuidString.filter { $0 != "-" })
                for place in bits.indices {
                    bits[place] ^= UInt8(String(digits[2 * place...2 * place + 1]), radix: 16) ?? 0
                }
            }
            let text = bits.map { String(format: "%02x", $0) }.joined()
            return FactDays.Digest(count: facts.count, bits: text)
        }
    }

    // MARK: Keeping and forgetting

    private func keep(_ fact: OutgoingFact) {
        guard let left = left(of: fact, among: forgettings), kept[Key(left)] == nil else { return }
        last.number += 1
        kept[Key(left)] = Row(fact: left, place: last)
    }

    /// Applies a new statement of a purge to all facts.
    private func forget(by forgetting: OutgoingFact) {
        for row in rows where row.fact != forgetting {
            let left = left(of: row.fact, among: [forgetting])
            if left == row.fact { continue }
            kept[Key(row.fact)] = nil
            guard let left, kept[Key(left)] == nil else { continue }
            // A renamed one is news for those who have it without what it withdraws.
            let isRenamed = row.fact.renaming != nil && left.renaming == nil
            if isRenamed { last.number += 1 }
            kept[Key(left)] = Row(fact: left, place: isRenamed ? last : row.place)
        }
    }

    /// What is left of a fact; nil if nothing is.
    private func left(of fact: OutgoingFact, among forgettings: [OutgoingFact]) -> OutgoingFact? {
        var fact = fact
        if fact.forgets != nil { return fact }
        for forgetting in forgettings where forgetting.bag == fact.bag {
            func covers(_ age: OutgoingFact.Age) -> Bool {
                age.at < forgetting.until ?? .distantPast
                    && age.known ?? .distantPast < forgetting.age.known ?? .distantPast
            }
            if forgetting.forgets == .bag {
                if covers(fact.age) { return nil }
                continue
            }
            if let renaming = fact.renaming, covers(renaming.age) {
                fact.body = renaming.body
                fact.rest = renaming.rest.map { .init(id: fact.id, body: $0) }
                fact.renaming = nil
            }
            if let rest = fact.rest, covers(fact.age) {
                (fact.id, fact.body, fact.rest) = (rest.id, rest.body, nil)
                if let renamed = fact.renaming?.rest { fact.renaming?.body = renamed }
                fact.renaming?.rest = nil
            }
        }
        return fact
    }
}
