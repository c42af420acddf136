import Foundation
import LuggageTags
import SeededRandom
import Testing

@Suite("A payload with damage")
struct PayloadFuzzTests {
    /// Bytes that mean something in one of the formats.
    private static let pieces: [[UInt8]] =
        [
            "<array>", "</array>", "<dict>", "<key>", "</key>", "<!--", "-->", "<![CDATA[", "]]>",
            "&#",
            "&amp;", ";", "{", "}", "[", "]", "\"", "\\u", ",", ":", "1e999", "null", "<!DOCTYPE",
            "<?",
        ].map { Array($0.utf8) } + [
            [0xFF], [0x00], [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xDF, 0x13],
            [0xAF, 0x12, 0x7F], [0xDF, 0xFF, 0xFF, 0xFF, 0xFF], [0xDD, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xC1],
            [0xD1, 0x00, 0x00], [0xC7, 0xFF, 0xFF], [0x80],
        ]

    private func damaged(_ payload: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = payload
        for _ in 0...generator.number(below: 4) where !bytes.isEmpty {
            let place = generator.number(below: bytes.count)
            let end = min(bytes.count, place + 1 + generator.number(below: 12))
            switch generator.number(below: 6) {
            case 0: bytes[place] ^= 1 << UInt8(generator.number(below: 8))
            case 1: bytes[place] = UInt8(generator.number(below: 256))
            case 2: bytes.removeSubrange(place..<end)
            case 3:
                bytes.insert(contentsOf: bytes[place..<end], at: generator.number(below: place + 1))
            case 4: bytes = Array(bytes[..<place])
            default:
                let piece = Self.pieces[generator.number(below: Self.pieces.count)]
                bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
            }
        }
        return bytes
    }

    @Test(
        "gives a bag or an error with a sentence, and never ends the program",
        arguments: Format.all
    )
    func damage(format: Format) throws {
        var generator = SeededGenerator(seed: 5)
        let seeds =
            try WrongPayload.all.filter { $0.canBeSaid(in: format.format) }.map {
                try format.format.payload(json: $0.json)
            } + [format.format.payload(json: payload())]
        let decoder = TagDecoder(readsDates: true)
        var codes: [String: Int] = [:]
        let count =
            ProcessInfo.processInfo.environment["DAMAGED_PAYLOADS"].flatMap(Int.init) ?? 10_000
        for number in 0..<count {
            let bytes = damaged(seeds[number % seeds.count], &generator)
            do throws(TagError) {
                _ = try decoder.contents(of: bytes)
                codes["", default: 0] += 1
            } catch {
                codes[error.code.description, default: 0] += 1
                if error.message.isEmpty || error.message.utf8.count > 1000 {
                    Issue.record("number \(number): \(error.message)")
                }
            }
        }
        // Damage must get as far as the types, or this would test nothing but the first check.
        #expect(codes.count >= 5, "\(codes)")
    }
}
