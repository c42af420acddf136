package import TagPrinting
package import TagDrawing

/// A picture with its truth.
package struct ScenePicture: Sendable {
    /// A form of file.
    package enum Format: Equatable, Sendable {
        case png
        /// As telephones store it, with a quality from 1 to 100.
        case jpeg(quality: Int)
    }

    /// What makes it hard.
    package let category: SceneCategory
    /// How hard, from 0 to 1.
    package let severity: Double
    /// The picture.
    package let exposure: Exposure
    /// What there is to read on it.
    package let symbols: [SceneSymbol]
    /// How it is stored.
    package let format: Format

    /// What the name of its file ends with.
    package var fileExtension: String { format == .png ? "png" : "jpg" }

    /// The picture as a file.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError` when libpng or libjpeg refuses the picture.
    package func file() throws -> [UInt8] {
        switch format {
        case .png: try exposure.png()
        case .jpeg(let quality): try exposure.jpeg(quality: quality)
        }
    }
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
    package internal(set) var corners: Quadrilateral
}
