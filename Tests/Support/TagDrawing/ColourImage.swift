/// A picture of four planes, with colours not multiplied by their opacity.
///
/// The planes are grey pictures, so that whatever can be done to those can be done to a colour one.
public struct ColourImage: Equatable, Sendable {
    /// The plane of red.
    public var red: GreyImage
    /// The plane of green.
    public var green: GreyImage
    /// The plane of blue.
    public var blue: GreyImage
    /// The plane of opacity: 0 is transparent.
    public var alpha: GreyImage

    /// Makes a picture of planes of the same size, opaque unless there is an `alpha`.
    public init(red: GreyImage, green: GreyImage, blue: GreyImage, alpha: GreyImage? = nil) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha ?? GreyImage(width: red.width, height: red.height, level: 255)
    }

    /// Makes an opaque picture of one colour.
    public init(width: Int, height: Int, colour: Colour) {
        self.init(
            red: GreyImage(width: width, height: height, level: colour.red),
            green: GreyImage(width: width, height: height, level: colour.green),
            blue: GreyImage(width: width, height: height, level: colour.blue)
        )
    }

    /// Pixels in a row.
    public var width: Int { red.width }

    /// Rows.
    public var height: Int { red.height }

    /// The luminance (ITU-R BT.601) of the picture over a ground.
    public func grey(over ground: UInt8 = 255) -> GreyImage {
        GreyImage(width: width, height: height) { column, row in
            let colour = pixel(column: column, row: row)
            let cover = Int(colour.alpha)
            return UInt8((Int(colour.luminance) * cover + Int(ground) * (255 - cover) + 127) / 255)
        }
    }

    /// Changes the three colours in the same way and leaves the opacity alone.
    public func mapColours(_ change: (GreyImage) -> GreyImage) -> ColourImage {
        ColourImage(red: change(red), green: change(green), blue: change(blue), alpha: alpha)
    }

    /// Puts another picture over this one, as far as that one is opaque.
    public mutating func paste(_ image: ColourImage, column: Int, row: Int) {
        red.paste(image.red, column: column, row: row, opacity: image.alpha)
        green.paste(image.green, column: column, row: row, opacity: image.alpha)
        blue.paste(image.blue, column: column, row: row, opacity: image.alpha)
        alpha.paste(
            GreyImage(width: image.width, height: image.height, level: 255),
            column: column,
            row: row,
            opacity: image.alpha
        )
    }
}
