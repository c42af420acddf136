/// How two assigned values of one attribute combine.
///
/// It applies under the policies that merge by property. ``MergePolicy/overwrite`` writes the
/// object whole and ``MergePolicy/rollback`` drops it whole, so neither combines values.
public enum AttributeCombination: String, Sendable, Codable {
    /// The merge policy decides.
    case latest
    /// The greater value stays, in any order of the saves.
    case maximum
    /// The smaller value stays, in any order of the saves.
    case minimum
    /// The stored value stays; for rows that are only ever added.
    case first

    /// The combined value, or nil if the merge policy decides.
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
    /// The deletion is refused while such objects exist.
    case deny
}

/// One attribute of a model.
public final class AttributeDescription: Sendable {
    /// The name; also that of the column.
    public let name: String
    /// The storage type of its values.
    public let storage: AttributeStorage
    /// Whether its value may be missing.
    public let isOptional: Bool
    /// The initial value of a new object; where the class computes another one for each, that of one of them.
    public let defaultValue: AttributeValue
    /// The position in the class of what computes the initial value of each object; nil if it is always the same.
    let computedPosition: Int?
    /// How two assigned values combine.
    public let combination: AttributeCombination
    /// The form in which texts are kept.
    public let textForm: TextForm
    /// Whether stores can compare and sort the values.
    public let isOrdered: Bool
    /// Whether an index speeds up searching and sorting by it.
    public let isIndexed: Bool
    /// Recognises values that no object can have stored; nil if every value of the storage type is
    /// valid.
    let isOutOfRange: (@Sendable (AttributeValue) -> Bool)?
    /// The mistakes in the rules themselves.
    let problems: [String]
    /// The reasons for which a non-null value breaks rules; nil if it is none of the type, as a raw value without a
    /// case.
    let violations: @Sendable (AttributeValue) -> [String]?

    init(
        name: String,
        storage: AttributeStorage,
        isOptional: Bool,
        defaultValue: AttributeValue,
        combination: AttributeCombination,
        textForm: TextForm,
        isOrdered: Bool,
        isIndexed: Bool,
        isOutOfRange: (@Sendable (AttributeValue) -> Bool)?,
        problems: [String],
        violations: @escaping @Sendable (AttributeValue) -> [String]?,
        computedPosition: Int? = nil
    ) {
        self.computedPosition = computedPosition
        self.name = name
        self.storage = storage
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.combination = combination
        self.textForm = textForm
        self.isOrdered = isOrdered
        self.isIndexed = isIndexed
        self.isOutOfRange = isOutOfRange
        self.problems = problems
        self.violations = violations
    }

    /// An attribute without rules, whose name is not known yet.
    convenience init(plain type: any AttributeType.Type, isOptional: Bool) {
        self.init(
            name: "",
            storage: type.storage,
            isOptional: isOptional,
            defaultValue: .null,
            combination: .latest,
            textForm: .asAssigned,
            isOrdered: type.isOrdered,
            isIndexed: false,
            isOutOfRange: type.isOutOfRange,
            problems: [],
            violations: { _ in [] }
        )
    }

    /// The same attribute with what its class declares.
    func completed(
        by declared: ClassProbe.Declared,
        named name: String
    ) -> AttributeDescription {
        let initial = declared.initialValue ?? .null
        let isTwice = !defaultValue.isNull && !initial.isNull && defaultValue != initial
        return AttributeDescription(
            name: name,
            storage: storage,
            isOptional: isOptional,
            defaultValue: (defaultValue.isNull ? initial : defaultValue).formed(textForm),
            combination: combination,
            textForm: textForm,
            isOrdered: isOrdered,
            isIndexed: isIndexed,
            isOutOfRange: isOutOfRange,
            problems: problems + (isTwice ? ["its class declares another default"] : []),
            violations: violations,
            computedPosition: defaultValue.isNull ? declared.computedPosition : nil
        )
    }
}

/// One to-one relationship of a model.
public struct ToOneDescription: Sendable {
    /// The name; also that of the column.
    public fileprivate(set) var name: String
    /// Whether the target may be missing.
    public let isOptional: Bool
    /// What happens to the objects that point at a deleted target.
    public let deleteRule: DeleteRule
    /// The class of the target.
    let target: ManagedObject.Type
    /// The key path of the inverse to-many relationship.
    let inverse: PropertyPath?
}

/// One to-many relationship of a model: all objects whose inverse points here.
public struct ToManyDescription: Sendable {
    /// The name.
    public fileprivate(set) var name: String
    /// The class of the members.
    let target: ManagedObject.Type
    /// The key path of the inverse to-one relationship.
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

    /// Stands for the name until the class is known; it is no valid name.
    private static var unnamed: String { "(as in its class)" }

    /// The name, if one was given.
    var name: String? {
        let name =
            switch kind {
            case .attribute(let attribute): attribute.name
            case .toOne(let relationship): relationship.name
            case .toMany(let relationship): relationship.name
            }
        return name == Self.unnamed ? nil : name
    }

    /// The same property with what its class declares: its name, and its default.
    func completed(by declared: ClassProbe.Declared?) -> Property {
        guard let declared else { return self }
        switch kind {
        case .attribute(let attribute):
            return Property(
                kind: .attribute(attribute.completed(by: declared, named: name ?? declared.name)),
                keyPath: keyPath
            )
        case .toOne(var relationship):
            relationship.name = name ?? declared.name
            return Property(kind: .toOne(relationship), keyPath: keyPath)
        case .toMany(var relationship):
            relationship.name = name ?? declared.name
            return Property(kind: .toMany(relationship), keyPath: keyPath)
        }
    }

    /// Declares an attribute that must have a value when it is saved.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - rules: The rules that a value must fulfil to be saved.
    ///   - name: Its name in stores and in errors; if nil, the one that it has in its class.
    ///   - defaultValue: The value of a new object; if nil, the one that the class gives the
    ///     property, or else none until one is assigned.
    ///   - combination: How two assigned values combine.
    ///   - textForm: The form in which texts are kept, and so which texts are equal.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable,
        _ rules: ValidationRule<Value>...,
        named name: String? = nil,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        texts textForm: TextForm = .asAssigned,
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
            textForm,
            isIndexed
        )
    }

    /// Declares an attribute that may be missing.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - rules: The rules that a value must fulfil to be saved; a missing value fulfils them.
    ///   - name: Its name in stores and in errors; if nil, the one that it has in its class.
    ///   - defaultValue: The value of a new object; if nil, the one that the class gives the
    ///     property, or else none.
    ///   - combination: How two assigned values combine.
    ///   - textForm: The form in which texts are kept, and so which texts are equal.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value?> & Sendable,
        _ rules: ValidationRule<Value>...,
        named name: String? = nil,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        texts textForm: TextForm = .asAssigned,
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
            textForm,
            isIndexed
        )
    }

    private static func attribute<Value: AttributeType>(
        _ keyPath: PropertyPath,
        _ name: String?,
        _ rules: [ValidationRule<Value>],
        _ isOptional: Bool,
        _ defaultValue: Value?,
        _ combination: AttributeCombination,
        _ textForm: TextForm,
        _ isIndexed: Bool
    ) -> Property {
        let description = AttributeDescription(
            name: name ?? unnamed,
            storage: Value.storage,
            isOptional: isOptional,
            defaultValue: defaultValue.attributeValue,
            combination: combination,
            textForm: textForm,
            isOrdered: Value.isOrdered,
            isIndexed: isIndexed,
            isOutOfRange: Value.isOutOfRange,
            problems: rules.compactMap(\.problem),
            violations: ValidationRule.violations(of: rules)
        )
        return Property(kind: .attribute(description), keyPath: keyPath)
    }

    /// Declares a to-one relationship with its inverse.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - name: Its name in stores and in errors; if nil, the one that it has in its class.
    ///   - inverse: The to-many relationship on the other side.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this object when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        named name: String? = nil,
        inverse: any KeyPath<Target, [Object]> & Sendable,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(keyPath, name, PropertyPath(inverse), isOptional, deleteRule)
    }

    /// Declares a to-one relationship without an inverse.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - name: Its name in stores and in errors; if nil, the one that it has in its class.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this object when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        named name: String? = nil,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(keyPath, name, nil, isOptional, deleteRule)
    }

    private static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        _ name: String?,
        _ inverse: PropertyPath?,
        _ isOptional: Bool,
        _ deleteRule: DeleteRule
    ) -> Property {
        Property(
            kind: .toOne(
                ToOneDescription(
                    name: name ?? unnamed,
                    isOptional: isOptional,
                    deleteRule: deleteRule,
                    target: Target.self,
                    inverse: inverse
                )
            ),
            keyPath: PropertyPath(keyPath)
        )
    }

    /// Declares a to-many relationship: all objects whose inverse points here.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToMany``.
    ///   - name: Its name in errors; if nil, the one that it has in its class.
    ///   - inverse: The to-one relationship on the other side, which is stored.
    /// - Returns: The declaration.
    public static func toMany<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, [Target]> & Sendable,
        named name: String? = nil,
        inverse: any KeyPath<Target, Object?> & Sendable
    ) -> Property {
        Property(
            kind: .toMany(
                ToManyDescription(
                    name: name ?? unnamed,
                    target: Target.self,
                    inverse: PropertyPath(inverse)
                )
            ),
            keyPath: PropertyPath(keyPath)
        )
    }
}
