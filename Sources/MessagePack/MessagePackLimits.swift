/// How large a message may be, so that a hostile one costs little.
public struct MessagePackLimits: Hashable, Sendable {
    /// The greatest depth that can be asked for.
    ///
    /// Values are decoded by calls inside one another, and a thread's stack must hold them.
    public static let greatestDepth = 1024

    /// The greatest length that can be asked for, in bytes: one less than 2 GiB.
    public static let greatestByteCount = Int(Int32.max)

    /// How many arrays and maps may stand inside one another, at most ``greatestDepth``.
    public var depth: Int {
        didSet { depth = Self.depth(depth) }
    }

    /// How many values a message may have, keys and the values inside arrays and maps included.
    ///
    /// While a message is decoded each takes 16 bytes.
    public var elementCount: Int {
        didSet { elementCount = max(elementCount, 0) }
    }

    /// How many bytes a message may have, at most ``greatestByteCount``.
    public var byteCount: Int {
        didSet { byteCount = Self.byteCount(byteCount) }
    }

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - depth: How many arrays and maps may stand inside one another.
    ///   - elementCount: How many values a message may have.
    ///   - byteCount: How many bytes a message may have.
    public init(
        depth: Int = 128,
        elementCount: Int = .max,
        byteCount: Int = MessagePackLimits.greatestByteCount
    ) {
        self.depth = Self.depth(depth)
        self.elementCount = max(elementCount, 0)
        self.byteCount = Self.byteCount(byteCount)
    }

    /// The depth that is nearest to one asked for.
    static func depth(_ asked: Int) -> Int { min(max(asked, 0), greatestDepth) }

    private static func byteCount(_ asked: Int) -> Int { min(max(asked, 0), greatestByteCount) }
}
