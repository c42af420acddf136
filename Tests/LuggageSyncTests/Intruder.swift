import Foundation
import HubConnection
import TestHubs

@testable import LuggageSync

/// Somebody with the login of a station, who speaks with the hub as he likes.
struct Intruder {
    let connection: HubConnection
    let member: Int64
    private var nonce: String?

    init(_ name: String, in fleet: Fleet) throws {
        connection = try HubConnection(ofTest: fleet.address(as: fleet.admit(name)))
        member = try Hub(connection).enter(
            station: name,
            machine: "m",
            pullsEverything: true,
            takesPlace: false
        )
    }

    /// Pushes facts, each an object of JSON.
    mutating func push(_ facts: [String]) throws {
        let attempt = UUID().uuidString
        try connection.query(
            "select luggage.push($1, $2, $3, 1, now(), $4)",
            ["\(member)", nonce, attempt, "[\(facts.joined(separator: ","))]"]
        )
        nonce = attempt
    }
}

/// The statement of a purge, as a station sends it, or with lies in it.
struct Statement {
    /// What the hub reads.
    var wire: [String: String]
    /// What stations read.
    var body: [String: String]

    init(bag: UUID?, scope: String = "bag", until: Date = Date(), known: Date = Date()) {
        let id = UUID().uuidString
        // To the millisecond: what was told in this second is before it.
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let (until, known) = (until.formatted(format), known.formatted(format))
        let kinds = ["bag": ["forgotten-bag", "forgotten-failures"]]
        let kind = kinds[scope, default: ["forgotten-names", "forgotten-failure-names"]]
        wire = [
            "id": id, "station": "", "at": known, "known": known, "forgets": scope, "until": until,
        ]
        wire["bag"] = bag?.uuidString
        body = [
            "record": "fact", "id": id, "kind": kind[bag == nil ? 1 : 0],
            "subject": (bag ?? UUID()).uuidString, "madeAt": known, "until": until,
        ]
    }

    var json: String {
        get throws { try json(body: Self.text(body)) }
    }

    func json(body: String) throws -> String {
        try Self.text(wire.merging(["body": body]) { $1 })
    }

    private static func text(_ members: [String: String]) throws -> String {
        String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }
}
