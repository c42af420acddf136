import Foundation
import ObjectStore
import SeededRandom

@testable import LuggageTags

/// What was done to several records that hear of one another only through a hub.
struct SyncHistory: CustomStringConvertible {
    /// What goes wrong with an exchange.
    enum Fault: CaseIterable {
        case nothing, answerLost, cut, repeated, reordered
    }

    /// One thing that happens to a record.
    enum Step {
        case deed(FactHistory.Deed)
        case push(Fault, limit: Int)
        case pull(Fault, limit: Int)
        /// Its history is deleted, as a purge does, with what has not gone out yet.
        case expire
    }

    var records: Int
    var steps: [(record: Int, step: Step)] = []

    var description: String {
        "\(records) records:\n" + steps.map { "  \($0.record): \($0.step)" }.joined(separator: "\n")
    }

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        records = 2 + random.number(below: 4)
        for _ in 0..<(6 + random.number(below: 20)) {
            steps.append((random.number(below: records), Self.step(records, &random)))
        }
    }

    private static func step(_ records: Int, _ random: inout SeededGenerator) -> Step {
        func fault() -> Fault { Fault.allCases[random.number(below: Fault.allCases.count)] }
        switch random.number(below: 16) {
        case 0..<3: return .push(fault(), limit: 1 + random.number(below: 6))
        case 3..<7: return .pull(fault(), limit: 1 + random.number(below: 6))
        case 7: return .expire
        default:
            while true {
                let deed = FactHistory.deed(records, &random)
                if case .exchange = deed { continue }
                return .deed(deed)
            }
        }
    }
}

/// Records and their hub.
final class SyncStations {
    let stations: FactStations
    let hub = ModelHub()
    private var random: SeededGenerator

    init(_ history: SyncHistory, seed: Int) throws {
        stations = try FactStations(history.records)
        random = SeededGenerator(seed: UInt64(seed) &+ 1)
        for (number, record) in stations.records.enumerated() {
            try record.transaction { context in
                var state = HubState(
                    hub: hub.id,
                    runs: [],
                    member: Int64(number),
                    station: "station \(number)",
                    machine: "machine",
                    pullsEverything: true
                )
                state.attempt = UUID()
                try context.keep(state)
                try context.save()
            }
        }
    }

    func perform(_ step: SyncHistory.Step, on number: Int) throws {
        switch step {
        case .deed(let deed): try stations.perform(deed, on: number)
        case .push(let fault, let limit): try push(number, fault, limit)
        case .pull(let fault, let limit): _ = try pull(number, fault, limit)
        case .expire:
            let record = stations.records[number]
            guard let last = try record.lastHistoryToken() else { return }
            try record.deleteHistory(before: HistoryToken(rawValue: last.rawValue + 1))
        }
    }

    private func state(_ number: Int) throws -> HubState {
        guard let state = try stations.records[number].read({ try $0.hubState }) else {
            throw FactStations.Wrong("record \(number) has forgotten its hub")
        }
        return state
    }

    private func keep(_ state: HubState, _ number: Int) throws {
        try stations.records[number].transaction { context in
            context.author = FactIntake.author
            try context.keep(state)
            try context.save()
        }
    }

    /// Sends what is new in a record.
    private func push(_ number: Int, _ fault: SyncHistory.Fault, _ limit: Int) throws {
        let record = stations.records[number]
        var state = try state(number)
        var facts: [OutgoingFact] = []
        do {
            let batch = try FactOutbox(record).next(after: state.pushed, limit: limit)
            (facts, state.pushed) = (batch.facts, batch.token)
        } catch let error as StoreError where error.code == .historyExpired {
            try record.read { context in
                state.pushed = try context.lastHistoryToken()
                let days = FactDays(context)
                let known = hub.digests
                let differing = try days.digests().filter { $0.value != known[$0.key] }
                try days.facts(of: Set(differing.keys)) { facts += $0 }
            }
            if facts.isEmpty { return try keep(state, number) }
        }
        if facts.isEmpty { return }
        switch fault {
        case .nothing: hub.push(facts)
        case .answerLost: return hub.push(facts)
        case .cut: return hub.push(Array(facts.prefix(facts.count / 2)))
        case .repeated:
            hub.push(facts)
            hub.push(facts)
        case .reordered: hub.push(facts.shuffled(using: &random))
        }
        try keep(state, number)
    }

    /// Takes what is new at the hub, and tells whether there was anything.
    private func pull(_ number: Int, _ fault: SyncHistory.Fault, _ limit: Int) throws -> Bool {
        let now = stations.now(number)
        let intake = FactIntake(container: stations.records[number], now: { now + 86_400 })
        var state = try state(number)
        let (bodies, place) = hub.pull(after: state.pulled, limit: limit)
        if bodies.isEmpty { return false }
        state.pulled = place
        var reports: [IntakeReport] = []
        switch fault {
        case .nothing: reports.append(try intake.merge(bodies, then: state))
        // The place is not kept with them, so they come again.
        case .answerLost: reports.append(try intake.merge(bodies))
        case .cut: reports.append(try intake.merge(Array(bodies.prefix(bodies.count / 2))))
        case .repeated:
            reports.append(try intake.merge(bodies + bodies, then: state))
            reports.append(try intake.merge(bodies, then: state))
        case .reordered:
            reports.append(try intake.merge(bodies.shuffled(using: &random), then: state))
        }
        for refusal in reports.flatMap(\.refusals) {
            throw FactStations.Wrong("refused: \(refusal)\n\(bodies[refusal.place])")
        }
        return true
    }

    /// Lets everybody hear of all that anybody knows.
    func exchangeAll() throws {
        for _ in 0..<100 {
            var isQuiet = true
            for number in stations.records.indices {
                let outbox = FactOutbox(stations.records[number])
                while true {
                    let state = try state(number)
                    if (try? outbox.waiting(after: state.pushed)) == 0 { break }
                    try push(number, .nothing, 3)
                    isQuiet = false
                }
                while try pull(number, .nothing, 3) { isQuiet = false }
            }
            if isQuiet { return }
        }
        throw FactStations.Wrong("it does not come to rest")
    }
}
