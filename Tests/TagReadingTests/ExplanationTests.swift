import CReaderProtocol
import TagDrawing
import TagPrinting
import TagReading
import Testing

@Suite("An explanation", .timeLimit(.minutes(30)))
struct ExplanationTests {
    private func pool() throws -> ReaderPool {
        ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
    }

    @Test("tells where the symbol is, how it was read, and shows the picture")
    func success() async throws {
        let pool = try pool()
        let image = try TagImage(bytes: Pictures.hello)
        let (reading, explanation) = try await pool.explain(image)
        #expect(reading.symbols == (try await pool.read(image)).symbols)
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
        #expect(explanation.finders.count >= 3)
        let read = try #require(explanation.candidates.first { $0.success != nil })
        #expect(read.dimension == 21 && !read.isLight && read.tried >= 1)
        #expect(read.agreement > 0.95)
        #expect(abs(read.module - 3) < 0.2)
        // A quiet zone of four modules around 21, of three pixels each.
        for (corner, (x, y)) in zip(read.outline, [(12, 12), (75, 12), (75, 75), (12, 75)]) {
            #expect(abs(corner.x - x) <= 2 && abs(corner.y - y) <= 2)
        }
        let symbol = try Pictures.symbol
        #expect(
            explanation.picture
                == ReadingExplanation.ShownPicture(
                    width: symbol.width,
                    height: symbol.height,
                    step: 1,
                    luminance: symbol.samples
                )
        )
        await pool.shutdown()
    }

    @Test("of a picture without anything has nothing but the picture")
    func nothing() async throws {
        let pool = try pool()
        let empty = GreyImage(width: 70, height: 50, level: 200)
        let (reading, explanation) = try await pool.explain(TagImage(bytes: empty.png()))
        #expect(reading.symbols.isEmpty)
        #expect(explanation.finders.isEmpty && explanation.candidates.isEmpty)
        #expect(explanation.picture.luminance == empty.samples)
        await pool.shutdown()
    }

    @Test("tells what was tried in vain")
    func failure() async throws {
        let symbol = try QRSymbol(Pictures.helloPayload).coveredImage(module: 3)
        let pool = try pool()
        let (reading, explanation) = try await pool.explain(TagImage(bytes: symbol.png()))
        #expect(reading.symbols.isEmpty)
        let candidate = try #require(explanation.candidates.max { $0.tried < $1.tried })
        #expect(candidate.success == nil && candidate.tried > 3 && candidate.agreement > 0.9)
        await pool.shutdown()
    }

    @Test(
        "shows large pictures and long ones reduced",
        arguments: [
            // Width, height, and the width, height and step of what is shown.
            [1500, 1334, 750, 667, 2], [4096, 8, 4096, 8, 1], [4097, 8, 2049, 4, 2],
            [1, 9000, 1, 3000, 3],
        ]
    )
    func reduced(sizes: [Int]) async throws {
        let pool = try pool()
        let image = GreyImage(width: sizes[0], height: sizes[1], level: 77)
        let (_, explanation) = try await pool.explain(TagImage(bytes: image.png()))
        let shown = explanation.picture
        #expect([shown.width, shown.height, shown.step] == Array(sizes[2...]))
        #expect(shown.luminance.count == sizes[2] * sizes[3])
        #expect(shown.luminance.allSatisfy { $0 == 77 })
        await pool.shutdown()
    }

    @Test("is not to be had of a picture that cannot be read")
    func damaged() async throws {
        let pool = try pool()
        await #expect(throws: ReadError.self) {
            _ = try await pool.explain(TagImage(bytes: Pictures.truncated(by: 12)))
        }
        let (reading, _) = try await pool.explain(TagImage(bytes: Pictures.hello))
        #expect(reading.symbols.count == 1, "the process lives on")
        await pool.shutdown()
    }
}

@Suite("A misbehaving reader process that explains", .timeLimit(.minutes(30)))
struct ExplanationFaultTests {
    /// The packets of an explanation of a picture of ten by ten pixels, which can be spoilt.
    struct Packets {
        var header = ReaderExplanationHeader()
        var finder = ReaderFinder()
        var candidate = ReaderCandidate()
        var pixels = 100
        var finders = 1

        init() {
            header.sequence = 1
            header.finder_count = 1
            header.candidate_count = 1
            (header.shown_width, header.shown_height, header.shown_step) = (10, 10, 1)
            finder.module = 1.5
            candidate.module = 1.5
            candidate.dimension = 21
            candidate.tried = 3
            candidate.succeeded = 3
        }

        var answers: [String] {
            let finders = [[UInt8]](repeating: bytes(of: finder), count: finders)
            return [
                FakeReader.answer(FakeReader.reply()), FakeReader.answer(bytes(of: header)),
                FakeReader.answer(finders.joined()), FakeReader.answer(bytes(of: candidate)),
                FakeReader.answer([UInt8](repeating: 9, count: pixels)),
            ]
        }

        private func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
            unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
        }
    }

    struct Nonsense: CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Packets) -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout Packets) -> Void) {
            self.testDescription = description
            self.change = change
        }
    }

    static let nonsense = [
        Nonsense("of another picture") { $0.header.sequence = 2 },
        Nonsense("with countless patterns") { $0.header.finder_count = .max },
        Nonsense("with countless places") { $0.header.candidate_count = .max },
        Nonsense("of another width") { $0.header.shown_width = 9 },
        Nonsense("of an enormous height") { $0.header.shown_height = .max },
        Nonsense("without a step") { $0.header.shown_step = 0 },
        Nonsense("with a step that does not fit") { $0.header.shown_step = 2 },
        Nonsense("with more patterns than said") { $0.finders = 2 },
        Nonsense("with fewer patterns than said") { $0.header.finder_count = 2 },
        Nonsense("with a pattern that is no number long") { $0.finder.module = .nan },
        Nonsense("with a pattern of infinite length") { $0.finder.module = .infinity },
        Nonsense("with a place of no length") { $0.candidate.module = 0 },
        Nonsense("with a place of 20 modules") { $0.candidate.dimension = 20 },
        Nonsense("with a place that agrees too well") { $0.candidate.agreement = 1.1 },
        Nonsense("with a place that agrees like no number") { $0.candidate.agreement = .nan },
        Nonsense("with an unknown way") { $0.candidate.succeeded = 11 },
        Nonsense("with a truth value of 2") { $0.candidate.is_light = 2 },
        Nonsense("with a pixel too few") { $0.pixels = 99 },
        Nonsense("with a pixel too many") { $0.pixels = 101 },
    ]

    private func pool(_ packets: Packets) throws -> (ReaderPool, FakeReader) {
        let answers = packets.answers.joined(separator: "\n")
        let fake = try FakeReader("\(FakeReader.accept)\n\(answers)\n\(FakeReader.hang)")
        return (ReaderPool(executable: fake.path, workers: 1), fake)
    }

    @Test("is not believed", arguments: nonsense)
    func isNotBelieved(nonsense: Nonsense) async throws {
        var packets = Packets()
        nonsense.change(&packets)
        let (pool, fake) = try pool(packets)
        defer { withExtendedLifetime(fake) {} }
        let error = await #expect(throws: ReadError.self) {
            _ = try await pool.explain(TagImage(bytes: Pictures.hello))
        }
        #expect(error?.code == .readerCrashed)
        #expect(error?.message.contains("gave") == true)
        #expect(pool.processIdentifiers.isEmpty, "and is ended")
    }

    @Test("is believed where it makes sense, however far away its places are")
    func isBelieved() async throws {
        var packets = Packets()
        packets.candidate.outline.2 = ReaderPoint(x: .max, y: .min)
        let (pool, fake) = try pool(packets)
        defer { withExtendedLifetime(fake) {} }
        let (_, explanation) = try await pool.explain(TagImage(bytes: Pictures.hello))
        #expect(explanation.finders.map(\.module) == [1.5])
        #expect(explanation.candidates.map(\.success) == [.mesh])
        #expect(
            explanation.candidates[0].outline[2]
                == PixelPoint(x: Int(Int32.max), y: Int(Int32.min))
        )
        #expect(explanation.picture.luminance == [UInt8](repeating: 9, count: 100))
        await pool.shutdown()
    }
}
