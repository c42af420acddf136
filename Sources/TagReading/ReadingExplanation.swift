/// What the reader looked at in a picture, and how far it got.
///
/// It shows people why a tag was not read; it never contains a payload.
public struct ReadingExplanation: Hashable, Sendable {
    /// The finder patterns found: the nested squares in three corners of a symbol.
    public var finders: [Finder]

    /// The places examined as symbols, in order; if there are very many, only the first ones.
    public var candidates: [Candidate]

    /// How many times the decoder got the unchanged picture.
    public var plainScans: Int

    /// The picture in grey.
    public var picture: ShownPicture

    /// Makes an explanation from its parts.
    public init(
        finders: [Finder],
        candidates: [Candidate],
        plainScans: Int,
        picture: ShownPicture
    ) {
        self.finders = finders
        self.candidates = candidates
        self.plainScans = plainScans
        self.picture = picture
    }

    /// One finder pattern.
    public struct Finder: Hashable, Sendable {
        /// Its centre, in pixels of the whole picture.
        public var centre: PixelPoint

        /// The length of a module, in pixels of the whole picture.
        public var module: Double

        /// Describes a pattern.
        public init(centre: PixelPoint, module: Double) {
            self.centre = centre
            self.module = module
        }
    }

    /// One place examined as a symbol.
    public struct Candidate: Hashable, Sendable {
        /// The estimated corners of the symbol, in order around it from its top left.
        ///
        /// They may lie far outside the picture, and are all equal if no size fitted.
        public var outline: [PixelPoint]

        /// The length of a module, in pixels of the whole picture.
        public var module: Double

        /// The number of modules on each side; `nil` if no size fitted.
        public var dimension: Int?

        /// Whether the symbol has light modules on a dark ground.
        public var isLight: Bool

        /// The number of ways in which its modules were read.
        public var tried: Int

        /// The best share of correct modules, of those that are the same in every symbol: 0 to 1.
        ///
        /// Half of them are correct by chance.
        public var agreement: Double

        /// The way that gave the payload; `nil` if none did.
        public var success: Way?

        /// Describes a place.
        public init(
            outline: [PixelPoint],
            module: Double,
            dimension: Int?,
            isLight: Bool,
            tried: Int,
            agreement: Double,
            success: Way?
        ) {
            self.outline = outline
            self.module = module
            self.dimension = dimension
            self.isLight = isLight
            self.tried = tried
            self.agreement = agreement
            self.success = success
        }
    }

    /// How a symbol was presented to the decoder; the numbers of `TagHypothesis`.
    public enum Way: UInt32, CaseIterable, Sendable {
        /// Rotation and perspective corrected by the finder patterns.
        case grid = 1
        /// Also corrected by an alignment pattern.
        case alignment = 2
        /// Curvature corrected by following the edges of modules.
        case mesh = 3
        /// Dark and light separated by another threshold.
        case threshold = 4
        /// Blur removed by a filter learnt from modules of known colour.
        case equalised = 5
        /// Blur removed by sharpening.
        case sharpened = 6
        /// One of the finder patterns was not found.
        case twoFinders = 7
        /// The unchanged picture.
        case plain = 8
        /// The modules that the blur would make look like the picture.
        case deconvolved = 9
        /// Lines or dots of the print are missing.
        case worn = 10
    }

    /// A picture with the detail needed to show where things are.
    public struct ShownPicture: Hashable, Sendable {
        /// Its own width in pixels.
        public var width: Int

        /// Its own height in pixels.
        public var height: Int

        /// How many pixels of the whole picture each pixel covers, across and down.
        public var step: Int

        /// One byte per pixel, 0 for black, row by row.
        public var luminance: [UInt8]

        /// Describes a picture.
        public init(width: Int, height: Int, step: Int, luminance: [UInt8]) {
            self.width = width
            self.height = height
            self.step = step
            self.luminance = luminance
        }
    }
}
