/// Describes an entity, as its class declares it.
public struct EntityDescription: Sendable {
    /// The name; also that of the table.
    public let name: String

    /// The class of the objects.
    let type: ManagedObject.Type

    /// The attributes and to-one relationships of a row: those that are declared here, then the attributes
    /// that only the class declares.
    let slots: [Slot]

    /// The key paths of those that are declared here.
    let slotKeyPaths: [PropertyPath]

    /// The slots of all by their key paths.
    let places: PropertySlots

    /// The to-many relationships, with their key paths.
    let toMany: [(keyPath: PropertyPath, description: ToManyDescription)]

    /// The uniqueness constraints, each as its key paths.
    let constraintKeyPaths: [[PropertyPath]]

    /// The indices over several properties, each as its key paths.
    let indexKeyPaths: [[PropertyPath]]

    /// The rules about several properties.
    let rules: [EntityRule]

    /// The mistakes in the declarations of the properties.
    let problems: [String]

    /// What one slot of a row holds.
    enum Slot: Sendable {
        case attribute(AttributeDescription)
        case toOne(ToOneDescription)

        var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .toOne(let relationship): relationship.name
            }
        }
    }

    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - type: The class of its objects.
    ///   - name: Its name in stores and in errors.
    ///   - properties: Its relationships, and the attributes of which there is more to say than their class
    ///     does: rules, another name, how they are merged, found and compared. They are the first columns, in
    ///     this order; the other attributes follow in the order of the class, and must have a value when they
    ///     are saved unless their type is optional.
    ///   - uniquenessConstraints: Groups of attributes and to-one relationships whose values
    ///     together belong to at most one object. An object in which one of them is missing
    ///     conflicts with none.
    ///   - compoundIndices: Groups of attributes and to-one relationships by which objects are
    ///     often searched or sorted together. An index finds objects by the first properties of a
    ///     group, and sorts equal ones by the next.
    ///   - rules: Rules about several properties of an object.
    ///   - isPartial: Whether the class may have more wrapped properties than these, because it also
    ///     serves other versions of the model. Then the entity has only the properties that are named here, and
    ///     using another one ends the program.
    public init<Object: ManagedObject>(
        _ type: Object.Type,
        name: String,
        properties: [Property<Object>] = [],
        uniquenessConstraints: [[any PartialKeyPath<Object> & Sendable]] = [],
        compoundIndices: [[any PartialKeyPath<Object> & Sendable]] = [],
        rules: [ObjectRule<Object>] = [],
        isPartial: Bool = false
    ) {
        self.name = name
        self.type = type
        var check = PropertyCheck(ClassProbe(type), of: name, isPartial: isPartial)
        let properties = properties.map { property in
            let declared = check.declaration(of: property.keyPath.keyPath, named: property.name)
            return property.completed(by: declared)
        }
        var slots: [Slot] = []
        var slotKeyPaths: [PropertyPath] = []
        var toMany: [(PropertyPath, ToManyDescription)] = []
        for property in properties {
            switch property.kind {
            case .attribute(let attribute):
                slots.append(.attribute(attribute))
                slotKeyPaths.append(property.keyPath)
            case .toOne(let relationship):
                slots.append(.toOne(relationship))
                slotKeyPaths.append(property.keyPath)
            case .toMany(let relationship):
                toMany.append((property.keyPath, relationship))
            }
        }
        var undeclared: [Int: Int] = [:]
        for (position, attribute) in isPartial ? [] : check.undeclaredAttributes() {
            undeclared[position] = slots.count
            slots.append(.attribute(attribute))
        }
        let places = PropertySlots(of: type, declared: slotKeyPaths, undeclared)
        self.rules = rules.compactMap { rule in
            guard let slot = places[rule.keyPath.keyPath] else {
                check.note(
                    "a rule may be reported of its own attributes and to-one relationships only"
                )
                return nil
            }
            return EntityRule(slot: slot) {
                rule.violation(ObjectValues(values: $0, places: places))
            }
        }
        self.places = places
        problems = check.problems
        self.slots = slots
        self.slotKeyPaths = slotKeyPaths
        self.toMany = toMany
        self.constraintKeyPaths = uniquenessConstraints.map { $0.map { PropertyPath($0) } }
        self.indexKeyPaths = compoundIndices.map { $0.map { PropertyPath($0) } }
    }
}
