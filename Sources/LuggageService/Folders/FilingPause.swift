public import Foundation
internal import LuggageTags
internal import System

/// Why nothing is filed at the moment, as the service says that watches a folder.
public struct FilingPause: Codable, Hashable, Sendable {
    /// Since when nothing is filed.
    public let since: Date
    /// The stable code of what is wrong with the record.
    public let reason: String
    /// What is wrong, for a person.
    public let message: String

    /// As many characters are told: the file of a lock then has one block on any disk, and it has that
    /// already when the disk is full.
    private static let longest = 500

    init(since: Date, _ trouble: FilingTrouble) {
        // As it is written, so that it can be compared with what was read.
        self.since = Date(timeIntervalSince1970: since.timeIntervalSince1970.rounded(.down))
        reason = trouble.code ?? "failed"
        message = String(trouble.message.onOneLine.unicodeScalars.prefix(Self.longest))
    }
}
