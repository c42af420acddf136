import Foundation
import HubConnection
import LuggageTags
import Synchronization
import TestHubs
import Testing

@testable import LuggageSync

/// A hub and its stations, for one thread at a time.
final class Fleet: @unchecked Sendable {
    let server: TestHub
    let database: String
    private(set) var stations: [Station] = []
    private let prefix: String

    private static let number = Mutex(0)

    /// Makes a hub, and lets stations join it.
    ///
    /// - Parameters:
    ///   - names: The names of the stations.
    ///   - server: The server; nil for one of its own. What others do on it delays pulls.
    ///   - pullsEverything: Whether each gets all facts.
    /// - Throws: What hinders it.
    init(_ names: [String], on server: TestHub? = nil, pullsEverything: Bool = true) throws {
        let number = Self.number.withLock { number in
            number += 1
            return number
        }
        self.server = try server ?? TestHub(.quiet)
        (database, prefix) = ("fleet\(number)", "f\(number) ")
        try self.server.query("CREATE DATABASE \(database)")
        let owner = try owner()
        #expect(try HubSchema.setUp(owner) == .made)
        for name in names { try add(name, pullsEverything: pullsEverything) }
    }

    /// A connection as the hub's owner.
    func owner() throws -> HubConnection { try server.connect(database: database) }

    /// Asks the hub as its owner.
    @discardableResult
    func query(_ sql: String, _ parameters: [String?] = []) throws -> [HubRow] {
        try server.query(sql, parameters, database: database)
    }

    /// The only value of an answer.
    func value(_ sql: String) throws -> String? { try query(sql).first?[0] }

    /// Lets a role log in as a station.
    func admit(_ name: String) throws -> String {
        try StationLogin(prefix + name).admit(publishes: true, owner())
        return prefix + name
    }

    func address(as login: String) -> String { server.address(as: login, database: database) }

    /// Adds a station, which joins.
    @discardableResult
    func add(_ name: String, pullsEverything: Bool = true) throws -> Station {
        let station = try prepare(name)
        try station.join(pullsEverything: pullsEverything)
        return station
    }

    /// Adds a station, which does not join yet.
    func prepare(_ name: String, copyOf other: Station? = nil, login: String? = nil) throws
        -> Station
    {
        let login = try login ?? admit(name)
        let station = try Station(
            name,
            login: login,
            machine: "machine of \(name)",
            at: address(as: login),
            copy: other
        )
        stations.append(station)
        return station
    }

    subscript(place: Int) -> Station { stations[place] }

    /// Lets all exchange everything: what the last one tells reaches the first one too.
    func exchangeAll() throws {
        for _ in 0..<2 { for station in stations { try station.sync() } }
    }

    /// Checks that all know the same, and the hub too, and nothing is twice.
    func expectAgreement(of stations: [Station]? = nil, scans: Int? = nil) throws {
        let stations = stations ?? self.stations
        let exports = try stations.map { try $0.export }
        for (place, export) in exports.enumerated() {
            let differences = export.split(separator: "\n")
                .difference(from: exports[0].split(separator: "\n"))
            #expect(
                differences.isEmpty,
                "\(stations[place].name) differs from \(stations[0].name)"
            )
        }
        if let scans { #expect(try stations[0].scans == scans) }
        var exchange = try stations[0].exchange()
        #expect(try exchange.reconcile() == 0, "the hub has other facts")
    }

    /// How many facts the hub has.
    var facts: Int {
        get throws { try Int(value("select count(*) from luggage.fact") ?? "") ?? -1 }
    }
}

extension TestHub.Options {
    /// Without what works by itself, and delays pulls now and then.
    static var quiet: Self {
        var options = Self()
        options.settings["autovacuum"] = "off"
        return options
    }
}

/// The failure of a closure; nil if it does not fail.
func failure(of body: () throws -> Void) -> (any Error)? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}
