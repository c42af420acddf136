import Foundation
import LuggageService
import LuggageTags
import SeededRandom
import SystemSupport
import TestHubs
import TestProcesses
import Testing

@testable import LuggageSync

@Suite("luggage-sync", .serialized, .timeLimit(.minutes(30)))
struct ProgramTests {
    private static let path = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "luggage-sync").path(percentEncoded: false)

    private func start(_ request: SyncRequest) throws -> LastingProcess {
        try LastingProcess(
            ["env", "\(SyncRequest.variable)=\(request.text)", Self.path]
        )
    }

    private func following(_ station: Station) throws -> LastingProcess {
        try start(
            .exchange(
                hub: station.address,
                record: station.path,
                isOnce: false,
                publishes: false,
                overdue: nil,
                log: .init(format: "logfmt", level: "debug")
            )
        )
    }

    @Test("is killed at any moment while scans are filed, and loses nothing")
    func killed() async throws {
        let fleet = try await onThread { try Fleet(["north", "south"]) }
        try await onThread {
            var random = SeededGenerator(seed: 18)
            let (north, south) = (fleet[0], fleet[1])
            var scans = 0
            for round in 0..<8 {
                let programs = try [following(north), following(south)]
                for part in 0..<4 {
                    let count = 1 + random.number(below: 60)
                    try north.scan(
                        (0..<count).map { $0 % 30 },
                        hour: Double(round) + Double(part) / 10
                    )
                    try south.scan(
                        [part],
                        at: .destination,
                        hour: Double(round) + Double(part) / 10
                    )
                    scans += count + 1
                }
                // From before it connects to after it is done.
                Thread.sleep(forTimeInterval: Double(random.number(below: 400)) / 1000)
                for program in programs { program.killAll() }
                for program in programs { _ = program.waitForEnd() }
            }
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: scans)
            #expect(
                try fleet.value("select count(*) - count(distinct id) from luggage.fact") == "0"
            )
        }
    }

    @Test("once exchanges, and says with its status what is wrong")
    func once() async throws {
        let fleet = try await onThread { try Fleet(["north", "south"]) }
        try await onThread {
            let north = fleet[0]
            try north.scan([1])
            func once(_ hub: String) throws -> (ProcessEnd, String) {
                let program = try start(
                    .exchange(
                        hub: hub,
                        record: north.path,
                        isOnce: true,
                        publishes: true,
                        overdue: nil,
                        log: .init(format: "logfmt", level: "info")
                    )
                )
                return (program.waitForEnd(), program.log)
            }
            let (end, log) = try once(north.address)
            #expect(
                end == .exited(0) && log.contains("everything is exchanged with the hub"),
                "\(log)"
            )
            #expect(try fleet.facts == 1)
            let (wrong, words) = try once("host=/nowhere user=x")
            #expect(wrong == .exited(69), "\(words)")
            #expect(words.contains("see that PostgreSQL runs there"), "\(words)")
        }
    }
}
