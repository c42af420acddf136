import Foundation
import ObjectStore
import StoreTesting
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

    final class Trip: ManagedObject {
        @Attribute var name: String
        @ToMany var bookings: [Booking]

        var guests: [Guest] {
            bookings.sorted { $0.place < $1.place }.compactMap(\.guest)
        }

        static let entity = EntityDescription(
            Trip.self,
            name: "Trip",
            properties: [.toMany(\.bookings, inverse: \.trip)],
            uniquenessConstraints: [[\.name]]
        )
    }

    final class Guest: ManagedObject {
        @Attribute var name: String
        @ToMany var bookings: [Booking]

        static let entity = EntityDescription(
            Guest.self,
            name: "Guest",
            properties: [.toMany(\.bookings, inverse: \.guest)],
            uniquenessConstraints: [[\.name]]
        )
    }

    final class Booking: ManagedObject {
        @Attribute var place = 0
        @ToOne var trip: Trip?
        @ToOne var guest: Guest?

        static let entity = EntityDescription(
            Booking.self,
            name: "Booking",
            properties: [
                .toOne(\.trip, inverse: \.bookings, onDeleteOfTarget: .cascade),
                .toOne(\.guest, inverse: \.bookings, onDeleteOfTarget: .cascade),
            ],
            uniquenessConstraints: [[\.trip, \.guest]]
        )
    }

    @Test("has many-to-many relationships, in an order, as pairs", arguments: TestStore.allCases)
    func pairs(store: TestStore) throws {
        let model = try ManagedObjectModel(Trip.entity, Guest.entity, Booking.entity)
        try store.withStore { store in
            let container = try PersistentContainer(model: model, store: store)
            // At two stations, neither of which knows what the other has made.
            for names in [["ZMU", "ABC"], ["ABC", "XYZ"]] {
                let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
                let trip = Trip(context: context)
                trip.name = "To the sea"
                for name in names {
                    let (guest, booking) = (Guest(context: context), Booking(context: context))
                    guest.name = name
                    (booking.trip, booking.guest) = (trip, guest)
                    booking.place = name == "XYZ" ? 1 : 2
                }
                try context.save()
            }
            let context = container.makeContext()
            let trip = try #require(try context.fetch(FetchRequest(Trip.self)).first)
            #expect(try context.count(FetchRequest(Booking.self)) == 3)
            #expect(trip.guests.map(\.name) == ["XYZ", "ZMU", "ABC"])
            try context.delete(try #require(trip.guests.last))
            #expect(trip.guests.map(\.name) == ["XYZ", "ZMU"])
            try context.delete(trip)
            try context.save()
            #expect(try context.count(FetchRequest(Booking.self)) == 0)
            #expect(try context.count(FetchRequest(Guest.self)) == 2)
        }
    }
}
