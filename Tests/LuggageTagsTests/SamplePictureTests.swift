import SeededRandom
import Foundation
import LuggageTags
import ObjectStore
import TagDrawing
import TagReading
import Testing

/// The sample pictures, and the payloads that each of them holds.
enum Samples {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../samples")
        .standardizedFileURL

    static let payloads: [String: [String]] = [
        "cut-off.png": [],
        "tag-2b7e-chinese-name.png": [
            #"{"id":"2B7EA610-95C8-4F03-B2D4-71E638AF0C5D","owner":["李","小龙"],"weight":27.5}"#
        ],
        "tag-77d0-accents.png": [
            #"{"id":"77D041BE-6F29-4A85-9C13-E4B75A60D218","owner":["É","MÜL"],"weight":50.0}"#
        ],
        "tag-9c41-dzmu.png": [
            #"{"id":"9C417E05-3B6A-4D92-A1F7-5E802C19D4B3","owner":["D","ZMU"],"weight":31.5}"#
        ],
        "tag-by-telephone.jpg": [
            #"{"id":"B7D20E94-61C3-4F58-9A0E-D4837FC5126B","owner":["T","NAK"],"weight":33.0}"#
        ],
        "tag-f432-dzmu.png": [
            #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","owner":["D","ZMU"],"weight":42.0}"#
        ],
        "tag-on-belt.png": [
            #"{"id":"C05A93F2-18D7-4E6B-8F40-26B9DE715A0C","owner":["S","KOV"],"weight":38.5}"#
        ],
        "torn-off.png": [],
        "two-tags.png": [
            #"{"id":"51E8C7A4-0D3F-4B16-A9E2-83F5607BC41D","owner":["A","LOV"],"weight":22.0}"#,
            #"{"id":"E69F204D-B7A1-4C58-95D6-0F3CA8E2B714","owner":["G","HOP"],"weight":46.5}"#,
        ],
        "weight-in-words.png": [
            #"{"id":"3FD1586C-E240-4977-B60A-C92E147D85F3","owner":["D","ZMU"],"weight":"heavy"}"#
        ],
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }
}

@Suite("A sample picture")
struct SamplePictureTests {
    private static let pool = Result {
        ReaderPool(executable: try ReaderPool.locateExecutable())
    }

    @Test("is in the table of these tests")
    func tableIsWhole() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Samples.folder.path(percentEncoded: false)
        )
        #expect(Set(names.filter { $0 != "README.md" }) == Set(Samples.payloads.keys))
    }

    @Test("gives its payloads byte for byte", arguments: Samples.payloads.keys.sorted())
    func reads(name: String) async throws {
        let image = try TagImage(bytes: Samples.bytes(name), name: name)
        let expected = try #require(Samples.payloads[name])
        if name == "cut-off.png" {
            let error = await #expect(throws: ReadError.self) {
                _ = try await Self.pool.get().read(image)
            }
            #expect(error?.code == .damaged)
        } else {
            let reading = try await Self.pool.get().read(image)
            #expect(reading.symbols.map(\.payload) == expected.map { Array($0.utf8) })
        }
    }

    /// Damage of one kind, in a place that the generator chooses.
    enum Damage: CaseIterable {
        case truncation, flippedBit, overwrittenRun, removedRun, splicedIn

        func apply(to bytes: [UInt8], _ other: [UInt8], _ generator: inout SeededGenerator)
            -> [UInt8]
        {
            var bytes = bytes
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let run = place..<min(bytes.count, place + Int.random(in: 1...64, using: &generator))
            switch self {
            case .truncation: bytes.removeSubrange(place...)
            case .flippedBit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case .overwrittenRun:
                for index in run {
                    bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                }
            case .removedRun: bytes.removeSubrange(run)
            case .splicedIn:
                let start = Int.random(in: 0..<other.count, using: &generator)
                bytes.replaceSubrange(place..., with: other[start...])
            }
            return bytes
        }
    }

    @Test(
        "damaged in 200 ways gives an error or the right answer, never a wrong one",
        arguments: Samples.payloads.keys.sorted()
    )
    func damaged(name: String) async throws {
        var generator = SeededGenerator(seed: 0x7A9)
        let bytes = try Samples.bytes(name)
        let other = try Samples.bytes("two-tags.png")
        // A picture whose rest is that of another one may show the other one's tags.
        let right = Set(
            [name, "two-tags.png"].flatMap { Samples.payloads[$0] ?? [] }.map { Array($0.utf8) }
        )
        let pool = try Self.pool.get()
        var damaged: [(number: Int, bytes: [UInt8])] = []
        for number in 0..<200 {
            let damage = Damage.allCases[number % Damage.allCases.count]
            damaged.append((number, damage.apply(to: bytes, other, &generator)))
        }
        await withTaskGroup(of: Void.self) { group in
            for (number, bytes) in damaged {
                group.addTask {
                    do throws(ReadError) {
                        let reading = try await pool.read(TagImage(bytes: bytes))
                        for symbol in reading.symbols {
                            #expect(right.contains(symbol.payload), "variant \(number) of \(name)")
                        }
                    } catch {
                        // A crash or a hang of the reader would be contained, and is a defect yet.
                        let expected: Set<ReadError.Code> = [
                            .damaged, .notAnImage, .tooManyPixels, .outOfMemory,
                        ]
                        #expect(
                            expected.contains(error.code),
                            "variant \(number) of \(name): \(error)"
                        )
                    }
                }
            }
        }
    }

    @Test("that claims 30,000 x 30,000 pixels is refused at once, with the limit named")
    func bomb() async throws {
        let sample = try Samples.bytes("tag-2b7e-chinese-name.png")
        let bytes = PNGChunks.claim(sample, width: 30_000, height: 30_000)
        let error = await #expect(throws: ReadError.self) {
            _ = try await Self.pool.get().read(TagImage(bytes: bytes))
        }
        #expect(error?.code == .tooManyPixels)
        #expect(error?.message.contains("50000000") == true)
    }
}
