import Foundation
import HubConnection
import LuggageService
import LuggageTags
import ObjectStore
import SystemSupport
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A hub that does not take facts", .serialized, .timeLimit(.minutes(30)))
struct RefusalTests {
    /// What is wrong with a hub, and how it is right again.
    struct Trouble: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let phase: HubStatus.Phase
        let reason: String
        /// What the sentence says.
        let words: [String]
        let bring: @Sendable (Fleet) throws -> Void
        let mend: @Sendable (Fleet) throws -> Void

        static let all = [
            Trouble(
                testDescription: "killed",
                phase: .waiting,
                reason: "hub-unreachable",
                words: ["does not answer", "see that PostgreSQL runs there"],
                bring: { $0.server.kill() },
                mend: { try $0.server.start() }
            ),
            Trouble(
                testDescription: "read-only",
                phase: .waiting,
                reason: "hub-readOnly",
                words: ["takes no changes", "connect to the primary"],
                bring: { fleet in
                    try fleet.server.setReadOnly(true)
                    try fleet.end()
                },
                mend: { try $0.server.setReadOnly(false) }
            ),
            Trouble(
                testDescription: "of a newer version",
                phase: .refused,
                reason: "version",
                words: ["the hub is of version 99", "update this program"],
                bring: { fleet in
                    try fleet.query("update luggage.hub set version = 99")
                    try fleet.end()
                },
                mend: { try $0.query("update luggage.hub set version = 1") }
            ),
            Trouble(
                testDescription: "of an older version",
                phase: .refused,
                reason: "version",
                words: ["the hub is of version 0", "luggage sync set-up"],
                bring: { fleet in
                    try fleet.query("update luggage.hub set version = 0")
                    try fleet.end()
                },
                mend: { try $0.query("update luggage.hub set version = 1") }
            ),
            Trouble(
                testDescription: "not set up",
                phase: .refused,
                reason: "hub-undefined",
                words: ["not set up as this version needs it", "set the hub up"],
                bring: { fleet in
                    try fleet.query("alter schema luggage rename to elsewhere")
                    try fleet.end()
                },
                mend: { try $0.query("alter schema elsewhere rename to luggage") }
            ),
            Trouble(
                testDescription: "another one",
                phase: .refused,
                reason: "other-hub",
                words: ["another hub than the one that the record has joined", "`hub`"],
                bring: { fleet in
                    try fleet.query("create table public.kept as select id from luggage.hub")
                    try fleet.query("update luggage.hub set id = gen_random_uuid()")
                    try fleet.end()
                },
                mend: { try $0.query("update luggage.hub set id = (select id from public.kept)") }
            ),
            Trouble(
                testDescription: "that does not let this login in",
                phase: .refused,
                reason: "hub-refused",
                words: ["refuses this client"],
                bring: { fleet in
                    try fleet.query("alter role \"\(fleet[0].login)\" nologin")
                    try fleet.end()
                },
                mend: { try $0.query("alter role \"\($0[0].login)\" login") }
            ),
            Trouble(
                testDescription: "that lets this login do nothing",
                phase: .refused,
                reason: "hub-forbidden",
                words: ["does not allow that"],
                bring: { fleet in
                    try fleet.query("revoke luggage_publisher from \"\(fleet[0].login)\"")
                    try fleet.end()
                },
                mend: { try $0.query("grant luggage_publisher to \"\($0[0].login)\"") }
            ),
        ]
    }

    @Test(
        "is said in a sentence with a remedy, scanning goes on, and so does the exchange afterwards",
        arguments: Trouble.all
    )
    func trouble(trouble: Trouble) async throws {
        let server = try await onThread { try TestHub(.quiet) }
        let fleet = try await onThread { try Fleet(["north", "south"], on: server) }
        try await tried(trouble, fleet)
    }

    @Test("because its disk is full says so, and goes on once there is room")
    func full() async throws {
        var options = TestHub.Options.quiet
        options.space = 120 << 20
        let small = options
        let server = try await onThread { try TestHub(small) }
        let fleet = try await onThread { try Fleet(["north", "south"], on: server) }
        let trouble = Trouble(
            testDescription: "full",
            phase: .waiting,
            reason: "hub-full",
            words: ["has no space", "make room on its disk"],
            bring: { try $0.server.fill() },
            mend: { try $0.server.makeRoom() }
        )
        try await tried(trouble, fleet, bags: 1000)
    }

    private func tried(_ trouble: Trouble, _ fleet: Fleet, bags: Int = 3) async throws {
        let service = try RunningService(fleet[0])
        try await service.waitUntil("everything is exchanged") { $0.phase == .current }
        try await onThread {
            try trouble.bring(fleet)
            try fleet[0].scan(0..<bags)
        }
        let status = try await service.waitUntil("it says what is wrong") {
            $0.phase == trouble.phase && $0.reason == trouble.reason
        }
        for words in trouble.words {
            #expect(status?.message?.contains(words) == true, "\(status?.message ?? "nothing")")
        }
        try await onThread {
            try fleet[0].scan(bags..<2 * bags)
            try trouble.mend(fleet)
        }
        try await service.waitUntil("it goes on") { $0.phase == .current }
        try await onThread {
            service.stop()
            try fleet[0].sync()
            try fleet[1].sync()
            try fleet.expectAgreement(scans: 2 * bags)
        }
    }

    @Test("because of a certificate says so")
    func certificate() async throws {
        let server = try await onThread { try TestHub(.quiet) }
        let fleet = try await onThread { try Fleet(["north"], on: server) }
        let strangers = try await onThread { try TestAuthority() }
        try await onThread {
            let login = fleet[0].login
            let right = try server.authority.certificate(for: login)
            let other = try server.authority.certificate(for: "somebody else")
            let strange = try strangers.certificate(for: login)
            let expired = try server.authority.certificate(for: login, isExpired: true)
            for (certificate, isRight) in [
                (right, true), (other, false), (strange, false), (expired, false),
            ] {
                let address = server.address(as: login, with: certificate, database: fleet.database)
                var parts = try fleet[0].parts
                parts.address = try HubAddress(address)
                let error = failure { _ = try SyncService(parts).runOnce() } as? HubError
                #expect((error == nil) == isRight, "\(String(describing: error))")
                if !isRight { #expect(error?.kind == .refused && error?.remedy != nil) }
            }
        }
    }
}

extension Fleet {
    /// Ends the connections of stations, so that they connect anew.
    func end() throws {
        try server.query(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = $1 and usename <> 'postgres'
            """,
            [database]
        )
    }
}

/// A service that runs beside a test.
final class RunningService: Sendable {
    private let service: SyncService
    private let ended = TimedWait(false)
    private let path: String

    init(_ station: Station, patience: Duration = .seconds(20)) throws {
        path = station.path
        var parts = try station.parts
        parts.backoff = Backoff(longest: .milliseconds(700))
        parts.patience = patience
        let service = SyncService(parts)
        self.service = service
        DetachedThread.startPatiently { [ended] in
            service.run()
            ended.change { state in
                state = true
                return ((), .toTell)
            }
        }
    }

    deinit { service.stop() }

    func stop() {
        service.stop()
        ended.wait { $0 ? .found(()) : .wait(until: .now + .seconds(600)) }
    }

    /// Waits until the file beside the record says something.
    @discardableResult
    func waitUntil(_ words: String, _ isSo: @Sendable (HubStatus) -> Bool) async throws
        -> HubStatus?
    {
        for _ in 0..<6000 {
            if let status = HubStatus(ofRecordAt: path), isSo(status) { return status }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record(
            "not in time: \(words); it says \(String(describing: HubStatus(ofRecordAt: path)))"
        )
        return nil
    }
}
