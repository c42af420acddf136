import CFaultInjection
import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting

/// Saves while one call of the system after the other fails, and prints what came of it; or, given
/// only a path, saves there until it is killed.
///
/// The lines are `saved NUMBER`, `failed CODE MESSAGE` for what was done under a fault, `later saved
/// NUMBER` or `later failed CODE MESSAGE` for the save after it, and at last `swept CALLS`.
@main
struct FaultWriter {
    let folder: URL
    let call: FaultInjectionCall
    let error: Int32
    /// How many calls in a row fail.
    let count: Int32

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 2 { try saveForever(arguments[1]) }
        guard arguments.count == 6, let call = UInt32(arguments[3]),
            let error = Int32(arguments[4]),
            let count = Int32(arguments[5])
        else {
            throw StoreError(.notFound, "usage: fault-writer FOLDER WORK CALL ERROR COUNT, or PATH")
        }
        let writer = FaultWriter(
            folder: URL(fileURLWithPath: arguments[1]),
            call: FaultInjectionCall(rawValue: call),
            error: error,
            count: count
        )
        if arguments[2] == "saves" { try writer.sweepSaves() } else { try writer.sweepLives() }
    }

    /// Saves until it is killed, and prints the number of each save that has returned.
    private static func saveForever(_ path: String) throws -> Never {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        while true {
            let saved = try SavedRound.saveAmongOthers(in: container)
            FileHandle.standardOutput.write(Data("\(saved)\n".utf8))
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func container(_ name: String) throws -> (SQLiteStore, PersistentContainer) {
        let store = try SQLiteStore(path: path(name))
        return (store, try PersistentContainer(model: TestModel.make(), store: store))
    }

    /// One store that is open all the time; each call of a save fails once.
    private func sweepSaves() throws {
        let (_, container) = try container("saves.sqlite")
        report("later ") { try SavedRound.save(in: container) }
        var number: Int32 = 0
        var calls: Int32 = 0
        repeat {
            number += 1
            calls = withFault(number) { report { try SavedRound.save(in: container) } }
            report("later ") { try SavedRound.save(in: container) }
        } while calls >= number
        print("swept \(calls)")
    }

    /// A new store each time; each call from its making to its closing fails once.
    private func sweepLives() throws {
        var number: Int32 = 0
        var calls: Int32 = 0
        repeat {
            number += 1
            let name = "life-\(number).sqlite"
            print("store \(name)")
            calls = withFault(number) {
                report {
                    let (store, container) = try container(name)
                    let saved = try SavedRound.save(in: container)
                    // What is saved is saved, whatever becomes of closing.
                    report {
                        try store.close()
                        return nil
                    }
                    return saved
                }
            }
            report("later ") {
                let (store, container) = try self.container(name)
                let saved = try SavedRound.save(in: container)
                try store.close()
                return saved
            }
        } while calls >= number
        print("swept \(calls)")
    }

    private func withFault(_ number: Int32, _ body: () -> Void) -> Int32 {
        // The name lasts as long as the fault.
        unsafe ".sqlite".withCString { name in
            unsafe fault_injection_start(call, name, number, count, error)
            body()
            return fault_injection_stop()
        }
    }

    private func report(_ prefix: String = "", _ body: () throws -> Int?) {
        do {
            if let saved = try body() { print("\(prefix)saved \(saved)") }
        } catch let error as StoreError {
            print("\(prefix)failed \(error.code) \(error.message)")
        } catch {
            print("\(prefix)surprised \(error)")
        }
    }
}
