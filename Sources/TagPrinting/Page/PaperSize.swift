/// The size of the paper that a tag is printed on.
public struct PaperSize: Hashable, Sendable {
    /// The width in millimetres.
    public let width: Double
    /// The height in millimetres.
    public let height: Double

    /// The lengths that a side may have, in millimetres.
    public static let sides = 30.0...600.0

    /// A label of 100 by 150 mm, as for parcel printers.
    public static let label = PaperSize(uncheckedWidth: 100, height: 150)

    /// A strip of 54 by 150 mm, as wide as the tags of airlines.
    public static let strip = PaperSize(uncheckedWidth: 54, height: 150)

    /// A strip of 54 by 400 mm, which goes round a handle.
    public static let loop = PaperSize(uncheckedWidth: 54, height: 400)

    /// A card of 85.6 by 54 mm, as banks issue them.
    public static let card = PaperSize(uncheckedWidth: 85.6, height: 54)

    private init(uncheckedWidth width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Describes paper.
    ///
    /// - Parameters:
    ///   - width: The width in millimetres.
    ///   - height: The height in millimetres.
    /// - Throws: ``TagPrintingError`` if a side is not within ``sides``.
    public init(width: Double, height: Double) throws {
        guard Self.sides.contains(width), Self.sides.contains(height) else {
            throw TagPrintingError(
                .paper,
                "paper is \(Int(Self.sides.lowerBound)) to \(Int(Self.sides.upperBound)) mm wide and "
                    + "high; write both in millimetres, like 100x150"
            )
        }
        self.init(uncheckedWidth: width, height: height)
    }
}

/// The resolution of a printer.
public struct Resolution: Hashable, Sendable {
    /// The dots per inch.
    public let dotsPerInch: Int

    /// The resolutions of printers.
    public static let range = 150...1200

    /// 203 dots per inch, as in most label printers.
    public static let dots203 = Resolution(unchecked: 203)

    /// 300 dots per inch.
    public static let dots300 = Resolution(unchecked: 300)

    private init(unchecked dotsPerInch: Int) {
        self.dotsPerInch = dotsPerInch
    }

    /// Describes a resolution.
    ///
    /// - Parameter dotsPerInch: The dots per inch.
    /// - Throws: ``TagPrintingError`` if it is not within ``range``.
    public init(dotsPerInch: Int) throws {
        guard Self.range.contains(dotsPerInch) else {
            throw TagPrintingError(
                .paper,
                "printers have \(Self.range.lowerBound) to \(Self.range.upperBound) dots in an "
                    + "inch, often 203, 300 or 600; the printer's manual tells which"
            )
        }
        self.init(unchecked: dotsPerInch)
    }

    /// The dots in a number of millimetres, as a fraction.
    func dots(_ millimetres: Double) -> Double { millimetres * Double(dotsPerInch) / 25.4 }
}
