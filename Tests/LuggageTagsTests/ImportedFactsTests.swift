import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What an import brings to a record")
struct ImportedFactsTests: OneBagSuite {
    let container: PersistentContainer
    private let other: PersistentContainer

    init() throws {
        container = try emptyRecord()
        other = try emptyRecord()
    }

    // MARK: Files

    private static let oldFiles = ExportSelection(version: .states)

    /// A time of the day of the scans.
    private static func time(_ hours: Double) -> String {
        Date(timeIntervalSince1970: 1_000_000 + hours * hour).ISO8601Format()
    }

    /// A line of a file, of these members and of those that it must have.
    private static func line(_ kind: String, _ members: [String: Any]) throws -> String {
        var all: [String: Any] = ["record": kind]
        if kind == "scan" {
            all.merge([
                "id": "01900000-0000-7000-8000-000000000001", "outcome": "new", "point": "origin",
                "station": "MUC", "scannedAt": time(1), "imageName": "l.png", "imageDigest": "line",
                "payload": payload(),
            ]) { $1 }
        } else {
            all.merge([
                "id": "01900000-0000-7000-8000-000000000002", "subject": bag.uuidString,
                "kind": "edit", "author": "bob", "madeAt": time(1), "weight": 50,
            ]) { $1 }
        }
        all.merge(members) { $1 }
        let line = try JSONSerialization.data(withJSONObject: all)
        return String(decoding: line, as: UTF8.self)
    }

    /// Imports a file at an hour.
    @discardableResult
    private func take(
        _ file: some Sequence<UInt8>,
        _ hours: Double,
        into other: PersistentContainer? = nil
    ) throws -> ImportReport {
        var rest = Array(file)
        let now = date(hours)
        return try StoreImporter(container: other ?? container, now: { now }).run {
            defer { rest = [] }
            return rest
        }
    }

    private func purge(_ scope: RecordPurge.Scope, before hours: Double, at now: Double) throws {
        let now = date(now)
        let cutoff = date(hours)
        _ = try RecordPurge(container: container, scope: scope, before: cutoff, now: { now }).run()
    }

    private func date(_ hours: Double) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + hours * Self.hour)
    }

    /// The numbers of the imports that can be taken back, the last one first.
    private func imports() throws -> [Int64] {
        try undoing.changes(limit: 9).filter { $0.kind == .imported }.map(\.number)
    }

    private func scans(of container: PersistentContainer) throws -> Int {
        try container.makeContext().count(FetchRequest(Scan.self))
    }

    // MARK: What is heard

    @Test("an arrival that was heard counts no more once the bag was seen to arrive, scan by scan")
    func heardBeforeScans() throws {
        try insertOlderBag(into: other, arrived: 18)
        try container.importing(other.exported(as: .json, Self.oldFiles))
        #expect(try record() == "7.0 lb, 0.0 to 18.0")
        try scan("a", 19, at: .transfer)
        #expect(try record() == "42.0 lb, never to never")
        // What was under way is that of the first journey, as it was not over.
        try scan("b", 20, at: .destination)
        #expect(try record() == "42.0 lb, 0.0 to 20.0")
        #expect(try RecordCheckup(container: container).findings().isEmpty)
    }

    @Test("what is heard stays taken back, however often it is heard")
    func heardAndWithdrawn() throws {
        try insertOlderBag(into: other)
        let file = try other.exported(as: .json, Self.oldFiles)
        try container.importing(file)
        let number = try #require(imports().first)
        _ = try undoing.undo(number, by: Self.anna)
        for _ in 0..<2 {
            try container.importing(file)
            #expect(try record() == nil)
        }
        #expect(try imports().isEmpty)
        _ = try undoing.redo(number, by: Self.anna)
        #expect(try record() == "7.0 lb, 0.0 to never")
    }

    @Test("what two imports have brought goes with the first one and not with the second")
    func broughtTwice() throws {
        _ = try ScanRecorder(container: other).record(.of(payload(), second: 1_028_800))
        try container.importing(other.exported(as: .json, Self.oldFiles))
        // The same, known by its identifier.
        try container.importing(other.exported())
        #expect(try scans(of: container) == 1)
        let numbers = try imports()
        #expect(numbers.count == 2)
        _ = try undoing.undo(numbers[0], by: Self.anna)
        #expect(try record() == "42.0 lb, 8.0 to never")
        _ = try undoing.undo(numbers[1], by: Self.anna)
        #expect(try record() == nil)
    }

    @Test("tags that were typed alike are as many, by whatever files they come")
    func typedAlike() throws {
        let tag = TypedTag(identifier: Self.bag, point: .destination, date: date(0), weight: 42)
        for _ in 0..<2 {
            _ = try RecordCorrector(container: other).file(tag, by: Self.anna)
        }
        let files = [
            try other.exported(as: .json, Self.oldFiles), try other.exported(),
            try other.exported(as: .json, Self.oldFiles),
        ]
        for file in files {
            try container.importing(file)
            #expect(try scans(of: container) == 2)
        }
        #expect(try Bag.all(in: container) == Bag.all(in: other))
    }

    @Test("typed tags of an older file stay taken back")
    func typedAndWithdrawn() throws {
        let tag = TypedTag(identifier: Self.bag, point: .destination, date: date(0), weight: 42)
        _ = try RecordCorrector(container: other).file(tag, by: Self.anna)
        let file = try other.exported(as: .json, Self.oldFiles)
        try container.importing(file)
        let number = try #require(imports().first)
        _ = try undoing.undo(number, by: Self.anna)
        for _ in 0..<2 {
            try container.importing(file)
            #expect(try record() == nil)
            #expect(try scans(of: container) == 1)
        }
    }

    @Test("scans alone are those that count")
    func scansAlone() throws {
        try scan("a", 8)
        try scan("b", 18, at: .destination)
        try undo("b")
        try other.importing(container.exported(as: .json, ExportSelection(records: .scans)))
        #expect(try Bag.all(in: other) == Bag.all(in: container))
        #expect(try scans(of: other) == 1)
    }

    // MARK: Clocks

    static let hostileTimes = [
        ("scan", "filedAt"), ("scan", "scannedAt"), ("fact", "madeAt"), ("fact", "knownAt"),
        ("fact", "departedAt"), ("fact", "arrivedAt"), ("fact", "until"),
    ]

    @Test(
        "of a clock that is centuries fast is refused, and moves no other",
        arguments: hostileTimes
    )
    func hostileClock(kind: String, member: String) throws {
        try scan("a", 8)
        let before = try container.exported()
        let line = try Self.line(kind, [member: "9998-12-31T23:59:59Z"])
        let report = try container.importing(line, format: .jsonLines)
        #expect(report.refusals.count == 1 && !report.isKept)
        #expect(report.refusals.first?.error.message.contains("in the future") == true)
        #expect(try container.exported() == before)
        let fine = try Self.line(kind, [member: Self.time(2)])
        #expect(try container.importing(fine, format: .jsonLines).isClean)
    }

    // MARK: Purges

    @Test(
        "a tag comes without names that were purged, also where it names no bag but in its payload"
    )
    func namesWithoutBag() throws {
        try scan("a", 1)
        try purge(.names, before: 9, at: 10)
        let line = try Self.line("scan", ["filedAt": Self.time(2)])
        #expect(!line.contains("\"bag\""))
        #expect(try container.importing(line, format: .jsonLines).isClean)
        #expect(try scans(of: container) == 2)
        #expect(try Bag.all(in: container).map(\.owner) == [nil])
        #expect(try !String(decoding: container.exported(), as: UTF8.self).contains("ZMU"))
    }

    @Test("of what a purge has forgotten comes what was said after it, and nothing else")
    func saidAfterPurge() throws {
        for (known, isKept) in [(2.0, false), (9.9, false), (30, true)] {
            for kind in ["scan", "fact"] {
                let container = try emptyRecord()
                let file = [
                    try Self.line("scan", ["filedAt": Self.time(2)]),
                    try Self.line(
                        kind,
                        [
                            "id": "01900000-0000-7000-8000-000000000003", "imageDigest": "other",
                            kind == "scan" ? "filedAt" : "knownAt": Self.time(known),
                        ]
                    ),
                ]
                try take(file[0].utf8, 9, into: container)
                let now = date(10)
                _ = try RecordPurge(container: container, scope: .bags, before: now, now: { now })
                    .run()
                for line in file { try take(line.utf8, 40, into: container) }
                let text = String(decoding: try container.exported(as: .jsonLines), as: UTF8.self)
                #expect(!text.contains("000000000001"))
                #expect(text.contains("000000000003") == isKept, "\(kind) \(known)")
                let summary = try container.read { try RecordSummary(of: Period(), in: $0) }
                #expect(summary.scans == (isKept && kind == "scan" ? 2 : 1))
            }
        }
    }

    @Test(
        "what is stated without a time makes no bag younger, and stays forgotten from before a purge"
    )
    func statementWithoutTime() throws {
        let statement = payload(weight: "50").utf8
        try scan("a", 1)
        try take(statement, 20)
        let file = try container.exported()
        // It was imported after the moment before which all is forgotten.
        try purge(.bags, before: 10, at: 30)
        #expect(try record() == nil)
        try take(file, 40)
        #expect(try record() == nil)
        // Who says it once more says something new.
        try take(statement, 50)
        #expect(try record() == "50.0 lb, never to never")
    }

    @Test("what is stated with a time is as old as that, whenever it was imported")
    func statementWithTime() throws {
        let statement = payload(weight: "50").dropLast(2) + #", "departedAt": "\#(Self.time(2))" }"#
        try scan("a", 1)
        try take(statement.utf8, 20)
        try purge(.bags, before: 10, at: 30)
        for hour in [40.0, 50] {
            try take(statement.utf8, hour)
            #expect(try record() == nil)
        }
        // Another record has heard of it since.
        let late = (Date().timeIntervalSince1970 - 1_000_000) / Self.hour + 1
        try take(statement.utf8, late, into: other)
        try container.importing(other.exported())
        #expect(try record() == nil)
    }

    @Test("what somebody has said is as old as it was made, whenever it became known")
    func ageOfCorrection() throws {
        try scan("a", 1)
        let said = try Self.line("fact", ["knownAt": Self.time(20), "reason": "it is Mr ZMU's"])
        try container.importing(said, format: .jsonLines)
        try purge(.names, before: 10, at: 30)
        #expect(try !String(decoding: container.exported(), as: UTF8.self).contains("ZMU"))
        #expect(try record() == "50.0 lb, 1.0 to never")
        try purge(.bags, before: 10, at: 31)
        #expect(try record() == nil)
    }

    @Test("a bag stays of which something was said since that only a newer version understands")
    func youngUnknownFact() throws {
        try scan("a", 1)
        let said = try Self.line("fact", ["kind": "locked", "madeAt": Self.time(20)])
        try container.importing(said, format: .jsonLines)
        try purge(.bags, before: 10, at: 30)
        #expect(try record() == "42.0 lb, 1.0 to never")
    }

    @Test("what was purged elsewhere goes here too, and is counted")
    func purgedElsewhere() throws {
        try scan("a", 1)
        try other.importing(container.exported())
        try purge(.bags, before: 9, at: 10)
        try other.importing(container.exported())
        #expect(try scans(of: other) == 0 && Bag.all(in: other).isEmpty)
        let summary = try other.read { try RecordSummary(of: Period(), in: $0) }
        #expect(summary.scans == 1)
    }

    // MARK: What is unknown

    @Test(
        "what only a newer version understands is passed on as it is",
        arguments: ExchangeFormat.allCases
    )
    func unknownPassedOn(format: ExchangeFormat) throws {
        if format == .csv { return }
        let unknown: [String: Any] = [
            "colour": "r\u{E9}d \u{1F9F3}", "nothing": NSNull(), "belts": [1, NSNull(), -2.5],
            "route": ["via": ["MUC", ["x": true]], "none": NSNull()],
        ]
        let file = [
            try Self.line("scan", unknown),
            // It withdraws, and says something about the bag; what is until some time is its own.
            try Self.line(
                "fact",
                unknown.merging([
                    "kind": "recount", "withdraws": UUID().uuidString, "until": Self.time(3),
                ]) { $1 }
            ),
        ].joined(separator: "\n")
        #expect(try container.importing(file, format: .jsonLines).isClean)
        let first = try container.exported(as: .jsonLines)
        let text = String(decoding: first, as: UTF8.self)
        for name in ["colour", "nothing", "belts", "route", "recount"] {
            #expect(text.contains("\"\(name)\""), "\(name)")
        }
        #expect(text.matches(of: /"weight":50/).count == 1)
        let report = try other.importing(container.exported(as: format))
        #expect(report.isClean, "\(report.refusals)")
        #expect(try other.exported(as: .jsonLines) == first)
        // Nobody knows whom it names.
        try purge(.names, before: 9, at: 10)
        #expect(try !String(decoding: container.exported(), as: UTF8.self).contains("colour"))
    }

    @Test("what is said to be unknown says nothing that is known")
    func knownAsUnknown() throws {
        let others = #"{"colour":"red","weight":99,"Kind":"undo","unknown":"{}","subject":"x"}"#
        let line = try Self.line("fact", ["unknown": others, "colour": "green"])
        try container.importing(line, format: .jsonLines)
        let text = String(decoding: try container.exported(as: .jsonLines), as: UTF8.self)
        let facts = text.split(separator: "\n").filter { $0.contains("\"record\":\"fact\"") }
        #expect(facts.count == 1 && facts[0].matches(of: /"colour":"green"/).count == 1)
        for word in ["99", "undo", "unknown", "\"x\"", "\"red\""] {
            #expect(facts.first?.contains(word) == false, "\(word)")
        }
        for format in [ExchangeFormat.propertyList, .messagePack] {
            let copy = try emptyRecord()
            #expect(try copy.importing(container.exported(as: format)).isClean)
            #expect(try copy.exported() == container.exported())
        }
    }

    @Test("what only a newer version understands is forgotten with its bag")
    func unknownForgotten() throws {
        try scan("a", 1)
        let said = try Self.line("fact", ["kind": "locked", "until": Self.time(99)])
        let file = try container.exported()
        try purge(.bags, before: 10, at: 30)
        try container.importing(file)
        try container.importing(said, format: .jsonLines)
        #expect(try !String(decoding: container.exported(), as: UTF8.self).contains("locked"))
    }

    @Test("a scan that says to be one of too many equal ones is refused")
    func tooManyCopies() throws {
        for (copy, isClean) in [(10_000, true), (10_001, false)] {
            let line = try Self.line("scan", ["copy": copy])
            let report = try emptyRecord().importing(line, format: .jsonLines)
            #expect(report.isClean == isClean)
            #expect(report.refusals.isEmpty || report.refusals[0].error.message.contains("10000"))
        }
    }
}
