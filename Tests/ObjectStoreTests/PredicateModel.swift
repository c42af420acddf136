import Foundation
import ObjectStore
import SeededRandom

/// What has become of a parcel; kept as its raw value.
enum Status: Int, AttributeType, Codable, CaseIterable {
    case awaited, stored, handedOut

    static var absent: Status { .awaited }
}

/// A place for parcels.
final class Shelf: ManagedObject {
    @Attribute var label: String
    @Attribute var rank: Int?
    @Attribute var isOpen: Bool?
    @ToMany var parcels: [Parcel]

    static let entity = EntityDescription(
        Shelf.self,
        name: "Shelf",
        properties: [
            .attribute(\.label),
            .attribute(\.rank),
            .attribute(\.isOpen),
            .toMany(\.parcels, inverse: \.shelf),
        ]
    )
}

/// Something with an attribute of each storage, required ones and optional ones, and with
/// relationships to another entity and to its own.
final class Parcel: ManagedObject {
    @Attribute var label: String
    @Attribute var isOpen: Bool?
    @Attribute var count: Int
    @Attribute var number: Int64?
    @Attribute var small: Int8?
    @Attribute var size: UInt64?
    @Attribute var pieces: UInt
    @Attribute var tiny: UInt8?
    @Attribute var weight: Double
    @Attribute var price: Double?
    @Attribute var volume: Float?
    @Attribute var name: String
    @Attribute var text: String?
    @Attribute var data: Data?
    @Attribute var date: Date?
    @Attribute var uuid: UUID?
    @Attribute var status: Status
    @ToOne var shelf: Shelf?
    @ToOne var outer: Parcel?
    @ToMany var inner: [Parcel]
    @ToMany var slips: [Slip]
    /// Not a property of the model.
    var undeclared: Int { 1 }

    static let entity = EntityDescription(
        Parcel.self,
        name: "Parcel",
        properties: [
            .attribute(\.label),
            .attribute(\.isOpen),
            .attribute(\.count),
            .attribute(\.number),
            .attribute(\.small),
            .attribute(\.size),
            .attribute(\.pieces, default: 1),
            .attribute(\.tiny),
            .attribute(\.weight),
            .attribute(\.price),
            .attribute(\.volume),
            .attribute(\.name),
            .attribute(\.text),
            .attribute(\.data),
            .attribute(\.date),
            .attribute(\.uuid),
            .attribute(\.status, default: .awaited),
            .toOne(\.shelf, inverse: \.parcels),
            .toOne(\.outer, inverse: \.inner),
            .toMany(\.inner, inverse: \.outer),
            .toMany(\.slips, inverse: \.parcel),
        ]
    )
}

/// A note on a parcel.
final class Slip: ManagedObject {
    @Attribute var label: String
    @Attribute var number: Int?
    @ToOne var parcel: Parcel?

    static let entity = EntityDescription(
        Slip.self,
        name: "Slip",
        properties: [
            .attribute(\.label),
            .attribute(\.number),
            .toOne(\.parcel, inverse: \.slips, onDeleteOfTarget: .cascade),
        ]
    )
}

/// Random objects: the same ones for the same seed, whatever the store.
struct PredicateData {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(Shelf.entity, Parcel.entity, Slip.entity)
    }

    static let texts = [
        "", "a", "ab", "abc", "A", "b", "\u{E9}", "e\u{301}", "e", "\u{6771}", "\u{6771}\u{4EAC}",
        "%", "_", "a%", "'", "\u{1F9F3}", "\u{D7FF}", "\u{FFFF}", "\u{10FFFF}", "12", "1",
    ]
    static let wholes: [Int64] = [
        0, 1, 2, 3, -1, -7, 127, 1 << 53, (1 << 53) + 1, .max, .max - 1, .min, .min + 1,
    ]
    static let unsigned: [UInt64] = [
        0, 1, 9, 10, 1 << 53, UInt64(Int64.max), 1 << 63, .max - 1, .max,
    ]
    static let reals = [
        0, 1, 2, 3, -1, 0.5, -2.25, 0.1, 1e300, -1e300, 1.7e308, .leastNonzeroMagnitude, .infinity,
        -.infinity, 0x1p53, 0x1p63,
        -0x1p63, 1_700_000_000.25,
    ]
    static let bytes = [
        Data(), Data([0]), Data([0, 1]), Data([97]), Data([0xFF]), Data("ab".utf8),
    ]
    static let uuids = [
        "00000000-0000-0000-0000-000000000000", "A1B2C3D4-0000-4000-8000-00000000000A",
    ]

    var random: SeededGenerator

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[random.number(below: values.count)]
    }

    /// A value, or in one case of three none.
    private mutating func some<Value>(_ values: [Value]) -> Value? {
        values.isEmpty || random.number(below: 3) == 0 ? nil : pick(values)
    }

    mutating func fill(_ context: ManagedObjectContext) {
        let shelves = (0..<4).map { makeShelf(context, "s\($0)") }
        var parcels: [Parcel] = []
        for index in 0..<12 {
            parcels.append(makeParcel(context, "p\(index)", on: some(shelves), in: some(parcels)))
        }
        for index in 0..<10 { makeSlip(context, "l\(index)", on: some(parcels)) }
    }

    /// Deletes, assigns, moves and inserts objects; does not save.
    mutating func change(_ context: ManagedObjectContext) throws {
        var shelves = try context.fetch(FetchRequest(Shelf.self).sorted(by: \.label))
        try context.delete(shelves.remove(at: random.number(below: shelves.count)))
        for shelf in shelves where random.number(below: 2) == 0 { shelf.rank = some([0, 1, 2]) }
        shelves.append(makeShelf(context, "s9"))
        var parcels = try context.fetch(FetchRequest(Parcel.self).sorted(by: \.label))
        try context.delete(parcels.remove(at: random.number(below: parcels.count)))
        for parcel in parcels {
            switch random.number(below: 5) {
            case 0: assign(parcel)
            case 1: parcel.shelf = some(shelves)
            case 2: parcel.outer = some(parcels)
            default: break
            }
        }
        parcels.append(makeParcel(context, "p91", on: some(shelves), in: some(parcels)))
        parcels.append(makeParcel(context, "p92", on: shelves.last, in: parcels.last))
        let slips = try context.fetch(FetchRequest(Slip.self).sorted(by: \.label))
        for slip in slips where random.number(below: 3) == 0 { slip.parcel = some(parcels) }
        if let slip = slips.first { try context.delete(slip) }
        makeSlip(context, "l91", on: parcels.last)
    }

    private mutating func makeShelf(_ context: ManagedObjectContext, _ label: String) -> Shelf {
        let shelf = Shelf(context: context)
        shelf.label = label
        shelf.rank = some([0, 1, 2, -1])
        shelf.isOpen = some([true, false])
        return shelf
    }

    private mutating func makeParcel(
        _ context: ManagedObjectContext,
        _ label: String,
        on shelf: Shelf?,
        in outer: Parcel?
    ) -> Parcel {
        let parcel = Parcel(context: context)
        parcel.label = label
        assign(parcel)
        parcel.shelf = shelf
        parcel.outer = outer
        return parcel
    }

    private mutating func makeSlip(
        _ context: ManagedObjectContext,
        _ label: String,
        on parcel: Parcel?
    ) {
        let slip = Slip(context: context)
        slip.label = label
        slip.number = some([0, 1, 2, 3])
        slip.parcel = parcel
    }

    private mutating func assign(_ parcel: Parcel) {
        parcel.isOpen = some([true, false])
        parcel.count = Int(pick(Self.wholes))
        parcel.number = some(Self.wholes)
        parcel.small = some([0, 1, -1, .max, .min])
        parcel.size = some(Self.unsigned)
        parcel.pieces = pick(Self.unsigned.map { UInt($0) })
        parcel.tiny = some([0, 1, 127, 128, .max])
        parcel.weight = pick(Self.reals)
        parcel.price = some(Self.reals)
        parcel.volume = some([0, 1, -0.5, 1e30, .infinity])
        parcel.name = pick(Self.texts)
        parcel.text = some(Self.texts)
        parcel.data = some(Self.bytes)
        parcel.date = some(Self.reals.filter(\.isFinite)).map(
            Date.init(timeIntervalSinceReferenceDate:)
        )
        parcel.uuid = some(Self.uuids).flatMap(UUID.init(uuidString:))
        parcel.status = pick(Status.allCases)
    }
}
