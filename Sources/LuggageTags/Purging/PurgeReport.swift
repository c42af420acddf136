public import FoundationEssentials

/// What a purge takes away, in numbers.
public struct PurgeReport: Encodable, Hashable, Sendable {
    /// What is taken away.
    public var scope: RecordPurge.Scope
    /// The purge takes what has no news since this moment.
    public var before: Date
    /// The number of bags that are deleted, or lose the names of their owners.
    public var bags = 0
    /// How many of these bags departed and never arrived.
    public var missing = 0
    /// The number of scans that are deleted, or lose their payloads.
    public var scans = 0
    /// The number of corrections that are deleted, or lose names and reasons.
    public var corrections = 0
    /// The number of deleted passengers: those who then own no bags and are not new on record.
    public var passengers = 0
    /// The number of deleted journal entries.
    public var journalEntries = 0
    /// The SHA-256 of the pictures that show only what is taken away, in hexadecimal.
    public var pictures: Set<String> = []

    /// Whether there is nothing to take away.
    public var isEmpty: Bool {
        bags + scans + corrections + passengers + journalEntries == 0
    }

    /// The keys in reports, which leave out the pictures.
    private enum CodingKeys: String, CodingKey {
        case scope, before, bags, missing, scans, corrections, passengers, journalEntries
    }

    /// Adds another report.
    static func += (report: inout Self, more: Self) {
        report.bags += more.bags
        report.missing += more.missing
        report.scans += more.scans
        report.corrections += more.corrections
        report.passengers += more.passengers
        report.journalEntries += more.journalEntries
        report.pictures.formUnion(more.pictures)
    }
}
