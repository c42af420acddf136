/// What was looked at in a picture, and how far it came.
///
/// For people who want to know why a tag was not read: nothing here is ever a payload.
public struct ReadingExplanation: Hashable, Sendable {
    /// The finder patterns that were seen: the nested squares in three corners of a symbol.
    public var finders: [Finder]

    /// The places that were taken for symbols, in the order in which they were tried; the first ones,
    /// where there are very many.
    public var candidates: [Candidate]

    /// How many times the picture was given to the decoder as it is.
    public var plainScans: Int

    /// The picture itself, without its colours.
    public var picture: ShownPicture

    /// Describes what was looked at.
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

    /// One place that was taken for a symbol.
    public struct Candidate: Hashable, Sendable {
        /// The corners of the symbol as estimated, around it from its top left.
        ///
        /// They may lie far outside the picture, and are all the same where no size fitted.
        public var outline: [PixelPoint]

        /// The length of a module, in pixels of the whole picture.
        public var module: Double

        /// Modules on each side; `nil` where no size fitted.
        public var dimension: Int?

        /// Whether light modules are on a dark ground.
        public var isLight: Bool

        /// In how many ways its modules were looked at.
        public var tried: Int

        /// Of the modules that are the same in every symbol, the part that was right at best: 0 to 1.
        ///
        /// Half of them are right by chance.
        public var agreement: Double

        /// The way that led to the payload; `nil` where none did.
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
        /// Rotation and perspective undone by the finder patterns.
        case grid = 1
        /// And by an alignment pattern.
        case alignment = 2
        /// Curvature undone by following the edges of modules.
        case mesh = 3
        /// Dark told from light by another threshold.
        case threshold = 4
        /// Blur undone as learnt from modules of known colour.
        case equalised = 5
        /// Blur undone by sharpening.
        case sharpened = 6
        /// One of the finder patterns was not seen.
        case twoFinders = 7
        /// The picture as it is.
        case plain = 8
    }

    /// A picture as far as it is needed to show where things are.
    public struct ShownPicture: Hashable, Sendable {
        /// The width in pixels of its own.
        public var width: Int

        /// The height in pixels of its own.
        public var height: Int

        /// How many pixels of the whole picture, across and down, each of these stands for.
        public var step: Int

        /// One byte a pixel, 0 black, row after row.
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
