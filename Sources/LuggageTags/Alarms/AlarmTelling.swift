package import FoundationEssentials
package import ObjectStore

/// Finds the alarms that nobody was told of yet, for the one who tells: each once for a record, whichever of
/// its services asks and however often it starts.
package struct AlarmTelling: Sendable {
    /// What there is to tell.
    package struct News: Sendable {
        /// The alarms to tell now.
        package var new: [Alarm]
        /// How many are open that nobody has taken note of, those included.
        package var open: Int
    }

    private let container: PersistentContainer
    private let bounds: AlarmBounds

    /// How long it is remembered what was told, in seconds.
    ///
    /// An alarm may begin again, for example if an arrival is undone, and a longer bound for overdue bags makes
    /// it begin later. After twice the time for which it is one, and at the longest bound, it is none any more.
    static let memory = 2 * AlarmBounds.memory

    /// Prepares to tell the alarms of a record.
    package init(container: PersistentContainer, bounds: AlarmBounds) {
        (self.container, self.bounds) = (container, bounds)
    }

    /// Takes the alarms that were not told: from now on they were.
    ///
    /// It writes only if there are any.
    ///
    /// - Parameter now: The present moment.
    /// - Returns: What to tell at once, as nobody else will.
    /// - Throws: `StoreError`; then nothing counts as told.
    package func take(at now: Date) throws -> News {
        let seen = try container.read { try news(at: now, in: $0) }
        if seen.new.isEmpty { return seen }
        return try container.transaction { context in
            // Others have told some of them meanwhile; what else has changed is for the next time.
            let news = News(new: try untold(seen.new, in: context), open: seen.open)
            for alarm in news.new {
                let told = ToldAlarm(context: context)
                (told.alarm, told.since) = (alarm.id, alarm.since)
            }
            let old = FetchRequest(ToldAlarm.self).where(\.since, isLessThan: now - Self.memory)
            for told in try context.fetch(old) { try context.delete(told) }
            try context.save()
            return news
        }
    }

    private func news(at now: Date, in context: ManagedObjectContext) throws -> News {
        let open = try Alarm.open(at: now, within: bounds, in: context).filter { $0.note == nil }
        return News(new: try untold(open, in: context), open: open.count)
    }

    private func untold(_ alarms: [Alarm], in context: ManagedObjectContext) throws -> [Alarm] {
        let told = FetchRequest(ToldAlarm.self).where(\.alarm, isOneOf: alarms.map(\.id))
        let known = Set(try context.fetch(told).map(\.alarm))
        return alarms.filter { !known.contains($0.id) }
    }
}

/// That an alarm was told, so that nobody tells it again; for this record alone, and no fact.
final class ToldAlarm: ManagedObject {
    /// The identifier of the alarm, which tells nothing of the bag.
    @Attribute var alarm: UUID

    /// Since when it was one.
    @Attribute var since: Date

    /// The entity in the model.
    static let entity = EntityDescription(
        ToldAlarm.self,
        name: "ToldAlarm",
        properties: [.attribute(\.since, indexed: true)],
        uniquenessConstraints: [[\.alarm]]
    )
}
