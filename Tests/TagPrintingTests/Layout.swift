import Foundation
import LuggageTags
import TagDrawing
import TagPrinting
import Testing

/// A layout on paper that it is used with.
struct Layout: CustomTestStringConvertible, Sendable {
    var name: String
    var layout: TagLayout
    var hasStub = false
    /// In millimetres; the layout's own if nil.
    var size: (Double, Double)?
    /// How many codes a page has that cameras read.
    var symbols = 1
    var hasBars = true
    var from: String? = "ZRH"
    var to: String? = "JFK"

    var testDescription: String { name }

    static let all = [
        Layout(name: "label", layout: .label),
        Layout(name: "label with stub", layout: .label, hasStub: true),
        Layout(name: "4x6in", layout: .label, size: (101.6, 152.4)),
        Layout(name: "4x6in with stub", layout: .label, hasStub: true, size: (101.6, 152.4)),
        Layout(name: "strip", layout: .label, size: (54, 150)),
        Layout(name: "lying label", layout: .label, size: (150, 70)),
        Layout(name: "loop", layout: .loop, symbols: 2),
        Layout(name: "loop with stub", layout: .loop, hasStub: true, symbols: 2),
        Layout(name: "2x20in", layout: .loop, hasStub: true, size: (50.8, 508), symbols: 2),
        Layout(name: "2x10in", layout: .loop, size: (50.8, 254), symbols: 2),
        Layout(name: "card of one", layout: .card, hasBars: false),
        Layout(name: "card of two", layout: .card, symbols: 2),
        Layout(name: "card of four", layout: .card, symbols: 4, hasBars: false),
        Layout(name: "no place", layout: .label, from: nil, to: nil),
        Layout(name: "only from", layout: .loop, hasStub: true, symbols: 2, to: nil),
        Layout(
            name: "long places",
            layout: .loop,
            hasStub: true,
            symbols: 2,
            from: "Zürich Hauptbahnhof, Gleis 18",
            to: "Hotel Bellevue Palace Lauterbrunnen"
        ),
    ]

    /// Every layout at every resolution, but of the loops, which are long, one at the finest.
    static let resolved = [203, 300, 600].flatMap { dotsPerInch in
        all.filter { dotsPerInch < 600 || $0.layout != .loop || $0.name == "loop with stub" }
            .map { ($0, dotsPerInch) }
    }

    func printer(at dotsPerInch: Int) throws -> TagPrinter {
        TagPrinter(
            layout: layout,
            hasStub: hasStub,
            paper: try size.map { try PaperSize(width: $0.0, height: $0.1) },
            resolution: try Resolution(dotsPerInch: dotsPerInch)
        )
    }

    /// The tags of a page: on a card one for each of its codes.
    var tags: [PrintedTag] {
        get throws {
            let names = ["ZMU", "MÜL", "WAL", "LI"]
            return try names.prefix(layout == .card ? symbols : 1).enumerated().map { place, name in
                try PrintedTag(
                    identifier: #require(
                        UUID(uuidString: "F432BDB\(place)-D84F-4461-8362-AFF89F6C493E")
                    ),
                    owner: PassengerName(givenName: "D", familyName: name),
                    pounds: 42,
                    origin: from.map(PlaceName.init),
                    destination: to.map(PlaceName.init)
                )
            }
        }
    }
}

extension GreyImage {
    /// The picture upside down.
    var turned: GreyImage {
        GreyImage(width: width, height: height) { self[width - 1 - $0, height - 1 - $1] }
    }
}
