import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting

/// Saves without end, in order to be killed.
///
/// Each save adds a passenger with three bags and counts up. The number of a save is printed once
/// the save has returned.
@main
enum StoreWriter {
    static func main() throws {
        guard 2...3 ~= CommandLine.arguments.count else {
            throw StoreError(.notFound, "usage: store-writer PATH [THREADS]")
        }
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
}
