import Foundation
import LuggageTags
import SeededRandom
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("The service for serial scanners", .timeLimit(.minutes(30)))
struct ListenServiceTests {
    static func bag(_ scanner: Int, _ number: Int) throws -> UUID {
        let tail = String(scanner * 100_000 + number)
        let zeros = String(repeating: "0", count: 12 - tail.count)
        return try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-\(zeros)\(tail)"))
    }

    static func payload(_ bag: UUID) -> [UInt8] {
        Array(#"{"id":"\#(bag.uuidString)","owner":["D","ZMU"],"weight":42.0}"#.utf8)
    }

    @Test(
        "files what four scanners send, unplugged at random: all that came whole, each once",
        arguments: 0..<3
    )
    func unplugging(seed: Int) async throws {
        let station = try ListeningStation()
        let scanners = (0..<4).map { SerialScanner(at: station.base.path("scanner\($0)")) }
        let count = 100
        try await station.listen(to: scanners.map(\.path)) { events in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, scanner) in scanners.enumerated() {
                    let stream = events[scanner.path]
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed * 10 + index))
                        var events = try ListeningStation.Events(stream)
                        try await events.expect("awaited")
                        try await Self.scan(count, with: scanner, index, &events, &random)
                    }
                }
                try await group.waitForAll()
            }
        }
        var expected: [UUID] = []
        for index in 0..<4 {
            for number in 0..<count { expected.append(try Self.bag(index, number)) }
        }
        let scanned = try station.scannedBags()
        #expect(scanned.count == expected.count, "some were lost, or filed twice")
        #expect(Set(scanned) == Set(expected))
        // Of what was cut off, nothing is on record.
        #expect(try station.outcomes().count == expected.count)
    }

    /// Scans bags one after the other; the scanner is unplugged at any moment, even within a payload.
    private static func scan(
        _ count: Int,
        with scanner: SerialScanner,
        _ index: Int,
        _ events: inout ListeningStation.Events,
        _ random: inout SeededGenerator
    ) async throws {
        var number = 0
        var cuts = 0
        while number < count {
            try scanner.plug()
            try await Self.await("plugged", &events, &cuts)
            let session = min(count - number, 1 + random.number(below: 12))
            for _ in 0..<session {
                var rest = payload(try bag(index, number))[...]
                rest += [[13], [10], [13, 10]][random.number(below: 3)]
                while !rest.isEmpty {
                    let part = rest.prefix(1 + random.number(below: 80))
                    try scanner.send(Array(part))
                    rest = rest.dropFirst(part.count)
                }
                number += 1
            }
            // A person scans on when the scanner has beeped, which is when the computer has it.
            for _ in 0..<session { try await Self.await("new", &events, &cuts) }
            if random.number(below: 2) == 0 {
                let half = payload(try bag(index, number + 50_000))
                try scanner.send(Array(half.prefix(1 + random.number(below: half.count - 1))))
            }
            scanner.unplug()
            try await Self.await("unplugged", &events, &cuts)
        }
        #expect(cuts <= count)
    }

    /// Waits for an event; parts of payloads that were cut off may be told in between.
    private static func await(
        _ words: String,
        _ events: inout ListeningStation.Events,
        _ cuts: inout Int
    ) async throws {
        while true {
            let event = try await events.next()
            if event.words == words { return }
            try #require(event.words == "unreadable: cut-off", "not \(words)")
            cuts += 1
        }
    }

    @Test(
        "loses by a sudden unplugging only the last of what the kernel still has",
        arguments: 0..<5
    )
    func suddenUnplugging(seed: Int) async throws {
        let station = try ListeningStation()
        let scanner = SerialScanner(at: station.base.path("scanner"))
        var random = SeededGenerator(seed: UInt64(seed))
        var sessions: [[UUID]] = []
        try await station.listen(to: [scanner.path]) { events in
            var events = try ListeningStation.Events(events[scanner.path])
            for session in 0..<20 {
                try scanner.plug()
                while try await events.next().words != "plugged" {}
                sessions.append(
                    try (0...random.number(below: 20)).map { try Self.bag(session, $0) }
                )
                for bag in sessions[session] { try scanner.send(Self.payload(bag) + [13]) }
                scanner.unplug()
                while try await events.next().words != "unplugged" {}
            }
        }
        let scanned = try station.scannedBags()
        #expect(scanned.count == Set(scanned).count)
        for session in sessions {
            let filed = session.filter { scanned.contains($0) }
            #expect(filed == Array(session.prefix(filed.count)))
        }
    }

    /// What a scanner sends, and what is told of it.
    static let hostile: [(String, [UInt8], [String])] = [
        ("garbage", [0xFF, 0xFE, 0x80, 10], ["invalid: not-json"]),
        ("zero bytes", [0, 0, 0, 13], ["invalid: not-json"]),
        (
            "invalid UTF-8 in a tag", Array(#"{"id":""#.utf8) + [0xC3, 0x28, 10],
            ["invalid: not-json"]
        ),
        ("keys of a terminal", [3, 4, 17, 19, 21, 26, 28, 127, 13], ["invalid: not-json"]),
        ("an empty line, which is nothing", [13, 10], []),
        ("many line ends", [13, 13, 10, 10, 13], []),
        (
            "bytes without end", [UInt8](repeating: 65, count: 200_000) + [13],
            ["unreadable: payload-too-long"]
        ),
        ("MessagePack that is none", [0x81, 0xA2, 13], ["invalid: not-messagepack"]),
        ("a number", Array("4006381333931\r\n".utf8), ["invalid: type-mismatch"]),
    ]

    @Test("tells of each thing that is no tag, and goes on", arguments: hostile)
    func hostility(name: String, bytes: [UInt8], outcomes: [String]) async throws {
        let station = try ListeningStation()
        let bag = try Self.bag(0, 1)
        try await station.listen { scanner, events in
            try scanner.send(bytes)
            for outcome in outcomes { try await events.expect(outcome) }
            try scanner.send(Self.payload(bag) + [13, 10])
            try await events.expect("new")
        }
        #expect(try station.scannedBags() == [bag])
    }

    @Test("does not fill the record with what is no tag, and still takes tags")
    func noise() async throws {
        let station = try ListeningStation()
        let bag = try Self.bag(0, 1)
        let failures = ScannerFiling.mostFailures
        try await station.listen { scanner, events in
            for number in 0..<failures {
                try scanner.send("$GPGGA,\(number)\r\n")
                try await events.expect("invalid: not-json")
            }
            for number in 0..<100 { try scanner.send("$GPGLL,\(number)\r\n") }
            try scanner.send(Self.payload(bag) + [13, 10])
            try await events.expect("new")
            try scanner.send("$GPGSA\r\n")
            try await events.expect("invalid: not-json")
        }
        #expect(try station.outcomes().count == failures + 2)
    }

    @Test("keeps hearing misprinted tags, however many, and in the midst of noise")
    func misprinted() async throws {
        let station = try ListeningStation()
        func misprint(_ number: Int) -> String {
            #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","owner":[\#(number)]}"# + "\r"
        }
        let failures = ScannerFiling.mostFailures
        try await station.listen { scanner, events in
            for number in 0..<failures + 5 {
                try scanner.send(misprint(number))
                try await events.expect("invalid: type-mismatch")
            }
            for number in 0..<failures {
                try scanner.send("$GPGGA,\(number)\r")
                try await events.expect("invalid: not-json")
            }
            // The second comes in one piece with the first, before that is filed.
            try scanner.send("$GPGLL\r" + misprint(1_000) + misprint(1_001))
            try await events.expect("invalid: type-mismatch")
            try await events.expect("invalid: type-mismatch")
        }
        #expect(try station.outcomes().count == 2 * failures + 7)
    }

    @Test("takes payloads with line ends in them if a zero byte ends each")
    func zeroBytes() async throws {
        let station = try ListeningStation()
        try await station.listen {
            $0.configuration.payloadEnd = .nul
            $0.configuration.baud = 115_200
        } _: { scanner, events in
            let id = try Self.bag(0, 1).uuidString
            try scanner.send("{\r\n  \"id\": \"\(id)\",\n  \"weight\": 42\n}\n\0")
            try await events.expect("new")
        }
    }

    @Test("counts a tag that a nervous hand scans twice once")
    func nervousHand() async throws {
        let station = try ListeningStation()
        let bag = try Self.bag(0, 1)
        try await station.listen { scanner, events in
            let tag = Self.payload(bag) + [13]
            try scanner.send(tag + tag + tag)
            try await events.expect("new", "repeated", "repeated")
        }
        #expect(try station.scannedBags() == [bag])
    }

    @Test("finds a scanner by wildcards, in a folder that comes and goes with it")
    func wildcards() async throws {
        let station = try ListeningStation()
        let folder = station.base.path("serial/by-id")
        let pattern = "\(folder)/usb-*-if00"
        let scanner = SerialScanner(at: "\(folder)/usb-Good_Scanner_1-if00")
        try await station.listen(to: [pattern], besides: [scanner.path]) { events in
            var (awaited, events) = (
                try ListeningStation.Events(events[pattern]),
                try ListeningStation.Events(events[scanner.path])
            )
            try await awaited.expect("awaited")
            for round in 0..<3 {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true
                )
                try scanner.plug()
                try await events.expect("plugged")
                try scanner.send(Self.payload(try Self.bag(0, round)) + [13])
                try await events.expect("new")
                try FileManager.default.removeItem(atPath: station.base.path("serial"))
                scanner.unplug()
                try await events.expect("unplugged")
            }
        }
    }

    @Test("finds a device that comes to where a link of a person leads")
    func danglingLink() async throws {
        let station = try ListeningStation()
        let scanner = SerialScanner(at: station.base.path("devices/ttyACM0"))
        let link = station.base.path("scanner")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: "devices/ttyACM0"
        )
        try await station.listen(to: [link]) { events in
            var events = try ListeningStation.Events(events[link])
            try await events.expect("awaited")
            try FileManager.default.createDirectory(
                atPath: station.base.path("devices"),
                withIntermediateDirectories: false
            )
            try scanner.plug()
            try await events.expect("plugged")
        }
    }

    @Test("listens to a device with two names once")
    func twoNames() async throws {
        let station = try ListeningStation()
        let scanner = SerialScanner(at: station.base.path("a"))
        try scanner.plug()
        try FileManager.default.createSymbolicLink(
            atPath: station.base.path("b"),
            withDestinationPath: "a"
        )
        let other = SerialScanner(at: station.base.path("c"))
        try other.plug()
        try await station.listen(to: ["a", "b", "c"].map { station.base.path($0) }) { events in
            var (first, third) = (
                try ListeningStation.Events(events[scanner.path]),
                try ListeningStation.Events(events[other.path])
            )
            try await first.expect("plugged")
            try await third.expect("plugged")
            try scanner.send(Self.payload(try Self.bag(0, 1)) + [13])
            try await first.expect("new")
        }
    }

    @Test("does not take what is no serial line, and listens to the others")
    func refusals() async throws {
        let station = try ListeningStation()
        let folder = station.base
        try folder.write("text", to: "file")
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"),
            withIntermediateDirectories: false
        )
        try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let scanner = SerialScanner(at: folder.path("scanner"))
        try scanner.plug()
        let names = ["file", "folder", "pipe"].map { folder.path($0) }
        try await station.listen(to: names + ["/dev/null", scanner.path]) { events in
            for (path, what) in zip(
                names + ["/dev/null"],
                ["a file", "a folder", "a pipe", "another kind of device"]
            ) {
                var events = try ListeningStation.Events(events[path])
                let words = try await events.next().words
                #expect(words.hasPrefix("refused: is \(what), not a serial line; name"))
            }
            var events = try ListeningStation.Events(events[scanner.path])
            try await events.expect("plugged")
        }
        #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == "text")
    }
}
