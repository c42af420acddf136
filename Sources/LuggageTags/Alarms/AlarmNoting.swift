internal import FoundationEssentials
internal import ObjectStore

extension RecordCorrector {
    /// Takes note of an alarm: it is not shown any more, and not told.
    ///
    /// The note is a fact like all others that people make: it can be undone, and other records hear of it.
    /// A second note of the same alarm changes nothing.
    ///
    /// - Parameters:
    ///   - alarm: The alarm.
    ///   - person: The person who takes note of it, with the reason.
    /// - Returns: The note that counts.
    /// - Throws: `StoreError`; then nothing is noted.
    @discardableResult
    public func note(_ alarm: Alarm, by person: Responsibility) throws -> Alarm.Note {
        try container.transaction { context in
            if let known = try context.note(of: alarm.key) { return known }
            let bag = alarm.key.bag
            let note = try Correction(.note, bag ?? alarm.id, person, at: now(), in: context)
            note.luggage = try bag.flatMap { try context.luggage($0) }
            note.take(alarm.key)
            try context.save()
            return Alarm.Note(note)
        }
    }
}

extension Correction {
    /// Keeps which alarm it is about.
    fileprivate func take(_ key: Alarm.Key) {
        alarm = key.kind
        dueAt = key.occasion
        station = key.station
        point = key.point
        place = key.place
        route = Route(trip: key.trip, date: key.date)
    }
}

extension Alarm.Key {
    /// The alarm that a note is about; nil for any other correction.
    init?(_ note: Correction) {
        guard note.kind == .note, let kind = note.alarmTold, let occasion = note.dueAt else {
            return nil
        }
        self.init(kind, station: note.station, occasion: occasion)
        (point, place) = (note.point, note.place)
        (trip, date) = (note.trip, note.tripDate)
        // A note of an alarm about no bag has that alarm's identifier.
        if id != note.identifier { bag = note.identifier }
    }
}

extension Correction {
    /// What an alarm tells, also if an older version of the program kept it without knowing what it is.
    var alarmTold: Alarm.Kind? {
        if let alarm { return alarm }
        let unknown = others.flatMap { try? UnknownMembers(stored: $0) }
        return unknown?.text("alarm").map(Alarm.Kind.init)
    }
}

extension Alarm.Note {
    init(_ note: Correction) {
        let reason = note.reason.isEmpty ? nil : note.reason
        self.init(author: note.author, reason: reason, madeAt: note.madeAt)
    }
}

extension ManagedObjectContext {
    /// What people have taken note of, by the alarm, since the occasion of the oldest one.
    func notes(since oldest: Date?) throws -> [UUID: Alarm.Note] {
        guard let oldest else { return [:] }
        let notes = FetchRequest(Correction.self).where(\.kind, is: .note)
            .where(\.undoneAt, isMissing: true).where(\.dueAt, isAtLeast: oldest)
        return Dictionary(
            try fetch(notes).sorted { ($0.time, $0.factIdentifier) < ($1.time, $1.factIdentifier) }
                .compactMap { note in Alarm.Key(note).map { ($0.id, Alarm.Note(note)) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The note of an alarm that counts; nil if nobody has taken note of it.
    fileprivate func note(of key: Alarm.Key) throws -> Alarm.Note? {
        try notes(since: key.occasion)[key.id]
    }
}
