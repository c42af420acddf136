internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// What a class declares: its wrapped properties, with their names and initial values.
///
/// The wrappers hold nothing, and a key path has no name. So an object is made in a context of its
/// own, and each property is read once: the wrapper tells which it is.
struct ClassProbe {
    /// One wrapped property of a class.
    struct Declared {
        /// The name in the class.
        let name: String
        /// The class, if it is not the one that was asked for.
        let inheritedFrom: String?
        /// The initial value that the class gives, if it gives one.
        let initialValue: AttributeValue?
        /// Where the class computes another initial value for each object; nil if it does not.
        let computedPosition: Int?
        /// What its type says of it, if it is an attribute.
        let attribute: AttributeDescription?
    }

    /// The wrapped properties by their positions.
    private(set) var declared: [Int: Declared] = [:]
    /// The number of wrapped properties.
    let count: Int

    /// The most wrapped properties that have positions.
    static let mostProperties = Int(WrappedProperties.nowhere)

    private let object: ManagedObject
    private let context: ManagedObjectContext

    /// Asks a class.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - hasValues: Whether to compute the initial values, which may do anything.
    init<Object: ManagedObject>(_ type: Object.Type, values hasValues: Bool = true) {
        context = .forProbing()
        let initialValues: [AttributeValue?]
        (object, initialValues) = Self.make(type, in: context, values: hasValues)
        count = initialValues.count
        // What is computed, as an identifier or the present moment, differs a moment later.
        let later =
            hasValues ? Self.make(type, in: context, values: true).initialValues : initialValues
        var mirror: Mirror? = Mirror(reflecting: self.object)
        while let level = mirror, level.subjectType != ManagedObject.self {
            for child in level.children {
                guard let property = child.value as? any WrappedProperty else { continue }
                let position = Int(property.position)
                guard initialValues.indices.contains(position) else { continue }
                let isInherited = level.subjectType != type
                declared[position] = Declared(
                    name: String((child.label ?? "").drop { $0 == "_" }),
                    inheritedFrom: isInherited ? "\(level.subjectType)" : nil,
                    initialValue: initialValues[position],
                    computedPosition: later[position] == initialValues[position] ? nil : position,
                    attribute: property.attribute
                )
            }
            mirror = level.superclassMirror
        }
    }

    /// The initial values of the wrapped properties of a new object, by their positions.
    static func initialValues(of type: ManagedObject.Type) -> [AttributeValue?] {
        make(type, in: shared, values: true).initialValues
    }

    /// A context for objects of which nothing is read.
    private static let shared = ManagedObjectContext.forProbing()

    private static func make(
        _ type: ManagedObject.Type,
        in context: ManagedObjectContext,
        values hasValues: Bool
    ) -> (object: ManagedObject, initialValues: [AttributeValue?]) {
        let reference = ObjectReference(context: context, id: ObjectID(entity: 0, key: -1))
        var object: ManagedObject?
        let initialValues = WrappedProperties.noting(values: hasValues) {
            object = type.init(reference)
        }
        return (object ?? ManagedObject(reference), initialValues)
    }

    /// The wrapped property that a key path of the class leads to; nil if it leads to none, or to what is
    /// computed of one.
    func position(of keyPath: AnyKeyPath) -> Int? {
        context.probe?.takeRead()
        _ = object[reading: keyPath]
        guard let read = context.probe?.takeRead() else { return nil }
        // An inherited one has the key path of the class that declares it.
        let isItself = read.keyPath.keyPath == keyPath
        return isItself || declared[read.position]?.inheritedFrom != nil ? read.position : nil
    }
}

extension ManagedObject {
    fileprivate subscript(reading keyPath: AnyKeyPath) -> Any? {
        let object: Any = self
        return object[keyPath: keyPath]
    }
}

/// Takes note of the wrapped property that was read last, in the context of a ``ClassProbe``.
@usableFromInline final class PropertyProbe: Sendable {
    private let last = Mutex<(position: Int, keyPath: PropertyPath)?>(nil)

    @usableFromInline func noteRead(_ position: UInt8, _ keyPath: AnyKeyPath) {
        last.withLock { $0 = (Int(position), PropertyPath(keyPath)) }
    }

    @discardableResult
    func takeRead() -> (position: Int, keyPath: PropertyPath)? {
        last.withLock { $0.take() }
    }
}

/// A property wrapper of an object.
protocol WrappedProperty {
    /// The position among the wrapped properties of an object that a ``ClassProbe`` made.
    var position: UInt8 { get }
    /// What its type says of it, if it is an attribute, without its name.
    var attribute: AttributeDescription? { get }
}

extension WrappedProperty {
    /// Nil: what a relationship is its type does not say.
    var attribute: AttributeDescription? { nil }
}

/// The wrapped properties of the object that is being made for a ``ClassProbe``.
enum WrappedProperties {
    /// How many probes are under way in any thread; almost always none.
    private static let probes = Atomic<Int>(0)
    private static let noted = Mutex<[pthread_t: Notes]>([:])

    /// What is noted of the object that a thread makes.
    private struct Notes {
        let hasValues: Bool
        var values: [AttributeValue?] = []
    }

    /// The position of a wrapper in an object that is no probe.
    fileprivate static let nowhere = UInt8.max

    /// The initial values of the wrappers that a closure makes, in their order; nil for each if they are not computed.
    static func noting(values hasValues: Bool, _ body: () -> Void) -> [AttributeValue?] {
        let thread = pthread_self()
        probes.add(1, ordering: .sequentiallyConsistent)
        defer { probes.subtract(1, ordering: .sequentiallyConsistent) }
        // An initial value may need another class, which is then asked meanwhile.
        let outer = noted.withLock { $0.updateValue(Notes(hasValues: hasValues), forKey: thread) }
        body()
        return noted.withLock { noted in
            defer { noted[thread] = outer }
            return noted[thread]?.values ?? []
        }
    }

    /// Notes a wrapper with its initial value, and returns its position.
    static func note(_ initialValue: () -> AttributeValue?) -> UInt8 {
        if probes.load(ordering: .relaxed) == 0 { return nowhere }
        let thread = pthread_self()
        // Outside the lock: the initial value may be computed in any way. The objects that are made for it are no
        // probes.
        guard var notes = noted.withLock({ $0.removeValue(forKey: thread) }) else { return nowhere }
        notes.values.append(notes.hasValues ? initialValue() : nil)
        noted.withLock { $0[thread] = notes }
        return UInt8(clamping: notes.values.count - 1)
    }
}
