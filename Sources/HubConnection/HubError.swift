/// A failure of a hub, of the way to it, or of what was asked of it.
package struct HubError: Error, Hashable, Sendable {
    /// What a caller does differently.
    package enum Kind: Hashable, Sendable {
        /// The address has no meaning.
        case address
        /// No server answers, or it stops answering; nobody knows whether it did what was last asked.
        case unreachable
        /// The server refuses this client, or this client refuses the server: a certificate, a password,
        /// a role, a database or a rule for hosts is not right.
        case refused
        /// The server is starting, ending, or has no connection left.
        case notReady
        /// The server takes no change: it is a standby, or was made so.
        case readOnly
        /// The server has no disk or memory left.
        case full
        /// The server's own disk, files or program fail.
        case faulty
        /// What was asked was rolled back because of what others did meanwhile; it can be asked again.
        case conflict
        /// The server lacks a schema, table, column or function: it is not set up, or of another version.
        case undefined
        /// The role may not do that.
        case forbidden
        /// One of the hub's own functions says no, with a code of the class `LG`.
        case hub
        /// Any other failure of a statement.
        case statement
        /// The server says what it should not.
        case unintelligible
        /// The caller's signal has ended the wait.
        case ended
        /// This machine lacks memory or descriptors.
        case local
    }

    package let kind: Kind

    /// PostgreSQL's code of five characters, if the server has given one.
    package let sqlState: String?

    /// What has failed, as the beginning of a sentence.
    package let message: String

    /// What to do, as the end of the sentence; nil if nobody knows.
    package let remedy: String?

    /// What the server adds, which may quote the data it was given: not for logs.
    package let detail: String?

    init(
        _ kind: Kind,
        _ message: String,
        remedy: String? = nil,
        sqlState: String? = nil,
        detail: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.sqlState = sqlState
        self.detail = detail
    }
}

extension HubError: CustomStringConvertible {
    package var description: String { remedy.map { "\(message); \($0)" } ?? message }
}

extension HubError.Kind {
    /// What PostgreSQL's code means; nil for those of statements.
    ///
    /// - Parameter sqlState: The code, see "PostgreSQL Error Codes" in its manual.
    init(sqlState: String) {
        self =
            switch sqlState {
            case "25006", "55000": .readOnly
            case "57P01", "57P02", "57P03", "57P05", "53300": .notReady
            case "40001", "40P01", "40003", "55P03", "57014", "25P03", "25P04": .conflict
            case "42883", "42P01", "42703", "42704", "3F000", "42725": .undefined
            case "42501": .forbidden
            case "3D000", "57P04": .refused
            case _ where sqlState.hasPrefix("LG"): .hub
            case _ where sqlState.hasPrefix("28"): .refused
            case _ where sqlState.hasPrefix("53"): .full
            case _ where sqlState.hasPrefix("58"): .faulty
            case _ where sqlState.hasPrefix("XX"): .faulty
            case _ where sqlState.hasPrefix("08"): .unreachable
            default: .statement
            }
    }
}
