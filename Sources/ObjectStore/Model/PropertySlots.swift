internal import Synchronization

/// The slots of an entity's attributes and to-one relationships, by their key paths.
///
/// Nobody has told the key path of an attribute that only its class declares. So the first time that it is used, the
/// class is asked which property it is.
final class PropertySlots: Sendable {
    private struct State {
        let probe: ClassProbe
        /// Those that are known; nil for what is none.
        var slots: [PropertyPath: Int?]
    }

    private let state: Mutex<State>
    /// The slots of the attributes that only the class declares, by their positions in it.
    private let undeclared: [Int: Int]

    /// Takes the slots that are known.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - declared: The key paths of the first slots.
    ///   - undeclared: The slots of the attributes that only the class declares, by their positions in it.
    init<Object: ManagedObject>(
        of type: Object.Type,
        declared: [PropertyPath],
        _ undeclared: [Int: Int]
    ) {
        self.undeclared = undeclared
        let slots = Dictionary(
            zip(declared, declared.indices.map { Int?($0) }),
            uniquingKeysWith: { first, _ in first }
        )
        state = Mutex(State(probe: ClassProbe(type), slots: slots))
    }

    /// The slot of a property; nil if the entity has none for it.
    subscript(keyPath: AnyKeyPath) -> Int? {
        let path = PropertyPath(keyPath)
        return state.withLock { state in
            if let known = state.slots[path] { return known }
            let slot =
                undeclared.isEmpty
                ? nil : state.probe.position(of: path.keyPath).flatMap { undeclared[$0] }
            state.slots[path] = .some(slot)
            return slot
        }
    }
}
