import CFaultInjection
import Foundation
import GRDB
import Testing

/// Kills each command at about 3 of its syncs and at 3 of all its calls that change files, or at as many
/// as `COMMAND_KILLS` says; at every sync where it works in several transactions.
@Suite("Commands that are killed while they change the record", .timeLimit(.minutes(30)))
struct KilledCommandTests {
    /// A command, and what has been done before.
    struct Command: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var before = Self.few
        /// With what it ends.
        var status: Int32 = 0
        /// Whether it works in several transactions, each of which is about whole bags.
        var isInPieces = false

        private static let few = [["import", "few.jsonl", "--by", "bob"]]
        private static let filled = few + [["import", "many.jsonl", "--by", "anna"]]
        private static let edit = [
            "edit", KilledCommandTests.bag(7), "--weight", "50lb", "--by", "anna", "--reason",
            "weighed",
        ]

        static let all = [
            Command(
                testDescription: "undo of an import",
                words: ["undo", "--by", "anna"],
                before: filled
            ),
            Command(
                testDescription: "redo of an import",
                words: ["redo", "--by", "anna"],
                before: filled + [["undo", "--by", "anna"]]
            ),
            Command(
                testDescription: "undo of a correction",
                words: ["undo", "--by", "anna"],
                before: few + [edit]
            ),
            Command(
                testDescription: "redo of a correction",
                words: ["redo", "--by", "anna"],
                before: few + [edit, ["undo", "--by", "anna"]]
            ),
            Command(
                testDescription: "purge of names",
                words: ["purge", "--names", "--older-than", "2026-01-01", "--yes"],
                before: filled + [edit],
                isInPieces: true
            ),
            Command(
                testDescription: "purge of bags",
                words: ["purge", "--bags", "--older-than", "2026-01-01", "--yes"],
                before: filled + [edit],
                isInPieces: true
            ),
            Command(testDescription: "import", words: ["import", "many.jsonl", "--by", "anna"]),
            Command(
                testDescription: "import --partial",
                words: ["import", "--partial", "wrong.jsonl", "--by", "anna"],
                status: 1,
                isInPieces: true
            ),
            Command(
                testDescription: "import where there is no record",
                words: ["import", "many.jsonl", "--by", "anna"],
                before: []
            ),
            Command(
                testDescription: "import --partial where there is no record",
                words: ["import", "--partial", "wrong.jsonl", "--by", "anna"],
                before: [],
                status: 1,
                isInPieces: true
            ),
        ]
    }

    private static let kills =
        ProcessInfo.processInfo.environment["COMMAND_KILLS"].flatMap { Int($0) } ?? 3

    @Test(
        "leave what was or what is to be, and the next one does the rest",
        arguments: Command.all
    )
    func sweep(command: Command) async throws {
        let place = try Workplace()
        try place.addFiles()
        for words in command.before {
            let run = try await place.luggage(words)
            try #require(run.status == 0, "\(words): \(run.errors)")
        }
        try place.keepRecord()
        let before = try await ToldRecord(of: place)
        var calls: [(FaultInjectionCall, Int)] = []
        for call in [FaultInjectionSync, FaultInjectionChange] {
            try place.putRecordBack()
            let run = try #require(
                try await place.luggage(command.words, killedAt: Int(Int32.max), of: call)
            )
            try #require(run.status == command.status, "\(run.errors)")
            let count = try #require(run.swept)
            // Each sync ends a transaction: where there are several, none is left out.
            let isWhole = call == FaultInjectionSync && command.isInPieces
            let step = isWhole ? 1 : max(1, count / Self.kills)
            // The last call too, after which nothing is left to do.
            let numbers = Set(stride(from: 1, through: count, by: step)).union([count])
            calls += numbers.sorted().map { (call, $0) }
        }
        let after = try await ToldRecord(of: place)
        #expect(after != before)
        try #require(after.scans >= before.scans)
        var (kills, ends) = (0, Set<End>())
        for (call, number) in calls {
            let comment: Comment = "killed at call \(number) of \(call.rawValue)"
            try place.putRecordBack()
            // How many calls a purge makes depends on how busy the machine is.
            if try await place.luggage(command.words, killedAt: number, of: call) == nil {
                kills += 1
            }
            let left = try await ToldRecord(of: place)
            let end: End = left == before ? .before : left == after ? .after : .between
            ends.insert(end)
            if command.isInPieces {
                #expect(left.isBetween(before, after), comment)
                // A purge counts what it takes away.
                #expect((before.scans...after.scans).contains(left.scans), comment)
            } else {
                #expect(end != .between, comment)
            }
            if end == .after && !command.isInPieces { continue }
            let again = try await place.luggage(command.words)
            #expect(again.status == command.status, "\(comment): \(again.errors)")
            #expect(try await ToldRecord(of: place) == after, comment)
            #expect(try place.hidden == [], comment)
            // Names that were purged are not in the history either.
            if command.words[0] == "purge" { #expect(try place.savesInHistory == 0, comment) }
        }
        #expect(kills > 0 && kills >= calls.count / 2)
        #expect(
            ends.isSuperset(of: [.before, .after]) && ends.contains(.between) == command.isInPieces
        )
    }

    /// What a killed command has left.
    private enum End { case before, between, after }

    /// The identifier of a bag.
    fileprivate static func bag(_ number: Int) -> String {
        "00000000-0000-4000-8000-\(100_000_000_000 + number)"
    }
}

extension Workplace {
    /// Puts the files to import into the folder: of a few bags, of many, and of many with a wrong one.
    fileprivate func addFiles() throws {
        func lines(_ numbers: Range<Int>) throws -> [String] {
            try numbers.flatMap { number in
                let id = KilledCommandTests.bag(number)
                // Every tenth is too young to be purged.
                let time = "\(number % 10 == 0 ? 2026 : 2025)-05-01T10:00:0\(number % 9)Z"
                let tag: [String: Any] = [
                    "id": id, "owner": ["\(number % 7)", "O\(number % 90)"],
                    "weight": 1 + number % 5,
                ]
                let bag = tag.merging(["record": "bag", "departedAt": time]) { $1 }
                let scan = [
                    "record": "scan", "id": "0190\(id.dropFirst(4))", "bag": id, "outcome": "new",
                    "point": "origin", "station": "MUC", "scannedAt": time, "filedAt": time,
                    "imageName": "\(number).png",
                    "imageDigest": String(repeating: "0", count: 52) + id.suffix(12),
                    "payload": try line(tag),
                ]
                // Two records a bag, so that the batches of an import, of 250 records, are of whole
                // bags.
                return [try line(bag), try line(scan)]
            }
        }
        func line(_ object: [String: Any]) throws -> String {
            let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
        func write(_ name: String, _ lines: [String]) throws {
            try self.add(name, Array(lines.joined(separator: "\n").utf8))
        }
        let many = try lines(40..<240)
        try write("few.jsonl", lines(0..<60))
        try write("many.jsonl", many)
        let wrong = #"{"record":"bag","id":"\#(KilledCommandTests.bag(1000))","weight":-1}"#
        try write("wrong.jsonl", many[..<200] + [wrong] + many[200...])
    }

    fileprivate var savesInHistory: Int? {
        get throws {
            try DatabaseQueue(path: store).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM ObjectStoreHistory")
            }
        }
    }

    private var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path(""))
                .filter { $0.contains("luggage.sqlite") }
        }
    }

    /// Keeps the record as it is, or that there is none.
    fileprivate func keepRecord() throws {
        if try files.isEmpty { return }
        // Whoever closed it last has left nothing beside it.
        #expect(try files == ["luggage.sqlite"])
        try FileManager.default.copyItem(atPath: store, toPath: path("kept"))
    }

    /// Puts it back as it was kept.
    fileprivate func putRecordBack() throws {
        for name in try files { try FileManager.default.removeItem(atPath: path(name)) }
        guard FileManager.default.fileExists(atPath: path("kept")) else { return }
        try FileManager.default.copyItem(atPath: path("kept"), toPath: store)
    }

    /// Runs `luggage`, and kills it at one of its calls of the system that concern the record.
    ///
    /// - Parameters:
    ///   - words: The arguments.
    ///   - number: At which of the calls, from 1.
    ///   - call: The kind of the call.
    /// - Returns: What a run has left that came to its end; nil of one that was killed.
    /// - Throws: What starting it throws, and where something else has ended it.
    fileprivate func luggage(
        _ words: [String],
        killedAt number: Int,
        of call: FaultInjectionCall
    ) async throws -> Run? {
        let library = URL(filePath: Self.executable).deletingLastPathComponent()
            .appending(path: "libFaultInjection.so").path(percentEncoded: false)
        let environment = [
            "LUGGAGE_STORE": store, "TZ": "UTC", "LD_PRELOAD": library,
            "FAULT_INJECTION":
                "\(call.rawValue) \(number) \(FAULT_INJECTION_KILL) .sqlite",
        ]
        do {
            return try await luggage(words, environment: environment)
        } catch let end as Ended where end.status == "signaled(\(SIGKILL))" {
            return nil
        }
    }
}

extension Workplace.Run {
    /// How many calls of the system were counted.
    fileprivate var swept: Int? {
        errors.split(separator: "\n").last.flatMap { line in
            line.hasPrefix("swept ") ? Int(line.dropFirst(6)) : nil
        }
    }
}
