/// The error of a store that cannot be opened, read or written.
public struct StoreError: Error, CustomStringConvertible {
    /// The kind of failure; existing codes are stable, new ones may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// There is no store at the location, and none should be made.
        public static let notFound = Code("not-found")
        /// The store cannot be made or opened at the location.
        public static let cannotOpen = Code("cannot-open")
        /// The file is not a database, or is damaged.
        public static let damaged = Code("damaged")
        /// The file is a database of another program.
        public static let foreign = Code("foreign")
        /// The store was written by a newer version or for another model.
        public static let incompatible = Code("incompatible")
        /// The store or its folder cannot be written.
        public static let readOnly = Code("read-only")
        /// Another process keeps the store locked.
        public static let locked = Code("locked")
        /// The disk is full.
        public static let full = Code("full")
        /// A file already exists at the location.
        public static let exists = Code("exists")
        /// The system could not read or write.
        public static let ioFailed = Code("io-failed")
        /// The file of an open store was removed, moved or replaced.
        public static let gone = Code("gone")
        /// A file that belongs to the store was removed or replaced.
        public static let incomplete = Code("incomplete")
        /// A file was truncated or overwritten by another program.
        public static let cut = Code("cut")
        /// The last saves are missing.
        public static let savesLost = Code("saves-lost")
        /// The context belongs to a transaction that has ended.
        public static let transactionEnded = Code("transaction-ended")
        /// Requested saves are no longer in the history.
        public static let historyExpired = Code("history-expired")
        /// A requested figure is too large for its type, or not a number.
        public static let outOfRange = Code("out-of-range")
        /// Anything else that the store refused.
        public static let failed = Code("failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do about it, for the user.
    public let message: String
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    /// Describes a failure.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// What happened and what to do about it.
    public var description: String { message }

    /// The error of a transaction within another one on the same thread.
    package static var isInTransaction: StoreError {
        StoreError(
            .failed,
            "a transaction is under way on this thread, and another one would wait for it; save in "
                + "the context that the transaction gives"
        )
    }
}
