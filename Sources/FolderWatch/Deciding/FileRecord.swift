/// A file's folder and name in 64 bits.
///
/// Two names that share one, in some 10^10 folders of a hundred thousand files, take turns: the
/// second is found by the scan after the first has gone. The number is seeded anew in every process,
/// so nobody can choose names that share one.
struct FileKey: Hashable {
    private let bits: Int

    init(folder: Int, name: [UInt8]) {
        var hasher = Hasher()
        hasher.combine(folder)
        unsafe name.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        bits = hasher.finalize()
    }
}

/// What is remembered of a file, as small as may be: a folder may have many that stay.
struct FileRecord {
    enum Phase: Equatable {
        /// Is to be handed out in this order.
        case pending(order: UInt64)
        /// Is handed out.
        case inWork(ticket: UInt64)
        /// Was incomplete; is overdue at this moment.
        case waiting(due: Moment)
        /// Met with transient trouble; is handed out again at this moment.
        case delayed(due: Moment)
        /// Is not handed out again as it is.
        case settled
    }

    struct Marks: OptionSet {
        let rawValue: UInt8

        /// Somebody has written it or put it there: its state need not show that.
        static let written = Marks(rawValue: 1)
        /// Something has happened to it, which its state shows if it matters.
        static let touched = Marks(rawValue: 2)
        /// The time for which it may stay incomplete is over, unless its state has changed.
        static let overdue = Marks(rawValue: 4)
        /// It was settled: without news it stays so.
        static let wasSettled = Marks(rawValue: 8)
    }

    let folder: Int32
    /// Nil where too many names are remembered: a scan finds it again.
    var name: [UInt8]?
    var phase: Phase
    /// The digest of the state in which it was handed out last; nil before that.
    var digest: UInt64?
    var attempts: UInt32 = 0
    /// The scan of the folder that was going on, or was the last, when something was learnt of it.
    var scan: UInt32
    var marks: Marks = []
}
