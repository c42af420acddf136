public import Foundation

/// What a purge takes away.
public struct PurgeReport: Encodable, Hashable, Sendable {
    /// What is taken away.
    public var scope: RecordPurge.Scope
    /// Bags count of which nothing was heard since.
    public var before: Date
    /// The number of bags that are taken away, or lose what names their owners.
    public var bags = 0
    /// How many of them have departed and never arrived.
    public var missing = 0
    /// The number of scans that are taken away, or lose their payloads.
    public var scans = 0
    /// The number of corrections that are taken away, or lose names and reasons.
    public var corrections = 0
    /// The number of passengers who are taken away: those who own no bags then, and were not put on
    /// record lately.
    public var passengers = 0
    /// The number of entries of the journal that are taken away.
    public var journalEntries = 0
    /// The SHA-256 of the pictures that show nothing but what is taken away, in hexadecimal.
    public var pictures: Set<String> = []

    /// Whether there is nothing to take away.
    public var isEmpty: Bool {
        bags + scans + corrections + passengers + journalEntries == 0
    }

    /// The keys by which reports tell it; the pictures are only told by their number.
    private enum CodingKeys: String, CodingKey {
        case scope, before, bags, missing, scans, corrections, passengers, journalEntries
    }

    /// Adds what was taken away besides.
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
