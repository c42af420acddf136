import Foundation
import MessagePack
import SeededRandom
import Testing

@Suite struct PropertyTests {
    @Test("generated values of a type with everything come back", arguments: 0..<8)
    func everything(_ seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        var text = MessagePackEncoder()
        text.uuidEncodingStrategy = .text
        var snake = MessagePackEncoder()
        snake.keyEncodingStrategy = .convertToSnakeCase
        var camel = MessagePackDecoder()
        camel.keyDecodingStrategy = .convertFromSnakeCase
        for _ in 0..<6 {
            let value = generator.everything()
            #expect(try roundTrip(value) == value)
            #expect(try roundTrip(value, text) == value)
            #expect(try roundTrip(value, snake, camel) == value)
            let tree = try tree(value)
            #expect(
                try MessagePackDecoder().decode(
                    Everything.self,
                    from: MessagePackEncoder().encode(tree)
                ) == value
            )
        }
    }

    @Test("generated trees come back, and so do their bytes", arguments: 0..<8)
    func trees(_ seed: UInt64) throws {
        var generator = ValueGenerator(seed: 100 + seed)
        for _ in 0..<60 {
            let value = generator.value()
            let message = try MessagePackEncoder().encode(value)
            let decoded = try MessagePackDecoder().decode(MessagePackValue.self, from: message)
            #expect(decoded == value)
            #expect(try MessagePackEncoder().encode(decoded) == message)
        }
    }

    @Test("no message that ends early is taken for a whole one")
    func prefixes() throws {
        var generator = ValueGenerator(seed: 7)
        for _ in 0..<30 {
            let message = try Array(MessagePackEncoder().encode(generator.value()))
            for count in 0..<min(message.count, 200) {
                #expect(throws: DecodingError.self) {
                    try MessagePackDecoder().decode(
                        MessagePackValue.self,
                        from: Array(message.prefix(count))
                    )
                }
            }
        }
    }
}
