import Foundation
import LuggageTags
import ObjectStore
import TestHubs
import Testing

@testable import LuggageSync

@Suite("Facts that only a newer version understands", .serialized, .timeLimit(.minutes(30)))
struct PassingTests {
    @Test("keep no others back, however long a payload is, and whenever a tag was typed")
    func longest() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            // What a scanner may send at a wrong speed: JSON makes six bytes of one.
            for (place, byte) in ["\"", "\u{1}"].enumerated() {
                let payload = String(repeating: byte, count: 65_536)
                try north.scan(payload: payload, at: .origin, in: "MUC \(place)")
            }
            _ = try RecordCorrector(container: north.container).file(
                TypedTag(
                    identifier: Station.bag(7),
                    point: .origin,
                    station: "north",
                    date: Date(timeIntervalSince1970: 1_700_000_000.503_989_9)
                ),
                by: Responsibility(author: "anna", reason: "torn")
            )
            for _ in 0..<20 { try north.scan([1]) }
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 23)
            #expect(try south.scans == 23)
        }
    }

    @Test("pass through the hub and every record as they are, and go when their bag goes")
    func passed() async throws {
        try await onThread {
            let fleet = try Fleet(["new", "old", "office"])
            let new = fleet[0]
            try new.scan([1])
            let lines = [
                #"{"record":"scan","id":"01900000-0000-7000-8000-000000000001","outcome":"new","point":"origin","#
                    + #""station":"new","scannedAt":"2023-11-14T22:13:20Z","imageName":"l.png","#
                    + #""imageDigest":"line","payload":"{\"id\":\"\#(Station.bag(2))\",\"weight\":50}","#
                    + #""colour":"red \#u{1F9F3}","route":{"via":["MUC",{"x":true}],"none":null}}"#,
                #"{"record":"fact","id":"01900000-0000-7000-8000-000000000002","kind":"recount","#
                    + #""subject":"\#(Station.bag(1))","author":"bob","madeAt":"2023-11-14T23:00:00Z","#
                    + #""withdraws":"01900000-0000-7000-8000-000000000009","belts":[1,null,-2.5]}"#,
            ]
            var rest = Array(lines.joined(separator: "\n").utf8)
            let report = try StoreImporter(container: new.container, policy: .objectTrump).run(
                format: .jsonLines
            ) {
                defer { rest = [] }
                return rest
            }
            #expect(report.isClean, "\(report.refusals)")
            try fleet.exchangeAll()
            try fleet.expectAgreement()
            for station in fleet.stations {
                let export = try station.export
                for word in ["colour", "route", "recount", "belts"] {
                    #expect(export.contains(word), "\(station.name): \(word)")
                }
            }
            let known =
                "select count(*) from luggage.fact where body like '%recount%' or body like '%colour%'"
            #expect(try fleet.value(known) == "2")
            try fleet[1].purge(.bags)
            try fleet.exchangeAll()
            try fleet.expectAgreement()
            #expect(try fleet.value(known) == "0")
        }
    }
}
