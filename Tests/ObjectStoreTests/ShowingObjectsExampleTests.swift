import ObjectStore
import Testing

@Suite("The guide to showing and editing objects")
struct ShowingObjectsExampleTests {
    struct Size: CodableAttribute {
        var width: Double
        var height: Double

        static let absent = Size(width: 0, height: 0)
    }

    final class Bag: ManagedObject {
        @Attribute var tag: String
        @Attribute var weight: Double
        @Attribute var airport: String?
        @Attribute var size: Size?

        static let entity = EntityDescription(
            Bag.self,
            name: "Bag",
            properties: [
                .attribute(\.weight, .minimum(0), .maximum(100)),
                .attribute(\.airport, .pattern("[A-Z]{3}", meaning: "three letters")),
            ],
            uniquenessConstraints: [[\.tag]]
        )
    }

    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let bag: Bag
    private let lines = PrintedLines()

    /// A bag that is on record.
    init() throws {
        let model = try ManagedObjectModel(Bag.entity)
        container = try PersistentContainer(model: model, store: InMemoryStore())
        context = container.makeContext()
        bag = Bag(context: context)
        bag.tag = "F432"
        bag.weight = 20
        try context.save()
    }

    private func print(_ items: Any...) {
        lines.add(items)
    }

    @Test("has rules that are checked")
    func rules() throws {
        bag.weight = 101
        bag.airport = "Zurich"
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property).sorted() == ["airport", "weight"])
    }

    @Test("undoes")
    func undo() throws {
        context.undoLimit = 100
        context.undoGroup(named: "Weigh again") {
            bag.weight = 23
            bag.size = Size(width: 0.4, height: 0.7)
        }
        try context.save()
        print(context.undoName ?? "-")  // Weigh again
        context.undo()
        print(bag.weight, bag.size == nil)  // 20.0 true
        try context.save()
        context.redo()
        print(bag.weight, context.canRedo)  // 23.0 false
        #expect(lines.all == ["Weigh again", "20.0 true", "23.0 false"])
    }

    @Test("hears of changes of one property")
    func property() {
        let lines = lines
        @Sendable func print(_ items: Any...) { lines.add(items) }
        let token = bag.observe(\.weight) { bag, change in
            print(bag.tag, "weighs", change.new, "instead of", change.old)
        }
        bag.weight = 25  // F432 weighs 25.0 instead of 20.0
        context.rollback()  // F432 weighs 20.0 instead of 25.0
        token.cancel()
        bag.weight = 21
        #expect(
            lines.all == [
                "F432 weighs 25.0 instead of 20.0", "F432 weighs 20.0 instead of 25.0",
            ]
        )
    }

    @Test("keeps a list", .timeLimit(.minutes(30)))
    func list() async throws {
        let other = Bag(context: context)
        other.tag = "9C41"
        other.weight = 30
        try await context.save()
        let heavy = FetchRequest(Bag.self).where(\.weight, isGreaterThan: 10).sorted(by: \.weight)
        var changes = try container.observe(heavy).makeAsyncIterator()
        if let change = try await changes.next() {
            print(change.ids.count, "bags, new at", change.inserted)  // 2 bags, new at [0, 1]
        }
        bag.weight = 5
        try await context.save()
        if let change = try await changes.next() {
            print(change.ids.count, "bag, gone from", change.deleted)  // 1 bag, gone from [0]
        }
        #expect(lines.all == ["2 bags, new at [0, 1]", "1 bag, gone from [0]"])
    }

    @Test("shows what others save")
    func others() async throws {
        let screen = container.makeContext()
        let shown = try screen.fetch(FetchRequest(Bag.self).where(\.tag, is: "F432"))
        bag.weight = 30
        let save = try await context.save()
        print(shown[0].weight)  // 20.0
        try screen.mergeChanges(of: save)
        print(shown[0].weight)  // 30.0
        #expect(lines.all == ["20.0", "30.0"])
    }

    @Test("decides who wins")
    func policy() async throws {
        let careful = container.makeContext(
            mergePolicy: .custom { conflict, resolution in
                // Nobody makes a bag heavier than 32: what is on record stays as it is.
                if let stored = conflict.stored, resolution[\Bag.weight] > 32 {
                    resolution.take(stored)
                }
            }
        )
        let again = Bag(context: careful)
        again.tag = "F432"
        again.weight = 40
        try await careful.save()
        print(again.weight)  // 20.0, as on record
        #expect(lines.all == ["20.0"])
    }
}
