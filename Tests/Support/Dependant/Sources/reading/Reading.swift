import TagReading

@main
struct Reading {
    static func main() async throws {
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
        let reading = try await pool.read(TagImage(path: CommandLine.arguments[1]))
        for symbol in reading.symbols {
            print(String(decoding: symbol.payload, as: UTF8.self))
        }
        await pool.shutdown()
    }
}
