import ObjectStore
import SQLiteStore

final class Trolley: ManagedObject {
    @Attribute var number: Int

    static let entity = EntityDescription(
        Trolley.self,
        name: "Trolley",
        properties: [.attribute(\.number, .minimum(1))],
        uniquenessConstraints: [[\.number]]
    )
}

@main
struct Storing {
    /// Keeps one object twice in the file whose path is given.
    static func main() throws {
        for _ in 1...2 {
            let model = try ManagedObjectModel(Trolley.entity)
            let store = try SQLiteStore(path: CommandLine.arguments[1])
            let container = try PersistentContainer(model: model, store: store)
            let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
            Trolley(context: context).number = 7
            try context.save()
            try store.close()
        }
        let store = try SQLiteStore(path: CommandLine.arguments[1], access: .read)
        let container = try PersistentContainer(
            model: ManagedObjectModel(Trolley.entity),
            store: store
        )
        print(try container.makeContext().fetch(FetchRequest(Trolley.self)).map(\.number))
    }
}
