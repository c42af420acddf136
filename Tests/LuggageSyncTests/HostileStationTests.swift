import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A hostile station", .serialized, .timeLimit(.minutes(30)))
struct HostileStationTests {
    /// A fact as a hostile station tells it, and whether the hub takes it.
    static let facts: [(words: String, isTaken: Bool)] = [
        (#""body":"no json""#, true),
        (#""body":"{}","forgets":"nonsense""#, false),
        (#""body":"{}","forgets":"names""#, false),
        (#""body":"{}","until":"2020-01-01T00:00:00Z""#, false),
        (#""body":"{}","rest":"{}""#, false),
        (#""body":"{}","renamed_rest":"{}""#, false),
        (#""body":"{}","renamed_body":"{}""#, false),
        (#""body":"\#(String(repeating: "x", count: 1_100_000))""#, false),
        (
            #""body":"{\"record\":\"fact\",\"id\":\"00000000-0000-7000-8000-000000000009\","#
                + #"\"kind\":\"edit\",\"subject\":\"\#(Station.bag(1))\",\"weight\":1,"#
                + #"\"madeAt\":\"3000-01-01T00:00:00Z\",\"knownAt\":\"3000-01-01T00:00:00Z\"}""#,
            true
        ),
    ]

    @Test("stops nobody, and makes nobody lose anything", arguments: [0, 302])
    func pushes(ahead: Int) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try fleet.exchangeAll()
            let login = try fleet.admit("evil")
            let connection = try HubConnection(ofTest: fleet.address(as: login))
            let member = try Hub(connection).enter(
                station: "evil",
                machine: "m",
                pullsEverything: true,
                takesPlace: false
            )
            var nonce: String?
            for (words, isTaken) in Self.facts {
                let attempt = UUID().uuidString
                let fact =
                    #"{"id":"\#(UUID())","bag":"\#(Station.bag(1))","station":"e","at":"#
                    + #""\#((Date() + Double(ahead)).ISO8601Format())",\#(words)}"#
                let error = failure {
                    try connection.query(
                        "select luggage.push($1, $2, $3, 1, now(), $4)",
                        ["\(member)", nonce, attempt, "[\(fact)]"]
                    )
                }
                #expect(
                    (error == nil) == isTaken,
                    "\(words.prefix(60)): \(error.map { "\($0)" } ?? "")"
                )
                if error == nil { nonce = attempt }
            }
            try fleet.query(
                "update luggage.ahead set due = now() - interval '1 second' where due < 'infinity'"
            )
            try fleet.query("update luggage.member set pulled_at = null")
            try north.scan([2])
            try south.scan([3])
            try fleet.exchangeAll()
            // The hub keeps what is no fact; the records do not.
            #expect(try north.export == south.export)
            #expect(try north.scans == 3)
            // What is said now is said now, and not after what somebody has said of the future.
            try south.purge(.names)
            try fleet.exchangeAll()
            #expect(
                try fleet.value("select count(*) from luggage.ahead where forgets = 'names'") == "0"
            )
        }
    }

    /// What a statement of a purge says to the hub, or to stations, that it must not.
    static let statements: [(words: String, tell: @Sendable (inout Statement) -> Void)] = [
        ("another fact", { $0.body["id"] = UUID().uuidString }),
        ("no identifier", { $0.body["id"] = "nonsense" }),
        ("another bag", { $0.body["subject"] = Station.bag(2).uuidString }),
        ("no bag", { $0.body["subject"] = nil }),
        ("all pictures without a bag", { $0.wire["bag"] = nil }),
        ("a correction", { $0.body["kind"] = "edit" }),
        ("names alone", { $0.body["kind"] = "forgotten-names" }),
        ("everything", { $0.wire["forgets"] = "names" }),
        ("a scan", { $0.body["record"] = "scan" }),
        ("an earlier time", { $0.body["until"] = "2020-01-01T00:00:00Z" }),
        ("an impossible time", { $0.body["until"] = "2020-02-30T00:00:00Z" }),
        ("no time in UTC", { $0.body["until"]?.removeLast() }),
        ("no time", { $0.body["until"] = nil }),
        ("that it was made before", { $0.body["madeAt"] = "2020-01-01T00:00:00Z" }),
        ("that it was known before", { $0.body["knownAt"] = "2020-01-01T00:00:00Z" }),
        ("what no station can read", { $0.body["weight"] = "heavy" }),
        (
            "that it is no purge",
            {
                $0.wire["forgets"] = nil
                $0.wire["until"] = nil
            }
        ),
    ]

    @Test("makes the hub forget nothing that stations do not forget", arguments: statements.indices)
    func lies(number: Int) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1, 2])
            try fleet.exchangeAll()
            var intruder = try Intruder("evil", in: fleet)
            var statement = Statement(bag: Station.bag(1))
            Self.statements[number].tell(&statement)
            let error = failure { try intruder.push([statement.json]) } as? HubError
            #expect(error?.refusal == .otherPurge, "\(Self.statements[number].words)")
            let id = statement.wire["id"]?.lowercased() ?? "no identifier"
            #expect(error?.message.contains(id) == true)
            #expect(try fleet.facts == 2)
            #expect(try fleet.value("select count(*) from luggage.forgetting") == "0")
        }
    }

    @Test("cannot tell the hub and stations two things by one body")
    func twice() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            try fleet[0].scan([1])
            try fleet[0].sync()
            var intruder = try Intruder("evil", in: fleet)
            let statement = Statement(bag: Station.bag(1))
            let body = String(
                decoding: try JSONEncoder().encode(statement.body),
                as: UTF8.self
            )
            for (body, isOfPurge) in [
                (#"{"kind":"edit","# + body.dropFirst(), true),
                (body.dropLast() + #","kind":"forgotten-bag"}"#, true),
                ("[\(body)]", true), (body.replacing("forgotten", with: #"f\u006frgotten"#), false),
            ] {
                var told = statement
                if !isOfPurge { (told.wire["forgets"], told.wire["until"]) = (nil, nil) }
                let error = failure { try intruder.push([told.json(body: body)]) } as? HubError
                #expect(error?.refusal == .otherPurge, "\(body)")
            }
            #expect(try fleet.facts == 1)
            // As a station says it.
            for bag in [nil, Station.bag(1)] {
                for scope in ["names", "bag"] {
                    try intruder.push([Statement(bag: bag, scope: scope).json])
                }
            }
            #expect(try fleet.facts == 4)
        }
    }
}
