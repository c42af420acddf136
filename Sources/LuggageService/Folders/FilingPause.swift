package import FoundationEssentials
internal import SystemSupport

/// Why filing has paused, as the service that watches the folder says.
package struct FilingPause: Codable, Hashable, Sendable {
    /// When the pause began.
    package let since: Date
    /// The stable code of what is wrong with the record.
    package let reason: String
    /// What is wrong, for a person.
    package let message: String

    /// The most characters of a message.
    ///
    /// The lock file then fits in one block on any disk, and has that block before the disk is full.
    private static let longest = 500

    init(since: Date, _ trouble: FilingTrouble) {
        // Rounded as it is encoded, so that it can be compared with what was read.
        self.since = Date(timeIntervalSince1970: since.timeIntervalSince1970.rounded(.down))
        reason = trouble.code ?? "failed"
        message = String(trouble.message.onOneLine.unicodeScalars.prefix(Self.longest))
    }
}
