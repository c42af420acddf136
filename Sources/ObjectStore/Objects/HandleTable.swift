internal import CSwiftRuntime

/// The handles that a program holds, by their objects; the table keeps none of them alive.
///
/// A handle removes itself when it is released, for which it waits until no other thread reads the
/// table: so what is in the table can be looked at, even if its last reference has just been released.
///
/// Weak references would do the same, but an object with one counts its references in a second block
/// of memory: more of it, and slower, at each read of a property.
///
/// Unchecked because handles are not Sendable: a program keeps them in one task. The table only looks
/// at their identities, which are atomic.
@safe struct HandleTable: @unchecked Sendable {
    private var handles = unsafe ObjectMap<Unmanaged<ManagedObject>>()

    var isEmpty: Bool { unsafe handles.isEmpty }

    /// The handle of an object, if there is one that is still held.
    func handle(of id: ObjectID) -> ManagedObject? {
        unsafe handles[id].flatMap { unsafe retained($0) }
    }

    /// Takes a handle of an object of which none is held.
    mutating func keep(_ handle: ManagedObject) {
        unsafe handles[handle.objectID] = Unmanaged.passUnretained(handle)
    }

    /// Forgets a handle that is being released.
    mutating func remove(_ handle: ManagedObject) {
        let id = handle.objectID
        guard let known = unsafe handles[id] else { return }
        // Another one may have been made for the object, since the last reference to this was released.
        let isSame = unsafe known.toOpaque() == Unmanaged.passUnretained(handle).toOpaque()
        if isSame { unsafe handles[id] = nil }
    }

    /// Makes handles stand for the present identities of their objects.
    mutating func forward(_ forwarding: ObjectMap<ObjectID>) {
        if isEmpty { return }
        for (source, target) in forwarding {
            guard let handle = unsafe handles.removeValue(of: source) else { continue }
            unsafe handle._withUnsafeGuaranteedRef { $0.forward(to: target) }
            // Of handles whose objects were merged, the table knows one.
            if unsafe !handles.contains(target) { unsafe handles[target] = handle }
        }
    }

    /// A handle in the table, unless its last reference has been released.
    private func retained(_ handle: Unmanaged<ManagedObject>) -> ManagedObject? {
        unsafe swift_tryRetain(handle.toOpaque()).map {
            unsafe Unmanaged<ManagedObject>.fromOpaque($0).takeRetainedValue()
        }
    }
}
