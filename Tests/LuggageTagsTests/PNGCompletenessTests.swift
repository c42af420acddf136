import LuggageTags
import TagDrawing
import Testing

@Suite("A PNG that is being written")
struct PNGCompletenessTests {
    private static let whole = try? LuggageTagDrawing(
        identifier: "F432BDB8-D84F-4461-8362-AFF89F6C493E",
        givenName: "D",
        familyName: "ZMU",
        pounds: 42
    ).drawn(scale: 0.5).image.png()

    @Test("is complete with its last byte, in whatever pieces it is read", arguments: [1, 7, 4096])
    func complete(length: Int) throws {
        let whole = try #require(Self.whole)
        #expect(PictureCompleteness.state(of: whole, length: length) == .complete)
        #expect(PictureCompleteness.state(of: whole + [1, 2, 3], length: length) == .complete)
    }

    @Test("is unfinished at every byte before")
    func unfinished() throws {
        let whole = try #require(Self.whole)
        var walk = PictureCompleteness()
        for index in whole.indices {
            #expect(walk.state == .unfinished)
            walk.update(whole[index..<index + 1])
        }
        #expect(walk.state == .complete)
    }

    @Test("is unfinished where nothing is written yet, or only space is reserved")
    func reserved() {
        #expect(PictureCompleteness.state(of: []) == .unfinished)
        #expect(PictureCompleteness.state(of: [UInt8](repeating: 0, count: 100_000)) == .unfinished)
    }

    @Test("is inconsistent where one byte behind its signature is wrong or not written")
    func inconsistent() throws {
        let whole = try #require(Self.whole)
        for index in stride(from: 12, to: whole.count - 12, by: 101) {
            var damaged = whole
            damaged[index] ^= 0x40
            // A wrong length can make a chunk longer than the file.
            #expect(PictureCompleteness.state(of: damaged) != .complete, "byte \(index)")
        }
        var holed = whole
        for index in 100..<200 { holed[index] = 0 }
        #expect(PictureCompleteness.state(of: holed) == .inconsistent)
    }

    @Test(
        "is none where it begins otherwise",
        arguments: ["GIF89a", "\u{FF}\u{D8}", "P", "\u{89}PNG\n\r", " \u{89}PNG"]
    )
    func foreign(beginning: String) {
        let bytes = beginning.unicodeScalars.map { UInt8($0.value) }
        #expect(
            PictureCompleteness.state(of: bytes + [UInt8](repeating: 7, count: 100)) == .foreign
        )
    }
}

extension PictureCompleteness {
    /// What some bytes show that come in pieces of a length.
    static func state(of bytes: [UInt8], length: Int = .max) -> State {
        var walk = PictureCompleteness()
        var rest = bytes[...]
        while !rest.isEmpty {
            walk.update(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return walk.state
    }
}
