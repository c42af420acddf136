internal import CStoreSpeed
internal import Foundation
internal import GRDB
internal import ObjectStore

/// Whose a bag is.
final class Passenger: ManagedObject {
    @Attribute var givenName: String
    @Attribute var familyName: String
    @ToMany var bags: [Bag]

    static let entity = EntityDescription(
        Passenger.self,
        name: "Passenger",
        properties: [
            .attribute(\.givenName, .length(1...1)),
            .attribute(\.familyName, .length(1...3)),
            .toMany(\.bags, inverse: \.owner),
        ],
        uniquenessConstraints: [[\.givenName, \.familyName]]
    )
}

/// A bag, as a baggage room knows it.
final class Bag: ManagedObject {
    @Attribute var identifier: UUID
    @Attribute var weight: Float
    @Attribute var departedAt: Date?
    @Attribute var arrivedAt: Date?
    @ToOne var owner: Passenger?

    static let entity = EntityDescription(
        Bag.self,
        name: "Bag",
        properties: [
            .attribute(\.identifier),
            .attribute(\.weight, .finite, .minimum(0)),
            .attribute(\.departedAt, combining: .maximum),
            .attribute(\.arrivedAt, combining: .maximum),
            .toOne(\.owner, inverse: \.bags),
        ],
        uniquenessConstraints: [[\.identifier]]
    )

    /// Inserts a bag and its owner as a scan describes them, as decoding a tag does.
    convenience init(_ scan: Scan, _ context: ManagedObjectContext) {
        self.init(context: context)
        identifier = scan.identifier
        weight = scan.weight
        if let time = scan.departedAt { departedAt = time }
        if let time = scan.arrivedAt { arrivedAt = time }
        let passenger = Passenger(context: context)
        passenger.givenName = scan.givenName
        passenger.familyName = scan.familyName
        owner = passenger
    }
}

/// The same bag as a record of GRDB.
struct BagRecord: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "Bag"
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    let id: Int64
    let version: Int64
    let identifier: UUID
    let weight: Float
    let departedAt: Date?
    let arrivedAt: Date?
    let owner: Int64?
}

/// One scan of a bag, and whose it is, in Swift's types.
struct Scan: Sendable {
    let identifier: UUID
    let weight: Float
    let departedAt: Date?
    let arrivedAt: Date?
    let givenName: String
    let familyName: String

    init(_ scan: CStoreSpeedScan) {
        identifier = UUID(uuidString: Self.text(scan.identifier)) ?? .absent
        weight = Float(scan.weight)
        departedAt =
            scan.departed_at == 0 ? nil : Date(timeIntervalSinceReferenceDate: scan.departed_at)
        arrivedAt =
            scan.arrived_at == 0 ? nil : Date(timeIntervalSinceReferenceDate: scan.arrived_at)
        givenName = Self.text(scan.given_name)
        familyName = Self.text(scan.family_name)
    }

    private static func text(_ characters: some BitwiseCopyable) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// The same scans for both programs, made before the clock runs.
struct Scans {
    let forObjects: [Scan]
    let forC: [CStoreSpeedScan]

    /// Makes scans.
    ///
    /// - Parameters:
    ///   - numbers: Of which bags.
    ///   - departing: Whether they depart, or arrive.
    ///   - delay: How many seconds later than the first time, so that it is another scan.
    init(of numbers: some Sequence<Int>, departing: Bool = true, delay: Int = 0) {
        forC = numbers.map { number in
            var scan = cstorespeed_scan(Int64(number), departing)
            if departing { scan.departed_at += Double(delay) }
            if !departing { scan.arrived_at += Double(delay) }
            return scan
        }
        forObjects = forC.map(Scan.init)
    }
}
