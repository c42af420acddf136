/// Why a store cannot be opened, read or written.
public struct StoreError: Error, CustomStringConvertible {
    /// The kind of failure; stable, and open to new kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable word for this kind.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// There is no store at the place, and none was to be made.
        public static let notFound = Code("not-found")
        /// The store cannot be made or opened at the place.
        public static let cannotOpen = Code("cannot-open")
        /// The file is no database, or a damaged one.
        public static let damaged = Code("damaged")
        /// The file is a database of another program.
        public static let foreign = Code("foreign")
        /// The store was written by a newer version or for another model.
        public static let incompatible = Code("incompatible")
        /// The store or its folder may not be written.
        public static let readOnly = Code("read-only")
        /// Another process keeps the store locked.
        public static let locked = Code("locked")
        /// The disk is full.
        public static let full = Code("full")
        /// A file is in the way.
        public static let exists = Code("exists")
        /// The system could not read or write.
        public static let ioFailed = Code("io-failed")
        /// The file of a store that is open was removed, moved away or replaced.
        public static let gone = Code("gone")
        /// A file beside it, without which it is not whole, was removed or replaced.
        public static let incomplete = Code("incomplete")
        /// A file was cut or overwritten by something else than a store.
        public static let cut = Code("cut")
        /// What was saved last is not there any more.
        public static let savesLost = Code("saves-lost")
        /// The context belongs to a transaction that has ended.
        public static let transactionEnded = Code("transaction-ended")
        /// Saves that were asked for are no longer in the history.
        public static let historyExpired = Code("history-expired")
        /// A figure that was asked for is too great for its type, or no number.
        public static let outOfRange = Code("out-of-range")
        /// Anything else that the store refused.
        public static let failed = Code("failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do about it, for a person.
    public let message: String
    /// The failure beneath, where there is one.
    public let underlying: (any Error)?

    /// Describes a failure.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// What happened and what to do about it.
    public var description: String { message }

    /// A transaction was to begin within another one on the same thread.
    package static var isInTransaction: StoreError {
        StoreError(
            .failed,
            "a transaction is under way on this thread, and another one would wait for it; save in "
                + "the context that the transaction gives"
        )
    }
}
