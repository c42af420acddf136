import Foundation
import ObjectStore
import StoreTesting

/// Many threads that save without end, each its own bags, so that they share commits.
///
/// Each save adds three bags named by the thread, the save and their number. The thread and the
/// number of its save are printed once the save has returned.
enum ManySavers {
    static func run(_ container: PersistentContainer, threads: Int) {
        for thread in 0..<threads {
            // After a kill, each thread goes on with numbers that were not used before it.
            let run = "\(ProcessInfo.processInfo.processIdentifier)"
            Thread {
                for save in 0... {
                    let context = container.makeContext()
                    for bag in 0..<3 {
                        let luggage = Luggage(context, "\(run)-\(thread)-\(save)-\(bag)", weight: 1)
                        luggage.note = String(repeating: "n", count: 3000)
                    }
                    do {
                        try context.save()
                    } catch {
                        FileHandle.standardError.write(Data("\(error)\n".utf8))
                        exit(1)
                    }
                    let line = "\(run)-\(thread)-\(save)\n"
                    FileHandle.standardOutput.write(Data(line.utf8))
                }
            }
            .start()
        }
        while true { pause() }
    }
}
