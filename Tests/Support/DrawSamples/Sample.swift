internal import TagDrawing

/// A picture in `samples`.
struct Sample: Sendable {
    let name: String
    let draw: @Sendable () throws -> [UInt8]

    static let all = [
        Sample(name: "tag-f432-dzmu.png") {
            try LuggageTagDrawing.canonical.drawn().image.png(as: .rgba8)
        },
        Sample(name: "tag-9c41-dzmu.png") {
            try LuggageTagDrawing.second.drawn().image.png(as: .palette4, interlaced: true)
        },
        Sample(name: "tag-2b7e-chinese-name.png") {
            try LuggageTagDrawing.chineseName.drawn().image.grey().png(as: .grey1)
        },
        Sample(name: "tag-77d0-accents.png") {
            try LuggageTagDrawing.accents.drawn().image.png(as: .greyAlpha8, interlaced: true)
        },
        Sample(name: "two-tags.png") {
            try Scene.twoTags().png(as: .palette8)
        },
        Sample(name: "tag-by-telephone.jpg") {
            JPEGMarkers.insert(0xE1, turnedToTheRight, into: try Scene.byTelephone().jpeg())
        },
        Sample(name: "tag-on-belt.png") {
            try Scene.belt().png(as: .rgb8)
        },
        Sample(name: "weight-in-words.png") {
            try LuggageTagDrawing.weightInWords.drawn().image.grey().png(as: .grey4)
        },
        Sample(name: "cut-off.png") {
            let file = try LuggageTagDrawing.canonical.drawn().image.png(as: .rgb16)
            return Array(file.prefix(file.count / 2))
        },
        Sample(name: "torn-off.png") {
            try Scene.tornTag().png(as: .palette8)
        },
    ]

    /// Exif of one entry: the picture is to be turned to the right when it is shown.
    private static let turnedToTheRight: [UInt8] =
        Array("Exif".utf8) + [0, 0] + Array("MM".utf8)
        + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
}
