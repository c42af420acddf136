import Foundation
import Logging
import LuggageTags
import ObjectStore
import ServiceTurns
import SQLiteStore
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

/// A station with serial scanners and a record of its own.
final class ListeningStation: Sendable {
    let base: TemporaryFolder
    let store: String

    init() throws {
        base = try TemporaryFolder()
        store = base.path("luggage.sqlite")
    }

    func makeContainer() throws -> PersistentContainer {
        try PersistentContainer(
            model: LuggageModel.make(),
            store: SQLiteStore(path: store, lockTimeout: .milliseconds(100))
        )
    }

    /// What happens to a scanner, and what becomes of what it sends.
    enum Event: Sendable {
        case news(ScannerNews)
        case filed(Outcome, reason: String?, bag: UUID?)
        case lost

        /// In words, for comparing.
        var words: String {
            switch self {
            case .news(.plugged): "plugged"
            case .news(.unplugged): "unplugged"
            case .news(.refused(_, let words)): "refused: \(words)"
            case .news(.awaited): "awaited"
            case .filed(let outcome, let reason, _):
                outcome.rawValue + (reason.map { ": \($0)" } ?? "")
            case .lost: "lost"
            }
        }
    }

    /// The events of one device, in order.
    struct Events {
        private var iterator: AsyncStream<Event>.Iterator

        init(_ stream: AsyncStream<Event>?) throws {
            iterator = try #require(stream).makeAsyncIterator()
        }

        mutating func next() async throws -> Event {
            guard let event = await iterator.next(isolation: #isolation) else {
                throw CancellationError()
            }
            return event
        }

        /// Waits for events, and checks that they are these.
        mutating func expect(
            _ words: String...,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            for word in words {
                let event = try await next()
                #expect(event.words == word, sourceLocation: sourceLocation)
                if event.words != word { throw CancellationError() }
            }
        }
    }

    /// Runs a service, and the body beside it; the service is stopped when the body returns.
    ///
    /// - Parameters:
    ///   - devices: The devices or patterns, all at the origin; the events of each come apart.
    ///   - others: Paths of further devices whose events are wanted.
    ///   - change: Changes the settings.
    ///   - body: Gets the events of each device.
    /// - Throws: What the service or the body throws.
    func listen(
        to devices: [String],
        besides others: [String] = [],
        changing change: (inout ServiceParts) -> Void = { _ in },
        _ body: ([String: AsyncStream<Event>]) async throws -> Void
    ) async throws {
        await ServiceTurns.take()
        defer { ServiceTurns.giveBack() }
        var configuration = WatchConfiguration(folder: "")
        configuration.scanners = ScannerWords(
            devices.map { .init(device: $0, point: .origin, station: nil) }
        )
        let streams = Dictionary(
            uniqueKeysWithValues: (devices + others).map {
                ($0, AsyncStream.makeStream(of: Event.self))
            }
        )
        var parts = ServiceParts(
            configuration: configuration,
            reload: { [configuration] () throws(ConfigurationError) in configuration },
            storePath: store,
            openStore: { [self] in try makeContainer() },
            log: ServiceLog(format: .plain, level: .critical, environment: [:]),
            environment: [:]
        )
        change(&parts)
        let service = try ListenService(
            parts,
            observeNews: { streams[$0.device]?.continuation.yield(.news($0)) },
            observe: { arrival, reports in
                let report = reports?.first
                let event = report.map {
                    Event.filed($0.outcome, reason: $0.error?.reason, bag: $0.luggage?.id)
                }
                streams[arrival.device]?.continuation.yield(event ?? .lost)
            }
        )
        let stop = StopRequest()
        async let running: Void = service.run(until: stop)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(streams.mapValues(\.stream)))
        } catch {
            result = .failure(error)
        }
        stop.make()
        await running
        try result.get()
    }

    /// Runs a service with one scanner that is plugged in, and the body beside it.
    ///
    /// - Parameters:
    ///   - change: Changes the settings.
    ///   - body: Gets the scanner, and the events that come after it was plugged in.
    /// - Throws: What the service or the body throws.
    func listen(
        changing change: (inout ServiceParts) -> Void = { _ in },
        _ body: (SerialScanner, inout Events) async throws -> Void
    ) async throws {
        let scanner = SerialScanner(at: base.path("scanner"))
        try await listen(to: [scanner.path], changing: change) { events in
            var events = try Events(events[scanner.path])
            try await events.expect("awaited")
            try scanner.plug()
            try await events.expect("plugged")
            try await body(scanner, &events)
        }
    }

    /// The bags on record, each as often as it was scanned.
    func scannedBags() throws -> [UUID] {
        try makeContainer().read { context in
            try context.fetch(FetchRequest(Scan.self)).filter(\.outcome.isFiled).compactMap {
                $0.luggage?.identifier
            }
        }
    }

    /// The outcomes on record with their reasons, in the order of filing.
    func outcomes() throws -> [String] {
        try makeContainer().read { context in
            try context.fetch(FetchRequest(Scan.self).sorted(by: \.filedAt)).map {
                $0.outcome.rawValue + ($0.reason.isEmpty ? "" : ": \($0.reason)")
            }
        }
    }
}

extension ScannerNews {
    fileprivate var device: String {
        switch self {
        case .plugged(let device), .unplugged(let device), .awaited(let device): device
        case .refused(let device, _): device
        }
    }
}
