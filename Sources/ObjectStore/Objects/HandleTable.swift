internal import CSwiftRuntime

/// The handles that a program holds, by their objects; the table keeps none of them alive.
///
/// A handle removes itself when it is released, for which it waits until no other thread reads the
/// table: so what is in the table can be looked at, even if its last reference has just been released.
///
/// Weak references would do the same, but an object with one counts its references in a second block
/// of memory: more of it, and slower, at each read of a property.
///
/// Unchecked because handles are not Sendable: a program keeps them in one task. The table looks only
/// at their identities, which are atomic; who asks for a handle in several tasks gets the same.
@safe struct HandleTable: @unchecked Sendable {
    private var handles = unsafe ObjectMap<Unmanaged<ManagedObject>>()

    var isEmpty: Bool { unsafe handles.isEmpty }

    /// The handle of an object, if there is one that is still held.
    func handle(of id: ObjectID) -> ManagedObject? {
        unsafe handles[id].flatMap { unsafe retained($0) }
    }

    /// Takes a handle of an object of which no other is held.
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
    ///
    /// - Returns: Handles to be released when no lock is held: each may be the last reference by now.
    mutating func forward(_ forwarding: ObjectMap<ObjectID>) -> [ManagedObject] {
        var others: [ManagedObject] = []
        if isEmpty { return others }
        for (source, target) in forwarding {
            guard let handle = unsafe handles.removeValue(of: source) else { continue }
            unsafe handle._withUnsafeGuaranteedRef { $0.forward(to: target) }
            // Of handles whose objects were merged, the table knows one.
            if let other = self.handle(of: target) {
                others.append(other)
            } else {
                unsafe handles[target] = handle
            }
        }
        return others
    }

    /// A handle in the table, unless its last reference has been released.
    private func retained(_ handle: Unmanaged<ManagedObject>) -> ManagedObject? {
        unsafe swift_tryRetain(handle.toOpaque()).map {
            unsafe Unmanaged<ManagedObject>.fromOpaque($0).takeRetainedValue()
        }
    }
}
