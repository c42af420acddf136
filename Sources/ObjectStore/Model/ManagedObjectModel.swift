internal import Synchronization

/// The entities of a store and their relationships, checked as a whole.
///
/// The initialiser reports every mistake in the model.
public final class ManagedObjectModel: Sendable {
    /// The entities; an object's identity gives the position of its entity here.
    public let entities: [Entity]

    /// An entity, with the properties that depend on other entities.
    public final class Entity: Sendable {
        /// The position in the model.
        public let index: Int
        /// The name; also that of the table.
        public let name: String
        /// The columns of a row, in order.
        public let columns: [Column]
        /// The uniqueness constraints, each as the positions of its columns.
        public let constraints: [[Int]]
        /// The indices over several columns, each as their positions.
        public let compoundIndices: [[Int]]

        let type: ManagedObject.Type
        /// The positions of the columns that hold references.
        let referenceSlots: [Int]
        /// The form of the texts in each column.
        let textForms: [TextForm]
        /// The values of a new object, where they are always the same.
        private let defaults: [AttributeValue]
        /// The columns whose initial values the class computes for each object, with their positions there.
        private let computedDefaults: [(slot: Int, position: Int)]
        /// The columns that must have a value, and of which a new object has one.
        let requiredSlots: [Int]
        /// Those of them that are in a uniqueness constraint.
        let requiredUniqueSlots: [Int]
        /// The relationships that point to this entity.
        let incoming: [(entity: Int, slot: Int, rule: DeleteRule)]
        /// The rules about several properties.
        let rules: [EntityRule]
        /// The declared relationships to many.
        let memberPlaces: [MemberPlace]
        /// The checks for columns that can hold values which no object can have stored.
        package let rangeChecks: [RangeCheck]

        init(
            index: Int,
            name: String,
            columns: [Column],
            constraints: [[Int]],
            compoundIndices: [[Int]],
            type: ManagedObject.Type,
            incoming: [(entity: Int, slot: Int, rule: DeleteRule)],
            memberPlaces: [MemberPlace],
            rules: [EntityRule]
        ) {
            self.index = index
            self.name = name
            self.columns = columns
            self.constraints = constraints
            self.compoundIndices = compoundIndices
            self.type = type
            self.incoming = incoming
            self.memberPlaces = memberPlaces
            self.rules = rules
            referenceSlots = columns.indices.filter { columns[$0].isReference }
            textForms = columns.map(\.textForm)
            defaults = columns.map(\.defaultValue)
            computedDefaults = columns.enumerated().compactMap { slot, column in
                column.computedPosition.map { (slot, $0) }
            }
            requiredSlots = columns.indices.filter { slot in
                let column = columns[slot]
                return !column.isOptional
                    && (!column.defaultValue.isNull || column.computedPosition != nil)
            }
            requiredUniqueSlots = requiredSlots.filter(constraints.joined().contains)
            rangeChecks = columns.enumerated().compactMap { position, column in
                guard case .attribute(let attribute) = column.kind,
                    let isOutOfRange = attribute.isOutOfRange
                else { return nil }
                return RangeCheck(column: position, isOutOfRange: isOutOfRange)
            }
        }

        /// The values of a new object, of which those that the class computes are made now.
        package func newValues() -> [AttributeValue] {
            if computedDefaults.isEmpty { return defaults }
            var values = defaults
            let computed = ClassProbe.initialValues(of: type)
            for (slot, position) in computedDefaults where computed.indices.contains(position) {
                values[slot] = (computed[position] ?? .null).formed(textForms[slot])
            }
            return values
        }
    }

    /// Recognises values of a column that no object can have stored.
    package struct RangeCheck: Sendable {
        /// The position of the column.
        package let column: Int
        /// Whether a value is out of range.
        package let isOutOfRange: @Sendable (AttributeValue) -> Bool
    }

    /// One value of a row.
    public struct Column: Sendable {
        /// The name of the property.
        public let name: String
        /// The kind of its value.
        public let kind: Kind

        /// The kind of a column's value.
        public enum Kind: Sendable {
            /// An attribute.
            case attribute(AttributeDescription)
            /// A reference to an object of the entity at a position in the model.
            case reference(entity: Int, isOptional: Bool)
        }

        /// Whether a value is of the kind that the column holds, so that only the same value is equal.
        func holds(_ value: AttributeValue) -> Bool {
            switch (kind, value) {
            case (.reference(let target, _), .reference(let id)): target == id.entity
            case (.attribute(let attribute), _):
                switch (attribute.storage, value) {
                case (.integer, .integer), (.real, .real), (.date, .real), (.text, .text),
                    (.unsigned, .text), (.data, .data):
                    true
                default: false
                }
            default: false
            }
        }
    }

    /// The property that a key path names.
    enum PropertyPlace: Hashable, Sendable {
        case slot(entity: Int, slot: Int)
        /// All objects of an entity whose slot points at the object.
        case members(entity: Int, slot: Int)
    }

    /// The entities, ordered so that the targets of references in a constraint come first.
    let constraintOrder: [Int]
    /// The entities with references to themselves, or to entities that come later in that order.
    let entitiesWithLateTargets: [Int]
    private let places: [PropertyPath: PropertyPlace]
    /// The slots of each entity's properties.
    private let slots: [PropertySlots]
    /// The places that contexts have asked for, so that a new context knows them.
    let usedPlaces = Mutex(PlaceCache())
    private let indices: [ObjectIdentifier: Int]

    /// Checks and combines the descriptions of entities.
    ///
    /// - Parameter descriptions: The entities; adding some at the end keeps stored identities.
    /// - Throws: ``ModelError``, which lists every mistake found.
    public init(_ descriptions: EntityDescription...) throws(ModelError) {
        var check = ModelCheck(descriptions)
        let entities = check.entities()
        self.entities = entities
        places = check.places
        slots = descriptions.map(\.places)
        indices = check.indices
        let order = check.constraintOrder(of: entities)
        constraintOrder = order
        entitiesWithLateTargets = order.indices.filter { place in
            entities[order[place]].columns.contains { column in
                guard case .reference(let target, _) = column.kind else { return false }
                return order[place...].contains(target)
            }
        }.map { order[$0] }
        guard check.problems.isEmpty else { throw ModelError(problems: check.problems) }
    }

    /// A model of no entities.
    static let empty = ManagedObjectModel()

    private init() {
        (entities, places, slots, indices) = ([], [:], [], [:])
        (constraintOrder, entitiesWithLateTargets) = ([], [])
    }

    /// The entity of a class, or nil if the model does not describe it.
    func entity(of type: ManagedObject.Type) -> Entity? {
        indices[ObjectIdentifier(type)].map { entities[$0] }
    }

    /// The entity of a class that the model must describe; if it does not, the program has a mistake.
    func describedEntity(of type: ManagedObject.Type) -> Entity {
        guard let entity = entity(of: type) else {
            preconditionFailure("\(type) is not an entity of this context's model")
        }
        return entity
    }

    func place(of keyPath: AnyKeyPath) -> PropertyPlace? {
        if let declared = places[PropertyPath(keyPath)] { return declared }
        guard let type = type(of: keyPath).rootType as? ManagedObject.Type,
            let entity = entity(of: type)?.index, let slot = slots[entity][keyPath]
        else { return nil }
        return .slot(entity: entity, slot: slot)
    }
}

extension ManagedObjectModel.Entity {
    /// The position of a column among the values of a row, by its name in the history.
    func slot(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

extension ManagedObjectModel.Column {
    /// Whether its value may be missing.
    var isOptional: Bool {
        switch kind {
        case .attribute(let attribute): attribute.isOptional
        case .reference(_, let isOptional): isOptional
        }
    }

    fileprivate var isReference: Bool {
        if case .reference = kind { true } else { false }
    }

    fileprivate var textForm: TextForm {
        if case .attribute(let attribute) = kind { attribute.textForm } else { .asAssigned }
    }

    /// Where the class computes the initial value of each object; nil if that is always the same.
    package var computedPosition: Int? {
        if case .attribute(let attribute) = kind { attribute.computedPosition } else { nil }
    }

    fileprivate var defaultValue: AttributeValue {
        if case .attribute(let attribute) = kind { attribute.defaultValue } else { .null }
    }
}

extension RandomAccessCollection<AttributeValue> {
    /// The values of one constraint in a row, or nil if one is missing, so that it does not apply.
    func key(of constraint: some Collection<Int>) -> [AttributeValue]? {
        let key = constraint.map { self[index(startIndex, offsetBy: $0)] }
        return key.contains(where: \.isNull) ? nil : key
    }
}

/// The error of a model with mistakes in the program, found when the model is made.
public struct ModelError: Error, CustomStringConvertible {
    /// Every mistake, each as a sentence that names the entity and the property.
    public let problems: [String]

    /// All mistakes, one per line.
    public var description: String { problems.joined(separator: "\n") }
}

extension ManagedObjectModel {
    /// The references with a delete rule, by the entities and slots that have them, and the entities they lead to.
    func references(with rule: DeleteRule) -> [(entity: Int, slot: Int, target: Int)] {
        entities.flatMap { target in
            target.incoming.filter { $0.rule == rule }.map { ($0.entity, $0.slot, target.index) }
        }
    }
}
