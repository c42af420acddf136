import Foundation
import MessagePack
import SeededRandom
import Testing

@Suite struct StreamTests {
    @Test(
        "messages that follow one another come out whole, however they are parted",
        arguments: 0..<6
    )
    func parts(_ seed: UInt64) throws {
        var generator = ValueGenerator(seed: 50 + seed)
        let values = (0..<60).map { _ in generator.value() }
        let all = try values.flatMap { try Array(MessagePackEncoder().encode($0)) }
        var stream = MessagePackStreamDecoder()
        var decoded: [MessagePackValue] = []
        var start = 0
        let longest = [1, 2, 7, 100, 5000, 1_000_000][Int(seed)]
        while start < all.count {
            let end = min(start + 1 + generator.random.number(below: longest), all.count)
            stream.append(all[start..<end])
            start = end
            while let value = try stream.next(MessagePackValue.self) { decoded.append(value) }
        }
        try stream.finish()
        #expect(decoded == values)
        #expect(stream.pendingByteCount == 0)
    }

    @Test("a message that comes byte by byte is looked at once")
    func byteByByte() throws {
        let numbers = Array(0..<60_000)
        let message = try MessagePackEncoder().encode(["a": numbers, "b": [1]])
        var stream = MessagePackStreamDecoder()
        for byte in message.dropLast() {
            stream.append(CollectionOfOne(byte))
            #expect(try stream.next([String: [Int]].self) == nil)
        }
        #expect(stream.pendingByteCount == message.count - 1)
        stream.append(message.suffix(1))
        #expect(try stream.next([String: [Int]].self) == ["a": numbers, "b": [1]])
    }

    @Test("an incomplete message is no error until the stream ends")
    func incomplete() throws {
        for message in ["", "92 01", "a5 61", "df ff", "c6 0000ffff", "c7 05", "cb 00"] {
            var stream = MessagePackStreamDecoder()
            stream.append(bytes("05 \(message)"))
            #expect(try stream.next(Int.self) == 5)
            #expect(try stream.next(MessagePackValue.self) == nil)
            #expect(try stream.next(MessagePackValue.self) == nil)
            if message.isEmpty {
                try stream.finish()
            } else {
                let error = #expect(throws: DecodingError.self) { try stream.finish() }
                #expect(try damage(error).error.code == .truncated)
            }
        }
    }

    @Test("bytes that are wrong are an error forever")
    func wrong() throws {
        var stream = MessagePackStreamDecoder()
        stream.append(bytes("01 92 02 c1"))
        #expect(try stream.next(Int.self) == 1)
        for _ in 0..<2 {
            let error = #expect(throws: DecodingError.self) { try stream.next([Int].self) }
            let found = try damage(error)
            #expect(found.error == MessagePackError(.reservedByte, byteOffset: 2))
            #expect(found.path == ["Index 1"])
            stream.append(bytes("03"))
        }
        #expect(throws: DecodingError.self) { try stream.finish() }
    }

    @Test("a message of another type is an error, and the next one is read")
    func otherType() throws {
        var stream = MessagePackStreamDecoder()
        stream.append(bytes("a161 05 c7 01ff00 06"))
        #expect(throws: DecodingError.self) { try stream.next(Int.self) }
        #expect(try stream.next(Int.self) == 5)
        let error = #expect(throws: DecodingError.self) { try stream.next(Date.self) }
        #expect(try damage(error).error == MessagePackError(.invalidTimestamp, byteOffset: 0))
        #expect(try stream.next(Int.self) == 6)
        #expect(try stream.next(Int.self) == nil)
    }

    @Test(
        "a message that would grow beyond the limit is refused before it has come",
        arguments: [
            "c6 00000100", "dd 00000100", "db 00000100", "df 00000080",
            "93 c4 09 000000000000000000 c4 40",
        ]
    )
    func limit(_ message: String) throws {
        var decoder = MessagePackDecoder()
        decoder.limits.byteCount = 64
        var stream = MessagePackStreamDecoder(decoder: decoder)
        stream.append(bytes(message))
        let error = #expect(throws: DecodingError.self) { try stream.next(MessagePackValue.self) }
        #expect(try damage(error).error.code == .tooLong)
    }

    @Test("messages up to the limit go on forever")
    func upToTheLimit() throws {
        var decoder = MessagePackDecoder()
        decoder.limits.byteCount = 11
        var stream = MessagePackStreamDecoder(decoder: decoder)
        for round in 0..<100 {
            stream.append(bytes("9a 00010203040506070809"))
            #expect(try stream.next([Int].self)?.count == 10, "round \(round)")
        }
        stream.append(bytes("9b 0001020304050607080910"))
        #expect(throws: DecodingError.self) { try stream.next([Int].self) }
    }
}
