import TagPrinting
import TagDrawing
import TagReading

/// Pictures to read, as bytes.
enum Pictures {
    static let helloPayload = Array("HELLO TAG".utf8)

    /// A QR symbol of "HELLO TAG" with its quiet zone.
    static let hello: [UInt8] = {
        do {
            return try symbol.png(as: .grey1)
        } catch {
            preconditionFailure("the symbol cannot be drawn: \(error)")
        }
    }()

    /// The same symbol as a JPEG file.
    static let jpeg: [UInt8] = {
        do {
            return try symbol.jpeg()
        } catch {
            preconditionFailure("the symbol cannot be drawn: \(error)")
        }
    }()

    /// That symbol, not yet written.
    static var symbol: GreyImage {
        get throws { try QRSymbol(helloPayload).image(module: 3) }
    }

    /// The good picture without its last bytes.
    static func truncated(by count: Int) -> [UInt8] {
        hello.dropLast(count)
    }
}
