import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
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
}
