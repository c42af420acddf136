/// How the values of one attribute combine where two savers assigned it.
///
/// It holds under the policies that merge by property. ``MergePolicy/overwrite`` writes the object whole
/// and ``MergePolicy/rollback`` drops it whole, so neither combines anything.
public enum AttributeCombination: String, Sendable, Codable {
    /// The merge policy decides.
    case latest
    /// The greater value stays, whatever the order of the saves.
    case maximum
    /// The smaller value stays, whatever the order of the saves.
    case minimum
    /// The value that is on record stays: for rows that are only ever added.
    case first

    /// The combined value, or nil where the merge policy decides.
    func combine(stored: AttributeValue, assigned: AttributeValue) -> AttributeValue? {
        if self == .latest { return nil }
        if stored.isNull { return assigned }
        if assigned.isNull { return stored }
        return switch self {
        case .latest: nil
        case .maximum: max(stored, assigned)
        case .minimum: min(stored, assigned)
        case .first: stored
        }
    }
}

/// What happens to related objects when an object is deleted.
public enum DeleteRule: String, Sendable, Codable {
    /// Their reference to it is cleared.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused while there are any.
    case deny
}

/// One attribute as the model keeps it.
public final class AttributeDescription: Sendable {
    /// The name; also that of the column.
    public let name: String
    /// The kind of value it is kept as.
    public let storage: AttributeStorage
    /// Whether it may have no value.
    public let isOptional: Bool
    /// The value that a new object has before any is assigned.
    public let defaultValue: AttributeValue
    /// How two assigned values combine.
    public let combination: AttributeCombination
    /// Whether stores can compare and sort the values.
    public let isOrdered: Bool
    /// Whether an index speeds up searching and sorting by it.
    public let isIndexed: Bool
    /// Tells values that no object can have kept; nil where the storage allows only such.
    let isOutOfRange: (@Sendable (AttributeValue) -> Bool)?
    /// What is wrong with the rules themselves.
    let problems: [String]
    /// Gives a reason for each rule that a value, which is not null, breaks.
    let violations: @Sendable (AttributeValue) -> [String]

    init(
        name: String,
        storage: AttributeStorage,
        isOptional: Bool,
        defaultValue: AttributeValue,
        combination: AttributeCombination,
        isOrdered: Bool,
        isIndexed: Bool,
        isOutOfRange: (@Sendable (AttributeValue) -> Bool)?,
        problems: [String],
        violations: @escaping @Sendable (AttributeValue) -> [String]
    ) {
        self.name = name
        self.storage = storage
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.combination = combination
        self.isOrdered = isOrdered
        self.isIndexed = isIndexed
        self.isOutOfRange = isOutOfRange
        self.problems = problems
        self.violations = violations
    }
}

/// One relationship to one object or none, as the model keeps it.
public struct ToOneDescription: Sendable {
    /// The name; also that of the column.
    public let name: String
    /// Whether there may be no target.
    public let isOptional: Bool
    /// What happens to the objects that point at a target when it is deleted.
    public let deleteRule: DeleteRule
    /// The class of the target.
    let target: ManagedObject.Type
    /// The key path of the to-many relationship on the other side.
    let inverse: PropertyPath?
}

/// One relationship to many, as the model keeps it: all objects whose inverse points here.
public struct ToManyDescription: Sendable {
    /// The name.
    public let name: String
    /// The class of the members.
    let target: ManagedObject.Type
    /// The key path of the to-one relationship on the other side.
    let inverse: PropertyPath
}

/// One property of an entity, declared by its key path.
public struct Property<Object: ManagedObject>: Sendable {
    enum Kind: Sendable {
        case attribute(AttributeDescription)
        case toOne(ToOneDescription)
        case toMany(ToManyDescription)
    }

    let kind: Kind
    let keyPath: PropertyPath

    /// Declares an attribute that must have a value when it is saved.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - name: Its name in stores and in errors.
    ///   - rules: What a value must fulfil to be saved.
    ///   - defaultValue: The value of a new object; without one it has none until it is assigned.
    ///   - combination: How two assigned values combine.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable,
        _ name: String,
        _ rules: ValidationRule<Value>...,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        indexed isIndexed: Bool = false
    ) -> Property {
        let isOptional = false
        return attribute(
            PropertyPath(keyPath),
            name,
            rules,
            isOptional,
            defaultValue,
            combination,
            isIndexed
        )
    }

    /// Declares an attribute that may have no value.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - name: Its name in stores and in errors.
    ///   - rules: What a value must fulfil to be saved; no value always does.
    ///   - defaultValue: The value of a new object.
    ///   - combination: How two assigned values combine.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value?> & Sendable,
        _ name: String,
        _ rules: ValidationRule<Value>...,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        indexed isIndexed: Bool = false
    ) -> Property {
        let isOptional = true
        return attribute(
            PropertyPath(keyPath),
            name,
            rules,
            isOptional,
            defaultValue,
            combination,
            isIndexed
        )
    }

    private static func attribute<Value: AttributeType>(
        _ keyPath: PropertyPath,
        _ name: String,
        _ rules: [ValidationRule<Value>],
        _ isOptional: Bool,
        _ defaultValue: Value?,
        _ combination: AttributeCombination,
        _ isIndexed: Bool
    ) -> Property {
        let description = AttributeDescription(
            name: name,
            storage: Value.storage,
            isOptional: isOptional,
            defaultValue: defaultValue.attributeValue,
            combination: combination,
            isOrdered: Value.isOrdered,
            isIndexed: isIndexed,
            isOutOfRange: Value.isOutOfRange,
            problems: rules.compactMap(\.problem),
            violations: ValidationRule.violations(of: rules)
        )
        return Property(kind: .attribute(description), keyPath: keyPath)
    }

    /// Declares a relationship to one object or none, with its inverse on the other side.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - name: Its name in stores and in errors.
    ///   - inverse: The relationship to many on the other side.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this side when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        _ name: String,
        inverse: any KeyPath<Target, [Object]> & Sendable,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(keyPath, name, PropertyPath(inverse), isOptional, deleteRule)
    }

    /// Declares a relationship to one object or none that has no inverse.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - name: Its name in stores and in errors.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this side when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        _ name: String,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(keyPath, name, nil, isOptional, deleteRule)
    }

    private static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        _ name: String,
        _ inverse: PropertyPath?,
        _ isOptional: Bool,
        _ deleteRule: DeleteRule
    ) -> Property {
        Property(
            kind: .toOne(
                ToOneDescription(
                    name: name,
                    isOptional: isOptional,
                    deleteRule: deleteRule,
                    target: Target.self,
                    inverse: inverse
                )
            ),
            keyPath: PropertyPath(keyPath)
        )
    }

    /// Declares a relationship to many: all objects whose inverse points here.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToMany``.
    ///   - name: Its name in errors.
    ///   - inverse: The relationship to one on the other side, which is what is stored.
    /// - Returns: The declaration.
    public static func toMany<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, [Target]> & Sendable,
        _ name: String,
        inverse: any KeyPath<Target, Object?> & Sendable
    ) -> Property {
        Property(
            kind: .toMany(
                ToManyDescription(
                    name: name,
                    target: Target.self,
                    inverse: PropertyPath(inverse)
                )
            ),
            keyPath: PropertyPath(keyPath)
        )
    }
}
