import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import TestFolders
import Testing

@Suite("The guide to stores in SQLite")
struct SQLiteStoreExampleTests {
    final class Luggage: ManagedObject {
        @Attribute var label: String
        @Attribute var colour: String
        @Attribute var weight: Int
    }

    final class Trolley: ManagedObject {
        @Attribute var number: Int
    }

    final class Bag: ManagedObject {
        @Attribute var tag: String
        @Attribute var weight: Int
    }

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("bags.sqlite")
    }

    /// Keeps two bags of one label in a file of an older model.
    private func makeOldFile() throws {
        let model = try ManagedObjectModel(
            EntityDescription(
                Luggage.self,
                name: "Luggage",
                properties: [
                    .attribute(\.label, "label"), .attribute(\.colour, "colour"),
                    .attribute(\.weight, "weight"),
                ]
            ),
            EntityDescription(
                Trolley.self,
                name: "Trolley",
                properties: [.attribute(\.number, "number")]
            )
        )
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        let context = container.makeContext()
        for weight in [20, 21] {
            let luggage = Luggage(context: context)
            (luggage.label, luggage.colour, luggage.weight) = ("F432", "red", weight)
        }
        Trolley(context: context).number = 7
        try context.save()
        try store.close()
    }

    @Test("brings an older file to the model")
    func migration() throws {
        try makeOldFile()
        let model = try ManagedObjectModel(
            EntityDescription(
                Bag.self,
                name: "Bag",
                properties: [.attribute(\.tag, "tag"), .attribute(\.weight, "weight")],
                uniquenessConstraints: [[\.tag]]
            )
        )
        let store = try SQLiteStore(
            path: path,
            migrations: [
                .renamingEntity("Luggage", to: "Bag"),
                .renamingProperty("label", of: "Bag", to: "tag"),
                .removingProperty("colour", of: "Bag"),
                .removingEntity("Trolley"),
                MigrationStep("weights in grams") { migration in
                    try migration.execute("UPDATE Bag SET weight = weight * 1000")
                },
            ],
            duplicates: .merge(.mergeByPropertyObjectTrump)
        )
        let context = try PersistentContainer(model: model, store: store).makeContext()
        let bags = try context.fetch(FetchRequest(Bag.self))
        #expect(bags.map(\.tag) == ["F432"] && bags.map(\.weight) == [21_000])
        let tables = try DatabaseQueue(path: path).read { db in
            try ["Luggage", "Bag", "Trolley"].filter { try db.tableExists($0) }
        }
        #expect(tables == ["Bag"])
        let copy = folder.path("copy.sqlite")
        let problems = try store.checkIntegrity()
        try store.backup(to: copy, replacing: true)
        #expect(problems.isEmpty)
        #expect(FileManager.default.fileExists(atPath: copy))
    }
}
