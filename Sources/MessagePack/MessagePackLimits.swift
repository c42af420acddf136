/// The limits for a message, so that a hostile one costs little.
public struct MessagePackLimits: Hashable, Sendable {
    /// The greatest possible depth limit.
    ///
    /// Values are decoded by nested calls, which must fit on a thread's stack.
    public static let greatestDepth = 1024

    /// The greatest possible length limit, in bytes: one less than 2 GiB.
    public static let greatestByteCount = Int(Int32.max)

    /// The greatest nesting of arrays and maps, at most ``greatestDepth``.
    public var depth: Int {
        didSet { depth = Self.depth(depth) }
    }

    /// The greatest number of values in a message, including keys and the contents of containers.
    ///
    /// During decoding each takes 16 bytes.
    public var elementCount: Int {
        didSet { elementCount = max(elementCount, 0) }
    }

    /// The greatest length of a message in bytes, at most ``greatestByteCount``.
    public var byteCount: Int {
        didSet { byteCount = Self.byteCount(byteCount) }
    }

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - depth: The greatest nesting of arrays and maps.
    ///   - elementCount: The greatest number of values in a message.
    ///   - byteCount: The greatest length of a message in bytes.
    public init(
        depth: Int = 128,
        elementCount: Int = .max,
        byteCount: Int = MessagePackLimits.greatestByteCount
    ) {
        self.depth = Self.depth(depth)
        self.elementCount = max(elementCount, 0)
        self.byteCount = Self.byteCount(byteCount)
    }

    /// The possible depth limit that is nearest to the requested one.
    static func depth(_ asked: Int) -> Int { min(max(asked, 0), greatestDepth) }

    private static func byteCount(_ asked: Int) -> Int { min(max(asked, 0), greatestByteCount) }
}
