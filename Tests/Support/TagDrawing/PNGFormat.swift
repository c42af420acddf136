/// Every colour type and depth that PNG has.
public enum PNGFormat: String, CaseIterable, Sendable {
    /// Black and white.
    case grey1
    /// 4 levels of grey.
    case grey2
    /// 16 levels of grey.
    case grey4
    /// 256 levels of grey.
    case grey8
    /// 65,536 levels of grey.
    case grey16
    /// 8 bits of grey, 8 of opacity.
    case greyAlpha8
    /// 16 bits of grey, 16 of opacity.
    case greyAlpha16
    /// 8 bits a colour.
    case rgb8
    /// 16 bits a colour.
    case rgb16
    /// 8 bits a colour, 8 of opacity.
    case rgba8
    /// 16 bits a colour, 16 of opacity.
    case rgba16
    /// 2 colours of a palette.
    case palette1
    /// 4 colours of a palette.
    case palette2
    /// 16 colours of a palette.
    case palette4
    /// 256 colours of a palette.
    case palette8

    /// Bits of one sample.
    public var depth: Int {
        switch self {
        case .grey1, .palette1: 1
        case .grey2, .palette2: 2
        case .grey4, .palette4: 4
        case .grey8, .greyAlpha8, .rgb8, .rgba8, .palette8: 8
        case .grey16, .greyAlpha16, .rgb16, .rgba16: 16
        }
    }

    /// Whether a pixel is an entry of a palette.
    public var hasPalette: Bool { colourType == 3 }

    /// Whether a pixel has a sample of opacity of its own.
    public var hasAlpha: Bool { colourType & 4 != 0 }

    /// The colour type in the header: 1 for a palette, 2 for colour, 4 for opacity, added up.
    var colourType: Int {
        switch self {
        case .grey1, .grey2, .grey4, .grey8, .grey16: 0
        case .rgb8, .rgb16: 2
        case .palette1, .palette2, .palette4, .palette8: 3
        case .greyAlpha8, .greyAlpha16: 4
        case .rgba8, .rgba16: 6
        }
    }
}

/// Which grey of a picture is written as a hole in it.
public struct PNGTransparency: Equatable, Sendable {
    /// The level that becomes transparent.
    public var level: UInt8
    /// The level stored where nothing is to be seen.
    ///
    /// Where a format marks a whole level as transparent (grey and RGB without opacity), `level`
    /// is stored instead.
    public var hidden: UInt8

    /// Makes holes of a level, with black below them unless told otherwise.
    public init(level: UInt8, hidden: UInt8 = 0) {
        self.level = level
        self.hidden = hidden
    }

    /// Only what is black stays: the ground is transparent.
    public static let whiteGround = PNGTransparency(level: 255)

    /// Only what is white stays: the ground is transparent.
    public static let blackGround = PNGTransparency(level: 0, hidden: 255)
}
