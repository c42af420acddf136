import Foundation
import ObjectStore
import Testing

@Suite("The guide for users of Core Data")
struct ComingFromCoreDataExampleTests {
    final class Bag: ManagedObject, Decodable {
        @Attribute var tag: String
        @Attribute var weight: Double

        enum CodingKeys: String, CodingKey {
            case tag, weight
        }

        convenience init(from decoder: any Decoder) throws {
            self.init(context: try decoder.managedObjectContext())
            let values = try decoder.container(keyedBy: CodingKeys.self)
            tag = try values.decode(String.self, forKey: .tag)
            weight = try values.decode(Double.self, forKey: .weight)
        }

        static let entity = EntityDescription(
            Bag.self,
            name: "Bag",
            uniquenessConstraints: [[\.tag]]
        )
    }

    private let context: ManagedObjectContext

    init() throws {
        let model = try ManagedObjectModel(Bag.entity)
        context = try PersistentContainer(model: model, store: InMemoryStore()).makeContext()
    }

    private func decode(_ json: Data) throws -> [String] {
        let decoder = JSONDecoder()
        decoder.userInfo[.context] = context
        let bags = try context.transaction { try decoder.decode([Bag].self, from: json) }
        try context.save()
        return bags.map(\.tag)
    }

    @Test("decodes objects into a context")
    func decoding() throws {
        let json = Data(#"[{"tag":"F432","weight":20},{"tag":"9C41","weight":14.5}]"#.utf8)
        #expect(try decode(json) == ["F432", "9C41"])
        #expect(try context.count(FetchRequest(Bag.self)) == 2)
    }

    @Test("keeps nothing if decoding fails half way")
    func failure() throws {
        let json = Data(#"[{"tag":"F432","weight":20},{"tag":"9C41"}]"#.utf8)
        #expect(throws: DecodingError.self) { try decode(json) }
        #expect(try context.count(FetchRequest(Bag.self)) == 0)
    }
}
