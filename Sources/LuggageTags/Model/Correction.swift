public import Foundation
public import ObjectStore

/// What somebody has said about a bag or about other facts: what, who, when and why; a fact that is never
/// changed afterwards, but for the mark that it was taken back.
public final class Correction: ManagedObject {
    /// What was done: an open word.
    ///
    /// Newer versions of the program may have said other things; what a version does not know it keeps
    /// and passes on.
    public struct Kind: RawRepresentable, Hashable, Codable, Sendable, AttributeType {
        /// The stable word.
        public let rawValue: String

        /// Makes a kind of a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A tag that no reader could read was typed.
        public static let file = Kind(rawValue: "file")
        /// A picture of which something could not be filed was dismissed: there is nothing to file.
        public static let dismiss = Kind(rawValue: "dismiss")
        /// Owner or weight was corrected.
        public static let edit = Kind(rawValue: "edit")
        /// A change was taken back.
        public static let undo = Kind(rawValue: "undo")
        /// What was taken back was brought back.
        public static let redo = Kind(rawValue: "redo")
        /// A fact was taken back, and nobody has noted with it who did so and why.
        public static let withdrawal = Kind(rawValue: "withdrawal")
        /// A file was imported into this record.
        public static let imported = Kind(rawValue: "import")
        /// What an import has brought was taken back here.
        public static let undoImport = Kind(rawValue: "undo-import")
        /// What an import has brought was brought back here.
        public static let redoImport = Kind(rawValue: "redo-import")
        /// A bag was described by a file that was imported.
        public static let statement = Kind(rawValue: "statement")
        /// What a bag had come to on record before its facts were all there is, or in such a record.
        public static let heard = Kind(rawValue: "heard")
        /// The names in what was known of a bag were purged.
        public static let forgottenNames = Kind(rawValue: "forgotten-names")
        /// All that was known of a bag was purged.
        public static let forgottenBag = Kind(rawValue: "forgotten-bag")
        /// The names in what belongs to no bag were purged: pictures that failed, and dismissals.
        public static let forgottenFailureNames = Kind(rawValue: "forgotten-failure-names")
        /// What belongs to no bag was purged.
        public static let forgottenFailures = Kind(rawValue: "forgotten-failures")

        /// What a correction without a kind reads as.
        public static var absent: Kind { .edit }

        /// What people do, each at its time.
        static let ofPeople: Set<Kind> = [.file, .dismiss, .edit, .undo, .redo]
        /// What a purge says.
        static let forgettings: Set<Kind> = [
            .forgottenNames, .forgottenBag, .forgottenFailureNames, .forgottenFailures,
        ]

        /// What concerns this record alone, and is not exported.
        static let local: Set<Kind> = [.imported, .undoImport, .redoImport]

        /// Whether it is somebody's doing at its time.
        var isOfPeople: Bool { Self.ofPeople.contains(self) }
        /// Whether it tells what a bag was said to be, and nothing else tells one from another.
        var isByContents: Bool { self == .statement || self == .heard }
    }

    /// Its own identifier, which a scan has too that was filed with it; nil of what older versions of
    /// the program have kept.
    @Attribute public var fact: UUID?

    /// The bag; nil where it is not on record any more.
    @ToOne public var luggage: Luggage?

    /// The identifier of the bag; of a dismissal or an import, which is about none, its own; of what was
    /// taken back of such, that of it.
    @Attribute public var identifier: UUID

    /// What was done.
    @Attribute public var kind: Kind

    /// Who did it.
    @Attribute public var author: String

    /// Why.
    @Attribute public var reason: String

    /// When.
    @Attribute public var madeAt: Date

    /// Its place in the order of what became known here, by a clock that never runs back; nil of what
    /// older versions of the program have kept.
    @Attribute var knownAt: Date?

    /// The weight in pounds that the bag was given; of an edit, whatever it was before.
    @Attribute public var weight: Float?

    /// The initial of the owner that the bag was given.
    @Attribute public var givenName: String?

    /// The family name of the owner that the bag was given.
    @Attribute public var familyName: String?

    /// The weight in pounds that the bag had before; nil where that is not known.
    @Attribute public var weightBefore: Float?

    /// The initial of the owner that the bag had before.
    @Attribute public var givenNameBefore: String?

    /// The family name of the owner that the bag had before.
    @Attribute public var familyNameBefore: String?

    /// Whether the bag was given the state that nobody is known to own it.
    @Attribute public var hasNoOwner: Bool

    /// When the bag is said to have departed.
    @Attribute public var departedAt: Date?

    /// When the bag is said to have arrived.
    @Attribute public var arrivedAt: Date?

    /// The number of the change that was taken back or brought back.
    @Attribute public var change: Int64?

    /// The identifier of the fact that does not count because of this one.
    @Attribute public var withdrawn: UUID?

    /// Of what a purge says: what is from before this moment is forgotten.
    @Attribute var until: Date?

    /// The identifier of the import by which it has come here; nil where it was said here.
    ///
    /// It is of this record alone.
    @Attribute var importedBy: UUID?

    /// What a newer version of the program has said besides, in MessagePack.
    @Attribute var others: Data?

    /// When somebody has taken back what was done; nil where it counts.
    @Attribute public var undoneAt: Date?

    /// The SHA-256 of the failed picture that was dismissed, or from which the tag was typed, in
    /// hexadecimal; nil where there was none.
    @Attribute public var imageDigest: String?

    /// The name of that picture's file, without its folder.
    @Attribute public var imageName: String?

    /// The station that could not file it.
    @Attribute public var station: String?

    /// Where on their way its bags were.
    @Attribute public var point: Point?

    /// The owner that the bag was given.
    public var owner: PassengerName? {
        guard let givenName, let familyName else { return nil }
        return PassengerName(givenName: givenName, familyName: familyName)
    }

    /// The owner that the bag had before.
    public var ownerBefore: PassengerName? {
        guard let givenNameBefore, let familyNameBefore else { return nil }
        return PassengerName(givenName: givenNameBefore, familyName: familyNameBefore)
    }

    /// Takes down what has become of a bag, where it differs.
    func note(_ before: LuggageReport, _ after: LuggageReport) {
        if before.weight != after.weight {
            weight = after.weight
            weightBefore = before.weight
        }
        if before.owner != after.owner {
            givenName = after.owner?.givenName
            familyName = after.owner?.familyName
            givenNameBefore = before.owner?.givenName
            familyNameBefore = before.owner?.familyName
            hasNoOwner = after.owner == nil
        }
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        Correction.self,
        name: "Correction",
        properties: [
            .attribute(\.fact, "fact"),
            .toOne(\.luggage, "luggage", inverse: \.corrections),
            .attribute(\.identifier, "identifier", indexed: true),
            .attribute(\.kind, "kind", indexed: true),
            .attribute(\.author, "author"),
            .attribute(\.reason, "reason"),
            .attribute(\.madeAt, "madeAt", indexed: true),
            .attribute(\.knownAt, "knownAt", indexed: true),
            .attribute(\.weight, "weight", .finite, .minimum(0)),
            .attribute(\.givenName, "givenName"),
            .attribute(\.familyName, "familyName"),
            .attribute(\.weightBefore, "weightBefore"),
            .attribute(\.givenNameBefore, "givenNameBefore"),
            .attribute(\.familyNameBefore, "familyNameBefore"),
            .attribute(\.hasNoOwner, "hasNoOwner", default: false),
            .attribute(\.departedAt, "departedAt"),
            .attribute(\.arrivedAt, "arrivedAt"),
            .attribute(\.change, "change"),
            .attribute(\.withdrawn, "withdrawn", indexed: true),
            .attribute(\.until, "until"),
            .attribute(\.importedBy, "importedBy"),
            .attribute(\.others, "others"),
            .attribute(\.undoneAt, "undoneAt"),
            .attribute(\.imageDigest, "imageDigest", indexed: true),
            .attribute(\.imageName, "imageName"),
            .attribute(\.station, "station"),
            .attribute(\.point, "point"),
        ],
        uniquenessConstraints: [[\.fact]],
        // What somebody has done last; what an import has brought.
        compoundIndices: [[\.author, \.knownAt], [\.importedBy, \.knownAt]]
    )
}

extension Correction {
    /// Inserts one into a context that saves as the person.
    ///
    /// - Parameters:
    ///   - kind: What is done.
    ///   - identifier: The bag.
    ///   - person: Who does it, and why.
    ///   - date: The present moment.
    ///   - context: The context of a transaction.
    /// - Throws: `StoreError`.
    convenience init(
        _ kind: Kind,
        _ identifier: UUID,
        _ person: Responsibility,
        at date: Date,
        in context: ManagedObjectContext
    ) throws {
        let known = try context.nextFactTime(date)
        context.author = person.author
        self.init(context: context)
        self.kind = kind
        self.identifier = identifier
        author = person.author
        reason = person.reason
        madeAt = date.ofFacts
        knownAt = known
        fact = .fact(at: madeAt)
    }
}
