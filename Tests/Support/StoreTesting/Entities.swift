package import Foundation
package import ObjectStore

/// Somebody with two sets of unique values.
package final class Passenger: ManagedObject {
    @Attribute package var givenName: String
    @Attribute package var familyName: String
    @Attribute package var card: Int?
    @Attribute package var phone: String?
    @ToMany package var luggage: [Luggage]

    package convenience init(
        _ context: ManagedObjectContext,
        _ givenName: String,
        _ familyName: String
    ) {
        self.init(context: context)
        self.givenName = givenName
        self.familyName = familyName
    }

    static let properties: [Property<Passenger>] = [
        .attribute(\.givenName, .length(1...1)),
        .attribute(\.familyName, .length(1...3)),
        .attribute(\.card),
        .attribute(\.phone),
        .toMany(\.luggage, inverse: \.owner),
    ]

    static let entity = EntityDescription(
        Passenger.self,
        name: "Passenger",
        properties: properties,
        uniquenessConstraints: [[\.givenName, \.familyName], [\.card]]
    )
}

/// A bag with an attribute of each way to merge.
package final class Luggage: ManagedObject {
    @Attribute package var tag: String
    @Attribute package var weight: Double
    @Attribute package var priority: Int
    @Attribute package var note: String?
    @Attribute package var place: String?
    @Attribute package var departedAt: Date?
    @Attribute package var arrivedAt: Date?
    @Attribute package var heaviest: Int?
    @Attribute package var lightest: Int?
    @Attribute package var original: Int?
    @ToOne package var owner: Passenger?
    @ToMany package var seals: [Seal]

    package convenience init(
        _ context: ManagedObjectContext,
        _ tag: String,
        weight: Double? = nil,
        note: String? = nil
    ) {
        self.init(context: context)
        self.tag = tag
        if let weight { self.weight = weight }
        if let note { self.note = note }
    }

    static let properties: [Property<Luggage>] = [
        .attribute(\.tag),
        .attribute(\.weight, .finite, .minimum(0)),
        .attribute(\.priority, default: 3),
        .attribute(\.note),
        .attribute(\.place),
        .attribute(\.departedAt),
        .attribute(\.arrivedAt),
        .attribute(\.heaviest, combining: .maximum),
        .attribute(\.lightest, combining: .minimum),
        .attribute(\.original, combining: .first),
        .toOne(\.owner, inverse: \.luggage),
        .toMany(\.seals, inverse: \.luggage),
    ]

    static let entity = EntityDescription(
        Luggage.self,
        name: "Luggage",
        properties: properties,
        uniquenessConstraints: [[\.tag]]
    )
}

/// What a bag takes with it when it is deleted; known by the bag and a number.
package final class Seal: ManagedObject {
    @Attribute package var number: Int?
    @ToOne package var luggage: Luggage?

    package convenience init(_ context: ManagedObjectContext, _ number: Int?, on luggage: Luggage?)
    {
        self.init(context: context)
        self.number = number
        if let luggage { self.luggage = luggage }
    }

    static let properties: [Property<Seal>] = [
        .attribute(\.number),
        .toOne(\.luggage, inverse: \.seals, onDeleteOfTarget: .cascade),
    ]

    static let entity = EntityDescription(
        Seal.self,
        name: "Seal",
        properties: properties,
        uniquenessConstraints: [[\.luggage, \.number]]
    )
}

/// What keeps a passenger from being deleted.
package final class Deposit: ManagedObject {
    @ToOne package var payer: Passenger?

    static let entity = EntityDescription(
        Deposit.self,
        name: "Deposit",
        properties: [.toOne(\.payer, isOptional: false, onDeleteOfTarget: .deny)]
    )
}

/// Something in something else, which may go round in a circle.
package final class Part: ManagedObject {
    @Attribute package var name: String
    @ToOne package var whole: Part?
    @ToMany package var parts: [Part]

    static let entity = EntityDescription(
        Part.self,
        name: "Part",
        properties: [
            .attribute(\.name),
            .toOne(\.whole, inverse: \.parts, onDeleteOfTarget: .cascade),
            .toMany(\.parts, inverse: \.whole),
        ]
    )
}

/// A number that many count up, and an entry for each time.
package final class Counter: ManagedObject {
    @Attribute package var name: String
    @Attribute package var value: Int
    @Attribute package var peak: Int

    static let properties: [Property<Counter>] = [
        .attribute(\.name),
        .attribute(\.value, default: 0),
        .attribute(\.peak, default: 0, combining: .maximum),
    ]

    static let entity = EntityDescription(
        Counter.self,
        name: "Counter",
        properties: properties,
        uniquenessConstraints: [[\.name]]
    )
}

/// One value of every type that an attribute can have.
package final class Sample: ManagedObject {
    @Attribute package var name: String
    @Attribute package var int: Int64
    @Attribute package var small: UInt8?
    @Attribute package var bool: Bool?
    @Attribute package var double: Double?
    @Attribute package var float: Float?
    @Attribute package var text: String?
    @Attribute package var data: Data?
    @Attribute package var date: Date?
    @Attribute package var uuid: UUID?

    static let entity = EntityDescription(
        Sample.self,
        name: "Sample",
        properties: [
            .attribute(\.name, default: ""),
            .attribute(\.int, default: 0),
            .attribute(\.small),
            .attribute(\.bool),
            .attribute(\.double),
            .attribute(\.float),
            .attribute(\.text),
            .attribute(\.data),
            .attribute(\.date),
            .attribute(\.uuid),
        ]
    )
}

/// The model that the tests of the stores share.
package enum TestModel {
    /// An older version of the same model, in which nothing is unique.
    package static func makeWithoutConstraints() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            EntityDescription(
                Passenger.self,
                name: "Passenger",
                properties: Passenger.properties
            ),
            EntityDescription(Luggage.self, name: "Luggage", properties: Luggage.properties),
            EntityDescription(Seal.self, name: "Seal", properties: Seal.properties),
            Deposit.entity,
            Part.entity,
            EntityDescription(Counter.self, name: "Counter", properties: Counter.properties),
            Sample.entity
        )
    }

    /// Another version of the model, in which entities have other positions.
    package static func makeInOtherOrder() throws -> ManagedObjectModel {
        try ManagedObjectModel(Sample.entity, Luggage.entity, Seal.entity, Passenger.entity)
    }

    package static func make() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            Passenger.entity,
            Luggage.entity,
            Seal.entity,
            Deposit.entity,
            Part.entity,
            Counter.entity,
            Sample.entity
        )
    }
}
