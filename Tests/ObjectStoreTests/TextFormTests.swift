import Foundation
import ObjectStore
import StoreTesting
import Testing

/// A name in either form, and who has it.
private final class Named: ManagedObject {
    @Attribute var name: String
    @Attribute var file: String
    @ToOne var friend: Named?
    @ToMany var friends: [Named]

    static let entity = EntityDescription(
        Named.self,
        name: "Named",
        properties: [
            .attribute(\.name, texts: .composed), .attribute(\.file, default: "e\u{301}"),
            .toOne(\.friend, inverse: \.friends), .toMany(\.friends, inverse: \.friend),
        ],
        uniquenessConstraints: [[\.name]]
    )
}

@Suite("Texts that are equal in Swift")
struct TextFormTests {
    /// Pairs of equal texts with different bytes: an accent, its order, an ideograph, Hangul.
    static let pairs = [
        ("\u{E9}", "e\u{301}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{F900}", "\u{8C48}"),
        ("\u{AC01}", "\u{AC00}\u{11A8}"), ("\u{212B}ngstr\u{F6}m", "A\u{30A}ngstro\u{308}m"),
    ]

    @Test(
        "are one value in constraints and conditions, if the model says so",
        arguments: TestStore.allCases,
        pairs
    )
    func composed(store: TestStore, pair: (String, String)) throws {
        #expect(pair.0 == pair.1 && !pair.0.utf8.elementsEqual(pair.1.utf8))
        try store.withStore { store in
            let model = try ManagedObjectModel(Named.entity)
            let container = try PersistentContainer(model: model, store: store)
            for name in [pair.0, pair.1] {
                let context = container.makeContext()
                let named = Named(context: context)
                named.name = name
                named.friend = named
                #expect(named.name == name)
                try context.save()
            }
            let context = container.makeContext()
            #expect(try context.count(FetchRequest(Named.self)) == 1)
            let pending = Named(context: context)
            pending.name = "x" + pair.1
            for name in [pair.0, pair.1] {
                let all = FetchRequest(Named.self)
                let names = [name]
                for request in [
                    all.where(\.name, is: name), all.where(\.name, isOneOf: names),
                    all.where(\.name, hasPrefix: name),
                    all.where(\.name, hasSuffix: name).where(\.friends, contains: all),
                    all.where(\.name, contains: name).where(\.friends, contains: all),
                    all.where(\.name, isAtLeast: name).where(\.friends, contains: all),
                    all.where(\.name, isAtLeast: name)
                        .where(\.name, isLessThan: name + "\u{301}"),
                    FetchRequest(Named.self, predicate: #Predicate { $0.name == name }),
                    FetchRequest(Named.self, predicate: #Predicate { names.contains($0.name) }),
                    FetchRequest(Named.self, predicate: #Predicate { $0.name.starts(with: name) }),
                    FetchRequest(Named.self, predicate: #Predicate { $0.friend?.name == name }),
                    FetchRequest(
                        Named.self,
                        predicate: #Predicate { $0.friends.contains { $0.name == name } }
                    ),
                ] {
                    #expect(try context.count(request) == 1)
                }
                let suffix = FetchRequest(Named.self).where(\.name, hasSuffix: name)
                #expect(try context.count(suffix) == 2)
            }
        }
    }

    @Test(
        "that were saved before the model said so are one as soon as they are assigned",
        arguments: TestStore.allCases
    )
    func older(store: TestStore) throws {
        try store.withStore { store in
            try Guest.keepBothSpellings(in: store)
            let container = try PersistentContainer(
                model: ManagedObjectModel(Guest.composed),
                store: store
            )
            let all = FetchRequest(Guest.self)
            let isAccented = all.where(\.name, is: "e\u{301}")
            #expect(try container.makeContext().count(isAccented) == 1)
            try container.updateAll(all) { $0.name = $0.name }
            #expect(try container.makeContext().count(isAccented) == 2)
        }
    }

    @Test("and are refused then if only one may have them")
    func olderAndUnique() throws {
        // A store in memory has one model.
        try TestStore.sqlite.withStore { store in
            try Guest.keepBothSpellings(in: store)
            let container = try PersistentContainer(
                model: ManagedObjectModel(Guest.unique),
                store: store
            )
            let all = FetchRequest(Guest.self)
            let error = #expect(throws: MergeConflictError.self) {
                try container.updateAll(all) { $0.name = $0.name }
            }
            #expect(error?.conflicts.count == 1)
            try container.deleteAll(all.where(\.name, is: "\u{E9}"))
            try container.updateAll(all) { $0.name = $0.name }
            #expect(try container.makeContext().count(all.where(\.name, is: "\u{E9}")) == 1)
        }
    }

    private final class Guest: ManagedObject {
        @Attribute var name: String

        static let asAssigned = EntityDescription(Guest.self, name: "Guest")
        static let composed = EntityDescription(
            Guest.self,
            name: "Guest",
            properties: [.attribute(\.name, texts: .composed)]
        )
        static let unique = EntityDescription(
            Guest.self,
            name: "Guest",
            properties: [.attribute(\.name, texts: .composed)],
            uniquenessConstraints: [[\.name]]
        )

        /// Saves a guest for either form of a name, each of which is another one as long as the model says nothing.
        static func keepBothSpellings(in store: any PersistentStore) throws {
            let context = try PersistentContainer(
                model: ManagedObjectModel(asAssigned),
                store: store
            ).makeContext()
            for name in ["\u{E9}", "e\u{301}"] { Guest(context: context).name = name }
            try context.save()
            #expect(try context.count(FetchRequest(Guest.self)) == 2)
        }
    }

    @Test("keep their bytes otherwise", arguments: TestStore.allCases)
    func asAssigned(store: TestStore) throws {
        try store.withStore { store in
            let model = try ManagedObjectModel(Named.entity)
            let context = try PersistentContainer(model: model, store: store).makeContext()
            let named = Named(context: context)
            named.name = "A"
            try context.save()
            #expect(try context.count(FetchRequest(Named.self).where(\.file, is: "\u{E9}")) == 0)
            #expect(try context.count(FetchRequest(Named.self).where(\.file, is: "e\u{301}")) == 1)
        }
    }

    @Test("have no form where they are no texts")
    func noTexts() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(
                EntityDescription(
                    Part.self,
                    name: "Part",
                    properties: [.attribute(\.size, texts: .composed)]
                )
            )
        }
        #expect(error?.description.contains("its values are not texts") == true)
    }

    private final class Part: ManagedObject {
        @Attribute var size: Int
    }
}
