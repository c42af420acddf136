import MessagePack

@main
struct Coding {
    static func main() throws {
        let bytes = try MessagePackEncoder().encode(["bags": [7, 8]])
        print(try MessagePackDecoder().decode([String: [Int]].self, from: bytes))
    }
}
