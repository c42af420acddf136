import ObjectStore

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
struct Keeping {
    static func main() throws {
        let model = try ManagedObjectModel(Trolley.entity)
        let container = try PersistentContainer(model: model, store: InMemoryStore())
        let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
        for _ in 1...2 { Trolley(context: context).number = 7 }
        try context.save()
        print(try context.fetch(FetchRequest(Trolley.self)).map(\.number))
    }
}
