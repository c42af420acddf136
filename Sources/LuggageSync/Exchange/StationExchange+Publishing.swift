internal import HubConnection
internal import LuggageTags
internal import ObjectStore

extension StationExchange {
    /// Publishes what this record derives from the facts, for people who ask the hub with SQL.
    ///
    /// While another station does, it publishes nothing.
    ///
    /// - Throws: As ``run(publishes:)`` does.
    package mutating func publish() throws {
        // Whatever is before it is in the rows below, which are read later.
        let place = state.pulled
        let mine = state.published == nil ? nil : state.generation
        do {
            let generation = try hub.beginPublishing(state.member, mine: mine)
            if generation == mine, try publishChanges(generation, upTo: place) { return }
            try publishAll(
                generation == mine
                    ? hub.beginPublishing(state.member, mine: nil) : generation,
                upTo: place
            )
        } catch let error as HubError where error.refusal == .otherPublisher {
            isPublisher = false
            tell(.publishedElsewhere(error.message))
        }
    }

    /// Publishes what has changed; returns false if the history does not tell what that is.
    private mutating func publishChanges(
        _ generation: Int64,
        upTo place: PullCursor
    ) throws -> Bool {
        let publishing = RowPublishing(container)
        while let published = state.published {
            var page: RowPublishing.Page
            do {
                page = try publishing.next(after: published, limit: Self.size)
            } catch let error as StoreError where error.code == .historyExpired {
                return false
            }
            page.rows.overdue = overdue
            try hub.publish(
                page.rows,
                of: state.member,
                generation: generation,
                upTo: place,
                isLast: page.isLast
            )
            state.published = page.token
            isPublisher = true
            if page.isLast { return true }
        }
        return false
    }

    private mutating func publishAll(_ generation: Int64, upTo place: PullCursor) throws {
        let last = try RowPublishing(container).all { rows in
            try hub.publish(
                rows,
                of: state.member,
                generation: generation,
                upTo: place,
                isLast: false
            )
        }
        while try hub.dropOldRows(of: state.member, before: generation, limit: 10_000) > 0 {}
        var none = PublishedRows()
        none.overdue = overdue
        try hub.publish(
            none,
            of: state.member,
            generation: generation,
            upTo: place,
            isLast: true
        )
        (state.generation, state.published, isPublisher) = (generation, last, true)
        try keep()
    }
}
