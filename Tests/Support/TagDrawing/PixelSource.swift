/// Whatever has a colour for each of its pixels.
public protocol PixelSource {
    /// Pixels in a row.
    var width: Int { get }
    /// Rows.
    var height: Int { get }
    func pixel(column: Int, row: Int) -> Colour
}

extension GreyImage: PixelSource {
    /// The level of a pixel as an opaque grey.
    public func pixel(column: Int, row: Int) -> Colour {
        Colour(grey: self[column, row])
    }
}

extension ColourImage: PixelSource {
    /// The colour of a pixel.
    public func pixel(column: Int, row: Int) -> Colour {
        Colour(
            red: red[column, row],
            green: green[column, row],
            blue: blue[column, row],
            alpha: alpha[column, row]
        )
    }
}
