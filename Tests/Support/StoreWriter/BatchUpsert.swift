import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting

/// Inserts the same 100,000 bags twice, the second time into those of the first, each time in one
/// transaction of many saves, and prints the most memory that was held.
enum BatchUpsert {
    static let count = 100_000
    private static let batch = 1000

    static func run(path: String) throws {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        for weight in [1.0, 2.0] {
            try container.transaction { context in
                for start in stride(from: 0, to: count, by: batch) {
                    for number in start..<start + batch {
                        _ = Luggage(context, "bag \(number)", weight: weight)
                    }
                    try context.save()
                    context.reset()
                }
            }
            let peak = try peakKibibytes()
            FileHandle.standardOutput.write(Data("\(peak)\n".utf8))
        }
    }

    /// The most memory that this program has held; not what `getrusage` says, which counts that of
    /// whoever has started it.
    private static func peakKibibytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
