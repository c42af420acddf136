/// A picture of one 8-bit sample a pixel, row by row from the top left; 0 is black.
public struct GreyImage: Equatable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// `width * height` samples.
    public private(set) var samples: [UInt8]

    /// Makes a picture of one level.
    public init(width: Int, height: Int, level: UInt8) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.width = width
        self.height = height
        samples = [UInt8](repeating: level, count: width * height)
    }

    /// Makes a picture of ready samples.
    public init(width: Int, height: Int, samples: [UInt8]) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        precondition(samples.count == width * height, "one sample for each pixel")
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// Makes a picture by asking for each sample, row by row.
    public init(width: Int, height: Int, sample: (_ column: Int, _ row: Int) -> UInt8) {
        self.init(width: width, height: height, level: 0)
        for row in 0..<height {
            for column in 0..<width {
                samples[row * width + column] = sample(column, row)
            }
        }
    }

    /// The sample of one pixel.
    public subscript(column: Int, row: Int) -> UInt8 {
        get { samples[row * width + column] }
        set { samples[row * width + column] = newValue }
    }

    /// The negative: black becomes white.
    public func inverted() -> GreyImage {
        GreyImage(width: width, height: height, samples: samples.map { 255 - $0 })
    }

    /// Enlarges each pixel to a square of equal ones.
    public func enlarged(by factor: Int) -> GreyImage {
        GreyImage(width: width * factor, height: height * factor) { column, row in
            self[column / factor, row / factor]
        }
    }

    /// Pictures side by side on white, from left to right.
    ///
    /// - Parameters:
    ///   - images: The pictures, one at least.
    ///   - gap: The white pixels between two of them.
    public init(row images: [GreyImage], gap: Int = 0) {
        let width = images.reduce(-gap) { $0 + $1.width + gap }
        self.init(width: width, height: images.map(\.height).max() ?? 0, level: 255)
        var column = 0
        for image in images {
            paste(image, column: column, row: 0)
            column += image.width + gap
        }
    }

    /// Puts another picture over this one; what lies outside is cut off.
    ///
    /// - Parameters:
    ///   - image: The picture to put.
    ///   - column: Where its left edge goes.
    ///   - row: Where its top edge goes.
    ///   - opacity: How much of each pixel covers what is below, of the same size as `image`;
    ///     everything if nil.
    public mutating func paste(
        _ image: GreyImage,
        column: Int,
        row: Int,
        opacity: GreyImage? = nil
    ) {
        for y in max(0, -row)..<max(0, -row, min(image.height, height - row)) {
            for x in max(0, -column)..<max(0, -column, min(image.width, width - column)) {
                let cover = Int(opacity?[x, y] ?? 255)
                guard cover > 0 else { continue }
                let below = Int(self[column + x, row + y])
                let mixed = (Int(image[x, y]) * cover + below * (255 - cover) + 127) / 255
                self[column + x, row + y] = UInt8(mixed)
            }
        }
    }
}
