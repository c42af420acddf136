/// Reads the symbols in a picture.
///
/// A reader knows nothing of what payloads mean: it gives bytes and positions. Implementations are
/// ``ReaderPool``, which reads in supervised processes of their own, and `ZBarTagReader`, which
/// reads in the calling process.
public protocol TagReader: Sendable {
    /// Reads every QR symbol in a picture.
    ///
    /// - Parameter image: The picture; its descriptor is read from its beginning and stays open.
    /// - Returns: What was found. A picture without a symbol is no error: its `symbols` are empty.
    /// - Throws: ``ReadError`` where the picture could not be examined to its end.
    func read(_ image: TagImage) async throws(ReadError) -> Reading
}

/// What was found in one picture.
public struct Reading: Hashable, Sendable {
    /// The symbols, from top to bottom, then from left to right.
    public var symbols: [Symbol]

    /// The width of the picture in pixels.
    public var width: Int

    /// The height of the picture in pixels.
    public var height: Int

    /// The wall-clock time that unpacking and scanning took, without waiting for a free reader.
    public var duration: Duration

    /// Describes a reading.
    public init(symbols: [Symbol], width: Int, height: Int, duration: Duration) {
        self.symbols = symbols
        self.width = width
        self.height = height
        self.duration = duration
    }
}

/// One QR symbol as found in a picture.
public struct Symbol: Hashable, Sendable {
    /// The payload, byte for byte as it was encoded; no character set is assumed.
    public var payload: [UInt8]

    /// The corners of the symbol in the picture, none or up to four, in the order of the decoder.
    public var corners: [PixelPoint]

    /// Whether this is one part of a structured append, whose other parts are in other symbols.
    public var isPartial: Bool

    /// Describes a symbol.
    public init(payload: [UInt8], corners: [PixelPoint] = [], isPartial: Bool = false) {
        self.payload = payload
        self.corners = corners
        self.isPartial = isPartial
    }
}

/// A position in a picture, in pixels from its top left corner.
///
/// A corner may lie outside the picture: a symbol's outline is extrapolated from its patterns.
public struct PixelPoint: Hashable, Sendable {
    /// The distance from the left edge.
    public var x: Int

    /// The distance from the top edge.
    public var y: Int

    /// Describes a position.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}
