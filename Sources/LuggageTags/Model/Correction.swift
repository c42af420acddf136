public import FoundationEssentials
public import ObjectStore

/// What a person or a file has said about a bag or about other facts: what, who, when and why.
///
/// It never changes later, except for the mark that it was undone.
public final class Correction: ManagedObject {
    /// The kind of a correction, as an open word.
    ///
    /// Newer versions of the program may use other words. A version keeps and exports the words that it
    /// does not know.
    public struct Kind: RawRepresentable, Hashable, Codable, Sendable, AttributeType {
        /// The stable word.
        public let rawValue: String

        /// Makes a kind from a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A person typed a tag that no reader could read.
        public static let file = Kind(rawValue: "file")
        /// A person dismissed a picture from which something could not be filed: there is nothing to file.
        public static let dismiss = Kind(rawValue: "dismiss")
        /// A person corrected the owner or weight.
        public static let edit = Kind(rawValue: "edit")
        /// A person took note of an alarm.
        public static let note = Kind(rawValue: "note")
        /// A person undid a change.
        public static let undo = Kind(rawValue: "undo")
        /// A person redid a change that was undone.
        public static let redo = Kind(rawValue: "redo")
        /// A fact was undone, without a note of who did so and why.
        public static let withdrawal = Kind(rawValue: "withdrawal")
        /// A file was imported into this record.
        public static let imported = Kind(rawValue: "import")
        /// A person undid an import here.
        public static let undoImport = Kind(rawValue: "undo-import")
        /// A person redid an import here.
        public static let redoImport = Kind(rawValue: "redo-import")
        /// A file that was imported described a bag.
        public static let statement = Kind(rawValue: "statement")
        /// A list says that the bag is to pass a point by a time.
        public static let expected = Kind(rawValue: "expected")
        /// The state of a bag in a record that did not derive it from facts alone, here or elsewhere.
        public static let heard = Kind(rawValue: "heard")
        /// A purge removed the names from all facts about a bag.
        public static let forgottenNames = Kind(rawValue: "forgotten-names")
        /// A purge removed all facts about a bag.
        public static let forgottenBag = Kind(rawValue: "forgotten-bag")
        /// A purge removed the names from facts about no bag: failed pictures and dismissals.
        public static let forgottenFailureNames = Kind(rawValue: "forgotten-failure-names")
        /// A purge removed facts about no bag.
        public static let forgottenFailures = Kind(rawValue: "forgotten-failures")

        /// The kind of a correction without one.
        public static var absent: Kind { .edit }

        /// The kinds that people make, each at its time.
        static let ofPeople: Set<Kind> = [.file, .dismiss, .edit, .note, .undo, .redo]
        /// The kinds that tell the state of a bag.
        static let byContents: Set<Kind> = [.statement, .heard]
        /// The kinds that a purge makes.
        static let forgettings: Set<Kind> = [
            .forgottenNames, .forgottenBag, .forgottenFailureNames, .forgottenFailures,
        ]

        /// The kinds that are about this record alone, and are not exported.
        static let local: Set<Kind> = [.imported, .undoImport, .redoImport]

        /// Whether a person made it, at its time.
        var isOfPeople: Bool { Self.ofPeople.contains(self) }
        /// Whether it tells the state of a bag, and only its contents tell it from others.
        var isByContents: Bool { Self.byContents.contains(self) }
    }

    /// Its own identifier, shared by a scan that was filed with it.
    ///
    /// Nil if an older version of the program has kept it.
    @Attribute public var fact: UUID?

    /// The bag; nil if it is no longer on record.
    @ToOne public var luggage: Luggage?

    /// The identifier of the bag.
    ///
    /// A dismissal or an import is about no bag and has an identifier of its own here, and the note of an
    /// alarm about none that of the alarm; undoing or redoing one has the identifier of that one.
    @Attribute public var identifier: UUID

    /// What was done.
    @Attribute public var kind: Kind

    /// The person who did it.
    @Attribute public var author: String

    /// The reason.
    @Attribute public var reason: String

    /// The time.
    @Attribute public var madeAt: Date

    /// When it became known here, by a clock that never runs back; this orders corrections.
    ///
    /// Nil if an older version of the program has kept it.
    @Attribute var knownAt: Date?

    /// The weight in pounds that the bag got; an edit that sets a weight keeps it even if it is the same.
    @Attribute public var weight: Float?

    /// The initial of the owner that the bag was given.
    @Attribute public var givenName: String?

    /// The family name of the owner that the bag was given.
    @Attribute public var familyName: String?

    /// The weight in pounds that the bag had before; nil if unknown.
    @Attribute public var weightBefore: Float?

    /// The initial of the owner that the bag had before.
    @Attribute public var givenNameBefore: String?

    /// The family name of the owner that the bag had before.
    @Attribute public var familyNameBefore: String?

    /// Whether the correction says that nobody is known to own the bag.
    @Attribute public var hasNoOwner = false

    /// The time at which the bag departed, according to it.
    @Attribute public var departedAt: Date?

    /// The time at which the bag arrived, according to it.
    @Attribute public var arrivedAt: Date?

    /// What the alarm tells that a person took note of; nil for any other correction.
    @Attribute public internal(set) var alarm: Alarm.Kind?

    /// The time by which a list expects the bag at ``point``; of a note, the occasion of the alarm.
    @Attribute public var dueAt: Date?

    /// The place at which a list expects it, or which an alarm is about; nil for any place.
    @Attribute public var place: String?

    /// Where it is to go by that list: the place of departure.
    @Attribute var from: String?
    /// The place where it is to arrive.
    @Attribute var to: String?
    /// The name of the trip.
    @Attribute var trip: String?
    /// The day of the trip.
    @Attribute var tripDate: String?
    /// The key by which the name of the trip is compared.
    @Attribute var tripKey: String?

    /// When the bag was first seen where a list expects it; nil if it was not.
    @Attribute public internal(set) var metAt: Date?

    /// Whether it expects the bag, and neither was undone nor is said anew by a later list.
    @Attribute public internal(set) var isCurrent = false

    /// The number of the change that was undone or redone.
    @Attribute public var change: Int64?

    /// The identifier of the fact that this one withdraws.
    @Attribute public var withdrawn: UUID?

    /// If a purge made it: the moment before which facts are forgotten.
    @Attribute var until: Date?

    /// The identifier of the import that brought it; nil if it was made here.
    ///
    /// It is for this record alone.
    @Attribute var importedBy: UUID?

    /// Members that a newer version of the program has written, in MessagePack.
    @Attribute var others: Data?

    /// When it was undone; nil if it counts.
    @Attribute public var undoneAt: Date?

    /// The SHA-256 of the failed picture, in hexadecimal; nil if there was no picture.
    ///
    /// A person dismissed that picture, or typed the tag from it.
    @Attribute public var imageDigest: String?

    /// The name of that picture's file, without its folder.
    @Attribute public var imageName: String?

    /// The station that could not file it.
    @Attribute public var station: String?

    /// The point at which the picture's bags were.
    @Attribute public var point: Point?

    /// The owner that the bag was given.
    public internal(set) var owner: PassengerName? {
        get {
            guard let givenName, let familyName else { return nil }
            return PassengerName(givenName: givenName, familyName: familyName)
        }
        set { (givenName, familyName) = (newValue?.givenName, newValue?.familyName) }
    }

    /// The owner that the bag had before.
    public internal(set) var ownerBefore: PassengerName? {
        get {
            guard let givenNameBefore, let familyNameBefore else { return nil }
            return PassengerName(givenName: givenNameBefore, familyName: familyNameBefore)
        }
        set { (givenNameBefore, familyNameBefore) = (newValue?.givenName, newValue?.familyName) }
    }

    /// Where the bag is to go by a list.
    var route: Route? {
        get { Route(from: from, to: to, trip: trip, date: tripDate) }
        set {
            (from, to) = (newValue?.from, newValue?.to)
            (trip, tripDate) = (newValue?.trip, newValue?.date)
            tripKey = newValue?.trip?.nameKey
        }
    }

    /// Keeps the weight and owner before and after a change, if they differ.
    func note(_ before: LuggageReport, _ after: LuggageReport) {
        if before.weight != after.weight {
            weight = after.weight
            weightBefore = before.weight
        }
        if before.owner != after.owner {
            owner = after.owner?.name
            ownerBefore = before.owner?.name
            hasNoOwner = after.owner == nil
        }
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        Correction.self,
        name: "Correction",
        properties: [
            .toOne(\.luggage, inverse: \.corrections),
            .attribute(\.identifier, indexed: true),
            .attribute(\.kind, indexed: true),
            .attribute(\.madeAt, indexed: true),
            .attribute(\.knownAt, indexed: true),
            .attribute(\.weight, .finite, .minimum(0)),
            .attribute(\.dueAt, indexed: true),
            .attribute(\.from, named: "fromPlace"),
            .attribute(\.to, named: "toPlace"),
            .attribute(\.withdrawn, indexed: true),
            .attribute(\.imageDigest, indexed: true),
        ],
        uniquenessConstraints: [[\.fact]],
        // For the last corrections of a person; for the corrections of an import; for what is not met.
        compoundIndices: [
            [\.author, \.knownAt], [\.importedBy, \.knownAt], [\.metAt, \.dueAt],
            [\.tripKey, \.tripDate],
        ]
    )
}

extension Correction {
    /// Inserts a correction into a context, which then saves as the person.
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
