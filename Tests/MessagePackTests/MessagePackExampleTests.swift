import Foundation
import MessagePack
import Testing

@Suite("The guide to MessagePack")
struct MessagePackExampleTests {
    struct Sighting: Codable, Equatable {
        var bag: UUID
        var seenAt: Date
        var weight: Float?
    }

    struct Gate: Codable, Equatable {
        var number: UInt8

        init(number: UInt8) {
            self.number = number
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let value = try container.decode(MessagePackExtension.self)
            guard value.type == 5, let number = value.data.first else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "This is not a gate"
                )
            }
            self.number = number
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(MessagePackExtension(type: 5, data: Data([number])))
        }
    }

    struct Refused: Error {}

    private let date = Date(timeIntervalSince1970: 1_753_000_000.5)

    private func makeSighting(_ weight: Float?) -> Sighting {
        Sighting(bag: UUID(), seenAt: date, weight: weight)
    }

    @Test("codes a value")
    func coding() throws {
        let sighting = makeSighting(42.5)
        let bytes = try MessagePackEncoder().encode(sighting)
        let decoded = try MessagePackDecoder().decode(Sighting.self, from: bytes)
        #expect(decoded == sighting)
    }

    @Test("reads what another program writes, within limits")
    func strategies() throws {
        func read(_ message: MessagePackValue) throws -> Sighting {
            let bytes = try MessagePackEncoder().encode(message)
            var decoder = MessagePackDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .secondsSince1970
            decoder.floatNarrowing = .nearest
            decoder.limits = MessagePackLimits(depth: 16, elementCount: 10_000, byteCount: 1 << 20)
            let sighting = try decoder.decode(Sighting.self, from: bytes)
            return sighting
        }
        let bag = UUID()
        var message: MessagePackMap = [
            "bag": .string(bag.uuidString), "seen_at": 1.5, "weight": 42.3,
        ]
        let expected = Sighting(bag: bag, seenAt: Date(timeIntervalSince1970: 1.5), weight: 42.3)
        #expect(try read(.map(message)) == expected)
        message["more"] = .array(Array(repeating: nil, count: 10_000))
        #expect(throws: DecodingError.self) { try read(.map(message)) }
    }

    @Test("looks into a message of unknown form, and changes it")
    func values() throws {
        var message: MessagePackValue = ["kind": "bag", "weights": [19, 20.5], 7: nil]
        let first = message["weights"]?[item: 0]?.integer(as: UInt8.self)
        if case .map(var pairs) = message {
            pairs["kind"] = "trolley"
            pairs["seen"] = MessagePackTimestamp(date).map(MessagePackValue.timestamp)
            message = .map(pairs)
        }
        let bytes = try MessagePackEncoder().encode(message)
        #expect(first == 19)
        let same = try MessagePackDecoder().decode(MessagePackValue.self, from: bytes)
        #expect(same == message && same["kind"] == "trolley" && same[7] == .null)
        #expect(same["seen"]?.timestamp?.date == date)
    }

    @Test("codes an extension type")
    func extensions() throws {
        let bytes = try MessagePackEncoder().encode(Gate(number: 12))
        #expect(Array(bytes) == [0xD4, 5, 12])
        #expect(try MessagePackDecoder().decode(Gate.self, from: bytes) == Gate(number: 12))
        #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(Gate.self, from: [0xD4, 6, 12])
        }
    }

    @Test("reads a stream", arguments: [1, 7, 10_000])
    func streams(size: Int) throws {
        let sightings = (0..<5).map { makeSighting(Float($0)) }
        let all = try sightings.flatMap { try Array(MessagePackEncoder().encode($0)) }
        let parts = stride(from: 0, to: all.count, by: size).map { all[$0...].prefix(size) }
        var received: [Sighting] = []
        var stream = MessagePackStreamDecoder()
        for part in parts {
            stream.append(part)
            while let sighting = try stream.next(Sighting.self) { received.append(sighting) }
        }
        try stream.finish()
        #expect(received == sightings)
    }

    @Test("says where a message is wrong")
    func errors() throws {
        let bytes = try MessagePackEncoder().encode(makeSighting(nil)).dropLast()
        var report = ""
        do {
            _ = try MessagePackDecoder().decode(Sighting.self, from: bytes)
        } catch DecodingError.dataCorrupted(let context) {
            guard let flaw = context.underlyingError as? MessagePackError else { throw Refused() }
            report = "\(flaw.code.name) at byte \(flaw.byteOffset)"
        }
        // Where the value begins that is cut off.
        #expect(report == "truncated at byte 30")
    }
}
