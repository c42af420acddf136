import Foundation
import SeededRandom
import TagReading
import Testing

@testable import LuggageTags

@Suite("A label or a message with damage")
struct LabelFuzzTests {
    static let seeds =
        (BoardingPassTests.vectors.map(\.payload) + GS1Tests.things.flatMap(\.forms)
        + ["0117814872", "0000000000"]).map { Array($0.utf8) }

    static let messages = BaggageMessageTests.vectors.map { Array($0.utf8) }

    private static let pieces: [[UInt8]] =
        ["M1", "M9", "/", ">5", "FF", "00", "8003", "8004", "]Q3", "%", "%2", "\u{1D}", "^", "001"]
        .map { Array($0.utf8) }
        + [".N/", ".F/", "BSM\n", "ENDBSM\n", "DEL\n", "\r\n", ".P/", "99999999999999999999"]
        .map { Array($0.utf8) } + [[0xFF], [0x00], [0xC3]]

    static func damaged(_ seed: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0...generator.number(below: 4) where !bytes.isEmpty {
            let place = generator.number(below: bytes.count)
            let end = min(bytes.count, place + 1 + generator.number(below: 8))
            switch generator.number(below: 6) {
            case 0: bytes[place] = UInt8(generator.number(below: 256))
            // Most of a label is digits and letters, and so is most damage that goes unnoticed.
            case 1: bytes[place] = UInt8(0x30 + generator.number(below: 43))
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes = Array(bytes[..<place])
            default:
                bytes.insert(contentsOf: pieces[generator.number(below: pieces.count)], at: place)
            }
        }
        return bytes
    }

    private static let count =
        ProcessInfo.processInfo.environment["DAMAGED_PAYLOADS"].flatMap(Int.init) ?? 10_000

    @Test("gives a bag or an error that names nobody, and never ends the program")
    func labels() throws {
        var generator = SeededGenerator(seed: 792)
        var codes: [String: Int] = [:]
        let names = ["DESMARAIS", "LEOPOLD", "O'NEIL"]
        for number in 0..<Self.count {
            let bytes = Self.damaged(Self.seeds[number % Self.seeds.count], &generator)
            do throws(TagError) {
                _ = try TagDecoder().contents(of: bytes)
                codes["", default: 0] += 1
            } catch {
                codes[error.code.description, default: 0] += 1
                if error.message.isEmpty || names.contains(where: error.message.contains) {
                    Issue.record("number \(number): \(error.message)")
                }
            }
            let most = PayloadFormats.all.count { $0.recognises(bytes) }
            if most > 1 { Issue.record("number \(number) is of \(most) formats") }
            // Whatever a picture shows of a pass, nothing of it that may not be kept goes on.
            guard BoardingPass.recognises(bytes) else { continue }
            for tag in Tag.tags(in: .of([bytes]), at: Date(timeIntervalSince1970: 0)) {
                let payload = String(decoding: tag.symbol.payload, as: UTF8.self)
                if names.contains(where: payload.contains) {
                    Issue.record("number \(number): \(payload)")
                }
            }
        }
        #expect(codes.keys.count >= 5, "\(codes)")
        #expect(codes["", default: 0] > 100)
    }

    @Test("gives messages or their flaws, and never ends the program")
    func messages() throws {
        var generator = SeededGenerator(seed: 1745)
        var (read, refused) = (0, 0)
        for number in 0..<Self.count {
            let bytes = Self.damaged(Self.messages[number % Self.messages.count], &generator)
            for message in BaggageSourceMessage.messages(in: bytes) {
                switch message {
                case .success(let message):
                    read += 1
                    let tags = try message.tags(readAt: Date(timeIntervalSince1970: 1_795_305_600))
                    #expect(tags.count == message.plates.count && !tags.isEmpty)
                case .failure(let flaw):
                    refused += 1
                    #expect(!flaw.reason.isEmpty && flaw.line > 0)
                }
            }
        }
        #expect(read > 500 && refused > 500, "\(read) read, \(refused) refused")
    }
}
