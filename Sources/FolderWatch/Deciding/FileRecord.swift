/// A file's folder and name in 64 bits.
///
/// If two names share a key, which happens once in some 10^10 folders of a hundred thousand files,
/// they take turns: a scan finds the second after the first has gone. The hash is seeded anew in
/// every process, so nobody can choose names that share a key.
struct FileKey: Hashable {
    private let bits: Int

    init(folder: Int, name: [UInt8]) {
        var hasher = Hasher()
        hasher.combine(folder)
        unsafe name.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        bits = hasher.finalize()
    }
}

/// The record of a file, as small as possible: many files may stay in a folder.
struct FileRecord {
    enum Phase: Equatable {
        /// It is queued, in this order.
        case pending(order: UInt64)
        /// It is handed out.
        case inWork(ticket: UInt64)
        /// It was incomplete, and becomes overdue at this time.
        case waiting(due: Moment)
        /// It met a transient error, and is handed out again at this time.
        case delayed(due: Moment)
        /// It is not handed out again in its present state.
        case settled
    }

    struct Marks: OptionSet {
        let rawValue: UInt8

        /// A program has written it or moved it there, which its state need not show.
        static let written = Marks(rawValue: 1)
        /// Something happened to it, which its state shows if it matters.
        static let touched = Marks(rawValue: 2)
        /// It was incomplete for as long as it may be; this counts only if its state has not changed.
        static let overdue = Marks(rawValue: 4)
        /// It was settled, and stays so without news.
        static let wasSettled = Marks(rawValue: 8)
    }

    let folder: Int32
    /// Nil if too many names are kept: a scan finds it again.
    var name: [UInt8]?
    var phase: Phase
    /// The digest of its state when it was last handed out; nil before that.
    var digest: UInt64?
    var attempts: UInt32 = 0
    /// The scan that was running, or had run last, at the last news of the file.
    var scan: UInt32
    var marks: Marks = []
}
