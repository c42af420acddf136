import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting

/// Saves without end, in order to be killed; or does what it is told.
///
/// Each save adds a passenger with three bags and counts up. The number of a save is printed once
/// the save has returned.
@main
enum StoreWriter {
    static func main() throws {
        guard 2...3 ~= CommandLine.arguments.count else {
            throw StoreError(
                .notFound,
                "usage: store-writer PATH [THREADS | commands | hold | merge | upsert]"
            )
        }
        if CommandLine.arguments.last == "commands" {
            var writer = try CommandedWriter(path: CommandLine.arguments[1])
            return try writer.run()
        }
        if CommandLine.arguments.last == "upsert" {
            return try BatchUpsert.run(path: CommandLine.arguments[1])
        }
        if CommandLine.arguments.last == "hold" { try hold(CommandLine.arguments[1]) }
        if CommandLine.arguments.last == "merge" { try mergeDuplicates(CommandLine.arguments[1]) }
        let store = try SQLiteStore(path: CommandLine.arguments[1])
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        if let threads = CommandLine.arguments.dropFirst(2).first.flatMap({ Int($0) }) {
            ManySavers.run(container, threads: threads)
        }
        while true {
            let context = container.makeContext()
            let counter =
                try context.first(FetchRequest(Counter.self)) ?? Counter(context: context)
            counter.name = "saves"
            counter.value += 1
            let owner = Passenger(context: context)
            owner.givenName = "P"
            owner.familyName = String(counter.value, radix: 36)
            for bag in 0..<3 {
                let luggage = Luggage(context, "\(counter.value)-\(bag)", weight: 1)
                // Of the size of a page of the file and more, so that a save takes many writes.
                luggage.note = String(repeating: "n", count: 6000)
                luggage.owner = owner
            }
            try context.save()
            FileHandle.standardOutput.write(Data("\(counter.value)\n".utf8))
        }
    }

    /// Opens a store for reading, says so, and waits to be killed.
    private static func hold(_ path: String) throws -> Never {
        let store = try SQLiteStore(path: path, access: .read)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        FileHandle.standardOutput.write(Data("0\n".utf8))
        while true {
            pause()
            _ = container
        }
    }

    /// Merges what an older store has twice, says so before and after, and waits to be killed.
    private static func mergeDuplicates(_ path: String) throws -> Never {
        let store = try SQLiteStore(path: path, duplicates: .merge(.mergeByPropertyStoreTrump))
        FileHandle.standardOutput.write(Data("0\n".utf8))
        _ = try PersistentContainer(model: TestModel.make(), store: store)
        FileHandle.standardOutput.write(Data("1\n".utf8))
        while true { pause() }
    }
}
