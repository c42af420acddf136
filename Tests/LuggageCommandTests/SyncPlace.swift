import Foundation
import TestHubs
import Testing

/// A database of a test's own, in which a hub may be made, and two stations that may log in.
struct SyncPlace {
    private static let server = Result { try TestHub() }

    let server: TestHub
    let database: String
    let place: Workplace

    /// The logins of two stations.
    let muc: String
    let lhr: String

    /// Makes the database, and the hub in it.
    static func make() async throws -> Self {
        let made = try Self()
        let run = try await made.luggage(
            ["sync", "set-up", "--admit", made.muc, "--admit", made.lhr],
            as: "postgres"
        )
        try #require(run.status == 0, "\(run.errors)")
        return made
    }

    /// Makes the database alone.
    init() throws {
        server = try Self.server.get()
        place = try Workplace()
        // Roles are of the whole server.
        let name = "t\(UUID().uuidString.prefix(8).lowercased())"
        (database, muc, lhr) = (name, "\(name)_muc", "\(name)_lhr")
        try server.query("create database \(name)")
    }

    /// The address of the hub for a login.
    func address(as login: String) -> String { server.address(as: login, database: database) }

    /// Runs `luggage` with the hub's address in the environment.
    ///
    /// - Parameters:
    ///   - arguments: What follows `luggage`.
    ///   - login: Who logs in.
    ///   - record: The record.
    /// - Returns: What the program has left.
    /// - Throws: What running it throws.
    func luggage(
        _ arguments: [String],
        as login: String,
        record: String = "luggage.sqlite"
    ) async throws -> Workplace.Run {
        try await place.luggage(
            arguments,
            environment: [
                "LUGGAGE_STORE": place.path(record), "LUGGAGE_HUB": address(as: login), "TZ": "UTC",
            ]
        )
    }

    /// Makes records of both stations, `muc` with a bag, and lets them join.
    func join() async throws {
        let tag = Workplace.sample("tag-f432-dzmu.png")
        for arguments in [
            ["scan", "--at", "origin", tag], ["sync", "join", "--station", "MUC"],
        ] {
            let run = try await luggage(arguments, as: muc)
            try #require(run.status == 0, "\(run.errors)")
        }
        let run = try await luggage(
            ["sync", "join", "--station", "LHR"],
            as: lhr,
            record: "lhr.sqlite"
        )
        try #require(run.status == 0, "\(run.errors)")
    }
}
