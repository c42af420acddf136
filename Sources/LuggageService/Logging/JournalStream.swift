internal import SystemSupport

/// The value of `JOURNAL_STREAM`: the device and inode number of the stream to the journal.
///
/// Processes that the service starts inherit the variable, and a redirection does not change it. So only
/// comparing it with a descriptor tells whether that writes to the journal.
struct JournalStream: Equatable {
    private let file: FileIdentity

    /// Reads the variable; nil if it is absent or malformed.
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
        FileStatus(of: descriptor)?.identity == file
    }
}
