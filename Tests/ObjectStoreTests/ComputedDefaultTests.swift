import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import Synchronization
import TestFolders
import Testing

/// Something whose class computes values for each new object.
private final class Ticket: ManagedObject {
    @Attribute var code = UUID()
    @Attribute var madeAt = Date()
    @Attribute var pieces = 1
    @Attribute var title = ""

    static let entity = EntityDescription(
        Ticket.self,
        name: "Ticket",
        uniquenessConstraints: [[\.code]]
    )
}

/// The same at an older version.
private final class OldTicket: ManagedObject {
    @Attribute var title = ""

    static let entity = EntityDescription(OldTicket.self, name: "Ticket")
}

/// Something whose number depends on what there is already.
private final class Numbered: ManagedObject {
    @Attribute var number = Numbered.next()
    @Attribute var code = UUID()
    @Attribute var title = "untitled"

    /// Where it looks.
    static let context = Mutex<ManagedObjectContext?>(nil)
    private static let last = Atomic(0)

    private static func next() -> Int {
        let known = context.withLock(\.self).flatMap { try? $0.fetch(FetchRequest(OldTicket.self)) }
        return last.add(1 + (known ?? []).count, ordering: .relaxed).newValue
    }

    static let entity = EntityDescription(Numbered.self, name: "Numbered")
}

@Suite("A default that differs each time")
struct ComputedDefaultTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func stores() throws -> [any PersistentStore] {
        [InMemoryStore(), try SQLiteStore(path: folder.path("store.sqlite"))]
    }

    @Test("is computed for each new object, and for none that is read")
    func perObject() throws {
        let model = try ManagedObjectModel(Ticket.entity)
        for store in try stores() {
            let container = try PersistentContainer(model: model, store: store)
            let context = container.makeContext()
            for number in 0..<50 { Ticket(context: context).title = "\(number)" }
            try context.save()
            let second = container.makeContext()
            let before = Date()
            let ticket = Ticket(context: second)
            #expect(ticket.pieces == 1 && ticket.madeAt >= before && ticket.madeAt <= Date())
            try second.save()
            let read = try container.makeContext().fetch(FetchRequest(Ticket.self))
            #expect(read.count == 51)
            #expect(Set(read.map(\.code)).count == 51)
            #expect(read.last?.code == ticket.code && read.last?.madeAt == ticket.madeAt)
            #expect(Set(read.map(\.pieces)) == [1])
        }
    }

    @Test("may look for other objects, and in the same context")
    func lookingForOthers() throws {
        let model = try ManagedObjectModel(Numbered.entity, OldTicket.entity)
        for store in try stores() {
            let container = try PersistentContainer(model: model, store: store)
            let context = container.makeContext()
            for number in 0..<3 { OldTicket(context: context).title = "\(number)" }
            Numbered.context.withLock { $0 = context }
            defer { Numbered.context.withLock { $0 = nil } }
            let made = (0..<5).map { _ in Numbered(context: context) }
            #expect(made.map(\.title) == Array(repeating: "untitled", count: 5))
            #expect(made.map(\.number) == (0..<5).map { made[0].number + 4 * $0 })
            #expect(Set(made.map(\.code)).count == 5)
            try context.save()
            let request = FetchRequest(Numbered.self).where(\.title, is: "untitled")
            let read = try container.makeContext().fetch(request)
            #expect(read.map(\.code) == made.map(\.code))
        }
    }

    @Test("is computed for each older object too, so that none are taken for the same")
    func migration() throws {
        let path = folder.path("store.sqlite")
        do {
            let store = try SQLiteStore(path: path)
            let old = try ManagedObjectModel(OldTicket.entity)
            let context = try PersistentContainer(model: old, store: store).makeContext()
            for number in 0..<20 { OldTicket(context: context).title = "\(number)" }
            try context.save()
            try store.close()
        }
        let store = try SQLiteStore(
            path: path,
            duplicates: .merge(.mergeByPropertyObjectTrump)
        )
        let model = try ManagedObjectModel(Ticket.entity)
        let context = try PersistentContainer(model: model, store: store).makeContext()
        let read = try context.fetch(FetchRequest(Ticket.self))
        #expect(read.map(\.title) == (0..<20).map { "\($0)" })
        #expect(Set(read.map(\.code)).count == 20)
    }

    @Test(
        "is computed, once the store is opened again, for what a program with the older model has inserted",
        arguments: [false, true]
    )
    func olderProgram(isMigratedAgain: Bool) throws {
        let path = folder.path("store.sqlite")
        let model = try ManagedObjectModel(Ticket.entity)
        let older = try PersistentContainer(
            model: ManagedObjectModel(OldTicket.entity),
            store: SQLiteStore(path: path)
        )
        let migrating = try SQLiteStore(path: path)
        _ = try PersistentContainer(model: model, store: migrating)
        try migrating.close()
        let context = older.makeContext()
        for number in 0..<3 { OldTicket(context: context).title = "\(number)" }
        try context.save()
        let newest = try ManagedObjectModel(Ticket.entity, Numbered.entity)
        let store = try SQLiteStore(path: path)
        let newer = try PersistentContainer(model: isMigratedAgain ? newest : model, store: store)
        let tickets = try newer.makeContext().fetch(FetchRequest(Ticket.self))
        #expect(Set(tickets.map(\.code)).count == 3)
        let editing = newer.makeContext()
        for ticket in try editing.fetch(FetchRequest(Ticket.self)) { ticket.title = "edited" }
        try editing.save()
        #expect(try editing.fetch(FetchRequest(Ticket.self)).map(\.code) == tickets.map(\.code))
        #expect(try editing.historyFindings() == [])
        #expect(try store.checkIntegrity() == [])
    }
}
