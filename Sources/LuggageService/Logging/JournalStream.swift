#if canImport(Glibc)
internal import Glibc
#endif

/// What `JOURNAL_STREAM` says: the device and file number of the stream that is the journal.
///
/// It is inherited by whatever the service starts, and outlives a redirection; so only the comparison
/// with a descriptor tells whether what is written there goes to the journal.
struct JournalStream: Equatable {
    let device: UInt64
    let fileNumber: UInt64

    /// Reads the variable; `nil` where it is absent or something else.
    init?(environment: [String: String]) {
        let parts = environment["JOURNAL_STREAM"]?.split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        guard let parts, parts.count == 2, let device = UInt64(parts[0]),
            let fileNumber = UInt64(parts[1])
        else { return nil }
        self.device = device
        self.fileNumber = fileNumber
    }

    /// Whether the descriptor is that stream.
    func isAt(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == fileNumber
    }
}
