/// Why a picture could not be examined to its end.
public struct ReadError: Error, Hashable, Sendable {
    /// The kind of failure; stable, and open to new kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable word for this kind, as reports give it.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// The bytes do not begin like a PNG.
        public static let notAnImage = Code("not-an-image")
        /// A PNG whose structure, checksums or compressed data are broken, or which ends early.
        public static let damaged = Code("damaged")
        /// A PNG that was not written to its end in the time that it was given.
        public static let incomplete = Code("incomplete")
        /// Width × height exceeds ``ReadLimits/pixels``.
        public static let tooManyPixels = Code("too-many-pixels")
        /// The file exceeds ``ReadLimits/fileBytes``.
        public static let tooManyBytes = Code("too-many-bytes")
        /// The picture holds more symbols than ``ReadLimits/symbols``.
        public static let tooManySymbols = Code("too-many-symbols")
        /// Reading needed more memory than ``ReadLimits/memoryBytes``.
        public static let outOfMemory = Code("out-of-memory")
        /// Reading took longer than ``ReadLimits/time`` or ``ReadLimits/processorSeconds``.
        public static let timedOut = Code("timed-out")
        /// The reader process ended while it held this picture.
        public static let readerCrashed = Code("reader-crashed")
        /// No reader process can be had: not found, not startable, or of another build.
        public static let readerUnavailable = Code("reader-unavailable")
        /// The file could not be opened or read.
        public static let inputFailed = Code("input-failed")
        /// The decoder refused the picture.
        public static let decoderFailed = Code("decoder-failed")
        /// The task was cancelled before the picture was read.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of failure.
    public var code: Code

    /// What happened, for a person: a sentence without the file's name and without a full stop.
    public var message: String

    /// The system's error number where ``code-swift.property`` is ``Code-swift.struct/inputFailed``.
    public var errorNumber: Int32?

    /// Whether the picture's own bytes are known to be at fault, so that trying again cannot help.
    ///
    /// A busy or a small machine can be behind a limit of time or memory, and somebody's signal
    /// behind the end of a reader.
    public var isPermanent: Bool {
        switch code {
        case .notAnImage, .damaged, .incomplete, .tooManyPixels, .tooManyBytes, .tooManySymbols,
            .decoderFailed:
            true
        default: false
        }
    }

    /// Whether the picture was not even looked at, so that nothing has been learnt about it.
    public var isBeforeReading: Bool {
        switch code {
        case .readerUnavailable, .inputFailed, .cancelled: true
        default: false
        }
    }

    /// Describes a failure.
    public init(_ code: Code, _ message: String, errorNumber: Int32? = nil) {
        self.code = code
        self.message = message
        self.errorNumber = errorNumber
    }
}

extension ReadError: CustomStringConvertible {
    /// The sentence for a person.
    public var description: String { message }
}
