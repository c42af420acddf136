import Foundation
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("Finding payloads in a stream of bytes")
struct PayloadFramingTests {
    /// What was found, in words.
    static func words(_ frames: [PayloadFraming.Frame]) -> [String] {
        frames.map { frame in
            switch frame {
            case .success(let payload): String(decoding: payload, as: UTF8.self)
            case .failure(let error): "! \(error.code)"
            }
        }
    }

    /// All that is found in bytes that come in pieces of a length.
    static func frames(
        _ bytes: [UInt8],
        _ separator: PayloadFraming.Separator,
        in length: Int = .max,
        isWhole: Bool = true
    ) -> [String] {
        var framing = PayloadFraming(separator)
        var frames: [PayloadFraming.Frame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            framing.take(rest.prefix(length)) { frames.append($0) }
            rest = rest.dropFirst(length)
        }
        if let last = isWhole ? framing.finish() : framing.cut() { frames.append(last) }
        #expect(!framing.isInPayload || isWhole)
        return words(frames)
    }

    static let streams: [(String, PayloadFraming.Separator, [String])] = [
        ("", .line, []),
        ("a\nb\nc\n", .line, ["a", "b", "c"]),
        ("a\r\nb\r\n", .line, ["a", "b"]),
        ("a\rb\r", .line, ["a", "b"]),
        ("a\rb\nc\r\nd", .line, ["a", "b", "c", "d"]),
        ("\n", .line, [""]),
        ("\r\n\r\n", .line, ["", ""]),
        ("\n\r", .line, ["", ""]),
        ("a\r\r\nb", .line, ["a", "", "b"]),
        ("a\0b\n", .line, ["a\0b"]),
        ("a\0b\0", .nul, ["a", "b"]),
        ("a\nb\r\0c", .nul, ["a\nb\r", "c"]),
        ("\0\0", .nul, ["", ""]),
        ("1:a,", .netstring, ["a"]),
        ("5:a\n,\0b,0:,1:c,", .netstring, ["a\n,\0b", "", "c"]),
        ("1:a,\r\n1:b,\n", .netstring, ["a", "b"]),
        ("1:ab,1:c,", .netstring, ["! not-netstring"]),
        ("1:a,x", .netstring, ["a", "! not-netstring"]),
        (":a,", .netstring, ["! not-netstring"]),
        ("01:a,", .netstring, ["! not-netstring"]),
        ("-1:a,", .netstring, ["! not-netstring"]),
        ("99999999999999999999:a,", .netstring, ["! not-netstring"]),
        ("3:ab", .netstring, ["! cut-off"]),
        ("3:abc", .netstring, ["! cut-off"]),
        ("3", .netstring, ["! cut-off"]),
    ]

    @Test("is the same however the bytes are cut into pieces", arguments: streams)
    func pieces(text: String, separator: PayloadFraming.Separator, found: [String]) {
        for length in [1, 2, 3, .max] {
            #expect(Self.frames(Array(text.utf8), separator, in: length) == found, "\(length)")
        }
    }

    @Test("takes any bytes but the end as part of a payload")
    func anyBytes() {
        let bytes = (0...255).map { UInt8($0) }
        var framing = PayloadFraming(.line)
        var found: [PayloadFraming.Frame] = []
        framing.take(bytes + [10]) { found.append($0) }
        let ends = found.compactMap { try? $0.get() }
        #expect(ends == [Array(0...9), [11, 12], Array(14...255)])
    }

    @Test(
        "reports a payload that is too long once, at once, and finds the next one",
        arguments: [PayloadFraming.Separator.line, .nul, .netstring]
    )
    func tooLong(separator: PayloadFraming.Separator) {
        func framed(_ payload: [UInt8]) -> [UInt8] {
            switch separator {
            case .line: payload + [13, 10]
            case .nul: payload + [0]
            case .netstring: Array("\(payload.count):".utf8) + payload + Array(",".utf8)
            }
        }
        let longest = [UInt8](repeating: UInt8(ascii: "x"), count: PayloadFraming.longest)
        let whole = String(decoding: longest, as: UTF8.self)
        for length in [1, 1000, .max] {
            #expect(Self.frames(framed(longest), separator, in: length) == [whole])
            let stream = framed([1] + longest) + framed([2])
            #expect(Self.frames(stream, separator, in: length) == ["! payload-too-long", "\u{2}"])
        }
        var framing = PayloadFraming(separator)
        var found: [PayloadFraming.Frame] = []
        if separator == .netstring { framing.take(Array("99999999:".utf8)) { found.append($0) } }
        for _ in 0..<100 { framing.take(longest) { found.append($0) } }
        #expect(Self.words(found) == ["! payload-too-long"])
        #expect(framing.isInPayload)
        #expect(framing.cut() == nil, "it was reported")
        framing.take(framed([3])) { found.append($0) }
        #expect(Self.words(found) == ["! payload-too-long", "\u{3}"])
    }

    @Test("tells of a payload that broke off, and files nothing of it", arguments: [1, .max])
    func cut(length: Int) {
        #expect(
            Self.frames(Array("a\nbc".utf8), .line, in: length, isWhole: false) == [
                "a", "! cut-off",
            ]
        )
        #expect(Self.frames(Array("a\r".utf8), .line, in: length, isWhole: false) == ["a"])
        var framing = PayloadFraming(.line)
        framing.take(Array("bc".utf8)) { _ in }
        guard case .failure(let error) = framing.cut() else {
            Issue.record("it is not told of")
            return
        }
        #expect(
            error.message
                == "the payload broke off after 2 bytes, before its end; scan this bag again"
        )
        #expect(error.outcome == .unreadable)
    }

    @Test("finds what was framed, in any pieces", arguments: 0..<60)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let separator = PayloadFraming.Separator.allCases[seed % 3]
        let payloads = (0..<20).map { _ in
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }.filter { separator == .netstring || ![0, 10, 13].contains($0) }
        }
        var stream: [UInt8] = []
        for payload in payloads {
            switch separator {
            case .line:
                // LF after CR would belong to it, so an empty payload does not follow a lone CR with LF.
                stream += payload + ([[10], [13, 10], [13]].randomElement(using: &random) ?? [])
                if stream.last == 13 { stream += [10] }
            case .nul: stream += payload + [0]
            case .netstring: stream += Array("\(payload.count):".utf8) + payload + [44]
            }
        }
        var framing = PayloadFraming(separator)
        var found: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let length = Int.random(in: 1...30, using: &random)
            framing.take(rest.prefix(length)) { frame in
                if let payload = try? frame.get() { found.append(payload) }
            }
            rest = rest.dropFirst(length)
        }
        #expect(found == payloads)
        #expect(!framing.isInPayload)
    }
}
