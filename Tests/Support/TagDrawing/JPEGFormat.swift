/// How a picture is stored as JPEG.
public struct JPEGFormat: Equatable, Sendable {
    /// What the samples of a pixel mean.
    public enum Colours: CaseIterable, Sendable {
        /// Luminance only.
        case grey
        /// Luminance and two colours, as cameras store it.
        case yCbCr
        /// Red, green and blue as they are.
        case rgb
        /// The light that four inks leave, as Adobe's programs store it.
        case cmyk
        /// The same, the inks but black as luminance and two colours.
        case ycck

        /// Samples of a pixel.
        var channels: Int {
            switch self {
            case .grey: 1
            case .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        }

        /// Whether libjpeg stores the samples as they are handed to it.
        var isDirect: Bool { [.grey, .rgb, .cmyk].contains(self) }
    }

    /// For how many pixels a colour is stored, beside the luminance of each.
    public enum Sampling: CaseIterable, Sendable {
        /// For each.
        case all
        /// For two in a row.
        case half
        /// For two in each of two rows, as cameras do.
        case quarter
        /// For four in a row.
        case quarterOfRow

        var columns: Int { [.half, .quarter].contains(self) ? 2 : self == .all ? 1 : 4 }
        var rows: Int { self == .quarter ? 2 : 1 }
    }

    /// What the samples of a pixel mean.
    public var colours = Colours.yCbCr
    /// For how many pixels a colour is stored.
    public var sampling = Sampling.quarter
    /// From 1 to 100, as libjpeg scales its tables.
    public var quality = 90
    /// Whether it is stored in scans from coarse to fine.
    public var isProgressive = false
    /// Whether each component has a scan of its own, unless it is progressive.
    public var isSeparate = false
    /// Whether arithmetic coding takes the place of Huffman's.
    public var isArithmetic = false
    /// How many blocks there are between two restart markers; 0 for no such markers.
    public var restartInterval = 0

    /// Describes a format, that of cameras unless told otherwise.
    ///
    /// - Parameters:
    ///   - colours: What the samples of a pixel mean.
    ///   - sampling: For how many pixels a colour is stored.
    ///   - quality: From 1 to 100.
    ///   - isProgressive: Whether it is stored in scans from coarse to fine.
    ///   - isSeparate: Whether each component has a scan of its own.
    ///   - isArithmetic: Whether arithmetic coding takes the place of Huffman's.
    ///   - restartInterval: How many blocks there are between two restart markers; 0 for none.
    public init(
        _ colours: Colours = .yCbCr,
        sampling: Sampling = .quarter,
        quality: Int = 90,
        isProgressive: Bool = false,
        isSeparate: Bool = false,
        isArithmetic: Bool = false,
        restartInterval: Int = 0
    ) {
        self.colours = colours
        self.sampling = sampling
        self.quality = quality
        self.isProgressive = isProgressive
        self.isSeparate = isSeparate
        self.isArithmetic = isArithmetic
        self.restartInterval = restartInterval
    }
}
