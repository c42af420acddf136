/// A colour of 8 bits a sample and its opacity.
public struct Colour: Hashable, Sendable {
    /// The share of red.
    public var red: UInt8
    /// The share of green.
    public var green: UInt8
    /// The share of blue.
    public var blue: UInt8
    /// The opacity: 0 is transparent.
    public var alpha: UInt8

    /// Makes a colour, opaque unless told otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Makes a grey, opaque unless told otherwise.
    public init(grey: UInt8, alpha: UInt8 = 255) {
        self.init(red: grey, green: grey, blue: grey, alpha: alpha)
    }

    /// White.
    public static let white = Colour(grey: 255)

    /// The luminance (ITU-R BT.601), whatever the opacity.
    public var luminance: UInt8 {
        let weighted = 19595 * Int(red) + 38470 * Int(green) + 7471 * Int(blue)
        return UInt8((weighted + 32768) >> 16)
    }
}
