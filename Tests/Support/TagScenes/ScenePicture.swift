package import TagPrinting
package import TagDrawing

/// A picture with its truth.
package struct ScenePicture: Sendable {
    /// What makes it hard.
    package let category: SceneCategory
    /// How hard, from 0 to 1.
    package let severity: Double
    /// The picture.
    package let exposure: Exposure
    /// What there is to read on it.
    package let symbols: [SceneSymbol]
}

/// A symbol in a picture, and where it is.
package struct SceneSymbol: Sendable {
    /// The bytes in it.
    package let payload: [UInt8]
    /// The version, 1 to 40.
    package let version: Int
    /// The level of error correction.
    package let correction: QRSymbol.Correction
    /// Modules along one side.
    package let modules: Int
    /// Pixels in a module in the middle of the symbol.
    package let modulePixels: Double
    /// The corners without the quiet zone, in pixels.
    package let corners: Quadrilateral
}
