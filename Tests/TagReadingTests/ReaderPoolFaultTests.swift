import CReaderProtocol
import Foundation
import TagReading
import Testing

@Suite("A misbehaving reader process", .timeLimit(.minutes(30)))
struct ReaderPoolFaultTests {
    @Test("that cannot be started is named, with the remedy")
    func missing() async throws {
        let error = await failure(of: ReaderPool(executable: "/nowhere/luggage-reader"))
        #expect(error?.code == .readerUnavailable)
        #expect(error?.message.contains("/nowhere/luggage-reader") == true)
        #expect(error?.message.contains("No such file") == true)
        #expect(error?.message.contains("swift build") == true)
        #expect(error?.isPermanent == false)
    }

    @Test(
        "that ends before it takes a picture makes readers unavailable",
        arguments: [
            ("exit 0", "status 0"), ("exit 127", "status 127"), ("kill -ABRT $$", "SIGABRT"),
        ]
    )
    func endsEarly(commands: String, words: String) async throws {
        let fake = try FakeReader(commands)
        let error = await failure(of: fake.patientPool())
        #expect(error?.code == .readerUnavailable)
        #expect(error?.message.contains(words) == true)
    }

    @Test(
        "that ends with a picture fails that picture",
        arguments: [
            ("kill -SEGV $$", ReadError.Code.readerCrashed, "SIGSEGV"),
            ("kill -KILL $$", .readerCrashed, "SIGKILL"),
            ("exit 3", .readerCrashed, "status 3"),
            ("kill -SYS $$", .readerCrashed, "what its sandbox forbids"),
            ("kill -XCPU $$", .timedOut, "20 seconds of processor time"),
        ]
    )
    func endsWithPicture(commands: String, code: ReadError.Code, words: String) async throws {
        let reader = try ReaderPool.locateExecutable()
        let fake = try FakeReader(
            FakeReader.onlyAtFirst("\(FakeReader.accept); \(commands)", then: reader)
        )
        let pool = fake.patientPool()
        let error = await failure(of: pool)
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true)
        #expect(await failure(of: pool) == nil, "the next picture is read")
    }

    @Test("that is killed with a picture fails that picture alone")
    func killed() async throws {
        let reader = try ReaderPool.locateExecutable()
        let hang = "\(FakeReader.accept); \(FakeReader.signal); \(FakeReader.hang)"
        let fake = try FakeReader(FakeReader.onlyAtFirst(hang, then: reader))
        let pool = fake.patientPool()
        async let first = failure(of: pool)
        await fake.arrival()
        async let second = failure(of: pool)
        pool.processIdentifiers.forEach { kill($0, SIGKILL) }
        #expect(await first?.code == .readerCrashed)
        #expect(await second == nil)
    }

    enum Hang: CaseIterable {
        case withoutTaking, withoutAnswering, withoutTheSymbol

        var commands: String {
            let answer = FakeReader.answer(FakeReader.reply { $0.symbol_count = 1 })
            return switch self {
            case .withoutTaking: FakeReader.greet
            case .withoutAnswering: FakeReader.accept
            case .withoutTheSymbol: "\(FakeReader.accept); \(answer)"
            }
        }
    }

    @Test("that hangs is ended at the limit of time", arguments: Hang.allCases)
    func hangs(hang: Hang) async throws {
        let fake = try FakeReader("\(hang.commands); \(FakeReader.hang)")
        var limits = ReadLimits.default
        limits.time = .milliseconds(300)
        let pool = ReaderPool(executable: fake.path, limits: limits, workers: 1)
        let error = await failure(of: pool)
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("0.3 seconds") == true)
        #expect(pool.processIdentifiers.isEmpty)
    }

    struct Nonsense: CustomTestStringConvertible {
        let testDescription: String
        let answers: [String]

        init(_ description: String, answers: [String]) {
            self.testDescription = description
            self.answers = answers
        }

        init(_ description: String, _ packets: [UInt8]...) {
            self.init(description, answers: packets.map { FakeReader.answer($0) })
        }

        /// A good reply and a spoilt symbol.
        init(symbol description: String, _ change: (inout ReaderSymbolHeader) -> Void) {
            let reply = FakeReader.reply { $0.symbol_count = 1 }
            self.init(description, reply, FakeReader.symbol([1], change))
        }
    }

    static let nonsense: [Nonsense] = [
        Nonsense("the answer to another request", FakeReader.reply { $0.sequence = 9 }),
        Nonsense("an unknown status", FakeReader.reply { $0.status = 99 }),
        Nonsense("a negative status", FakeReader.reply { $0.status = -1 }),
        Nonsense("a picture without width", FakeReader.reply { $0.width = 0 }),
        Nonsense("an enormous picture", FakeReader.reply { ($0.width, $0.height) = (.max, .max) }),
        Nonsense("countless symbols", FakeReader.reply { $0.symbol_count = .max }),
        Nonsense(
            "a failure with symbols",
            FakeReader.reply { ($0.status, $0.symbol_count) = (2, 1) }
        ),
        Nonsense("countless unread places", FakeReader.reply { $0.unread_count = .max }),
        Nonsense("a place too many", FakeReader.reply { $0.unread_count = 9 }),
        Nonsense(
            "a failure with unread places",
            FakeReader.reply { ($0.status, $0.unread_count) = (2, 1) }
        ),
        Nonsense("a reply that is too long", FakeReader.reply() + [0]),
        Nonsense("a reply that is too short", Array(FakeReader.reply().dropLast())),
        Nonsense("a packet beyond all limits", answers: [FakeReader.answer(ofLength: 120_000)]),
        Nonsense("a stump of a symbol", FakeReader.reply { $0.symbol_count = 1 }, [1, 2, 3]),
        Nonsense(symbol: "a payload shorter than said") { $0.byte_count = 2 },
        Nonsense(symbol: "an enormous payload") { $0.byte_count = .max },
        Nonsense(symbol: "a symbol of another request") { $0.sequence = 2 },
        Nonsense(symbol: "a symbol out of order") { $0.index = 1 },
        Nonsense(symbol: "a fifth corner") { $0.corner_count = 5 },
        Nonsense(symbol: "a truth value of 2") { $0.is_partial = 2 },
        Nonsense(symbol: "a payload that is refused") { $0.refusal = 1 },
        Nonsense(symbol: "a character set that is not refused") { $0.character_set = 26 },
        Nonsense(
            "an unknown refusal",
            FakeReader.reply { $0.symbol_count = 1 },
            FakeReader.symbol([]) { $0.refusal = 4 }
        ),
        Nonsense(
            "a character set beyond the register",
            FakeReader.reply { $0.symbol_count = 1 },
            FakeReader.symbol([]) { ($0.refusal, $0.character_set) = (1, 1_000_000) }
        ),
    ]

    @Test("that answers nonsense is not believed", arguments: nonsense)
    func answersNonsense(nonsense: Nonsense) async throws {
        let answers = nonsense.answers.joined(separator: "\n")
        let fake = try FakeReader("\(FakeReader.accept)\n\(answers)\n\(FakeReader.hang)")
        let pool = fake.patientPool()
        let error = await failure(of: pool)
        #expect(error?.code == .readerCrashed)
        #expect(
            error?.message.contains("gave") == true || error?.message.contains("not asked") == true
        )
        #expect(pool.processIdentifiers.isEmpty, "and is ended")
    }

    @Test("of another build is refused as such")
    func anotherBuild() async throws {
        let answer = FakeReader.answer(FakeReader.reply { $0.version = 1 })
        let fake = try FakeReader("\(FakeReader.accept)\n\(answer)\n\(FakeReader.hang)")
        let error = await failure(of: fake.patientPool())
        #expect(error?.code == .readerUnavailable)
        #expect(error?.message.contains("another build") == true)
    }

    @Test("that answers well is believed, with its message repaired")
    func answersWell() async throws {
        let packets = [
            FakeReader.reply { $0.symbol_count = 2 }, FakeReader.symbol([0, 255]),
            FakeReader.symbol([]) { ($0.index, $0.refusal, $0.character_set) = (1, 1, 14) },
        ]
        let answers = packets.map { FakeReader.answer($0) }.joined(separator: "\n")
        let good = try FakeReader("\(FakeReader.accept)\n\(answers)\n\(FakeReader.hang)")
        let reading = try await good.patientPool()
            .read(TagImage(bytes: Pictures.hello))
        let refused = Symbol(payload: [], refusal: TextRefusal(.unknownSet, characterSet: 14))
        #expect(reading.symbols == [Symbol(payload: [0, 255]), refused])
        #expect(reading.unread.isEmpty)

        let failing = FakeReader.reply { reply in
            reply.status = 2
            // ESC, a byte that is no UTF-8, and no NUL at the end.
            unsafe withUnsafeMutableBytes(of: &reply.message) {
                unsafe $0.fillAll(with: 0x1B, 0xFF)
            }
        }
        let bad = try FakeReader(
            "\(FakeReader.accept)\n\(FakeReader.answer(failing))\n\(FakeReader.hang)"
        )
        let error = await failure(of: bad.patientPool())
        #expect(error?.code == .damaged)
        #expect(error?.message == String(repeating: "\u{FFFD}", count: 192))
    }

    @Test("that tells unread places is believed, however far away they are", arguments: [1, 8])
    func unreadPlaces(count: Int) async throws {
        let reply = FakeReader.reply { reply in
            reply.unread_count = UInt32(count)
            reply.unread.0.corners = (
                ReaderPoint(x: .min, y: .max), ReaderPoint(x: 1, y: 2), ReaderPoint(x: 3, y: 4),
                ReaderPoint(x: -5, y: -6)
            )
            reply.unread.7.corners.3 = ReaderPoint(x: 7, y: 8)
        }
        let fake = try FakeReader(
            "\(FakeReader.accept)\n\(FakeReader.answer(reply))\n\(FakeReader.hang)"
        )
        let reading = try await fake.patientPool().read(TagImage(bytes: Pictures.hello))
        #expect(reading.symbols.isEmpty && reading.unread.count == count)
        let far = PixelPoint(x: Int(Int32.min), y: Int(Int32.max))
        let others = [(1, 2), (3, 4), (-5, -6)].map { PixelPoint(x: $0.0, y: $0.1) }
        #expect(reading.unread.first?.corners == [far] + others)
        if count == 8 { #expect(reading.unread[7].corners[3] == PixelPoint(x: 7, y: 8)) }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func fillAll(with first: UInt8, _ second: UInt8) {
        for index in indices { unsafe self[index] = index % 2 == 0 ? first : second }
    }
}
