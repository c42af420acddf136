internal import Foundation
internal import TagPrinting
internal import TagDrawing

/// What is known about a picture of a set, as a line of `truth.jsonl` tells it.
package struct SceneTruth: Codable, Equatable, Sendable {
    /// A symbol that a reader should read.
    package struct Symbol: Codable, Equatable, Sendable {
        /// The payload.
        package var base64: String
        /// The payload, where it is UTF-8.
        package var text: String?
        /// The corners without the quiet zone, `[x, y]` in pixels from the top left, clockwise from
        /// the symbol's own top left one.
        package var corners: [[Double]]?
        /// The version, 1 to 40.
        package var version: Int?
        /// The level of error correction: L, M, Q or H.
        package var correction: String?
        /// Modules along one side.
        package var modules: Int?
        /// Pixels in a module in the middle of the symbol.
        package var modulePixels: Double?

        package init(base64: String) {
            self.base64 = base64
        }
    }

    /// The name of the file, beside the truth.
    package var file: String
    /// What makes it hard.
    package var category: String
    /// How hard, from 0 to 1.
    package var severity: Double?
    /// Pixels in a row.
    package var width: Int?
    /// Rows.
    package var height: Int?
    /// Everything that is there to read; whatever else is read is wrong.
    package var symbols: [Symbol]

    /// Tells what is known about a picture from elsewhere.
    package init(file: String, category: String, symbols: [Symbol]) {
        self.file = file
        self.category = category
        self.symbols = symbols
    }

    /// Tells what is known about a picture.
    package init(_ picture: ScenePicture, file: String) {
        self.file = file
        category = picture.category.rawValue
        severity = Self.rounded(picture.severity)
        width = picture.exposure.width
        height = picture.exposure.height
        symbols = picture.symbols.map(Symbol.init)
    }

    /// The truth as JSON on one line, its keys in order.
    package func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    fileprivate static func rounded(_ number: Double) -> Double {
        (number * 1000).rounded() / 1000
    }
}

extension SceneTruth.Symbol {
    fileprivate init(_ symbol: SceneSymbol) {
        base64 = Data(symbol.payload).base64EncodedString()
        text = String(validating: symbol.payload, as: UTF8.self)
        corners = symbol.corners.corners.map { corner in
            [SceneTruth.rounded(corner.x), SceneTruth.rounded(corner.y)]
        }
        version = symbol.version
        correction =
            switch symbol.correction {
            case .low: "L"
            case .medium: "M"
            case .quartile: "Q"
            case .high: "H"
            }
        modules = symbol.modules
        modulePixels = SceneTruth.rounded(symbol.modulePixels)
    }
}
