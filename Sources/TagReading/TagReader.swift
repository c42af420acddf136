/// Reads the symbols in a picture.
///
/// A reader does not interpret payloads: it returns bytes and positions. It only converts text whose
/// character set the symbol declares. Implementations are
/// ``ReaderPool``, which reads in supervised processes, and `ZBarTagReader`, which reads in the
/// calling process.
public protocol TagReader: Sendable {
    /// Reads every QR symbol in a picture.
    ///
    /// - Parameter image: The picture; its descriptor is read from its beginning and stays open.
    /// - Returns: The reading. A picture without a symbol is no error: its `symbols` are empty.
    /// - Throws: ``ReadError`` if the picture could not be examined completely.
    func read(_ image: TagImage) async throws(ReadError) -> Reading
}

/// The symbols found in one picture.
public struct Reading: Hashable, Sendable {
    /// The symbols, from top to bottom, then from left to right.
    public var symbols: [Symbol]

    /// The places that look like a symbol and could not be read, at most eight.
    ///
    /// Something else may look like a symbol, and a symbol may be too blurred to look like one. So they
    /// are a reason to look at what is in the picture, and no proof.
    public var unread: [UnreadPlace]

    /// The width of the picture in pixels.
    public var width: Int

    /// The height of the picture in pixels.
    public var height: Int

    /// The wall-clock time of unpacking and scanning, without the wait for a free reader.
    public var duration: Duration

    /// Describes a reading.
    public init(
        symbols: [Symbol],
        unread: [UnreadPlace] = [],
        width: Int,
        height: Int,
        duration: Duration
    ) {
        self.symbols = symbols
        self.unread = unread
        self.width = width
        self.height = height
        self.duration = duration
    }
}

extension Reading {
    /// The corners of each unread place as reports give them; nil if there are none.
    package var unreadCorners: [[[Int]]]? {
        unread.isEmpty ? nil : unread.map { $0.corners.map(\.pair) }
    }
}

/// One QR symbol found in a picture.
public struct Symbol: Hashable, Sendable {
    /// The payload; empty if its text is refused.
    ///
    /// Text of a declared character set (ECI), and of Kanji mode, is in UTF-8. All other bytes are as
    /// encoded; no character set is assumed.
    public var payload: [UInt8]

    /// The corners of the symbol in the picture, at most four, in the order of the decoder.
    public var corners: [PixelPoint]

    /// Whether this is one part of a structured append, whose other parts are in other symbols.
    public var isPartial: Bool

    /// Why the text of this symbol is not told, although the symbol was read.
    public var refusal: TextRefusal?

    /// Describes a symbol.
    public init(
        payload: [UInt8],
        corners: [PixelPoint] = [],
        isPartial: Bool = false,
        refusal: TextRefusal? = nil
    ) {
        self.payload = payload
        self.corners = corners
        self.isPartial = isPartial
        self.refusal = refusal
    }
}

/// A place in a picture that looks like a QR symbol and could not be read.
public struct UnreadPlace: Hashable, Sendable {
    /// The estimated corners of the symbol, in order around it.
    public var corners: [PixelPoint]

    /// Describes a place.
    public init(corners: [PixelPoint]) {
        self.corners = corners
    }
}

/// A position in a picture, in pixels from its top left corner as it is stored.
///
/// How a camera was held, which Exif in a JPEG tells, changes nothing: codes are found at every angle.
/// A corner may lie far outside the picture: a symbol's outline is extrapolated from its patterns.
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

    /// The position as reports give it: `[x, y]`.
    package var pair: [Int] { [x, y] }
}
