import Foundation
import ObjectStore
import TagReading
import Testing

@testable import LuggageTags

@Suite("A symbology identifier in front of what a hand scanner sends")
struct SymbologyIdentifierTests {
    private static let tag = String(decoding: ReceivedPayloadTests.tag(), as: UTF8.self)

    @Test(
        "is no part of the payload, unless it alone tells that GS1 elements follow",
        arguments: [
            ("]I00117814872", "0117814872"), ("]C00117814872", "0117814872"),
            ("]C10117814872", "0117814872"), ("]Q1\(tag)", tag), ("]d1\(tag)", tag),
            ("]Q1\(BoardingPassTests.plain)", BoardingPassTests.plain),
            ("]Q3\(BoardingPassTests.plain)", BoardingPassTests.plain),
            ("]Q300106141411234567897", "]Q300106141411234567897"),
            ("]C100106141411234567897", "]C100106141411234567897"),
            // No identifiers.
            ("", ""), ("]", "]"), ("]Q", "]Q"), ("]1Q\(tag)", "]1Q\(tag)"),
            ("]Q-\(tag)", "]Q-\(tag)"),
            ("[]Q1", "[]Q1"), ("]Q1", ""), ("]I0]I00117814872", "]I00117814872"),
        ]
    )
    func removed(payload: String, rest: String) {
        let bytes = SymbologyIdentifier.removed(from: Array(payload.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == rest)
    }

    @Test("lets a plate and a tag be filed", arguments: ["]I00117814872", "]Q1\(tag)"])
    func filed(payload: String) throws {
        let record = try emptyRecord()
        let picture = ReceivedPayloadTests.received(Array(payload.utf8), second: 0)
        let report = try #require(try ScanRecorder(container: record).record(picture).first)
        #expect(report.outcome == .new)
    }

    @Test("keeps no name of a passenger on record", arguments: ["]Q1", "]Q3", "]d2", "]L0", ""])
    func names(identifier: String) throws {
        let record = try emptyRecord()
        for pass in [BoardingPassTests.plain, BoardingPassTests.withBags] {
            let picture = ReceivedPayloadTests.received(Array((identifier + pass).utf8), second: 0)
            _ = try ScanRecorder(container: record).record(picture)
        }
        let export = String(decoding: try record.exported(), as: UTF8.self)
        #expect(!export.contains("DESMARAIS"))
    }
}
