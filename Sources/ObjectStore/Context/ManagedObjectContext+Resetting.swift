extension ManagedObjectContext {
    /// Forgets every object that was read or changed, and the steps that could be undone.
    ///
    /// Use it for work on more objects than fit in memory: read or save a part, reset, and continue
    /// with the next. Unsaved changes are lost. A handle that is still held reads its row anew; a
    /// handle of an object that was never saved reads as deleted. Earlier provisional identities
    /// become invalid.
    public func reset() {
        change(isStep: false) { state in
            state.graph.forget()
            state.undo.removeAll()
            state.pendingSave?.isForgotten = true
            state.forwarded = [:]
            state.unread = [:]
            state.companions = Companions()
            state.handles = state.handles.filter { $0.value.object != nil }
        }
    }
}
