package import FoundationEssentials

/// What `luggage sync` asks `luggage-sync` to do.
///
/// Only that program is linked with the library for PostgreSQL, so a machine that only scans needs none.
package enum SyncRequest: Codable, Hashable, Sendable {
    /// Makes the hub, or brings it to the version of this program, and lets stations log in.
    case setUp(hub: String, logins: [String])
    /// Lets a station log in at the hub.
    case admit(hub: String, login: String, publishes: Bool)
    /// Takes from a station the right to exchange facts.
    case expel(hub: String, login: String)
    /// Takes back the statement of a purge.
    case takeBack(hub: String, purge: UUID)
    /// Makes a record a member of the hub.
    case join(hub: String, record: String, station: String, pullsEverything: Bool, asNew: Bool)
    /// Exchanges facts: once, or until it is stopped.
    ///
    /// `overdue` is for people who ask the hub: after how many seconds a missing bag is overdue.
    case exchange(
        hub: String,
        record: String,
        isOnce: Bool,
        publishes: Bool,
        overdue: Double?,
        log: Log
    )
    /// Passes connections of a program without network on to the hub.
    case relay(hub: String)
    /// Compares all days with the hub, and exchanges those that differ.
    case verify(hub: String, record: String)
    /// Ends the membership.
    case leave(hub: String, record: String)

    package struct Log: Codable, Hashable, Sendable {
        /// The form, as the setting `log-format` has it.
        package var format: String
        /// The lowest level, as the setting `log-level` has it.
        package var level: String

        /// Names both.
        package init(format: String, level: String) {
            (self.format, self.level) = (format, level)
        }
    }

    /// The variable of the environment that has the request as JSON: other users cannot read it there.
    package static let variable = "LUGGAGE_SYNC_REQUEST"

    /// Reads the request of this process; nil if there is none.
    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable],
            let request = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = request
    }

    /// The request as JSON.
    package var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
