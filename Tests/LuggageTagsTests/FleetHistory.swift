import Foundation
import HubConnection
import LuggageSync
import ObjectStore
import SeededRandom
import TestHubs
import TestNetworks

@testable import LuggageTags

/// What was done to several stations that exchange facts through a real hub, with a fault each time.
struct FleetHistory: CustomStringConvertible {
    /// What goes wrong with an exchange.
    enum Fault {
        case nothing
        /// The link is cut after some bytes from the station, or from the hub.
        case cut(after: Int, of: TestRelay.Side, isReset: Bool)
        /// The hub is killed and comes back.
        case hubKilled
    }

    /// One thing that happens to a station.
    enum Step {
        case deed(FactHistory.Deed)
        case exchange(Fault)
        /// Its history is deleted, as a purge does, with what has not gone out yet.
        case expire
        /// It compares days with the hub.
        case verify
    }

    static let stations = 5
    static let faults = 50

    var steps: [(station: Int, step: Step)] = []

    var description: String {
        steps.map { "  \($0.station): \($0.step)" }.joined(separator: "\n")
    }

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var faults = 0
        while faults < Self.faults {
            let station = random.number(below: Self.stations)
            switch random.number(below: 20) {
            case 0..<9: steps.append((station, .deed(Self.deed(&random))))
            case 9: steps.append((station, random.number(below: 2) == 0 ? .expire : .verify))
            default:
                faults += 1
                steps.append((station, .exchange(Self.fault(&random))))
            }
        }
    }

    private static func deed(_ random: inout SeededGenerator) -> FactHistory.Deed {
        while true {
            let deed = FactHistory.deed(stations, &random)
            if case .exchange = deed { continue }
            return deed
        }
    }

    private static func fault(_ random: inout SeededGenerator) -> Fault {
        // What comes early is cut as often as what comes late.
        let bytes = 1 << random.number(below: 15)
        switch random.number(below: 40) {
        case 0: return .hubKilled
        case 1..<8: return .nothing
        default:
            return .cut(
                after: bytes + random.number(below: bytes),
                of: random.number(below: 2) == 0 ? .client : .server,
                isReset: random.number(below: 2) == 0
            )
        }
    }
}

/// Stations and their hub: a database of its own on a server that other histories use too.
final class Fleet {
    let stations: FactStations
    private let hub: TestHub
    private let database: String

    /// Makes the hub, and lets all stations join it.
    init(on hub: TestHub, database: String) throws {
        self.hub = hub
        self.database = database
        stations = try FactStations(FleetHistory.stations)
        try hub.query("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
        try hub.query("CREATE DATABASE \(database)")
        let owner = try hub.connect(database: database)
        _ = try HubSchema.setUp(owner)
        for (number, record) in stations.records.enumerated() {
            try StationLogin("s\(number)").admit(publishes: false, owner)
            try Membership(record).join(
                Hub(hub.connect(as: "s\(number)", database: database)),
                .init(station: "station \(number)", pullsEverything: true, asNew: false)
            )
        }
    }

    func end() { _ = try? hub.query("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

    func perform(_ step: FleetHistory.Step, on number: Int) throws {
        switch step {
        case .deed(let deed): try stations.perform(deed, on: number)
        case .expire:
            let record = stations.records[number]
            guard let last = try record.lastHistoryToken() else { return }
            try record.deleteHistory(before: HistoryToken(rawValue: last.rawValue + 1))
        case .verify:
            var exchange = try exchange(number, hub.address(as: "s\(number)", database: database))
            try exchange.reconcile()
        case .exchange(let fault): try exchange(number, with: fault)
        }
    }

    private func exchange(_ number: Int, with fault: FleetHistory.Fault) throws {
        do {
            switch fault {
            case .nothing: return try exchange(number)
            case .hubKilled:
                hub.kill()
                try hub.start()
                return try exchange(number)
            case .cut(let bytes, let side, let isReset):
                let relay = try TestRelay(to: hub.port)
                relay.usual = .init(after: bytes, of: side, isReset ? .reset : .close)
                try exchange(number, through: relay)
            }
        } catch let error as HubError where error.kind == .unreachable {
            // That was the fault.
        }
    }

    private func exchange(_ number: Int) throws {
        var exchange = try exchange(number, hub.address(as: "s\(number)", database: database))
        try exchange.run()
    }

    private func exchange(_ number: Int, through relay: TestRelay) throws {
        let address =
            "host=127.0.0.1 port=\(relay.port) user=s\(number) dbname=\(database) sslmode=disable"
        var exchange = try exchange(number, address)
        try exchange.run()
    }

    private func exchange(_ number: Int, _ address: String) throws -> StationExchange {
        let connection = try HubConnection(ofTest: address)
        return try StationExchange(stations.records[number], Hub(connection), version: "1") {
            event in
            if case .refused(_, let words) = event { self.refusals.append(words) }
        }
    }

    private(set) var refusals: [String] = []

    /// Lets everybody hear of all that anybody knows, without faults.
    func exchangeAll() throws {
        for _ in 0..<2 {
            for number in stations.records.indices { try exchange(number) }
        }
    }

    /// What is not as it must be in the end; nil for nothing.
    func difference() throws -> String? {
        if let words = refusals.first { return "refused: \(words)" }
        let records = stations.records
        let exports = try records.map { try $0.exported() }
        for (place, export) in exports.enumerated() where export != exports[0] {
            return "record \(place) is not what record 0 is:\n"
                + String(decoding: exports[0], as: UTF8.self) + "\n"
                + String(decoding: export, as: UTF8.self)
        }
        let model = try FactModel(export: exports[0])
        if model.bags != model.told { return "the facts make other bags: \(model.bags)" }
        let owner = try hub.connect(database: database)
        let (digests, bodies) = try records[0].read { context in
            let days = FactDays(context)
            let digests = try days.digests()
            var bodies: Set<String> = []
            try days.facts(of: Set(digests.keys)) { bodies.formUnion($0.map(\.body)) }
            return (digests, bodies)
        }
        // Names that were purged would be in such a body.
        for row in try owner.query("SELECT body FROM luggage.fact") {
            if let body = row[0], !bodies.contains(body) {
                return "the hub keeps what is not on record: \(body)\n"
                    + bodies.sorted().joined(separator: "\n")
            }
        }
        for (number, record) in records.enumerated() {
            guard let state = try record.read({ try $0.hubState }) else { return "not joined" }
            let connection = try hub.connect(as: "s\(number)", database: database)
            let theirs = try Hub(connection).days(state.member)
            if theirs != digests { return "the days differ: \(digests)\n\(theirs)" }
        }
        return nil
    }
}
