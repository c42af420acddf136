internal import Foundation
internal import HubConnection
internal import Logging
internal import LuggageService
internal import LuggageSync
internal import LuggageTags
internal import ObjectStore
internal import SQLiteStore
internal import Synchronization
internal import SystemSupport
internal import TagReading
internal import TestFolders
internal import TestHubs

/// Measures stations that exchange facts through a hub over TLS, with commits that are durable.
///
/// `hub-speed [SCANS]`: two stations, of which one has filed so many scans without a network: how long until
/// the hub has them, and until the other station has them. Then single scans, filed one by one: after what
/// time each is at the other station, and published.
@main
enum HubSpeed {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let folder = try TemporaryFolder(named: "hub-speed-")
        var options = TestHub.Options()
        options.isDurable = true
        let hub = try TestHub(options)
        try hub.query("CREATE DATABASE luggage")
        let owner = try hub.connect(database: "luggage")
        _ = try HubSchema.setUp(owner)
        let stations = try ["muc", "lhr"].map { try Station($0, hub, owner, folder) }

        stations[0].fill(count)
        // So that the second station is no new one, which would compare nothing.
        try measure("the first station compares and sends \(count) scans", count) {
            _ = try stations[0].service().runOnce()
        }
        try measure("the second station takes them", count) {
            _ = try stations[1].service().runOnce()
        }
        stations[0].fill(count / 5)
        try measure("the first station sends \(count / 5) more", count / 5) {
            _ = try stations[0].service().runOnce()
        }
        try measure("the second station takes these", count / 5) {
            _ = try stations[1].service().runOnce()
        }
        try measure("the second station publishes everything", count + count / 5) {
            _ = try stations[1].service(publishes: true).runOnce()
        }
        try stations[0].measureLatency(to: stations[1], 300, hub)
    }

    private static func measure(_ words: String, _ facts: Int, _ body: () throws -> Void) rethrows {
        let begun = ContinuousClock.now
        try body()
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        print("\(words): \(text(seconds)) s, \(Int(Double(facts) / seconds)) facts a second")
    }

    static func text(_ seconds: Double) -> String { String(format: "%.2f", seconds) }
}

/// A station with its record on disk.
final class Station: Sendable {
    let name: String
    let path: String
    let address: HubAddress
    private let filed = Mutex(0)

    init(_ name: String, _ hub: TestHub, _ owner: HubConnection, _ folder: TemporaryFolder) throws {
        self.name = name
        path = folder.path("\(name).sqlite")
        try StationLogin(name).admit(publishes: true, owner)
        let certificate = try hub.authority.certificate(for: name)
        address = try HubAddress(hub.address(as: name, with: certificate, database: "luggage"))
        let container = try Self.open(path)
        let connection = try HubConnection(to: address, applicationName: "hub-speed")
        print("\(name): the connection is \(connection.isEncrypted ? "" : "NOT ")encrypted")
        try Membership(container).join(
            Hub(connection),
            .init(station: name, pullsEverything: true, asNew: false)
        )
        try (container.store as? SQLiteStore)?.close()
    }

    @Sendable
    static func open(_ path: String) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: SQLiteStore(path: path))
    }

    func service(publishes: Bool = false, observe: @escaping @Sendable () -> Void = {})
        -> SyncService
    {
        let path = path
        var parts = SyncService.Parts(
            address: address,
            recordPath: path,
            openRecord: { try Station.open(path) },
            publishes: publishes,
            version: "1",
            logger: Logger(label: "hub-speed") { _ in SwiftLogNoOpLogHandler() }
        )
        parts.observe = observe
        return SyncService(parts)
    }

    /// Files scans, two of each bag.
    func fill(_ count: Int) {
        do {
            let container = try Self.open(path)
            let recorder = ScanRecorder(container: container)
            for start in stride(from: 0, to: count, by: 500) {
                _ = try recorder.record(
                    (start..<min(start + 500, count)).map { _ in try picture() }
                )
            }
            try (container.store as? SQLiteStore)?.close()
        } catch {
            fatalError("\(error)")
        }
    }

    func picture() throws -> ReadPicture {
        let number = filed.withLock { filed in
            filed += 1
            return filed
        }
        let bag =
            UUID(uuidString: String(format: "%08X-0000-4000-8000-%012X", number / 2, name.count))
            ?? UUID()
        let payload = #"{"id":"\#(bag)","owner":{"givenName":"D","familyName":"Z"},"weight":42}"#
        var reading = Reading(symbols: [], width: 0, height: 0, duration: .zero)
        reading.symbols = [Symbol(payload: Array(payload.utf8))]
        return ReadPicture(
            name: "\(number).png",
            digest: String(format: "%064x", number),
            reading: .success(reading),
            point: number.isMultiple(of: 2) ? .destination : .origin,
            station: name,
            date: Date()
        )
    }

    /// Files single scans, and waits each time until the other station has it.
    func measureLatency(to other: Station, _ count: Int, _ hub: TestHub) throws {
        let services = [service(), other.service(publishes: true)]
        for service in services { DetachedThread.startPatiently { service.run() } }
        let here = try Self.open(path)
        let there = try Self.open(other.path)
        let sql = try hub.connect(database: "luggage")
        var times: [Double] = []
        var published: [Double] = []
        let recorder = ScanRecorder(container: here)
        for number in 0..<count {
            let picture = try picture()
            let digest = picture.digest
            let begun = ContinuousClock.now
            _ = try recorder.record(picture)
            while try there.read({ context in
                try !context.exists(
                    FetchRequest(LuggageTags.Scan.self).where(\.imageDigest, is: digest)
                        .where(\.station, is: self.name)
                )
            }) { usleep(1000) }
            times.append((ContinuousClock.now - begun) / .seconds(1))
            if number.isMultiple(of: 10) {
                while try sql.query("select facts_not_yet_published from luggage.freshness").first?[
                    0
                ] != "0" {}
                published.append((ContinuousClock.now - begun) / .seconds(1))
            }
            usleep(UInt32.random(in: 0..<50_000))
        }
        for (words, values) in [("at the other station", times), ("published", published)] {
            let sorted = values.dropFirst(3).sorted()
            let at = { (part: Double) in
                HubSpeed.text(sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))])
            }
            print(
                "a scan is \(words) after \(at(0.5)) s at the median, \(at(0.99)) s at the 99th percentile, "
                    + "\(at(1)) s at most, of \(sorted.count)"
            )
        }
        for service in services { service.stop() }
    }
}
