import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A hostile station", .serialized, .timeLimit(.minutes(10)))
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
        (#""body":"{}","forgets":"bag","until":"infinity""#, true),
        (#""body":"\#(String(repeating: "x", count: 70_000))""#, false),
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
            let connection = try HubConnection(
                to: HubAddress(fleet.address(as: login)),
                applicationName: "a test"
            )
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
}
