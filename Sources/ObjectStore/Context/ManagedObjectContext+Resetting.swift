extension ManagedObjectContext {
    /// Forgets every object that was read or changed, and the steps that could be undone.
    ///
    /// For work on more objects than memory is to hold: read or save a part, reset, and go on with the
    /// next. Changes that are not saved are lost. A handle that is still held reads its row anew; one of
    /// an object that was never saved reads as deleted. Provisional identities from before lead nowhere.
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
