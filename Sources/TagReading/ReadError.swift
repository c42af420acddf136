/// The error of a picture that could not be examined completely.
public struct ReadError: Error, Hashable, Sendable {
    /// The kind of failure; existing codes are stable, new ones may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code, as reports show it.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// The data does not begin like a PNG or JPEG, or is a JPEG of a rare kind.
        public static let notAnImage = Code("not-an-image")
        /// A picture with broken structure, checksums or compressed data, or one that ends early.
        public static let damaged = Code("damaged")
        /// A picture that its writer did not complete within the time allowed.
        public static let incomplete = Code("incomplete")
        /// Width × height exceeds ``ReadLimits/pixels``.
        public static let tooManyPixels = Code("too-many-pixels")
        /// The file exceeds ``ReadLimits/fileBytes``.
        public static let tooManyBytes = Code("too-many-bytes")
        /// There are more symbols than ``ReadLimits/symbols``, or too many places that look like one.
        public static let tooManySymbols = Code("too-many-symbols")
        /// Reading needed more memory than ``ReadLimits/memoryBytes``, or than the process could get.
        public static let outOfMemory = Code("out-of-memory")
        /// Reading took longer than ``ReadLimits/time`` or ``ReadLimits/processorSeconds``.
        public static let timedOut = Code("timed-out")
        /// The reader process ended while it held this picture.
        public static let readerCrashed = Code("reader-crashed")
        /// There is no usable reader process: not found, not startable, or of another build.
        public static let readerUnavailable = Code("reader-unavailable")
        /// The file could not be opened or read.
        public static let inputFailed = Code("input-failed")
        /// The decoder rejected the picture.
        public static let decoderFailed = Code("decoder-failed")
        /// The task was cancelled before the picture was read.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of failure.
    public var code: Code

    /// What happened, for the user: a sentence without the file's name and without a full stop.
    public var message: String

    /// The system's error number if ``code-swift.property`` is ``Code-swift.struct/inputFailed``.
    public var errorNumber: Int32?

    /// Whether the picture's own data is known to cause the error, so that a retry cannot help.
    ///
    /// A limit of time or memory may be due to a busy or small machine, and the end of a reader to
    /// a signal.
    public var isPermanent: Bool {
        switch code {
        case .notAnImage, .damaged, .incomplete, .tooManyPixels, .tooManyBytes, .tooManySymbols,
            .decoderFailed:
            true
        default: false
        }
    }

    /// Whether nothing was learnt about the picture: reading could not begin, or the file changed meanwhile.
    public var isInconclusive: Bool {
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
    /// The message for the user.
    public var description: String { message }
}
