extension Double {
    /// An angle given in degrees, in radians.
    var radians: Double { self * .pi / 180 }
}
