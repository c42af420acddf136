import LuggageTags
import TagDrawing
import Testing

@Suite("A JPEG that is being written")
struct JPEGCompletenessTests {
    /// The beginning of a tag's picture in the ways in which JPEG can be stored.
    private static let wholes: [[UInt8]] = {
        let formats = [
            JPEGFormat(), JPEGFormat(isProgressive: true), JPEGFormat(.cmyk, isSeparate: true),
            JPEGFormat(.grey, restartInterval: 1),
        ]
        let image = GreyImage(width: 90, height: 70) { column, row in
            UInt8(truncatingIfNeeded: column * row * 5)
        }
        let files = formats.compactMap { try? image.jpeg(as: $0) }
        // A camera puts a small picture with its own end before the picture.
        return files + files.map { JPEGMarkers.insert(0xE1, files[0], into: $0) }
            + files.map {
                JPEGMarkers.pad([0xFF, 0xFF], into: JPEGMarkers.insert(0xFE, [], into: $0))
            }
    }()

    @Test("is complete with its last byte, in whatever pieces it is read", arguments: [1, 7, 4096])
    func complete(length: Int) {
        #expect(Self.wholes.count == 12)
        for whole in Self.wholes {
            #expect(PictureCompleteness.state(of: whole, length: length) == .complete)
            #expect(PictureCompleteness.state(of: whole + [1, 2, 3], length: length) == .complete)
            #expect(PictureCompleteness.state(of: whole + whole, length: length) == .complete)
        }
    }

    @Test("is unfinished at every byte before")
    func unfinished() {
        for whole in Self.wholes {
            var walk = PictureCompleteness()
            for index in whole.indices {
                #expect(walk.state == .unfinished)
                walk.update(whole[index..<index + 1])
            }
            #expect(walk.state == .complete)
        }
    }

    @Test("is not complete where space is reserved for the rest")
    func reserved() {
        for whole in Self.wholes {
            for count in stride(from: whole.count / 2, to: whole.count - 1, by: 97) {
                let zeros = [UInt8](repeating: 0, count: whole.count - count)
                #expect(
                    PictureCompleteness.state(of: whole[..<count] + zeros) != .complete,
                    "\(count) bytes"
                )
            }
        }
    }

    @Test(
        "is inconsistent where a segment has no room for its length, or it begins again",
        arguments: [[0xFF, 0xE0, 0, 0], [0xFF, 0xE0, 0, 1], [0xFF, 0xD8], [0xFF, 0xFF, 0xD8]]
            as [[UInt8]]
    )
    func inconsistent(bytes: [UInt8]) throws {
        let whole = try #require(Self.wholes.first)
        #expect(
            PictureCompleteness.state(of: [0xFF, 0xD8] + bytes + whole.dropFirst(2))
                == .inconsistent
        )
    }

    @Test(
        "is none where it begins otherwise",
        arguments: [[0xFF], [0xFF, 0xD8], [0xFF, 0x0A], [0xD8, 0xFF]] as [[UInt8]]
    )
    func foreign(beginning: [UInt8]) {
        #expect(
            PictureCompleteness.state(of: beginning + [UInt8](repeating: 7, count: 100)) == .foreign
        )
    }
}
