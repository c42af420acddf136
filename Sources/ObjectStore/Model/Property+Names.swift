// The same declarations without a name: the property has the name that it has in its class.

extension Property {
    /// Stands for the name until the class is known; it is no valid name.
    static var unnamed: String { "(as in its class)" }

    /// Declares an attribute that must have a value when it is saved, by the name in its class.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - rules: The rules that a value must fulfil to be saved.
    ///   - defaultValue: The value of a new object; if nil, the one that the class gives it.
    ///   - combination: How two assigned values combine.
    ///   - textForm: The form in which texts are kept, and so which texts are equal.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable,
        _ rules: ValidationRule<Value>...,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        texts textForm: TextForm = .asAssigned,
        indexed isIndexed: Bool = false
    ) -> Property {
        let isOptional = false
        return attribute(
            PropertyPath(keyPath),
            unnamed,
            rules,
            isOptional,
            defaultValue,
            combination,
            textForm,
            isIndexed
        )
    }

    /// Declares an attribute that may be missing, by the name in its class.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``Attribute``.
    ///   - rules: The rules that a value must fulfil to be saved; a missing value fulfils them.
    ///   - defaultValue: The value of a new object; if nil, the one that the class gives it.
    ///   - combination: How two assigned values combine.
    ///   - textForm: The form in which texts are kept, and so which texts are equal.
    ///   - isIndexed: Whether an index speeds up searching and sorting by it.
    /// - Returns: The declaration.
    public static func attribute<Value: AttributeType>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Value?> & Sendable,
        _ rules: ValidationRule<Value>...,
        default defaultValue: Value? = nil,
        combining combination: AttributeCombination = .latest,
        texts textForm: TextForm = .asAssigned,
        indexed isIndexed: Bool = false
    ) -> Property {
        let isOptional = true
        return attribute(
            PropertyPath(keyPath),
            unnamed,
            rules,
            isOptional,
            defaultValue,
            combination,
            textForm,
            isIndexed
        )
    }

    /// Declares a to-one relationship with its inverse, by the name in its class.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - inverse: The to-many relationship on the other side.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this object when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        inverse: any KeyPath<Target, [Object]> & Sendable,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(
            keyPath,
            unnamed,
            inverse: inverse,
            isOptional: isOptional,
            onDeleteOfTarget: deleteRule
        )
    }

    /// Declares a to-one relationship without an inverse, by the name in its class.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToOne``.
    ///   - isOptional: Whether it may be saved without a target.
    ///   - deleteRule: What happens to this object when the target is deleted.
    /// - Returns: The declaration.
    public static func toOne<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, Target?> & Sendable,
        isOptional: Bool = true,
        onDeleteOfTarget deleteRule: DeleteRule = .nullify
    ) -> Property {
        toOne(keyPath, unnamed, isOptional: isOptional, onDeleteOfTarget: deleteRule)
    }

    /// Declares a to-many relationship, by the name in its class: all objects whose inverse points
    /// here.
    ///
    /// - Parameters:
    ///   - keyPath: The property, wrapped in ``ToMany``.
    ///   - inverse: The to-one relationship on the other side, which is stored.
    /// - Returns: The declaration.
    public static func toMany<Target: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Object, [Target]> & Sendable,
        inverse: any KeyPath<Target, Object?> & Sendable
    ) -> Property {
        toMany(keyPath, unnamed, inverse: inverse)
    }
}
