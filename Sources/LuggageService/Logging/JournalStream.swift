internal import System

/// What `JOURNAL_STREAM` says: the device and file number of the stream that is the journal.
///
/// It is inherited by whatever the service starts, and outlives a redirection; so only the comparison
/// with a descriptor tells whether what is written there goes to the journal.
struct JournalStream: Equatable {
    private let file: FileIdentity

    /// Reads the variable; `nil` where it is absent or something else.
    init?(environment: [String: String]) {
        let parts = environment["JOURNAL_STREAM"]?.split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        guard let parts, parts.count == 2, let device = UInt64(parts[0]),
            let number = UInt64(parts[1])
        else { return nil }
        file = FileIdentity(device: device, number: number)
    }

    /// Whether the descriptor is that stream.
    func isAt(_ descriptor: Int32) -> Bool {
        FileIdentity(of: descriptor) == file
    }
}
