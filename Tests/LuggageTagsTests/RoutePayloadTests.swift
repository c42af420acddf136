import Foundation
import Testing

@testable import LuggageTags

@Suite("What a tag says about the way of its bag")
struct RoutePayloadTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private func contents(_ members: String) throws -> TagContents {
        try TagDecoder().contents(of: Array(#"{"id":"\#(Self.id)",\#(members)}"#.utf8))
    }

    @Test("is the same in every format, and as it was written")
    func formats() throws {
        let bag = TagContents(
            identifier: try #require(UUID(uuidString: Self.id)),
            owner: nil,
            weight: 42,
            route: Route(
                from: "Hotel Bellevue",
                to: "Pier 3",
                trip: "Ka\u{308}se",
                date: "2028-02-29"
            )
        )
        #expect(bag.route?.trip == "K\u{e4}se")
        for format in PayloadFormats.writable {
            let payload = try TagEncoder(format: format).encode(bag)
            #expect(try TagDecoder().contents(of: payload) == bag, "\(format.name)")
        }
    }

    @Test("changes nothing in a payload that does not say it")
    func absent() throws {
        let bag = TagContents(
            identifier: try #require(UUID(uuidString: Self.id)),
            owner: PassengerName(givenName: "D", familyName: "ZMU"),
            weight: 42
        )
        let text = String(decoding: try TagEncoder().encode(bag), as: UTF8.self)
        #expect(["from", "to", "trip", "date"].allSatisfy { !text.contains("\"\($0)\"") })
        #expect(try contents(#""from":null,"to":null,"trip":null,"date":null"#).route == nil)
    }

    @Test(
        "is refused where it says nothing that can be",
        arguments: [
            #""from":5"#, #""to":["JFK"]"#, #""trip":{"name":"LX14"}"#, #""to":"""#, #""to":"  ""#,
            #""to":"J\nFK""#, #""to":"J\u0007FK""#, #""trip":"\u202eLX14""#,
            #""trip":"\#(String(repeating: "x", count: 65))""#,
            #""trip":"\#("x" + String(repeating: "\u{301}", count: 300))""#,
            #""date":"2026-02-30""#, #""date":"2026-7-1""#, #""date":"01.07.2026""#,
            #""date":20260701"#,
            #""date":"2026-07-01T00:00:00Z""#, #""date":"+026-07-01""#, #""date":"0000-01-01""#,
            #""date":"\u0662026-07-01""#, #""to":"JFK","To":"SYD""#,
        ]
    )
    func hostile(members: String) throws {
        let error = try #require(throws: TagError.self) { try contents(members) }
        #expect(error.outcome == .invalid)
        #expect(!error.codingPath.isEmpty, "\(error)")
        // What an older version has filed nevertheless counts, but for what is wrong in it.
        let payload = Array(#"{"id":"\#(Self.id)","weight":42,\#(members)}"#.utf8)
        #expect(TagContents(onRecord: payload)?.weight == 42)
    }

    @Test("may be said twice, if it is the same name")
    func twice() throws {
        #expect(try contents(#""to":"JFK","To":"jfk""#).route?.to == "JFK")
    }

    @Test(
        "names one place in all spellings",
        arguments: [
            ("JFK", "jfk", true), (" JFK", "JFK\t", true), ("Ko\u{308}ln", "K\u{d6}LN", true),
            ("Stra\u{df}e", "STRASSE", true), ("\u{212b}", "\u{e5}", true), ("JFK", "JKF", false),
            ("Pier 3", "Pier3", false), ("\u{130}", "i", false),
        ]
    )
    func keys(one: String, other: String, areSame: Bool) {
        #expect((one.nameKey == other.nameKey) == areSame)
        #expect(one.nameKey.nameKey == one.nameKey)
    }
}
