/// The entities of a store and how they are related, checked as a whole.
///
/// A model is made once, and whatever is wrong with it is found then.
public final class ManagedObjectModel: Sendable {
    /// The entities; an object's identity names its entity by its position here.
    public let entities: [Entity]

    /// An entity with everything about it that other entities decide.
    public final class Entity: Sendable {
        /// The position in the model.
        public let index: Int
        /// The name; also that of the table.
        public let name: String
        /// What each value of a row is, in the order of the columns.
        public let columns: [Column]
        /// The uniqueness constraints, each as the positions of its columns.
        public let constraints: [[Int]]
        /// The indices over several columns, each as their positions.
        public let compoundIndices: [[Int]]

        let type: ManagedObject.Type
        /// The positions of the columns that hold references.
        let referenceSlots: [Int]
        /// The values of a new object.
        let defaults: [AttributeValue]
        /// The relationships from elsewhere that point here.
        let incoming: [(entity: Int, slot: Int, rule: DeleteRule)]
        /// The columns that can hold values which no object can have kept.
        package let rangeChecks: [RangeCheck]

        init(
            index: Int,
            name: String,
            columns: [Column],
            constraints: [[Int]],
            compoundIndices: [[Int]],
            type: ManagedObject.Type,
            incoming: [(entity: Int, slot: Int, rule: DeleteRule)]
        ) {
            self.index = index
            self.name = name
            self.columns = columns
            self.constraints = constraints
            self.compoundIndices = compoundIndices
            self.type = type
            self.incoming = incoming
            referenceSlots = columns.indices.filter { columns[$0].isReference }
            defaults = columns.map(\.defaultValue)
            rangeChecks = columns.enumerated().compactMap { position, column in
                guard case .attribute(let attribute) = column.kind,
                    let isOutOfRange = attribute.isOutOfRange
                else { return nil }
                return RangeCheck(column: position, isOutOfRange: isOutOfRange)
            }
        }
    }

    /// How to tell that a column holds a value which no object can have kept.
    package struct RangeCheck: Sendable {
        /// The position of the column.
        package let column: Int
        /// Whether a value is one.
        package let isOutOfRange: @Sendable (AttributeValue) -> Bool
    }

    /// One value of a row.
    public struct Column: Sendable {
        /// The name of the property.
        public let name: String
        /// What it holds.
        public let kind: Kind

        /// What a column holds.
        public enum Kind: Sendable {
            /// An attribute.
            case attribute(AttributeDescription)
            /// A reference to an object of the entity at a position in the model.
            case reference(entity: Int, isOptional: Bool)
        }
    }

    /// Where a key path leads.
    enum PropertyPlace: Hashable, Sendable {
        case slot(entity: Int, slot: Int)
        /// All objects of an entity whose slot points at the object.
        case members(entity: Int, slot: Int)
    }

    /// The entities in an order in which those that a constraint refers to come first.
    let constraintOrder: [Int]
    private let places: [PropertyPath: PropertyPlace]
    private let indices: [ObjectIdentifier: Int]

    /// Checks and joins the descriptions of entities.
    ///
    /// - Parameter descriptions: The entities; adding some at the end keeps stored identities.
    /// - Throws: ``ModelError``, which lists every mistake that was found.
    public init(_ descriptions: EntityDescription...) throws(ModelError) {
        var check = ModelCheck(descriptions)
        entities = check.entities()
        places = check.places
        indices = check.indices
        constraintOrder = check.constraintOrder(of: entities)
        guard check.problems.isEmpty else { throw ModelError(problems: check.problems) }
    }

    /// The entity of a class, or nil where the model does not describe it.
    func entity(of type: ManagedObject.Type) -> Entity? {
        indices[ObjectIdentifier(type)].map { entities[$0] }
    }

    /// The entity of a class that the program says is described; that it is not is a mistake in it.
    func describedEntity(of type: ManagedObject.Type) -> Entity {
        guard let entity = entity(of: type) else {
            preconditionFailure("\(type) is not an entity of this context's model")
        }
        return entity
    }

    func place(of keyPath: AnyKeyPath) -> PropertyPlace? {
        places[PropertyPath(keyPath)]
    }
}

extension ManagedObjectModel.Entity {
    /// The place of a column among the values of a row, as the history names it.
    func slot(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

extension ManagedObjectModel.Column {
    /// Whether it may have no value.
    var isOptional: Bool {
        switch kind {
        case .attribute(let attribute): attribute.isOptional
        case .reference(_, let isOptional): isOptional
        }
    }

    fileprivate var isReference: Bool {
        if case .reference = kind { true } else { false }
    }

    fileprivate var defaultValue: AttributeValue {
        if case .attribute(let attribute) = kind { attribute.defaultValue } else { .null }
    }
}

extension ManagedObjectModel.Entity {
    /// The values of one constraint in a row, or nil where one is missing, so that it does not bind.
    func key(of constraint: [Int], in values: [AttributeValue]) -> [AttributeValue]? {
        let key = constraint.map { values[$0] }
        return key.contains(where: \.isNull) ? nil : key
    }
}

/// What is wrong with a model: a mistake in the program, found when the model is made.
public struct ModelError: Error, CustomStringConvertible {
    /// Every mistake, each as a sentence that names the entity and the property.
    public let problems: [String]

    /// All mistakes, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
