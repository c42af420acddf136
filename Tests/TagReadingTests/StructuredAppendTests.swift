import TagDrawing
import TagReading
import Testing

@Suite("Symbols of a structured append")
struct StructuredAppendTests {
    /// The parts of a text, each in byte mode.
    private static func parts(_ texts: [String], parity: UInt8? = nil) -> [SegmentedSymbol] {
        let sum = texts.joined().utf8.reduce(0, ^)
        return texts.indices.map { index in
            SegmentedSymbol().part(index, of: texts.count, parity: parity ?? sum)
                .bytes(texts[index].utf8)
        }
    }

    @Test(
        "are one text in the order of their numbers",
        arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]]
    )
    func inOrder(places: [Int]) async throws {
        let parts = Self.parts(["{\"owner\"", ":[\"D\",", "\"ZMU\"]}"])
        let answer = try await told(parts[places[0]], parts[places[1]], parts[places[2]])
        #expect(answer == [.text("{\"owner\":[\"D\",\"ZMU\"]}")])
    }

    @Test("count once although one is there twice")
    func twice() async throws {
        let parts = Self.parts(["one ", "text"])
        #expect(try await told(parts[0], parts[1], parts[0]) == [.text("one text")])
    }

    @Test("stay parts where one is missing")
    func missing() async throws {
        let parts = Self.parts(["one ", "more ", "text"])
        #expect(
            try await told(parts[0], parts[2]) == [
                .part(Array("one ".utf8)), .part(Array("text".utf8)),
            ]
        )
    }

    @Test("stay parts where their parities differ, or are not that of the text")
    func parity() async throws {
        let (one, other) = (Self.parts(["one ", "text"]), Self.parts(["one ", "text"], parity: 9))
        let parts: [Told] = [.part(Array("one ".utf8)), .part(Array("text".utf8))]
        #expect(try await told(one[0], other[1]) == parts)
        #expect(try await told(other[0], other[1]) == parts)
    }

    @Test("are told apart from those of another text")
    func two() async throws {
        let (one, other) = (Self.parts(["one ", "text"]), Self.parts(["another ", "text"]))
        let answer = try await told(one[0], other[1], other[0], one[1])
        #expect(answer == [.text("one text"), .text("another text")])
    }

    @Test("are never mixed with those of another text of the same parity")
    func sameParity() async throws {
        let (one, other) = (Self.parts(["AB", "CD"]), Self.parts(["AC", "BD"]))
        let answer = try await told(one[0], one[1], other[0], other[1])
        #expect(answer == ["AB", "CD", "AC", "BD"].map { .part(Array($0.utf8)) })
        let rest = Self.parts(["ab", "gd"], parity: "ABCD".utf8.reduce(0, ^))
        #expect(try await told(one[0], rest[1]) == ["AB", "gd"].map { .part(Array($0.utf8)) })
    }

    @Test("may have the parity of ISO 8859-1 around UTF-8, as some printers compute it")
    func latin() async throws {
        let parts = Self.parts(["Zo", "ë"], parity: 0x5A ^ 0x6F ^ 0xEB)
        #expect(try await told(parts[0], parts[1]) == [.text("Zoë")])
    }

    @Test("have characters across their borders, of declared sets too")
    func acrossBorders() async throws {
        let letters = SegmentTests.letters
        let parity = letters.reduce(0, ^)
        let parts = [letters[..<1], letters[1...]].enumerated().map { index, bytes in
            SegmentedSymbol().part(index, of: 2, parity: parity).declaring(29).bytes(bytes)
        }
        #expect(try await told(parts[0], parts[1]) == [.text("谢魏")])
        #expect(try await told(parts[0]) == [.refused(.invalidText, 29)], "half a character")
    }

    @Test("share FNC1, which the first of them has")
    func marked() async throws {
        let first = SegmentedSymbol().part(0, of: 2, parity: 0).appending(5, bits: 4).letters("A%B")
        let second = SegmentedSymbol().part(1, of: 2, parity: 0).letters("C%D")
        #expect(try await told(second, first) == [.text("A\u{1D}BC\u{1D}D")])
    }
}
