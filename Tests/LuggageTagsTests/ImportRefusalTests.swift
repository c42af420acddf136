import Foundation
import LuggageTags
import ObjectStore
import SeededRandom
import Testing

@Suite("An import that is refused")
struct ImportRefusalTests {
    @Test("says where and why, and keeps nothing", arguments: WrongFile.wholes + WrongFile.records)
    func refuses(file: WrongFile) throws {
        let container = try emptyRecord()
        try container.importing(payload("00000000-0000-4000-8000-000000000000"))
        let before = try container.exported()
        let report = try container.importing(file.bytes, format: file.format)
        #expect(!report.isKept)
        let refusal = try #require(report.refusals.first)
        #expect(refusal.error.reason == file.reason, "\(refusal)")
        #expect(refusal.error.message.contains(file.sentence), "\(refusal.error.message)")
        #expect(!refusal.remedy.rawValue.isEmpty)
        if let line = file.line { #expect(refusal.line == line) }
        if let record = file.record { #expect(refusal.record == record) }
        #expect(try container.exported() == before)
    }

    @Test("in part keeps the records that are right", arguments: ExchangeFormat.allCases)
    func partial(format: ExchangeFormat) throws {
        let good = try emptyRecord()
        try good.importing("[\(payload()),\(payload(secondID))]")
        let selection = ExportSelection(records: .bags)
        var file = try good.exported(as: format, selection)
        // The second identifier is one no longer.
        let place = try #require(file.firstRange(of: Array(secondID.utf8)))
        let first = try #require(file.firstRange(of: Array("F432BDB8".utf8)))
        file[place.lowerBound] = UInt8(ascii: "!")
        let container = try emptyRecord()
        #expect(try container.importing(file).isKept == false)
        #expect(try Bag.all(in: container).isEmpty)
        let report = try container.importing(file, partial: true)
        #expect(report.isKept)
        #expect(!report.isClean)
        #expect(report.bags.new == 1)
        #expect(report.refusedRecords == 1)
        #expect(report.refusals.map(\.record) == [first.lowerBound < place.lowerBound ? 2 : 1])
        #expect(try Bag.all(in: container).map(\.id) == ["F432BDB8-D84F-4461-8362-AFF89F6C493E"])
    }

    @Test(
        "in part keeps what comes before the end of what is left",
        arguments: ExchangeTests.wholeFormats
    )
    func cutOff(format: ExchangeFormat) throws {
        let good = try emptyRecord()
        try good.importing("[\(payload()),\(payload(secondID))]")
        let file = try good.exported(as: format, ExportSelection(version: .states))
        let place = try #require(file.firstRange(of: Array("F432BDB8".utf8)))
        let container = try emptyRecord()
        let report = try container.importing(Array(file[..<place.upperBound]), partial: true)
        #expect(!report.isComplete || report.refusedRecords == 1)
        #expect(try Bag.all(in: container).map(\.id) == [secondID])
    }

    @Test(
        "where a file was cut off anywhere keeps nothing of it",
        arguments: ExchangeTests.wholeFormats
    )
    func everyCut(format: ExchangeFormat) throws {
        var random = StationStores(seed: 11)
        let original = try emptyRecord()
        try random.fill(original, as: "MUC")
        let file = try original.exported(as: format)
        let container = try emptyRecord()
        let end = file.lastIndex { ![0x0A].contains($0) } ?? 0
        // Each beginning is a file by itself; a prime number of bytes apart, to be done in a while.
        for length in stride(from: 0, to: end, by: 31) {
            let report = try container.importing(Array(file[..<length]))
            #expect(!report.isKept, "\(length) bytes")
        }
        #expect(try container.exported() == emptyRecord().exported())
    }

    @Test("never ends the program, however a file is damaged", arguments: ExchangeFormat.allCases)
    func damage(format: ExchangeFormat) throws {
        var random = StationStores(seed: 13)
        let original = try emptyRecord()
        try random.fill(original, as: "MUC")
        let selection = ExportSelection(records: format == .csv ? .scans : .all)
        let file = try original.exported(as: format, selection)
        let empty = try emptyRecord().exported()
        for seed in 0..<80 {
            var damaged = file
            for _ in 0...random.number(4) {
                let place = random.number(damaged.count)
                switch random.number(4) {
                case 0: damaged[place] = UInt8(random.number(256))
                case 1: damaged.remove(at: place)
                case 2: damaged.insert(random.choice(Array("\"{}[]<>,\n\\\u{80}".utf8)), at: place)
                default:
                    let end = min(damaged.count, place + random.number(200))
                    damaged.insert(
                        contentsOf: damaged[place..<end],
                        at: random.number(damaged.count)
                    )
                }
            }
            let container = try emptyRecord()
            let report = try container.importing(damaged)
            if !report.isKept { #expect(try container.exported() == empty, "damage \(seed)") }
            let kept = try emptyRecord()
            _ = try kept.importing(damaged, format: format, partial: true)
            // Whatever is kept can be exported and imported again.
            let copy = try emptyRecord()
            let copied = try copy.importing(kept.exported())
            #expect(copied.isClean, "damage \(seed): \(copied.refusals.first?.error.message ?? "")")
            let (told, heard) = (try kept.exported(), try copy.exported())
            #expect(
                told == heard,
                "damage \(seed): \(difference(told, heard))"
            )
        }
    }

    /// The lines that only one of two files has.
    private func difference(_ first: [UInt8], _ second: [UInt8]) -> [Substring] {
        let lines = [first, second].map {
            Set(String(decoding: $0, as: UTF8.self).split(separator: "\n"))
        }
        return lines[0].symmetricDifference(lines[1]).sorted()
    }

    /// Records that are refused, in a list of the kind or as lines, and of which kind they are; nil
    /// where nobody can tell.
    static let refused: [(record: String, kind: RecordKind?)] = [
        ("{}", .bag), (#"{"id":"F432","weight":1}"#, .bag), (#"{"weight":1}"#, .bag),
        (#"{"id":"\#(secondID)","weight":-1}"#, .bag),
        (#"{"id":"\#(secondID)","weight":1,"owner":["D","ZMUDA"]}"#, .bag),
        (#"{"id":"\#(secondID)","weight":1,"departedAt":"2999-01-01T00:00:00Z"}"#, .bag),
        (#"{"record":"bag","id":"F432","weight":1}"#, .bag),
        (#"{"record":"passenger","givenName":"D"}"#, .passenger),
        (#"{"record":"passenger","givenName":"D","familyName":"ZMUDA"}"#, .passenger),
        (#"{"record":"scan","bag":"\#(secondID)"}"#, .scan),
        (
            #"{"record":"scan","bag":"\#(secondID)","point":"origin","station":"A","#
                + #""scannedAt":"2026-07-01T00:00:00Z","outcome":"new"}"#, .scan
        ),
        (#"{"record":"suitcase","id":"F432"}"#, nil), (#"{"record":7}"#, nil),
        (#"{"about":{"version":"x"}}"#, nil), ("[1]", nil), ("7", nil), (#""bag""#, nil),
        ("nonsense", nil), (#"{"id":"a","id":"b"}"#, nil), ("{", nil), ("null", nil),
    ]

    @Test(
        "counts every record that is refused, by its kind as far as that can be told",
        arguments: refused
    )
    func counts(record: String, kind: RecordKind?) throws {
        let lines = [payload()] + Array(repeating: record, count: 4)
        let report = try emptyRecord().importing(lines.joined(separator: "\n"), partial: true)
        #expect(report.refusedRecords == 4 && report.bags.new == 1 && report.isKept, "\(report)")
        for other in RecordKind.allCases {
            #expect(report[other].refused == (other == kind ? 4 : 0))
        }
        #expect(report.refusedUnknown == (kind == nil ? 4 : 0))
        #expect(report.refusals.allSatisfy { $0.kind == kind })
        // As a list, where it does not break that.
        guard record != "{" && record != "nonsense" else { return }
        let list = "[\(lines.joined(separator: ","))]"
        let listed = try emptyRecord().importing(list, partial: true)
        #expect(listed.refusedRecords == 4 && listed.bags.new == 1)
        #expect(listed.refusedUnknown == (kind == nil ? 4 : 0))
        let none = try emptyRecord().importing(
            "\(record)\n\(record)",
            format: .jsonLines,
            partial: true
        )
        #expect(!none.isKept && none.refusedRecords == 2)
    }

    @Test("tells so many refusals and counts the others")
    func many() throws {
        let file = String(repeating: "{}\n", count: 1000)
        let report = try emptyRecord().importing(file)
        #expect(report.refusedRecords == 1000)
        #expect(report.refusals.count == ImportReport.mostRefusals)
        #expect(report.bags.refused == 1000 && report.refusedUnknown == 0)
    }

    private struct Broken: Error {}

    @Test("of no format, or because nothing can be read, opens no record")
    func unopened() throws {
        let importer = StoreImporter { throw Unwanted() }
        var parts = [Array("HELLO TAG".utf8)]
        let report = try importer.run { parts.popLast() ?? [] }
        #expect(!report.isKept && report.refusals.map(\.error.reason) == ["unknown-format"])
        #expect(throws: Broken.self) { try importer.run { throw Broken() } }
        parts = [Array(payload().utf8)]
        #expect(throws: Unwanted.self) { try importer.run { parts.popLast() ?? [] } }
    }

    private struct Unwanted: Error {}

    @Test("because reading fails keeps nothing")
    func unreadable() throws {
        let container = try emptyRecord()
        var parts = [Array((payload() + "\n").utf8)]
        #expect(throws: Broken.self) {
            _ = try StoreImporter(container: container).run {
                guard let part = parts.popLast() else { throw Broken() }
                return part
            }
        }
        #expect(try Bag.all(in: container).isEmpty)
    }
}
