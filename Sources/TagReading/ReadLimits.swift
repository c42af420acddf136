/// The limits for reading one picture.
///
/// A picture that exceeds a limit fails with an error that names the limit; it is never reported as
/// a picture without a symbol. Limits of time and memory need a process of their own: ``ReaderPool``
/// enforces them, `ZBarTagReader` does not.
public struct ReadLimits: Hashable, Sendable {
    /// The largest width × height, in pixels.
    ///
    /// A small file can unpack to billions of pixels, so this is checked before unpacking.
    public var pixels: Int

    /// The largest file, in bytes.
    public var fileBytes: Int

    /// The largest number of symbols in one picture.
    ///
    /// The error is the same if more places look like symbols than the reader can try.
    public var symbols: Int

    /// The longest processor time for one picture, in whole seconds; only ``ReaderPool`` enforces it.
    public var processorSeconds: Int

    /// The longest wall-clock time for one picture, from its transfer to a reader process.
    ///
    /// Only ``ReaderPool`` enforces it.
    public var time: Duration

    /// The longest wall-clock time for a new reader process to report that it is ready.
    ///
    /// It is not part of ``time``, because no picture causes it, and a busy machine starts
    /// processes slowly.
    public var startingTime: Duration

    /// The largest address space of a reader process, in bytes, its libraries included.
    ///
    /// Only ``ReaderPool`` enforces it.
    public var memoryBytes: Int

    /// How much work to spend on a picture that cannot be read at once.
    ///
    /// It is no limit: to use it up is no error.
    public var effort: ReadEffort

    /// The defaults: normal effort, 50 million pixels, 64 MiB, 400 symbols, 20 s of processor time
    /// in 60 s, 1 GiB of memory, and 60 s to start.
    public static let `default` = ReadLimits(
        pixels: 50_000_000,
        fileBytes: 64 << 20,
        symbols: 400,
        processorSeconds: 20,
        time: .seconds(60),
        memoryBytes: 1 << 30
    )

    /// Sets every limit.
    public init(
        pixels: Int,
        fileBytes: Int,
        symbols: Int,
        processorSeconds: Int,
        time: Duration,
        memoryBytes: Int,
        startingTime: Duration = .seconds(60),
        effort: ReadEffort = .normal
    ) {
        self.pixels = pixels
        self.fileBytes = fileBytes
        self.symbols = symbols
        self.processorSeconds = processorSeconds
        self.time = time
        self.startingTime = startingTime
        self.memoryBytes = memoryBytes
        self.effort = effort
    }
}

/// How much work to spend on a picture that cannot be read at once.
///
/// The work is counted in pixels, never in time, so a picture gives the same answer on a busy machine.
public enum ReadEffort: String, CaseIterable, Hashable, Sendable {
    /// The most likely ways only: for good pictures, or very many.
    case fast
    /// The ways that nearly all readable codes need.
    case normal
    /// All ways: for a picture that must be read.
    case thorough

    /// The number for it in the reader protocol.
    package var number: UInt32 {
        switch self {
        case .normal: 0
        case .fast: 1
        case .thorough: 2
        }
    }
}
