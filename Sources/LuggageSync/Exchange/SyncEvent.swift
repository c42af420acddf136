package import FoundationEssentials
internal import LuggageTags

/// What people should know about an exchange.
package enum SyncEvent: Hashable, Sendable {
    /// Facts were sent.
    case pushed(Int)
    /// Facts were taken that were new here.
    case pulled(Int)
    /// A fact was refused, with the reason.
    case refused(UUID?, String)
    /// The hub keeps facts apart, because their times are ahead of its clock.
    case keptApart(Int)
    /// The hub was restored, or has failed over to a standby.
    case hubChanged
    /// This record was restored from a backup.
    case restored
    /// Days were compared with the hub.
    case compared(days: Int, differing: Int)
    /// Another station publishes, so this one does not; with the words of the hub.
    case publishedElsewhere(String)
    /// Another program reads the record, whose files may hold what was purged elsewhere until it ends.
    case compactionPostponed
}

extension Hub.Greeting {
    /// From where on the hub has lost facts that a record has pulled; nil if it has not.
    ///
    /// A run that followed the one in which the record was last here began after all that it could pull
    /// then, or the hub was put back.
    func lossBegins(for state: HubState) -> PullCursor? {
        guard let common = runs.lastIndex(where: { state.runs.contains($0.id) }) else {
            // It was put back to a time of which the record knows nothing any more.
            return .start
        }
        guard common + 1 < runs.count else { return nil }
        let place = PullCursor(transaction: runs[common + 1].place, number: -1)
        return place < state.pulled ? place : nil
    }
}
