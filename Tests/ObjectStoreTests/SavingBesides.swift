import Foundation
import ObjectStore

extension PausingStore {
    /// Saves, and does something while the save is on its way to the disk.
    func save(_ context: ManagedObjectContext, meanwhile: @escaping () throws -> Void) throws {
        pauseOnce(for: meanwhile)
        try context.save()
    }

    /// Saves, and does something in another thread while the save is on its way to the disk.
    func saveContended(_ context: ManagedObjectContext, _ run: @escaping () throws -> Void) throws {
        var end: (() throws -> Void)?
        try save(context) { end = besides(run) }
        try end?()
    }
}

/// Runs something in another thread, which the returned closure waits for.
func besides(_ run: @escaping () throws -> Void) -> () throws -> Void {
    /// Unchecked because one thread runs it and another one looks at it afterwards.
    final class Work: @unchecked Sendable {
        let run: () throws -> Void
        var result = Result<Void, any Error>.success(())
        let (isBegun, isEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        init(_ run: @escaping () throws -> Void) { self.run = run }
    }
    let work = Work(run)
    Thread.detachNewThread {
        work.isBegun.signal()
        work.result = Result { try work.run() }
        work.isEnded.signal()
    }
    work.isBegun.wait()
    return {
        work.isEnded.wait()
        try work.result.get()
    }
}
