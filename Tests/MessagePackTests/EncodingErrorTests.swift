import Foundation
import MessagePack
import Testing

@Suite struct EncodingErrorTests {
    @Test("an error of a value tells the way to it, however it is nested")
    func errorPaths() throws {
        let wide = Int128.max
        let values: [(any Encodable, [String])] = [
            (
                Encoded { encoder in
                    var outer = encoder.container(keyedBy: Key.self)
                    var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
                    var items = inner.nestedUnkeyedContainer(forKey: .b)
                    try items.encode(1)
                    try items.encode(wide)
                }, ["a", "b", "Index 1"]
            ),
            (
                Encoded { encoder in
                    var container = encoder.container(keyedBy: Key.self)
                    try [wide].encode(to: container.superEncoder(forKey: .c))
                }, ["c", "Index 0"]
            ),
            (
                Encoded { encoder in
                    var container = encoder.unkeyedContainer()
                    try container.encode(0)
                    try container.encode(
                        Encoded { encoder in
                            var single = encoder.singleValueContainer()
                            try single.encode(["x": [Date(timeIntervalSince1970: .nan)]])
                        }
                    )
                }, ["Index 1", "x", "Index 0"]
            ),
            ([["a": [[1], [wide]]]], ["Index 0", "a", "Index 1", "Index 0"]),
            (["a": Optional(Optional(wide))], ["a"]),
        ]
        for (value, path) in values {
            let error = #expect(throws: EncodingError.self) {
                try MessagePackEncoder().encode(value)
            }
            guard case .invalidValue(_, let context) = error else { continue }
            #expect(context.codingPath.map(\.stringValue) == path)
        }
    }
}
