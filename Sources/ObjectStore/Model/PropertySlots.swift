internal import Synchronization

/// The slots of an entity's attributes and to-one relationships, by their key paths.
///
/// Nobody has told the key path of an attribute that only its class declares. So the first time that it is used, an
/// object of the class is asked which property it is.
final class PropertySlots: Sendable {
    private let type: ManagedObject.Type
    /// The slots of the attributes that only the class declares, by their positions in it.
    private let undeclared: [Int: Int]
    /// The slots that are known; nil for a key path that leads to none.
    private let slots: Mutex<[PropertyPath: Int?]>

    /// Takes the slots that are known.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - declared: The key paths of the first slots.
    ///   - undeclared: The slots of the attributes that only the class declares, by their positions in it.
    init(of type: ManagedObject.Type, declared: [PropertyPath], _ undeclared: [Int: Int]) {
        self.type = type
        self.undeclared = undeclared
        let slots = zip(declared, declared.indices.map { Int?($0) })
        self.slots = Mutex(Dictionary(slots) { first, _ in first })
    }

    /// The slot of a property; nil if the entity has none for it.
    subscript(keyPath: AnyKeyPath) -> Int? {
        let path = PropertyPath(keyPath)
        if let known = slots.withLock({ $0[path] }) { return known }
        // Without the lock: what a class computes may do anything, also ask for another property here.
        let slot = undeclared.isEmpty ? nil : position(of: keyPath).flatMap { undeclared[$0] }
        slots.withLock { $0[path] = .some(slot) }
        return slot
    }

    private func position(of keyPath: AnyKeyPath) -> Int? {
        if keyPath.isChain { return nil }
        // Without its values, one of which might ask the very context that this is asked for.
        return ClassProbe(type, values: false).position(of: keyPath)
    }
}

extension AnyKeyPath {
    /// Whether it leads to something of a property, and so to no property of the object itself.
    ///
    /// What is not there on the way would end the program if it was asked for. Its description is such as
    /// `\Bag.owner?.name`, or `\Bag.<computed 0x1000 (Text)>.<computed 0x2000 (Int)>` where names were optimised away.
    fileprivate var isChain: Bool {
        let words = debugDescription
        let dots = words.prefix { $0 != "(" }.count { $0 == "." }
        return dots > 1 || words.contains { "!?[".contains($0) } || words.contains(")>.")
    }
}
