import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting

/// Does what each line of its input says, and answers with a line when it is done.
struct CommandedWriter {
    private let path: String
    private var store: SQLiteStore
    private var container: PersistentContainer

    init(path: String) throws {
        self.path = path
        store = try SQLiteStore(path: path)
        container = try PersistentContainer(model: TestModel.make(), store: store)
    }

    mutating func run() throws {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            try obey(words[0], words.dropFirst().first ?? "")
            let token = try container.lastHistoryToken()
            FileHandle.standardOutput.write(Data("\(token?.rawValue ?? 0)\n".utf8))
        }
    }

    private mutating func obey(_ command: String, _ argument: String) throws {
        switch command {
        case "insert", "edit", "delete", "depart": try save(command, argument)
        case "insert-many":
            try container.transaction { context in
                for number in 0..<(Int(argument) ?? 0) {
                    // What an author saves in a row is one save for the history.
                    context.author = "other \(number % 2)"
                    _ = Luggage(context, "many-\(number)", weight: 1)
                    try context.save()
                }
            }
        case "compact": try store.compact()
        case "back-up": try store.backup(to: argument)
        case "forget":
            if let last = try container.lastHistoryToken() {
                let next = HistoryToken(rawValue: last.rawValue + 1)
                try container.deleteHistory(before: next)
            }
        case "lock":
            // For as long as the process lives.
            let isLocked = DispatchSemaphore(value: 0)
            let store = store
            Thread.detachNewThread {
                _ = try? store.transaction { _ in
                    isLocked.signal()
                    while true { sleep(1000) }
                }
            }
            isLocked.wait()
        case "reopen":
            try store.close()
            self = try CommandedWriter(path: path)
        default: throw StoreError(.failed, "there is no command \(command)")
        }
    }

    private func save(_ command: String, _ tag: String) throws {
        let context = container.makeContext()
        context.author = "other"
        switch command {
        case "insert": _ = Luggage(context, tag, weight: 1)
        case "edit": try context.luggage(tag)?.weight += 1
        case "depart":
            let luggage = Luggage(context, tag, weight: 1)
            luggage.departedAt = Date(timeIntervalSince1970: 1000 + (Double(tag) ?? 0))
        default:
            if let luggage = try context.luggage(tag) { try context.delete(luggage) }
        }
        try context.save()
    }
}
