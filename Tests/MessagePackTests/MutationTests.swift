import Foundation
import MessagePack
import SeededRandom
import Testing

/// Messages with bytes changed, taken out, put in and moved: none may end the program, and what is
/// taken for a message must be one.
///
/// `MESSAGEPACK_MUTATIONS` sets how many there are; a million are good for a release build.
@Suite struct MutationTests {
    private static let count =
        ProcessInfo.processInfo.environment["MESSAGEPACK_MUTATIONS"].flatMap { Int($0) } ?? 3000

    @Test("mutated messages are decoded or refused", arguments: 0..<4)
    func mutations(_ seed: UInt64) throws {
        var generator = ValueGenerator(seed: 1000 + seed)
        var random = SeededGenerator(seed: 2000 + seed)
        var outcomes = Outcomes()
        var done = 0
        while done < Self.count / 4 {
            let message =
                try done % 100 < 50
                ? MessagePackEncoder().encode(generator.everything(depth: 1))
                : MessagePackEncoder().encode(generator.value())
            for _ in 0..<25 {
                var mutated = [UInt8](message)
                for _ in 0...random.number(below: 4) { Self.mutate(&mutated, &random) }
                try outcomes.add(mutated, chunk: 1 + random.number(below: 50))
                done += 1
            }
        }
        // Some of each, or the mutations are no good.
        #expect(outcomes.decoded > 0 && outcomes.refused > 0)
    }

    private struct Outcomes {
        var decoded = 0
        var refused = 0

        mutating func add(_ message: [UInt8], chunk: Int) throws {
            _ = try? MessagePackDecoder().decode(Everything.self, from: message)
            do {
                let value = try MessagePackDecoder().decode(MessagePackValue.self, from: message)
                decoded += 1
                let again = try MessagePackEncoder().encode(value)
                #expect(again.count <= message.count)
                let twice = try MessagePackDecoder().decode(MessagePackValue.self, from: again)
                #expect(try MessagePackEncoder().encode(twice) == again)
            } catch let error as DecodingError {
                refused += 1
                try check(error, of: message, chunk: chunk)
            }
        }

        /// A stream must find the same damage, or wait for more.
        private func check(_ error: DecodingError, of message: [UInt8], chunk: Int) throws {
            let (found, path) = try damage(error)
            #expect(0...message.count ~= found.byteOffset)
            var stream = MessagePackStreamDecoder()
            do {
                var start = 0
                while start < message.count {
                    stream.append(message[start..<min(start + chunk, message.count)])
                    start += chunk
                    if try stream.next(MessagePackValue.self) != nil {
                        #expect(found.code == .trailingBytes)
                        return
                    }
                }
                #expect(found.code == .truncated)
            } catch let error as DecodingError {
                let streamed = try damage(error)
                #expect(streamed.error == found || found.code == .truncated)
                #expect(streamed.path == path || found.code == .truncated)
            }
        }
    }

    private static func mutate(_ message: inout [UInt8], _ random: inout SeededGenerator) {
        let place = random.number(below: message.count + 1)
        let byte = UInt8(truncatingIfNeeded: random.next())
        switch random.number(below: 7) {
        case 0: message.insert(byte, at: place)
        case 1 where place < message.count: message.remove(at: place)
        case 2 where place < message.count: message[place] ^= 1 << (byte & 7)
        case 3 where place < message.count: message[place] = byte
        case 4: message.removeSubrange(place..<min(place + Int(byte & 15), message.count))
        case 5: message.insert(contentsOf: message.suffix(Int(byte & 31)), at: place)
        default:
            // A byte that begins a value of another kind.
            message.insert(0xC0 | byte & 0x1F, at: place)
        }
    }
}
